// Explanations: why a state is not active, why a transition is not taken, and what is possible now.

import { find, make, seconds } from './dom.js';
import { app, moment, onPaint, selectedChart, selectedMachine, touch } from './model.js';
import { timerText } from './log.js';
import { ask, act, breakButton, mayStop } from './commands.js';

const panel = find('#why');
let asked = 0, answer = null;

const showTab = () => document.getElementById('tab-why').click();

/** Asks for an explanation of the present, and shows it. */
async function explain(of, fields = {}) {
    const number = ++asked;
    answer = { title: 'Waiting for the program…' };
    touch('why');
    const result = await ask('explain', { of, ...fields });
    if (number !== asked) return;
    const lines = selectedChart()?.shorten(result.text ?? '').split('\n').filter(Boolean) ?? [];
    const title = of === 'possible' ? 'Possible now' : lines.shift();
    answer = result.error ? { title: result.error.message, lines: [result.error.hint], isBad: true } : { title, lines, candidates: result.candidates };
    touch('why');
}

/** Explains the state, transition or event that has the focus. */
export function explainFocus() {
    const chart = selectedChart(), { state, transition, event } = app.focus ?? {};
    if (!chart) return;
    showTab();
    if (state !== undefined) return explain('state', { state });
    if (event !== undefined) return explain('event', { event: chart.events[event].text });
    const its = chart.transitions[transition];
    if (its && its.event !== null) return explain('event', { event: chart.events[its.event].text });
    if (its) return explain('tick');
}

const focusButton = (text, focus, className = 'link') => make('button', { className, onclick: () => { app.focus = focus; explainFocus(); touch('picture', 'why'); } }, text);

function candidates(chart) {
    const { transition } = app.focus ?? {}, same = number => chart.transitions[number]?.same ?? number;
    const isOwn = candidate => transition === undefined || same(candidate.transition) === same(transition);
    const shown = answer.candidates.filter(isOwn);
    if (!shown.length && transition !== undefined) return [make('p', {}, 'It is not considered now: its source is not active.')];
    return shown.map(candidate => make('div', { className: `candidate ${candidate.taken ? 'yes' : 'no'}` },
        focusButton(`${candidate.taken ? '✓' : '✗'} ${chart.transitions[candidate.transition]?.text ?? 'a transition'}`, { transition: candidate.transition }),
        make('ul', {}, ...(candidate.taken ? ['It would be taken.'] : candidate.obstacles).map(text => make('li', {}, chart.shorten(text))))));
}

/** The facts about the focused thing at the moment that the page shows. */
function facts(chart, now) {
    const { state: s, transition: t, event: e } = app.focus ?? {}, rows = [];
    const add = (name, ...content) => rows.push(make('dt', {}, name), make('dd', {}, ...content));
    const answerOf = given => (given ? `${given.yes ? 'yes' : 'no'} at ${seconds(given.clock / 1e9)}` : 'not asked yet');
    if (s !== undefined) {
        const state = chart.states[s];
        add('state', state.path);
        add('kind', `${state.kind}, ${now.active[s] ? 'active' : 'not active'}`);
        for (const timer of chart.timersOf[s]) if (now.timers.has(timer)) add(timerText(chart, timer), `${seconds((now.timers.get(timer) - now.clock) / 1e9)} left`);
        if (state.transitions.length) add('transitions', ...state.transitions.filter(n => !chart.transitions[n].hidden).map(n => focusButton(chart.transitions[n].text, { transition: n }, 'link line')));
        if (state.where) add('defined', state.where);
    } else if (t !== undefined) {
        const transition = chart.transitions[t];
        add('transition', transition.text);
        add('source', focusButton(chart.states[transition.source].path, { state: transition.source }));
        for (const target of transition.targets) add('target', focusButton(chart.states[target].path, { state: target }));
        if (transition.event !== null) add('event', focusButton(chart.events[transition.event].text, { event: transition.event }));
        for (const guard of transition.guards) add(chart.guards[guard].text, answerOf(now.guards.get(guard)));
        for (const group of transition.groups) add(chart.groups[group].text, answerOf(now.answers.get(t)));
        if (transition.where) add('defined', transition.where);
    } else if (e !== undefined) add('event', chart.events[e].text);
    return make('dl', {}, ...rows);
}

function actions(machine) {
    const { state, transition, event } = app.focus ?? {}, all = [];
    if (!app.mayCommand || machine.kind === 'recorded') return null;
    if (state !== undefined) {
        all.push(make('button', { onclick: () => act('change_to', { state }) }, 'Change to'), make('button', { onclick: () => act('force_to', { state }) }, 'Force to'));
        if (mayStop(machine)) all.push(breakButton('entry', state, 'Break at entry'), breakButton('exit', state, 'Break at exit'));
    } else if (mayStop(machine) && transition !== undefined) all.push(breakButton('transition', transition, 'Break here'));
    else if (mayStop(machine) && event !== undefined) all.push(breakButton('event', event, 'Break at this event'));
    return make('div', { className: 'actions' }, ...all);
}

export function startWhy() {
    app.explain = explainFocus;
    onPaint('why', () => {
        const machine = selectedMachine(), chart = selectedChart(), now = moment();
        if (!machine || !chart || !now) return panel.replaceChildren(make('p', { className: 'quiet' }, 'Select a machine, then a state or transition in the picture.'));
        const top = make('div', { className: 'actions' },
            make('button', { onclick: () => { app.focus = null; explain('tick'); touch('picture'); } }, 'What would a tick do?'),
            make('button', { onclick: () => { app.focus = null; explain('possible'); touch('picture'); } }, 'What is possible?'),
            app.focus && make('button', { onclick: explainFocus }, 'Ask again'));
        const content = [top];
        if (app.focus) content.push(facts(chart, now), actions(machine));
        else if (!answer) content.push(make('p', { className: 'quiet' }, 'Select a state or transition in the picture, or an event here:'),
            make('p', {}, ...chart.events.map((event, e) => focusButton(event.text, { event: e }, 'chip'))));
        if (answer) {
            content.push(make('h3', { className: answer.isBad ? 'bad' : '' }, answer.title ?? ''));
            if (app.cursor !== null) content.push(make('p', { className: 'quiet' }, 'This explains the present, not the moment of the cursor.'));
            content.push(...(answer.candidates ? candidates(chart) : (answer.lines ?? []).map(line => make('p', {}, line))));
        }
        panel.replaceChildren(...content.filter(Boolean));
    });
}
export const forgetAnswer = () => { answer = null; ++asked; };
