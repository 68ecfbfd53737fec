// A crowd: the number of agents in each state, over time, and the agents in one state.

import { find, make } from './dom.js';
import { app, onPaint, pathOf, selectedChart, selectedMachine, touch } from './model.js';
import { act, ask } from './commands.js';

const most = 600; // samples
const samples = new Map(); // by crowd
const hue = s => `hsl(${(s * 137.5) % 360} 55% 52%)`;

export function addPopulation(data) {
    if (!samples.has(data.id)) samples.set(data.id, []);
    const all = samples.get(data.id);
    all.push({ t: data.t, counts: new Map(data.counts), inactive: data.inactive });
    if (all.length > most) all.shift();
    if (data.id === app.selected) touch('populations');
}
export const forgetPopulations = () => samples.clear();

const panel = find('#populations');
let shown = null, canvas, table, agents, rows = new Map();

function build(chart) {
    canvas = make('canvas', { role: 'img', ariaLabel: 'Agents in each state over time; the table has the present numbers' });
    table = make('tbody');
    agents = make('div', { className: 'agents' });
    rows = new Map();
    panel.replaceChildren(canvas, make('div', { className: 'columns' },
        make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, 'State'), make('th', { className: 'number' }, 'Agents'), make('th', { className: 'number' }, 'Share'), make('th'))), table), agents));
}

/** Lists agents in a state. Opening one adds it to the list of machines. */
async function showAgents(chart, state) {
    const result = await ask('agents', { ...(state === null ? {} : { state }), most: 100 });
    if (!result.agents) return agents.replaceChildren(make('p', { className: 'bad' }, result.error?.message ?? 'The program has not answered.'));
    const open = async (index, generation) => {
        const opened = await act('agent', { index, generation });
        if (opened.machine) app.select(opened.machine, true);
    };
    agents.replaceChildren(make('h3', {}, `${result.agents.length === 100 ? 'The first 100 agents' : `${result.agents.length} agents`} in ${state === null ? 'all states' : pathOf(chart, state)}`),
        app.mayCommand ? '' : make('p', { className: 'quiet' }, 'Opening an agent needs the token.'),
        ...result.agents.map(([index, generation]) => make('button', { className: 'chip', disabled: !app.mayCommand, onclick: () => open(index, generation) }, `agent ${index}`)));
}

function row(chart, state) {
    const square = make('span', { className: 'square' });
    square.style.background = state === null ? 'var(--line)' : hue(state);
    const count = make('td', { className: 'number' }), share = make('td', { className: 'number quiet' });
    const element = make('tr', {}, make('td', {}, square, state === null ? 'inactive' : pathOf(chart, state)), count, share,
        make('td', {}, state !== null && make('button', { className: 'link', onclick: () => showAgents(chart, state) }, 'agents')));
    return { element, count, share };
}

function drawAreas(all, states) {
    const ratio = devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    const start = all[0].t, end = Math.max(all.at(-1).t, start + 10), total = sample => sample.inactive + [...sample.counts.values()].reduce((a, b) => a + b, 0);
    const highest = Math.max(1, ...all.map(total)), x = t => ((t - start) / (end - start)) * width;
    let below = all.map(() => 0);
    for (const s of states) {
        const above = all.map((sample, i) => below[i] + (sample.counts.get(s) ?? 0));
        c.fillStyle = hue(s);
        c.beginPath();
        all.forEach((sample, i) => c.lineTo(x(sample.t), height - (above[i] / highest) * (height - 16)));
        for (let i = all.length - 1; i >= 0; --i) c.lineTo(x(all[i].t), height - (below[i] / highest) * (height - 16));
        c.fill();
        below = above;
    }
    c.fillStyle = getComputedStyle(panel).color;
    c.font = '11px system-ui, sans-serif';
    c.fillText(`${highest.toLocaleString('en')} agents`, 6, 12);
    c.textAlign = 'right';
    c.fillText(`${(end - start).toFixed(0)} s`, width - 6, 12);
}

export function startPopulations() {
    onPaint('populations', () => {
        const machine = selectedMachine(), chart = selectedChart();
        panel.hidden = machine?.kind !== 'crowd' || !chart;
        if (panel.hidden) return void (shown = null);
        if (shown !== machine.id) {
            shown = machine.id;
            build(chart);
        }
        const all = samples.get(machine.id) ?? [], last = all.at(-1);
        if (!last) return;
        const states = [...new Set(all.flatMap(sample => [...sample.counts.keys()]))].sort((a, b) => a - b);
        drawAreas(all, states);
        const whole = Math.max(1, last.inactive + [...last.counts.values()].reduce((a, b) => a + b, 0));
        for (const s of [...states, null]) {
            if (!rows.has(s)) rows.set(s, row(chart, s));
            const { count, share } = rows.get(s), n = s === null ? last.inactive : last.counts.get(s) ?? 0;
            count.textContent = n.toLocaleString('en');
            share.textContent = `${((100 * n) / whole).toFixed(1)} %`;
        }
        const wanted = [...states, null].map(s => rows.get(s).element);
        if (wanted.length !== table.children.length) table.replaceChildren(...wanted);
    });
    new ResizeObserver(() => touch('populations')).observe(panel);
}
