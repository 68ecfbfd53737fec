// The records of the open machine as text.
import { button, find, grouped, seconds, VirtualList } from './dom.js';
import { app, firstWhere, jump, kinds, never, noNumber, noState, onPaint, touch } from './model.js';
const changes = ['off', 'on', 'on, for a tick', 'off, the tick has ended'];
const inSeconds = value => `${(Number(value) / 1e9).toFixed(3)} s`;
/** Describes a record as the library's record_text does. */
export function recordText(chart, r) {
    const state = number => (number === noState ? 'nowhere' : chart.states[number]?.path ?? `state ${number}`);
    const name = (list, number) => chart[list][number]?.text ?? `${list.slice(0, -1)} ${number}`;
    const waiting = () => (r.number === noNumber ? 'a request' : name('transitions', r.number));
    const of = list => chart[list]?.[r.what] ?? `${r.what}`;
    switch (r.kind) {
    case kinds.more: return `more: ${r.further.map(state).join(' ')}`;
    case kinds.call: return `${of('calls')} at ${inSeconds(r.value)}${r.number || r.state ? `, agent ${r.number}` : ''}`;
    case kinds.call_end: return `→ ${r.what === 255 ? 'an exception' : of('results')}`;
    case kinds.event: return `event ${r.number === noNumber ? 'without a transition' : name('events', r.number)} (${of('origins')})${r.value ? `, value ${r.value}` : ''}`;
    case kinds.guard: return r.what < 2 ? `${name('guards', r.number)}: ${r.what ? 'yes' : 'no'}`
        : `conditions of ${chart.transitions[Number(r.value)]?.text ?? state(r.state)}: ${r.what % 2 ? 'yes' : 'no'}`;
    case kinds.transition: return `transition ${r.number !== noNumber ? name('transitions', r.number)
        : `${state(r.state)} → ${state(r.value >= noState ? noState : Number(r.value))}`} (${of('reasons')})`;
    case kinds.exited: return `exited ${state(r.state)}`;
    case kinds.action: return name('hooks', r.number);
    case kinds.entered: return `entered ${state(r.state)}`;
    case kinds.arrived: return `arrived in ${state(r.state)}`;
    case kinds.updated: return `updated ${state(r.state)}`;
    case kinds.held: return `${waiting()} waits until ${state(r.state)} no longer holds`;
    case kinds.leave_requested: return `${waiting()} requests to leave ${state(r.state)}`;
    case kinds.released: return `released ${state(r.state)}`;
    case kinds.deferred: return `deferred ${name('events', r.number)}`;
    case kinds.recalled: return `recalled ${name('events', r.number)}`;
    case kinds.refused: return `refused ${waiting()}: a transition of higher priority waits`;
    case kinds.dropped: return `dropped ${r.number === noNumber ? 'a request' : name('events', r.number)} (${of('drops')})`;
    case kinds.finished: return `finished ${state(r.state)}`;
    case kinds.armed: return r.value === never ? `stopped ${timerText(chart, r.number)}` : `armed ${timerText(chart, r.number)}, due at ${inSeconds(r.value)}`;
    case kinds.due: return `due ${timerText(chart, r.number)}`;
    case kinds.condition: return `condition ${name('conditions', r.number)} ${changes[r.what] ?? '?'}`;
    case kinds.error: return `a hook threw an exception${r.state !== noState ? `, ${of('places')} ${state(r.state)}` : ''}`;
    case kinds.configuration: return `active (${of('configurations')}): ${r.number ? state(r.state) : 'nothing'}${r.number > 1 ? ` and ${r.number - 1} more` : ''}`;
    case kinds.lost: return `${r.value} records are missing`;
    case kinds.scored: return `${r.what ? 'score' : 'invalid score'} of ${waiting()}`;
    }
    return 'a record of an unknown kind';
}
export const timerText = (chart, number) => chart.timers[number]?.label || `timer ${number} of ${chart.states[chart.timers[number]?.state]?.path ?? '?'}`;

const groups = { calls: 'call call_end', events: 'event deferred recalled dropped', transitions: 'transition held leave_requested refused released',
    states: 'entered exited arrived finished configuration more', guards: 'guard scored', timers: 'armed due', conditions: 'condition', actions: 'action updated',
    errors: 'error lost' };
const groupOf = [];
for (const [name, members] of Object.entries(groups)) for (const member of members.split(' ')) groupOf[kinds[member]] = name;

const hidden = new Set(['calls', 'guards', 'actions']);
let text = '', records = null, list;
let matches = [], read = 0; // the indices of the records that match; the first record that was not read yet
let shown = -1;             // the position that the list was scrolled to

/** Returns the position of the last match before a record. */
const lastBefore = index => firstWhere(0, matches.length, i => matches[i] >= index) - 1;
const current = () => (app.cursor === null ? matches.length - 1 : lastBefore(app.cursor));
function update() {
    if (records !== app.records) [records, matches, read] = [app.records, [], 0];
    if (!records) return list.update(0);
    matches.splice(0, lastBefore(records.first) + 1);
    for (read = Math.max(read, records.first); read < records.end; ++read) {
        if (hidden.has(groupOf[records.kindAt(read)])) continue;
        if (!text || recordText(records.chart, records.record(read)).toLowerCase().includes(text)) matches.push(read);
    }
    find('#log-count').textContent = `${grouped(matches.length)} of ${grouped(records.end - records.first)} records`;
    list.update(matches.length); // also while the log is hidden: it can appear before the next update
    if (!list.height) return;
    const wanted = app.cursor ?? matches.length;
    if (matches.length && shown !== wanted) list.show(Math.max(0, current()));
    shown = wanted;
}

function fill(i, row, [time, name]) {
    const index = matches[i], r = records.record(index), content = recordText(records.chart, r);
    Object.assign(row, { id: `record-${index}`, title: `record ${index}, ${seconds(r.time, 6)}: ${content}`, ariaSelected: i === current(),
        className: `row record ${groupOf[r.kind]} ${app.cursor !== null && index >= app.cursor ? 'later' : ''}` });
    time.textContent = r.time.toFixed(3);
    name.textContent = content;
}

export function startLog() {
    list = new VirtualList(find('#records'), 20, ['time number', 'name'], { fill, choose: i => i < matches.length && jump(matches[i] + 1), chosen: current });
    const again = () => { [matches, read, shown] = [[], 0, -1]; update(); };
    find('#log-search').oninput = event => { text = event.target.value.toLowerCase(); again(); };
    find('#log-kinds').append(...Object.keys(groups).map(name => button(name, event => {
        hidden.delete(name) || hidden.add(name);
        event.target.ariaPressed = !hidden.has(name);
        again();
    }, { ariaPressed: !hidden.has(name) })));
    onPaint('log', update);
}
