// The list of machines, with its search.

import { find, duration, VirtualList } from './dom.js';
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
export function parseSearch(text) {
    const tests = (text.toLowerCase().match(/[^\s"]*"[^"]*"?|\S+/g) ?? []).map(term => {
        const [, name, value] = /^(\w+):(.+)$/.exec(term) ?? [];
        const test = properties[name]?.(value.replaceAll('"', ''));
        const plain = term.replaceAll('"', '');
        return test ?? (machine => machine.name.toLowerCase().includes(plain) || leavesOf(machine).some(path => path.toLowerCase().includes(plain)));
    });
    return machine => tests.every(test => test(machine));
}

let ordered = [], shown = [], search = '', filtered = 0, isOrdered = false;

/** Puts the machines of a manager and the agents of a crowd below it. */
function order() {
    const children = new Map();
    for (const machine of app.machines.values()) {
        const parent = app.machines.has(machine.parent) ? machine.parent : null;
        if (!children.has(parent)) children.set(parent, []);
        children.get(parent).push(machine);
    }
    ordered = [];
    const add = (machine, depth) => {
        machine.depth = depth;
        ordered.push(machine);
        for (const child of children.get(machine.id) ?? []) add(child, depth + 1);
    };
    for (const machine of children.get(null) ?? []) add(machine, 0);
    isOrdered = true;
}
export const listChanged = () => { isOrdered = false; touch('list'); };

function fill(i, row, [kind, name, marks, where, since]) {
    const machine = shown[i], { stops } = machine;
    const count = machine.count === null ? '' : machine.count.toLocaleString('en');
    row.id = `row-${machine.id}`;
    row.className = `row ${machine.paused ? 'paused' : ''}`;
    row.title = `${machine.kind}: ${machine.name}`;
    row.style.paddingLeft = `${8 + machine.depth * 14}px`;
    row.ariaSelected = machine.id === app.selected;
    kind.textContent = signs[machine.kind];
    kind.className = `kind ${machine.kind}`;
    name.textContent = machine.name;
    marks.textContent = [machine.paused && '‖', machine.recording && '•rec', stops.length > 0 && `■${stops.length}`].filter(Boolean).join(' ');
    where.textContent = machine.chart && machine.kind !== 'crowd' ? leavesOf(machine).join(', ') || (machine.finished ? 'finished' : 'inactive') : count;
    since.textContent = machine.leaves.length ? duration(Math.max(0, now() - machine.since)) : '';
}

export function startList(select) {
    const choose = i => { list.show(i); select(shown[i].id); };
    const list = new VirtualList(find('#list'), 25, ['kind', 'name', 'marks', 'where', 'since'],
        { fill, choose, chosen: () => shown.findIndex(machine => machine.id === app.selected) });
    const input = find('#search');
    const filter = () => {
        search = input.value;
        filtered = 0;
        for (const button of document.querySelectorAll('[data-filter]')) button.ariaPressed = search.split(/\s+/).includes(button.dataset.filter);
        touch('list');
    };
    input.oninput = filter;
    for (const button of document.querySelectorAll('[data-filter]'))
        button.onclick = () => {
            const terms = search.split(/\s+/).filter(Boolean), { filter: term } = button.dataset;
            input.value = (terms.includes(term) ? terms.filter(t => t !== term) : [...terms, term]).join(' ');
            filter();
        };
    input.onkeydown = event => {
        if (event.key === 'Enter' && shown.length) choose(0);
        if (event.key === 'ArrowDown') list.box.focus();
    };
    onPaint('list', () => {
        const time = performance.now();
        if (app.machines.size > 5000 && time - filtered < 500) return setTimeout(() => touch('list'), 500); // a search of many machines takes long
        filtered = time;
        if (!isOrdered) order();
        shown = search.trim() ? ordered.filter(parseSearch(search)) : ordered;
        const all = app.machines.size.toLocaleString('en');
        find('#found').textContent = search.trim() ? `${shown.length.toLocaleString('en')} of ${all}` : `${all} machines`;
        list.update(shown.length);
        list.box.setAttribute('aria-activedescendant', `row-${app.selected}`);
    });
    setInterval(() => document.hidden || touch('list'), 1000);
}
