// Starts the page, and applies the events of the stream.
import { find, grouped, notify } from './dom.js';
import { app, everything, jump, learnChart, pathOf, Records, selectedMachine, touch } from './model.js';
import { listen, post, takeToken } from './stream.js';
import { listChanged, startList } from './list.js';
import { startPicture } from './picture.js';
import { startTimeline, step } from './timeline.js';
import { startLog } from './log.js';
import { forgetAnswer, startWhy } from './why.js';
import { pauseOrContinue, startCommands, stepOnce } from './commands.js';
import { addPopulation, forgetPopulations, startPopulations } from './populations.js';
let page = null;
let wanted = sessionStorage.getItem('hsm.machine'); // the name of the machine that was selected before the page was loaded
let waitsFor = null;                                // the id of a machine to select when it is listed
let early = null;                                   // records of the selected machine that arrive before its chart
const lost = new Map();                             // the number of records lost in each lane

async function open(id) { const { error } = await post('/api/open', { viewer: app.viewer, id }); if (error) notify(error.message, true); }

function select(id) {
    if (id !== null && !app.machines.has(id)) return void (waitsFor = id);
    if (id === app.selected && app.records) return;
    if (app.machines.has(app.selected) && app.selected !== id) post('/api/close', { viewer: app.viewer, id: app.selected });
    Object.assign(app, { selected: id, records: null, cursor: null, focus: null });
    forgetAnswer();
    if (id !== null) {
        sessionStorage.setItem('hsm.machine', selectedMachine().name);
        open(id);
    }
    touch(...everything);
}
app.select = select;

function addMachines(machines) {
    for (const machine of machines) {
        app.machines.set(machine.id, machine);
        learnChart(machine.chart);
    }
    listChanged();
    const found = app.machines.get(waitsFor) ?? (app.selected === null ? machines.find(machine => machine.name === wanted) : null);
    if (found) select(found.id), (waitsFor = null);
}

let announced = { time: 0, last: -1 };
/** Reads the active states to screen readers after a transition, at most once a second. */
function announce({ now, chart }) {
    const time = performance.now();
    if (app.cursor !== null || time - announced.time < 1000 || now.last === announced.last) return;
    announced = { time, last: now.last };
    find('#announcer').textContent = now.leaves().map(s => pathOf(chart, s)).join(', ');
}

const receivers = {
    hello({ viewer, may_command, page: run, t, title }) {
        if (page !== null && page !== run) { // another run of the program
            for (const all of [app.machines, app.charts]) all.clear();
            forgetPopulations();
            lost.clear();
            wanted = sessionStorage.getItem('hsm.machine');
            select(null);
        }
        page = run;
        Object.assign(app, { viewer, mayCommand: may_command, clock: t });
        document.title = `${title} · hsm`;
        find('#title').textContent = title;
        find('#rights').hidden = may_command;
        touch(...everything);
    },
    machines({ all }) {
        app.machines.clear();
        addMachines(all);
        if (app.selected !== null) app.machines.has(app.selected) ? open(app.selected) : select(null);
    },
    added: ({ machines }) => addMachines(machines),
    removed({ ids }) {
        for (const id of ids) {
            if (id === app.selected) notify(`${selectedMachine().name} was removed.`);
            app.machines.delete(id);
            if (id === app.selected) select(null);
        }
        listChanged();
    },
    states({ t, changes }) { for (const [id, leaves] of changes) Object.assign(app.machines.get(id) ?? {}, { leaves, since: t }); touch('list'); },
    facts({ machines }) { for (const facts of machines) Object.assign(app.machines.get(facts.id) ?? {}, facts); touch('list', 'machine', 'why'); },
    populations: addPopulation,
    async open(data) {
        if (data.id !== app.selected) return;
        const entry = app.charts.get(selectedMachine().chart), mine = (early = []);
        await entry?.ready;
        if (data.id !== app.selected || early !== mine || !entry?.loaded) return;
        Object.assign(app, { records: new Records(entry.loaded, data), cursor: null });
        early = null;
        for (const each of mine) receivers.records(each);
        touch(...everything);
    },
    records(data) {
        if (data.id !== app.selected) return;
        if (early) return void early.push(data);
        if (data.first !== app.records?.end) return;
        app.records.add(data.r);
        if (app.cursor !== null) app.cursor = Math.max(app.cursor, app.records.first);
        announce(app.records);
        touch('picture', 'timeline', 'log', 'side');
    },
    dropped({ lane, total }) {
        const count = total - (lost.get(lane) ?? 0);
        if (!count) return;
        lost.set(lane, total);
        find('#losses').hidden = false;
        find('#losses').textContent = `${grouped([...lost.values()].reduce((a, b) => a + b, 0))} records lost`;
        find('#losses').title = 'The program produced records faster than the page could read them.';
        if (app.records && selectedMachine().lane === lane) app.records.gaps.push({ index: app.records.end, count });
    },
    said({ id, verb, outcome, by }) {
        if (by !== app.viewer && app.machines.has(id) && !['explain', 'agents', 'save'].includes(verb)) notify(`Viewer ${by}, ${app.machines.get(id).name}: ${verb}: ${outcome}`);
    },
    stopped({ id, by }) { notify(`${app.machines.get(id)?.name ?? 'A machine'} has stopped: ${by}`); if (id === app.selected) jump(null); },
};

const tabs = [...document.querySelectorAll('[role=tab]')];
function showTab(name) {
    for (const tab of tabs) {
        const isShown = tab.id === `tab-${name}`;
        Object.assign(tab, { ariaSelected: isShown, tabIndex: isShown ? 0 : -1 });
        document.getElementById(tab.getAttribute('aria-controls')).hidden = !isShown;
    }
    sessionStorage.setItem('hsm.tab', name);
    touch('log', 'why', 'side', 'machine');
}

function startKeys() {
    tabs.forEach((tab, i) => {
        tab.onclick = () => showTab(tab.id.slice(4));
        tab.onkeydown = event => {
            const next = tabs.at((i + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0)) % tabs.length);
            if (next !== tab) next.focus(), next.click();
        };
    });
    const shortcuts = { '?': () => find('#help').showModal(), '/': () => find('#search').focus(), l: () => jump(null), '[': () => step(-1), ']': () => step(1),
        ' ': pauseOrContinue, s: stepOnce };
    const buttons = { '+': 'zoom-in', '=': 'zoom-in', '-': 'zoom-out', f: 'fit', g: 'follow', c: 'collapse', b: 'mode' };
    for (const [key, id] of Object.entries(buttons)) shortcuts[key] = () => document.getElementById(id).click();
    tabs.forEach((tab, i) => (shortcuts[i + 1] = () => tab.click()));
    document.addEventListener('keydown', event => {
        const { tagName } = event.target;
        if (event.key === 'Escape' && tagName === 'INPUT') return event.target.blur();
        if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(tagName) || find('#help').open) return;
        if (!shortcuts[event.key] || (event.key === ' ' && tagName === 'BUTTON')) return;
        event.preventDefault();
        shortcuts[event.key]();
    });
    find('#help-button').onclick = shortcuts['?'];
}

takeToken();
startList(select);
for (const start of [startPicture, startTimeline, startLog, startWhy, startCommands, startPopulations, startKeys]) start();
showTab(sessionStorage.getItem('hsm.tab') ?? 'why');
touch(...everything);
// Facts of the focused state change with time. A panel that has the focus is not built again.
setInterval(() => app.cursor === null && !find('#why').contains(document.activeElement) && touch('why'), 500);
listen((name, data) => {
    if (data.t > app.clock) Object.assign(app, { clock: data.t, clockAt: performance.now() });
    receivers[name]?.(data);
}, (text, isConnected) => {
    app.isConnected = isConnected;
    Object.assign(find('#connection'), { textContent: text, className: `badge ${isConnected ? 'good' : 'bad'}` });
    document.body.classList.toggle('offline', !isConnected);
});
