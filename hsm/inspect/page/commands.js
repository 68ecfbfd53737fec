// Commands for the selected machine: the tool bar, conditions, events and breakpoints.
import { button, find, make, notify, quiet, refill, save } from './dom.js';
import { app, moment, onPaint, selectedChart, selectedMachine } from './model.js';
import { get, post } from './stream.js';
/** Sends a request to the selected machine, and returns the answer. */
export const ask = (verb, fields = {}) => post('/api/command', { viewer: app.viewer, id: app.selected, verb, ...fields });
/** Sends a command, and shows its outcome. */
export async function act(verb, fields = {}) {
    const result = await ask(verb, fields);
    if (result.error) notify(`${verb}: ${result.error.message}${result.error.hint ? `. ${result.error.hint}` : ''}`, true);
    else notify(`${verb}: ${result.outcome ?? 'sent. The program has not called poll yet.'}${result.text ? `. ${result.text}` : ''}`);
    return result;
}

const readOnly = 'Read-only: open the URL that the program printed, with the part after #.';
export const mayStop = machine => machine.stoppable && app.mayCommand;
const whyNotStop = machine => (mayStop(machine) ? '' : app.mayCommand ? 'Not offered: the program\'s loop does not call page.runs.' : readOnly);
export function breakButton(at, number, text) {
    const isSet = selectedMachine().stops.some(stop => stop.at === at && stop.number === number);
    return button(text, () => act(isSet ? 'unbreak' : 'break', { at, number }), { ariaPressed: isSet });
}

function upload() {
    const input = make('input', { type: 'file', accept: '.json,.txt,application/json' });
    input.onchange = async () => act('load', { document: await input.files[0].text() });
    input.click();
}
const fileName = machine => machine.name.replace(/[^\w.-]+/g, '_');
async function saveDocument(machine) { const result = await act('save'); if (result.document) save(`${fileName(machine)}.json`, result.document); }
async function saveTrace(machine) {
    const answer = await get(`/api/trace/${machine.id}`);
    answer.ok ? save(`${fileName(machine)}.trace`, await answer.blob()) : notify((await answer.json()).error.message, true);
}

const pace = change => () => { const machine = selectedMachine(); if (machine) mayStop(machine) ? change(machine) : notify(whyNotStop(machine)); };
export const pauseOrContinue = pace(machine => act(machine.paused ? 'continue' : 'pause'));
export const stepOnce = pace(() => act('step', { ticks: 1 }));
/** Returns whether the key differs from that of the panel's content. Content that has not changed is not built again, so that it keeps the focus. */
function isNew(panel, ...key) {
    const text = JSON.stringify(key, (name, value) => (['leaves', 'since', 'count'].includes(name) ? undefined : value));
    return panel.key !== text && !!(panel.key = text);
}

function paintToolbar() {
    const machine = selectedMachine(), bar = find('#machine');
    if (!isNew(bar, machine, app.mayCommand)) return;
    if ((bar.hidden = !machine)) return;
    const isRunning = machine.kind !== 'recorded', isMachine = isRunning && !['crowd', 'manager'].includes(machine.kind);
    const commands = isMachine && app.mayCommand, why = whyNotStop(machine);
    const group = (...buttons) => make('span', { className: 'group' }, ...buttons);
    const scale = make('input', { type: 'number', min: 0, step: 0.1, value: machine.scale, title: '0.5 is half the speed', ariaLabel: 'Time scale' });
    scale.onchange = () => act('scale', { factor: +scale.value });
    refill(bar, make('strong', { className: 'name' }, machine.name), 
        make('span', { className: `quiet kind-name ${machine.paused ? 'paused' : ''}` }, machine.paused ? 'paused' : machine.kind),
        isRunning && group(button(machine.paused ? 'Continue' : 'Pause', pauseOrContinue, { title: why || 'space', disabled: !!why }),
            button('Step', stepOnce, { title: why || 'One tick (s)', disabled: !!why })),
        commands && group(...['Start', 'Stop', 'Restart'].map(text => button(text, () => act(text.toLowerCase())))),
        commands && machine.scale !== null && make('label', { className: 'quiet' }, '×', scale),
        isRunning && group(button('Save', () => saveDocument(machine), { title: 'Download the state as a document' }),
            app.mayCommand && button('Load…', upload, { title: 'Restore the state from a document' })),
        commands && button('Record', () => act('record', { on: !machine.recording }), { ariaPressed: machine.recording, title: 'Record even while no viewer shows this machine' }),
        machine.chart && machine.kind !== 'crowd' && button('Trace', () => saveTrace(machine), { title: 'Download the records as a file for hsm trace' }),
        machine.kind === 'agent' && app.mayCommand && button('Close', () => act('close_agent'), { title: 'Remove the agent from the list' }),
    );
}

let lamps = [];
function paintConditions() {
    const chart = selectedChart(), panel = find('#conditions'), state = moment();
    if (isNew(panel, chart?.fingerprint, app.mayCommand)) {
        lamps = [];
        const rows = (chart?.conditions ?? []).slice(1).map((condition, i) => { // number 0 is "is finished"
            const verb = text => button(text, () => act(text.toLowerCase(), { condition: i + 1 }));
            lamps[i + 1] = make('span', { className: 'lamp', role: 'img' });
            return make('div', { className: 'row condition' }, lamps[i + 1], make('span', { className: 'name', title: condition.text }, condition.text),
                app.mayCommand && make('span', { className: 'group' }, verb('Set'), verb('Clear'), verb('Pulse')));
        });
        panel.replaceChildren(...(rows.length ? rows : [quiet('This chart has no conditions.')]));
    }
    const isCrowd = selectedMachine()?.kind === 'crowd'; // its commands are for all agents
    lamps.forEach((lamp, number) => {
        const text = isCrowd ? 'not known' : state?.conditions.has(number) ? 'on' : 'off';
        if (lamp.ariaLabel !== text) lamp.className = `lamp ${(lamp.ariaLabel = text)}`;
    });
}

function paintSend() {
    const chart = selectedChart(), panel = find('#send'), machine = selectedMachine();
    if (panel.hidden || !isNew(panel, chart?.fingerprint, app.mayCommand)) return;
    if (!chart || !app.mayCommand) return panel.replaceChildren(quiet(app.mayCommand ? 'Select a machine.' : readOnly));
    const event = make('input', { ariaLabel: 'Event', placeholder: 'Name of the event', spellcheck: false });
    event.setAttribute('list', 'event-names');
    const names = chart.events.map(({ text }) => (machine.kind === 'session' ? text.replace(/\.\*$/, '') : text)); // an SCXML document matches prefixes
    const data = make('textarea', { rows: 4, ariaLabel: 'Fields as JSON', placeholder: 'Fields as JSON: {"damage": 3}', spellcheck: false });
    const send = verb => {
        const text = data.value.trim();
        try {
            if (text) JSON.parse(text);
        } catch (error) {
            return notify(`The fields are not valid JSON: ${error.message}`, true);
        }
        if (event.value) act(verb, { event: event.value, ...(text && { data: text }) });
    };
    const form = make('form', { onsubmit: e => { e.preventDefault(); send('process'); } }, make('label', {}, 'Event', event), make('label', {}, 'Fields', data),
        make('div', { className: 'actions' }, make('button', { className: 'primary' }, 'Process'),
            button('Post', () => send('post'), { type: 'button', title: 'Handled in the next tick' })));
    panel.replaceChildren(form, make('datalist', { id: 'event-names' }, ...names.map(value => make('option', { value }))),
        make('h3', {}, 'Events of this chart'), make('p', {}, ...names.map(text =>
            button(text, () => { event.value = text; send('process'); }, { className: 'chip', title: `Process ${text}` }))));
}

const places = { entry: 'states', exit: 'states', transition: 'transitions', condition: 'conditions', event: 'events', error: null };
function paintBreaks() {
    const machine = selectedMachine(), chart = selectedChart(), panel = find('#breaks');
    if (panel.hidden || !isNew(panel, machine?.id, machine?.stops, machine?.stoppable, chart?.fingerprint, app.mayCommand)) return;
    if (!machine || !chart) return panel.replaceChildren(quiet('Select a machine.'));
    const textOf = thing => thing?.path ?? thing?.text, why = machine.kind === 'crowd' ? 'Not offered for crowds: open an agent.' : whyNotStop(machine);
    const rows = machine.stops.map(({ at, number }) => make('div', { className: 'row' },
        make('span', { className: 'name' }, `${at}: ${places[at] ? textOf(chart[places[at]][number]) : 'an exception of a hook'}`),
        !why && button('×', () => act('unbreak', { at, number }), { ariaLabel: 'Remove' })));
    if (why) return refill(panel, quiet(why), ...rows);
    const number = make('select', { ariaLabel: 'Place' }), at = make('select', { ariaLabel: 'Kind' }, ...Object.keys(places).map(name => make('option', {}, name)));
    at.onchange = () => {
        const list = places[at.value];
        number.hidden = !list;
        number.replaceChildren(...(chart[list] ?? []).map((thing, n) => make('option', { value: n }, textOf(thing))).filter((option, n) =>
            !chart[list][n].hidden && (list !== 'conditions' || n > 0)));
    };
    at.onchange();
    const add = e => { e.preventDefault(); act('break', { at: at.value, ...(places[at.value] && { number: +number.value }) }); };
    refill(panel, make('form', { onsubmit: add }, make('label', {}, 'Stop at', at), number, make('div', { className: 'actions' },
        make('button', { className: 'primary' }, 'Add breakpoint'), button('Remove all', () => act('unbreak', { all: true }), { type: 'button', disabled: !rows.length }))),
    make('h3', {}, 'Breakpoints'), ...(rows.length ? rows : [quiet('No breakpoints. The machine stops after the call that reaches a breakpoint.')]));
}

export function startCommands() { onPaint('machine', () => { paintToolbar(); paintBreaks(); paintSend(); }); onPaint('side', paintConditions); }
