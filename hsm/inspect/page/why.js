// Explanations: why a state is not active, why a transition is not taken, and what is possible now.
import { button, find, make, quiet, refill, seconds } from './dom.js';
import { app, moment, onPaint, selectedChart, selectedMachine, touch } from './model.js';
import { timerText } from './log.js';
import { act, ask, breakButton, mayStop } from './commands.js';
const panel = find('#why');
let asked = 0, answer = null;
/** Asks for an explanation of the present, and shows it. */
async function explain(of, fields = {}) {
    const number = ++asked;
    find('#tab-why').click();
    answer = { title: 'Waiting for the program…', lines: [] };
    touch('why', 'picture');
    const result = await ask('explain', { of, ...fields }), lines = selectedChart()?.shorten(result.text ?? '').split('\n').filter(Boolean) ?? [];
    if (number !== asked) return;
    if (result.error) answer = { title: result.error.message, lines: [result.error.hint] };
    else answer = { title: of === 'possible' ? 'Possible now' : lines.shift() ?? 'The program has not called poll yet.', lines, candidates: result.candidates, at: app.records?.latest };
    touch('why');
}

/** Explains the state, transition or event that has the focus. */
function explainFocus() {
    const chart = selectedChart(), { state, transition } = app.focus ?? {}, event = app.focus?.event ?? chart?.transitions[transition]?.event ?? null;
    if (state !== undefined) return explain('state', { state });
    return event !== null ? explain('event', { event: chart.events[event].text }) : explain('tick');
}
const explainOther = of => { app.focus = null; explain(of); };
const focusButton = (text, focus, className = 'link') => button(text, () => { app.focus = focus; explainFocus(); }, { className });
function candidates(chart) {
    const same = number => chart.transitions[number]?.same ?? number, own = app.focus?.transition;
    const shown = answer.candidates.filter(({ transition }) => own === undefined || same(transition) === same(own));
    if (!shown.length) return [quiet('This transition is not considered now: its source is not active.')];
    return shown.map(({ transition, taken, obstacles }) => make('div', { className: `candidate ${taken ? 'yes' : 'no'}` },
        focusButton(`${taken ? '✓' : '✗'} ${chart.transitions[transition]?.text ?? 'a transition'}`, { transition }),
        make('ul', {}, ...(taken ? ['It would be taken.'] : obstacles).map(text => make('li', {}, chart.shorten(text))))));
}

/** The facts about the focused state, transition or event at the moment that the page shows. */
function facts(chart, now) {
    const rows = [], state = chart.states[app.focus.state], transition = chart.transitions[app.focus.transition], event = chart.events[app.focus.event];
    const add = (name, ...content) => rows.push(make('dt', {}, name), make('dd', {}, ...content));
    const answerOf = given => (given ? `${given.yes ? 'yes' : 'no'} at ${seconds(given.clock / 1e9)}` : 'not evaluated yet');
    if (state) {
        add('state', state.path);
        add('kind', `${state.kind}, ${now.active[app.focus.state] ? 'active' : 'not active'}`);
        for (const timer of chart.timersOf[app.focus.state])
            if (now.timers.has(timer)) add(timerText(chart, timer), `${seconds((now.timers.get(timer) - now.clock) / 1e9)} left`);
        const arrows = state.transitions.filter(n => !chart.transitions[n].hidden);
        if (arrows.length) add('transitions', ...arrows.map(n => focusButton(chart.transitions[n].text, { transition: n }, 'link line')));
    } else if (transition) {
        add('transition', transition.text);
        for (const [name, numbers] of [['source', [transition.source]], ['target', transition.targets]])
            for (const number of numbers) add(name, focusButton(chart.states[number].path, { state: number }));
        if (transition.event !== null) add('event', focusButton(chart.events[transition.event].text, { event: transition.event }));
        for (const guard of transition.guards) add(chart.guards[guard].text, answerOf(now.guards.get(guard)));
        for (const group of transition.groups) add(chart.groups[group].text, answerOf(now.answers.get(app.focus.transition)));
    } else add('event', event?.text ?? '');
    const where = (state ?? transition)?.where;
    if (where) add('defined', where);
    return make('dl', {}, ...rows);
}

function actions(machine) {
    const { state, transition, event } = app.focus, breaks = mayStop(machine);
    if (!app.mayCommand || machine.kind === 'recorded') return null;
    return make('div', { className: 'actions' }, ...(state !== undefined ? [button('Change to', () => act('change_to', { state })),
        button('Force to', () => act('force_to', { state })), breaks && breakButton('entry', state, 'Break at entry'), breaks && breakButton('exit', state, 'Break at exit')]
        : [breaks && (transition !== undefined ? breakButton('transition', transition, 'Break here') : breakButton('event', event, 'Break at this event'))]));
}

export function startWhy() {
    app.explain = explainFocus;
    onPaint('why', () => {
        const machine = selectedMachine(), chart = selectedChart(), now = moment();
        if (panel.hidden) return;
        if (!machine || !chart || !now) return panel.replaceChildren(quiet('Select a machine, then a state or transition in the picture.'));
        const content = [make('div', { className: 'actions' }, button('What would a tick do?', () => explainOther('tick')),
            button('What is possible?', () => explainOther('possible')), app.focus && button('Ask again', explainFocus))];
        if (app.focus) content.push(facts(chart, now), actions(machine));
        else if (!answer) content.push(quiet('Select a state or transition in the picture, or an event here:'),
            make('p', {}, ...chart.events.map((event, e) => focusButton(event.text, { event: e }, 'chip'))));
        if (answer) content.push(make('h3', {}, answer.title),
            answer.at !== undefined && quiet(`The machine at ${seconds(answer.at)}${app.cursor !== null ? ', not at the cursor' : ''}`),
            ...(answer.candidates ? candidates(chart) : answer.lines.map(line => make('p', {}, line))));
        const next = panel.cloneNode(false);
        next.dataset.machine = app.selected;
        next.append(...content.filter(Boolean));
        if (next.isEqualNode(panel)) return; // a press and its release must hit the same button
        panel.dataset.machine = app.selected;
        refill(panel, ...next.childNodes);
    });
}
export const forgetAnswer = () => { answer = null; ++asked; };
