// The data of the page: machines, charts, and the records of the open machine.
import { get } from './stream.js';

const kindNames = ['more', 'call', 'call_end', 'event', 'guard', 'transition', 'exited', 'action', 'entered', 'arrived', 'updated', 'held',
    'released', 'deferred', 'recalled', 'refused', 'dropped', 'finished', 'armed', 'due', 'condition', 'error', 'configuration', 'lost',
    'scored', 'leave_requested'];
export const kinds = Object.fromEntries(kindNames.map((name, number) => [name, number]));
export const noState = 0xffff, noNumber = 0xffffffff, never = 0x7fffffffffffffffn;

/** `cursor` is the index of the record before which the page shows the machine; null: the present. `focus` is what the panel "Why?" explains. */
export const app = { machines: new Map(), charts: new Map(), selected: null, records: null, cursor: null, focus: null, mayCommand: false, viewer: 0,
    clock: 0, clockAt: 0, isConnected: false };

/** Returns the present time of the program's page, in seconds. */
export const now = () => app.clock + (app.isConnected ? (performance.now() - app.clockAt) / 1000 : 0);
export const selectedMachine = () => app.machines.get(app.selected);
export const selectedChart = () => app.charts.get(selectedMachine()?.chart)?.loaded ?? null;
/** Returns the state of the open machine that the page shows. */
export const moment = () => app.records && (app.cursor === null ? app.records.now : app.records.at(app.cursor));
export const pathOf = (chart, state) => chart.states[state]?.path ?? `state ${state}`;
export function jump(index) {
    if (!app.records) return;
    app.cursor = index === null ? null : Math.max(app.records.first, Math.min(index, app.records.end));
    touch('picture', 'timeline', 'log', 'side', 'why');
}

const painters = [], dirty = new Set();
let isWaiting = false, painted = 0;
export const everything = ['list', 'machine', 'picture', 'timeline', 'log', 'side', 'why', 'populations'];
export const onPaint = (part, painter) => painters.push([part, painter]);
/** Calls the painters of the parts in the next frame, at most 30 times a second. */
export function touch(...parts) { for (const part of parts) dirty.add(part); if (!isWaiting) isWaiting = !!requestAnimationFrame(paint); }
function paint(time) {
    isWaiting = false;
    if (time - painted < 30) return touch();
    painted = time;
    const parts = new Set(dirty);
    dirty.clear();
    for (const [part, painter] of painters) if (parts.has(part)) painter();
}

async function loadChart(fingerprint) {
    for (;;) {
        const answer = await get(`/api/chart/${fingerprint}`).catch(() => null), chart = answer?.ok && (await answer.json().catch(() => null));
        if (chart) return chart;
        if (answer?.status === 404) throw new Error('no listed machine has the chart');
        await new Promise(resolve => setTimeout(resolve, 1000));
    }
}
/** Loads a chart's dictionary once. */
export function learnChart(fingerprint) {
    if (!fingerprint || app.charts.has(fingerprint)) return;
    const entry = { loaded: null };
    app.charts.set(fingerprint, entry);
    entry.ready = loadChart(fingerprint).then(chart => {
        const root = `${chart.states[0]?.path}/`;
        chart.shorten = text => text.replaceAll(root, ''); // every path begins with the name of the root
        for (const state of chart.states) state.path = chart.shorten(state.path);
        for (const list of ['transitions', 'guards', 'hooks', 'groups']) for (const thing of chart[list]) thing.text = chart.shorten(thing.text);
        chart.states.forEach(state => (state.depth = state.parent === null ? 0 : chart.states[state.parent].depth + 1));
        chart.timersOf = chart.states.map((state, s) => chart.timers.flatMap((timer, i) => (timer.state === s ? [i] : [])));
        entry.loaded = chart;
        touch(...everything);
    }).catch(() => app.charts.delete(fingerprint));
}

/** The state of a machine at one moment. */
class Moment {
    constructor(chart) {
        Object.assign(this, { chart, active: new Uint8Array(chart.states.length), conditions: new Set(), timers: new Map(), guards: new Map(),
            answers: new Map(), clock: 0, last: -1, event: noNumber, lastEvent: noNumber, expected: 0 });
    }
    copy() {
        const other = Object.assign(new Moment(this.chart), this, { active: this.active.slice(), conditions: new Set(this.conditions) });
        for (const name of ['timers', 'guards', 'answers']) other[name] = new Map(this[name]);
        return other;
    }
    activate(leaf) {
        --this.expected;
        for (; leaf !== null && leaf < this.active.length && !this.active[leaf]; leaf = this.chart.states[leaf].parent) this.active[leaf] = 1;
    }
    leaves() {
        const all = [], { active, chart } = this;
        for (let s = 0; s < active.length; ++s) if (active[s] && !active.subarray(s + 1, chart.states[s].last + 1).includes(1)) all.push(s);
        return all;
    }
    apply(r, index) {
        const i = index % capacity, state = r.state[i], number = r.number[i], what = r.what[i];
        switch (r.kind[i]) {
        case kinds.call: this.event = noNumber; // falls through
        case kinds.call_end: this.clock = Number(r.value[i]); break;
        case kinds.event: this.event = number; break;
        case kinds.guard:
            if (what < 2) this.guards.set(number, { yes: what === 1, clock: this.clock });
            if (r.value[i] < this.chart.transitions.length) this.answers.set(Number(r.value[i]), { yes: what % 2 === 1, clock: this.clock });
            break;
        case kinds.transition:
            this.last = index;
            this.lastEvent = this.chart.reasons[what] === 'event' ? this.event : noNumber;
            break;
        case kinds.entered: this.active[state] = 1; break;
        case kinds.exited:
            this.active[state] = 0;
            for (const timer of this.chart.timersOf[state] ?? []) this.timers.delete(timer);
            break;
        case kinds.armed: r.value[i] === never ? this.timers.delete(number) : this.timers.set(number, Number(r.value[i])); break;
        case kinds.condition: this.conditions[what === 1 || what === 2 ? 'add' : 'delete'](number); break;
        case kinds.configuration:
            this.active.fill(0);
            this.expected = number;
            if (number > 0) this.activate(state);
            if (this.chart.configurations[what] === 'reset') this.conditions.clear(), this.timers.clear();
            break;
        case kinds.more: for (const leaf of furtherStates(r, i)) if (this.expected > 0) this.activate(leaf);
        }
    }
}

/** Returns the 16-bit numbers in a record of the kind `more`. */
function furtherStates(r, i) {
    const inValue = [0n, 16n, 32n, 48n].map(shift => Number((BigInt.asUintN(64, r.value[i]) >> shift) & 0xffffn));
    return [r.state[i], r.number[i] & 0xffff, r.number[i] >>> 16, ...inValue].slice(0, r.what[i]);
}

/** Returns the first number from `low` on for which the test is true, and all later ones; `high` if there is none. */
export function firstWhere(low, high, test) {
    while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (test(middle)) high = middle;
        else low = middle + 1;
    }
    return low;
}

const capacity = 131072, block = 4096;

/** The records of one machine in a ring, with a keyframe for each block. Indices are those of the server. */
export class Records {
    constructor(chart, open) {
        Object.assign(this, { chart, first: open.first, end: open.first, gaps: [], seen: new Set(open.active), shift: 0, cached: null,
            kind: new Uint8Array(capacity), what: new Uint8Array(capacity), state: new Uint16Array(capacity), number: new Uint32Array(capacity),
            value: new BigInt64Array(capacity), time: new Float64Array(capacity) }); // time: seconds; never goes back, unlike the machine's clock
        this.now = Object.assign(new Moment(chart), { clock: open.clock, conditions: new Set(open.conditions), timers: new Map(open.timers) });
        for (const state of open.active) this.now.active[state] = 1;
        this.latest = open.clock / 1e9;
        this.keyframes = new Map([[this.first, this.now.copy()]]);
    }
    add(values) {
        for (let v = 0; v < values.length; v += 5) {
            if (this.end - this.first === capacity) this.drop();
            const i = this.end % capacity;
            [this.kind[i], this.what[i], this.state[i], this.number[i]] = [values[v], values[v + 1], values[v + 2], values[v + 3]];
            this.value[i] = BigInt(values[v + 4]);
            this.now.apply(this, this.end);
            const clock = this.now.clock / 1e9;
            this.shift = Math.max(this.shift, this.latest - clock);
            this.time[i] = this.latest = clock + this.shift;
            if (this.kind[i] === kinds.entered) this.seen.add(this.state[i]);
            else if (this.kind[i] === kinds.configuration || this.kind[i] === kinds.more) this.now.active.forEach((on, s) => on && this.seen.add(s));
            if (++this.end % block === 0) this.keyframes.set(this.end, this.now.copy());
        }
    }
    drop() { this.keyframes.delete(this.first); this.first = (Math.floor(this.first / block) + 1) * block; }
    /** Returns the state before the record. The object is valid until the next call. */
    at(index) {
        if (index >= this.end) return this.now;
        let found = this.cached;
        if (!found || found.index > index || found.index < this.first || index - found.index > block) {
            const from = Math.max(this.first, Math.floor(index / block) * block);
            found = Object.assign(this.keyframes.get(from).copy(), { index: from });
        }
        while (found.index < index) found.apply(this, found.index++);
        return (this.cached = found);
    }
    timeAt(index) {
        if (this.first === this.end) return this.latest;
        return this.time[(index <= this.first ? this.first : Math.min(index, this.end) - 1) % capacity];
    }
    /** Returns the index of the first record later than the time. */
    after(time) { return firstWhere(this.first, this.end, i => this.time[i % capacity] > time); }
    kindAt(index) { return this.kind[index % capacity]; }
    record(index) {
        const i = index % capacity, kind = this.kind[i], further = kind === kinds.more ? furtherStates(this, i) : [];
        return { kind, what: this.what[i], state: this.state[i], number: this.number[i], value: this.value[i], time: this.time[i], further };
    }
    /** Returns the index after the last record of the call that contains a record. */
    endOfCall(index) {
        while (index < this.end && this.kindAt(index) !== kinds.call_end) ++index;
        return Math.min(index + 1, this.end);
    }
    /** Returns the nearest transition from a record on, in steps of 1 or -1, or -1 if there is none. */
    transitionFrom(index, step) {
        for (let i = index; i >= this.first && i < this.end; i += step) if (this.kindAt(i) === kinds.transition) return i;
        return -1;
    }
}
