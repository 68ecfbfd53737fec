// Commands for the selected machine: the tool bar, conditions, events and breakpoints.

import { find, make, notify, save } from './dom.js';
import { app, moment, onPaint, selectedChart, selectedMachine } from './model.js';
import { get, post } from './stream.js';

/** Sends a request to the selected machine, and returns the answer. */
export const ask = (verb, fields = {}) => post('/api/command', { viewer: app.viewer, id: app.selected, verb, ...fields });

/** Sends a command, and shows its outcome. */
export async function act(verb, fields = {}) {
    const result = await ask(verb, fields);
    if (result.error) notify(`${verb}: ${result.error.message}${result.error.hint ? `. ${result.error.hint}` : ''}`, true);
    else if (!result.outcome) notify(`${verb}: sent. The program has not called poll yet.`);
    else notify(`${verb}: ${result.outcome}${result.text ? `. ${result.text}` : ''}`);
    return result;
}

const notStoppable = 'Not offered: its loop does not call page.runs.';
const readOnly = 'Read-only: open the URL that the program printed, with the part after #.';
export const mayStop = machine => machine.stoppable && app.mayCommand;
const whyNotStop = machine => (app.mayCommand ? (machine.stoppable ? '' : notStoppable) : readOnly);

export function breakButton(at, number, text) {
    const isSet = selectedMachine().stops.some(stop => stop.at === at && stop.number === number);
    return make('button', { ariaPressed: isSet, onclick: () => act(isSet ? 'unbreak' : 'break', { at, number }) }, text);
}

function upload() {
    const input = make('input', { type: 'file', accept: '.json,.txt,application/json' });
    input.onchange = async () => act('load', { document: await input.files[0].text() });
    input.click();
}

async function saveDocument(machine) {
    const result = await act('save');
    if (result.document) save(`${fileName(machine)}.json`, result.document);
}
async function saveTrace(machine) {
    const answer = await get(`/api/trace/${machine.id}`);
    if (answer.ok) save(`${fileName(machine)}.trace`, await answer.blob());
    else notify((await answer.json()).error.message, true);
}
const fileName = machine => machine.name.replace(/[^\w.-]+/g, '_');

export const pauseOrContinue = () => paceIt(machine => act(machine.paused ? 'continue' : 'pause'));
export const stepOnce = () => paceIt(() => act('step', { ticks: 1 }));
function paceIt(change) {
    const machine = selectedMachine();
    if (!machine) return;
    mayStop(machine) ? change(machine) : notify(whyNotStop(machine));
}

let toolbarKey = '';
function paintToolbar() {
    const machine = selectedMachine(), bar = find('#machine');
    const key = JSON.stringify([machine, app.mayCommand], (name, value) => (['leaves', 'since', 'count'].includes(name) ? undefined : value));
    if (key === toolbarKey) return;
    toolbarKey = key;
    bar.hidden = !machine;
    if (!machine) return;
    const isMachine = !['crowd', 'manager', 'recorded'].includes(machine.kind), why = whyNotStop(machine);
    const button = (text, title, action, disabled = false) => make('button', { title, onclick: action, disabled }, text);
    const parts = [make('strong', { className: 'name' }, machine.name), make('span', { className: 'quiet' }, machine.kind),
        machine.paused && make('span', { className: 'badge warn' }, 'paused'), make('span', { className: 'grow' })];
    if (machine.kind !== 'recorded')
        parts.push(make('span', { className: 'group' },
            button(machine.paused ? 'Continue' : 'Pause', why || 'space', pauseOrContinue, !!why), button('Step', why || 'One tick (s)', stepOnce, !!why)));
    if (isMachine && app.mayCommand) {
        parts.push(make('span', { className: 'group' }, ...['Start', 'Stop', 'Restart'].map(text => button(text, `${text} the machine`, () => act(text.toLowerCase())))));
        if (machine.scale !== null) {
            const input = make('input', { type: 'number', min: 0, step: 0.1, value: machine.scale, title: 'Time scale: 0.5 is half the speed', ariaLabel: 'Time scale' });
            input.onchange = () => act('scale', { factor: +input.value });
            parts.push(make('label', { className: 'quiet' }, '×', input));
        }
    }
    if (isMachine) {
        parts.push(make('span', { className: 'group' }, button('Save', 'Download the state as a document', () => saveDocument(machine)),
            app.mayCommand && button('Load…', 'Restore the state from a document', upload)));
        if (app.mayCommand) parts.push(make('button', { ariaPressed: machine.recording, title: 'Record also without a viewer', onclick: () => act('record', { on: !machine.recording }) }, 'Record'));
    }
    if (!['crowd', 'manager'].includes(machine.kind)) parts.push(button('Trace', 'Download the records, for hsm trace', () => saveTrace(machine)));
    if (!app.mayCommand) parts.push(make('span', { className: 'quiet', title: readOnly }, 'read-only'));
    bar.replaceChildren(...parts.filter(Boolean));
}

let conditionsOf = null, conditionRows = [];
function paintConditions() {
    const chart = selectedChart(), panel = find('#conditions'), state = moment(), isCrowd = selectedMachine()?.kind === 'crowd';
    if (conditionsOf !== chart || panel.commands !== app.mayCommand) {
        [conditionsOf, panel.commands] = [chart, app.mayCommand];
        conditionRows = [];
        const rows = (chart?.conditions ?? []).map((condition, number) => {
            if (number === 0) return null; // the first one is internal
            const lamp = make('span', { className: 'lamp' }), button = (text, verb) => make('button', { onclick: () => act(verb, { condition: number }) }, text);
            conditionRows[number] = make('div', { className: 'row condition' }, lamp, make('span', { className: 'name', title: condition.text }, condition.text),
                app.mayCommand && make('span', { className: 'group' }, button('Set', 'set'), button('Clear', 'clear'), button('Pulse', 'pulse')));
            return conditionRows[number];
        }).filter(Boolean);
        panel.replaceChildren(...(rows.length ? rows : [make('p', { className: 'quiet' }, 'This chart has no conditions.')]));
    }
    conditionRows.forEach((row, number) => {
        const isOn = !!state?.conditions.has(number);
        if (row.isOn === isOn && !isCrowd) return;
        row.isOn = isOn;
        row.classList.toggle('on', isOn);
        row.firstChild.setAttribute('role', 'img');
        row.firstChild.ariaLabel = isCrowd ? 'for all agents' : isOn ? 'on' : 'off';
    });
}

let sendOf = null;
function paintSend() {
    const chart = selectedChart(), panel = find('#send'), key = app.mayCommand && chart;
    if (sendOf === key) return;
    sendOf = key;
    if (!key) return panel.replaceChildren(make('p', { className: 'quiet' }, app.mayCommand ? 'Select a machine.' : readOnly));
    const names = make('datalist', { id: 'event-names' }, ...chart.events.map(event => make('option', { value: event.text })));
    const event = make('input', { ariaLabel: 'Event', placeholder: 'Name of the event', spellcheck: false });
    event.setAttribute('list', 'event-names');
    const data = make('textarea', { rows: 4, ariaLabel: 'Fields as JSON', placeholder: 'Fields as JSON: {"damage": 3}', spellcheck: false });
    const send = verb => {
        try {
            if (data.value.trim()) JSON.parse(data.value);
        } catch (error) {
            return notify(`The fields are not valid JSON: ${error.message}`, true);
        }
        if (event.value) act(verb, { event: event.value, ...(data.value.trim() ? { data: data.value } : {}) });
    };
    const form = make('form', { onsubmit: e => { e.preventDefault(); send('process'); } }, make('label', {}, 'Event', event), make('label', {}, 'Fields', data),
        make('div', { className: 'actions' }, make('button', { type: 'submit', className: 'primary' }, 'Process'),
            make('button', { type: 'button', title: 'Handled in the next tick', onclick: () => send('post') }, 'Post')));
    const list = chart.events.map(({ text }) => make('button', { className: 'chip', title: `Process ${text}`, onclick: () => { event.value = text; send('process'); } }, text));
    panel.replaceChildren(form, names, make('h3', {}, 'Events of this chart'), make('p', {}, ...list));
}

const places = { entry: 'states', exit: 'states', transition: 'transitions', condition: 'conditions', event: 'events', error: null };
const textOfPlace = (chart, at, number) => (places[at] ? chart[places[at]][number]?.path ?? chart[places[at]][number]?.text : 'an exception of a hook');

let breaksKey = '';
function paintBreaks() {
    const machine = selectedMachine(), chart = selectedChart(), panel = find('#breaks');
    const key = JSON.stringify([machine?.id, chart?.fingerprint, machine?.stops, machine?.stoppable, app.mayCommand]);
    if (panel.hidden || key === breaksKey) return;
    breaksKey = key;
    if (!machine || !chart) return panel.replaceChildren(make('p', { className: 'quiet' }, 'Select a machine.'));
    const why = machine.kind === 'crowd' ? 'Not offered for crowds: open an agent.' : whyNotStop(machine);
    const rows = machine.stops.map(({ at, number }) => make('div', { className: 'row' }, make('span', { className: 'name' }, `${at}: ${textOfPlace(chart, at, number)}`),
        !why && make('button', { ariaLabel: 'Remove', onclick: () => act('unbreak', { at, number }) }, '×')));
    if (why) return panel.replaceChildren(make('p', { className: 'quiet' }, why), ...rows);
    const number = make('select', { ariaLabel: 'Place' }), at = make('select', { ariaLabel: 'Kind' }, ...Object.keys(places).map(name => make('option', {}, name)));
    at.onchange = () => {
        const list = places[at.value];
        number.hidden = !list;
        number.replaceChildren(...(chart[list] ?? []).map((thing, n) => (list === 'conditions' && n === 0) || thing.hidden ? null
            : make('option', { value: n }, thing.path ?? thing.text)).filter(Boolean));
    };
    at.onchange();
    panel.replaceChildren(make('form', { onsubmit: e => { e.preventDefault(); act('break', { at: at.value, ...(places[at.value] ? { number: +number.value } : {}) }); } },
        make('label', {}, 'Stop at', at), number, make('div', { className: 'actions' }, make('button', { type: 'submit', className: 'primary' }, 'Add breakpoint'),
            make('button', { type: 'button', disabled: !rows.length, onclick: () => act('unbreak', { all: true }) }, 'Remove all'))),
    make('h3', {}, 'Breakpoints'), ...(rows.length ? rows : [make('p', { className: 'quiet' }, 'None. The machine stops after the call that reaches one.')]));
}

export function startCommands() {
    onPaint('machine', () => { paintToolbar(); paintBreaks(); paintSend(); });
    onPaint('side', paintConditions);
}
