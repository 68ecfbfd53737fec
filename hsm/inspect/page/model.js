// What the page knows: machines, charts, and the records of the open machine.

import { get } from './stream.js';

const kindNames = ['more', 'call', 'call_end', 'event', 'guard', 'transition', 'exited', 'action', 'entered', 'arrived', 'updated', 'held',
    'released', 'deferred', 'recalled', 'refused', 'dropped', 'finished', 'armed', 'due', 'condition', 'error', 'configuration', 'lost'];
export const kinds = Object.fromEntries(kindNames.map((name, number) => [name, number]));
export const noState = 0xffff, noNumber = 0xffffffff;

/** `cursor` is the index of the record before which the page shows the machine; null: the present. */
export const app = { machines: new Map(), charts: new Map(), selected: null, records: null, cursor: null, focus: null, mayCommand: false,
    viewer: 0, clock: 0, clockAt: 0 };

/** Returns the present time of the program's page, in seconds. */
export const now = () => app.clock + (app.isConnected ? (performance.now() - app.clockAt) / 1000 : 0);
export const selectedMachine = () => app.machines.get(app.selected);
export const selectedChart = () => app.charts.get(selectedMachine()?.chart)?.loaded ?? null;
/** Returns the state of the open machine that the page shows. */
export const moment = () => app.records && (app.cursor === null ? app.records.now : app.records.at(app.cursor));

const painters = new Map(), dirty = new Set();
let isWaiting = false, painted = 0;
/** Calls the painter of each part in the next frame, at most 30 times a second. */
export function touch(...parts) {
    for (const part of parts) dirty.add(part);
    if (!isWaiting) isWaiting = !!requestAnimationFrame(paint);
}
export const onPaint = (part, painter) => painters.set(part, [...(painters.get(part) ?? []), painter]);
function paint(time) {
    isWaiting = false;
    if (time - painted < 30) return touch();
    painted = time;
    const parts = [...dirty];
    dirty.clear();
    for (const part of parts) for (const painter of painters.get(part) ?? []) painter();
}
export const everything = ['list', 'machine', 'picture', 'timeline', 'log', 'side', 'why', 'populations'];

/** Loads a chart's dictionary once. */
export function learnChart(fingerprint) {
    if (!fingerprint || app.charts.has(fingerprint)) return;
    const entry = { loaded: null };
    app.charts.set(fingerprint, entry);
    entry.ready = get(`/api/chart/${fingerprint}`).then(async answer => {
        if (!answer.ok) return void app.charts.delete(fingerprint);
        const chart = await answer.json(), root = `${chart.states[0]?.path}/`;
        chart.shorten = text => text.replaceAll(root, ''); // every path begins with the name of the root
        for (const state of chart.states) state.path = chart.shorten(state.path);
        for (const list of ['transitions', 'guards', 'hooks', 'groups']) for (const thing of chart[list]) thing.text = chart.shorten(thing.text);
        chart.depths = [];
        chart.states.forEach((state, i) => chart.depths.push(state.parent === null ? 0 : chart.depths[state.parent] + 1));
        chart.timersOf = chart.states.map(() => []);
        chart.timers.forEach((timer, i) => chart.timersOf[timer.state]?.push(i));
        entry.loaded = chart;
        touch(...everything);
    }, () => app.charts.delete(fingerprint));
}

export const pathOf = (chart, state) => chart.states[state]?.path ?? `state ${state}`;

class Moment {
    constructor(chart) {
        Object.assign(this, { chart, active: new Uint8Array(chart.states.length), conditions: new Set(), timers: new Map(), guards: new Map(),
            answers: new Map(), clock: 0, last: -1, event: noNumber, lastEvent: noNumber, expected: 0 });
    }
    copy() {
        const other = Object.assign(new Moment(this.chart), this);
        other.active = this.active.slice();
        other.conditions = new Set(this.conditions);
        for (const name of ['timers', 'guards', 'answers']) other[name] = new Map(this[name]);
        return other;
    }
    activate(leaf) {
        --this.expected;
        for (; leaf !== null && leaf < this.active.length && !this.active[leaf]; leaf = this.chart.states[leaf].parent) this.active[leaf] = 1;
    }
    leaves() {
        const all = [];
        for (let s = 0; s < this.active.length; ++s) if (this.active[s] && !this.active.subarray(s + 1, this.chart.states[s].last + 1).includes(1)) all.push(s);
        return all;
    }
    apply(r, index) {
        const i = index % capacity, state = r.state[i], number = r.number[i], what = r.what[i];
        switch (r.kind[i]) {
        case kinds.call: this.event = noNumber; // fallthrough
        case kinds.call_end: this.clock = Number(r.value[i]); break;
        case kinds.event: this.event = number; break;
        case kinds.guard: {
            const answer = { yes: what % 2 === 1, clock: this.clock }, transition = Number(r.value[i]);
            if (what < 2) this.guards.set(number, answer);
            if (transition < this.chart.transitions.length) this.answers.set(transition, answer);
            break;
        }
        case kinds.transition:
            this.last = index;
            this.lastEvent = this.chart.reasons[what] === 'event' ? this.event : noNumber;
            break;
        case kinds.entered: this.active[state] = 1; break;
        case kinds.exited:
            this.active[state] = 0;
            for (const timer of this.chart.timersOf[state] ?? []) this.timers.delete(timer);
            break;
        case kinds.armed: this.timers.set(number, Number(r.value[i])); break;
        case kinds.condition: this.conditions[what === 1 || what === 2 ? 'add' : 'delete'](number); break;
        case kinds.configuration:
            this.active.fill(0);
            this.expected = number;
            if (number > 0) this.activate(state);
            if (this.chart.configurations?.[what] === 'reset') this.conditions.clear(), this.timers.clear();
            break;
        case kinds.more:
            for (const leaf of furtherStates(r, i)) if (this.expected > 0) this.activate(leaf);
            break;
        }
    }
}

/** Returns the 16-bit numbers in a record of the kind `more`. */
function furtherStates(r, i) {
    const bits = BigInt.asUintN(64, r.value[i]);
    const all = [r.state[i], r.number[i] & 0xffff, r.number[i] >>> 16, ...[0n, 16n, 32n, 48n].map(shift => Number((bits >> shift) & 0xffffn))];
    return all.slice(0, Math.min(r.what[i], 7));
}

const capacity = 131072, block = 4096;

/** The records of one machine in a ring, with a keyframe for each block. Indices are those of the server. */
export class Records {
    constructor(chart, open) {
        Object.assign(this, { chart, first: open.first, end: open.first, gaps: [], seen: new Set(open.active), shift: 0, cached: null });
        this.kind = new Uint8Array(capacity);
        this.what = new Uint8Array(capacity);
        this.state = new Uint16Array(capacity);
        this.number = new Uint32Array(capacity);
        this.value = new BigInt64Array(capacity);
        this.time = new Float64Array(capacity); // seconds; does not go back when the clock of the machine does
        this.now = new Moment(chart);
        this.now.clock = open.clock;
        for (const state of open.active) this.now.active[state] = 1;
        for (const condition of open.conditions) this.now.conditions.add(condition);
        for (const [timer, due] of open.timers) this.now.timers.set(timer, due);
        this.latest = open.clock / 1e9;
        this.keyframes = new Map([[this.first, this.now.copy()]]);
    }
    add(values) {
        for (let v = 0; v + 4 < values.length; v += 5) {
            if (this.end - this.first === capacity) this.drop();
            const i = this.end % capacity;
            this.kind[i] = values[v];
            this.what[i] = values[v + 1];
            this.state[i] = values[v + 2];
            this.number[i] = values[v + 3];
            this.value[i] = BigInt(values[v + 4]);
            this.now.apply(this, this.end);
            const clock = this.now.clock / 1e9;
            if (clock + this.shift < this.latest) this.shift = this.latest - clock;
            this.time[i] = this.latest = clock + this.shift;
            if (this.kind[i] === kinds.entered) this.seen.add(this.state[i]);
            else if (this.kind[i] === kinds.configuration || this.kind[i] === kinds.more) this.now.active.forEach((on, s) => on && this.seen.add(s));
            if (++this.end % block === 0) this.keyframes.set(this.end, this.now.copy());
        }
    }
    drop() {
        this.keyframes.delete(this.first);
        this.first = (Math.floor(this.first / block) + 1) * block;
    }
    /** Returns the state before the record. The object is valid until the next call. */
    at(index) {
        if (index >= this.end) return this.now;
        let found = this.cached;
        if (!found || found.index > index || found.index < this.first || index - found.index > block) {
            const from = Math.max(this.first, Math.floor(index / block) * block);
            found = this.keyframes.get(from).copy();
            found.index = from;
        }
        while (found.index < index) found.apply(this, found.index++);
        return (this.cached = found);
    }
    timeAt(index) {
        return index <= this.first ? this.time[this.first % capacity] : this.time[(Math.min(index, this.end) - 1) % capacity];
    }
    /** Returns the index of the first record later than the time. */
    after(time) {
        let low = this.first, high = this.end;
        while (low < high) {
            const middle = Math.floor((low + high) / 2);
            if (this.time[middle % capacity] > time) high = middle;
            else low = middle + 1;
        }
        return low;
    }
    record(index) {
        const i = index % capacity;
        return { kind: this.kind[i], what: this.what[i], state: this.state[i], number: this.number[i], value: this.value[i], time: this.time[i],
            further: this.kind[i] === kinds.more ? furtherStates(this, i) : [] };
    }
    kindAt(index) { return this.kind[index % capacity]; }
    /** Returns the nearest transition before or after a record, or -1. */
    transitionFrom(index, step) {
        for (let i = index; i >= this.first && i < this.end; i += step) if (this.kindAt(i) === kinds.transition) return i;
        return -1;
    }
}

export function jump(index) {
    const { records } = app;
    if (!records) return;
    app.cursor = index === null ? null : Math.max(records.first, Math.min(index, records.end));
    touch('picture', 'timeline', 'log', 'side', 'why', 'machine');
}
