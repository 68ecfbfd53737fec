// The records of the open machine as text.
import { button, find, grouped, seconds, VirtualList } from './dom.js';
import { app, firstWhere, jump, onPaint } from './model.js';
const groups = { calls: 'call call_end', events: 'event deferred recalled dropped', transitions: 'transition held leave_requested refused released',
    states: 'entered exited arrived finished configuration more', guards: 'guard scored', timers: 'armed due', conditions: 'condition', actions: 'action updated',
    errors: 'error lost' };
const groupOf = Object.fromEntries(Object.entries(groups).flatMap(([name, members]) => members.split(' ').map(kind => [kind, name])));

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
        if (hidden.has(groupOf[records.record(read).kind])) continue;
        if (!text || records.record(read).text.toLowerCase().includes(text)) matches.push(read);
    }
    find('#log-count').textContent = `${grouped(matches.length)} of ${grouped(records.end - records.first)} records`;
    list.update(matches.length); // also while the log is hidden: it can appear before the next update
    if (!list.height) return;
    const wanted = app.cursor ?? matches.length;
    if (matches.length && shown !== wanted) list.show(Math.max(0, current()));
    shown = wanted;
}

function fill(i, row, [time, name]) {
    const index = matches[i], r = records.record(index);
    Object.assign(row, { id: `record-${index}`, title: `record ${index}, ${seconds(r.time, 6)}: ${r.text}`, ariaSelected: i === current(),
        className: `row record ${groupOf[r.kind]} ${app.cursor !== null && index >= app.cursor ? 'later' : ''}` });
    time.textContent = r.time.toFixed(3);
    name.textContent = r.text;
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
