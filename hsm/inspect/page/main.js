// Starts the page, and applies the events of the stream.

import { find, notify } from './dom.js';
import { app, everything, jump, learnChart, moment, pathOf, Records, selectedChart, selectedMachine, touch } from './model.js';
import { listen, post, takeToken } from './stream.js';
import { listChanged, startList } from './list.js';
import { startPicture } from './picture.js';
import { startTimeline, step } from './timeline.js';
import { startLog } from './log.js';
import { forgetAnswer, startWhy } from './why.js';
import { pauseOrContinue, startCommands, stepOnce } from './commands.js';
import { addPopulation, forgetPopulations, startPopulations } from './populations.js';

let page = null, wanted = sessionStorage.getItem('hsm.machine'); // the name of the machine to select when it is listed

function select(id, waits = false) {
    if (waits && !app.machines.has(id)) return void (app.waitsFor = id);
    if (id === app.selected && app.records) return;
    if (app.selected !== null && app.selected !== id) post('/api/close', { viewer: app.viewer, id: app.selected });
    Object.assign(app, { selected: id, records: null, cursor: null, focus: null });
    forgetAnswer();
    const machine = selectedMachine();
    if (machine) {
        sessionStorage.setItem('hsm.machine', machine.name);
        open(id);
    }
    touch(...everything);
}
app.select = select;

async function open(id) {
    const { error } = await post('/api/open', { viewer: app.viewer, id });
    if (error) notify(error.message, true);
}

function setClock(t) {
    if (t < app.clock) return;
    Object.assign(app, { clock: t, clockAt: performance.now() });
}

function addMachines(machines) {
    for (const machine of machines) {
        app.machines.set(machine.id, machine);
        learnChart(machine.chart);
    }
    listChanged();
    const found = app.machines.get(app.waitsFor) ?? (app.selected === null && wanted !== null ? machines.find(machine => machine.name === wanted) : null);
    if (!found) return;
    app.waitsFor = undefined;
    select(found.id);
}

let announced = 0;
/** Reads the latest transition to screen readers, at most once a second. */
function announce(records) {
    if (app.cursor !== null || performance.now() - announced < 1000 || records.now.last === announce.last) return;
    announced = performance.now();
    announce.last = records.now.last;
    find('#announcer').textContent = records.now.leaves().map(s => pathOf(records.chart, s)).join(', ');
}

const receivers = {
    hello(data) {
        if (page !== null && page !== data.page) {
            app.machines.clear();
            app.charts.clear();
            forgetPopulations();
            wanted = sessionStorage.getItem('hsm.machine');
            select(null);
        }
        page = data.page;
        Object.assign(app, { viewer: data.viewer, mayCommand: data.may_command, clock: 0 });
        setClock(data.t);
        document.title = `${data.title} · hsm`;
        find('#title').textContent = data.title;
        find('#rights').hidden = data.may_command;
        touch(...everything);
    },
    machines({ all }) {
        app.machines.clear();
        addMachines(all);
        if (app.selected === null) return;
        if (app.machines.has(app.selected)) open(app.selected);
        else select(null);
    },
    added({ machines }) { addMachines(machines); },
    removed({ ids }) {
        for (const id of ids) {
            if (id === app.selected) notify(`${app.machines.get(id)?.name} was removed.`);
            app.machines.delete(id);
            if (id === app.selected) select(null);
        }
        listChanged();
    },
    states({ t, changes }) {
        for (const [id, leaves] of changes) {
            const machine = app.machines.get(id);
            if (machine) Object.assign(machine, { leaves, since: t });
        }
        touch('list');
    },
    facts({ machines }) {
        for (const facts of machines) Object.assign(app.machines.get(facts.id) ?? {}, facts);
        touch('list', 'machine', 'why');
    },
    populations: addPopulation,
    async open(data) {
        if (data.id !== app.selected) return;
        const entry = app.charts.get(selectedMachine()?.chart);
        const early = (app.early = []); // records that arrive before the chart
        await entry?.ready;
        if (data.id !== app.selected || early !== app.early || !entry?.loaded) return;
        app.records = new Records(entry.loaded, data);
        app.early = null;
        if (app.cursor !== null) app.cursor = null;
        for (const each of early) receivers.records(each);
        touch(...everything);
    },
    records(data) {
        if (data.id !== app.selected) return;
        if (app.early) return void app.early.push(data);
        if (!app.records || data.first !== app.records.end) return;
        app.records.add(data.r);
        if (app.cursor !== null && app.cursor < app.records.first) app.cursor = app.records.first;
        announce(app.records);
        touch('picture', 'timeline', 'log', 'side');
    },
    dropped({ lane, total }) {
        const badge = find('#losses'), { records } = app;
        app.dropped = { ...app.dropped, [lane]: total };
        badge.hidden = false;
        badge.textContent = `${Object.values(app.dropped).reduce((a, b) => a + b, 0).toLocaleString('en')} records lost`;
        badge.title = 'The program produced records faster than the page took them.';
        if (records && selectedMachine()?.lane === lane) records.gaps.push({ index: records.end, count: total - (records.lost ?? 0) }), (records.lost = total);
    },
    said({ id, verb, outcome, by }) {
        if (by !== app.viewer && app.machines.has(id)) notify(`Viewer ${by}, ${app.machines.get(id).name}: ${verb}: ${outcome}`);
    },
    stopped({ id, by }) {
        const machine = app.machines.get(id);
        notify(`${machine?.name ?? 'A machine'} has stopped: ${by}`);
        find('#announcer').textContent = `Stopped: ${by}`;
        if (id === app.selected) jump(null);
    },
};

function showTab(name) {
    for (const tab of document.querySelectorAll('[role=tab]')) {
        const isShown = tab.id === `tab-${name}`;
        tab.setAttribute('aria-selected', isShown);
        tab.tabIndex = isShown ? 0 : -1;
        find(`#${tab.getAttribute('aria-controls')}`).hidden = !isShown;
    }
    sessionStorage.setItem('hsm.tab', name);
    touch('log', 'why', 'side', 'machine');
}

function startTabs() {
    const tabs = [...document.querySelectorAll('[role=tab]')];
    tabs.forEach((tab, i) => {
        tab.onclick = () => showTab(tab.id.slice(4));
        tab.onkeydown = event => {
            const change = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (change) tabs.at((i + change) % tabs.length).focus(), tabs.at((i + change) % tabs.length).click();
        };
    });
    showTab(sessionStorage.getItem('hsm.tab') ?? 'why');
}

function startShortcuts() {
    const click = name => () => find(name).click();
    const shortcuts = { '?': () => find('#help').showModal(), '/': () => find('#search').focus(), l: () => jump(null), '[': () => step(-1), ']': () => step(1),
        ' ': pauseOrContinue, s: stepOnce, '+': click('#zoom-in'), '=': click('#zoom-in'), '-': click('#zoom-out'), f: click('#fit'), g: click('#follow'),
        c: click('#collapse'), b: click('#mode') };
    ['why', 'log', 'conditions', 'send', 'breaks'].forEach((name, i) => (shortcuts[i + 1] = () => showTab(name)));
    document.addEventListener('keydown', event => {
        const { tagName } = event.target;
        if (event.key === 'Escape' && tagName === 'INPUT') return event.target.blur();
        if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(tagName) || find('#help').open) return;
        if (event.key === ' ' && tagName === 'BUTTON') return;
        if (!shortcuts[event.key]) return;
        event.preventDefault();
        shortcuts[event.key]();
    });
    find('#help-button').onclick = shortcuts['?'];
}

takeToken();
startList(select);
startPicture();
startTimeline();
startLog();
startWhy();
startCommands();
startPopulations();
startTabs();
startShortcuts();
touch(...everything);
// Countdowns and the facts of the focused state; a panel that has the focus is not rebuilt.
setInterval(() => app.cursor === null && !document.hidden && !find('#why').contains(document.activeElement) && touch('why'), 500);
listen((name, data) => {
    if (data.t !== undefined) setClock(data.t);
    receivers[name]?.(data);
}, (text, isGood) => {
    app.isConnected = isGood;
    find('#connection').textContent = text;
    find('#connection').className = `badge ${isGood ? 'good' : 'bad'}`;
    document.body.classList.toggle('offline', !isGood);
});
