// The list of machines, with its search.
import { duration, find, grouped, VirtualList } from './dom.js';
import { app, now, onPaint, pathOf, touch } from './model.js';
const signs = { instance: '●', actor: '◆', crowd: '⁂', agent: '•', manager: '▤', managed: '●', session: '◇', recorded: '▶' };

const leavesOf = machine => {
    const chart = app.charts.get(machine.chart)?.loaded;
    return machine.leaves.map(leaf => (chart ? pathOf(chart, leaf) : `state ${leaf}`));
};

const comparisons = { '>': (a, b) => a > b, '<': (a, b) => a < b };
const units = { ms: 0.001, s: 1, min: 60, h: 3600 };
const properties = {
    in: text => machine => leavesOf(machine).some(path => path.toLowerCase().split('/').some(name => name.includes(text))),
    is: text => machine => (text === 'inactive' ? machine.chart && machine.kind !== 'crowd' && !machine.leaves.length : machine[text] === true),
    kind: text => machine => machine.kind === text,
    for: text => {
        const [, sign, number, unit] = /^([<>]?)=?([\d.]+)(ms|s|min|h)?$/.exec(text) ?? [];
        if (!number) return null;
        return machine => machine.leaves.length > 0 && comparisons[sign || '>'](now() - machine.since, number * units[unit ?? 's']);
    },
};

/** Returns a predicate for machines: all terms of the search must match. */
function parseSearch(text) {
    const tests = (text.toLowerCase().match(/[^\s"]*"[^"]*"?|\S+/g) ?? []).map(term => {
        const [, name, value] = /^(\w+):(.+)$/.exec(term) ?? [];
        const plain = term.replaceAll('"', '');
        return properties[name]?.(value.replaceAll('"', '')) ?? (machine => machine.name.toLowerCase().includes(plain) || leavesOf(machine).some(path => path.toLowerCase().includes(plain)));
    });
    return machine => tests.every(test => test(machine));
}

let ordered = null, shown = []; // all machines, each manager and crowd before its own; those that match the search
function order() {
    const children = new Map(), all = [];
    for (const machine of app.machines.values()) {
        const parent = app.machines.has(machine.parent) ? machine.parent : null;
        children.has(parent) ? children.get(parent).push(machine) : children.set(parent, [machine]);
    }
    const add = (parent, depth) => {
        for (const machine of children.get(parent) ?? []) {
            all.push(Object.assign(machine, { depth }));
            add(machine.id, depth + 1);
        }
    };
    add(null, 0);
    return all;
}
export const listChanged = () => { ordered = null; touch('list'); };
function fill(i, row, [kind, name, marks, where, since]) {
    const machine = shown[i], { stops, count } = machine;
    Object.assign(row, { id: `row-${machine.id}`, className: `row ${machine.paused ? 'paused' : ''}`, title: `${machine.kind}: ${machine.name}`,
        ariaSelected: machine.id === app.selected });
    row.style.paddingLeft = `${8 + machine.depth * 14}px`;
    Object.assign(kind, { textContent: signs[machine.kind], className: `kind ${machine.kind}` });
    name.textContent = machine.name;
    marks.textContent = [machine.paused && '‖', machine.recording && '•rec', stops.length > 0 && `■${stops.length}`].filter(Boolean).join(' ');
    where.textContent = count !== null ? grouped(count) : leavesOf(machine).join(', ') || (machine.finished ? 'finished' : 'inactive');
    since.textContent = machine.leaves.length ? duration(Math.max(0, now() - machine.since)) : '';
}

export function startList(select) {
    const input = find('#search'), buttons = document.querySelectorAll('[data-filter]'), terms = () => input.value.split(/\s+/).filter(Boolean);
    const choose = i => { list.show(i); select(shown[i].id); };
    const list = new VirtualList(find('#list'), 25, ['kind', 'name', 'marks', 'where', 'since'],
        { fill, choose, chosen: () => shown.findIndex(machine => machine.id === app.selected) });
    let next = 0, waits = 0; // a search of many machines takes long, so it is done twice a second
    input.oninput = () => {
        next = 0;
        for (const button of buttons) button.ariaPressed = terms().includes(button.dataset.filter);
        update(); // now: the next key may be for the list
    };
    for (const button of buttons)
        button.onclick = () => {
            const { filter } = button.dataset, others = terms().filter(term => term !== filter);
            input.value = (others.length < terms().length ? others : [...others, filter]).join(' ');
            input.oninput();
        };
    input.onkeydown = event => { if (event.key === 'Enter' && shown.length) choose(0); if (event.key === 'ArrowDown') list.box.focus(); };
    const update = () => {
        const time = performance.now(), { size } = app.machines;
        if (size > 5000 && time < next) return void (waits ||= setTimeout(() => { waits = 0; touch('list'); }, next - time));
        next = time + 500;
        ordered ??= order();
        shown = terms().length ? ordered.filter(parseSearch(input.value)) : ordered;
        find('#found').textContent = terms().length ? `${grouped(shown.length)} of ${grouped(size)}` : `${grouped(size)} machine${size === 1 ? '' : 's'}`;
        list.update(shown.length);
        list.box.setAttribute('aria-activedescendant', `row-${app.selected}`);
    };
    onPaint('list', update);
    setInterval(() => touch('list'), 1000);
}
