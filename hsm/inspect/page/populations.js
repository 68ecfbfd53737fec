// A crowd: the number of agents in each state, over time, and the agents in one state.
import { button, find, grouped, make, quiet } from './dom.js';
import { app, onPaint, pathOf, selectedChart, selectedMachine, touch } from './model.js';
import { act, ask } from './commands.js';
const most = 600; // samples
const samples = new Map(); // by crowd
const color = state => (state === null ? 'var(--line)' : `hsl(${(state * 137.5) % 360} 55% 52%)`);
const total = sample => sample.inactive + [...sample.counts.values()].reduce((a, b) => a + b, 0);
export function addPopulation({ id, t, counts, inactive }) {
    const all = samples.get(id) ?? [];
    samples.set(id, [...all.slice(1 - most), { t, counts: new Map(counts), inactive }]);
    if (id === app.selected) touch('populations');
}
export const forgetPopulations = () => samples.clear();
const panel = find('#populations');
let shown = null, canvas, table, agents, rows;
function build() {
    rows = new Map();
    canvas = make('canvas', { role: 'img', ariaLabel: 'Agents in each state over time. The table has the current numbers.' });
    table = make('tbody');
    agents = make('div', { className: 'agents' });
    const heads = ['State', 'Agents', 'Share', ''].map((text, i) => make('th', { className: i === 1 || i === 2 ? 'number' : '' }, text));
    panel.replaceChildren(canvas, make('div', { className: 'columns' }, make('table', {}, make('thead', {}, make('tr', {}, ...heads)), table), agents));
}

/** Lists agents in a state. Opening one adds it to the list of machines. */
async function showAgents(chart, state) {
    const result = await ask('agents', { state, most: 100 });
    if (!result.agents) return agents.replaceChildren(quiet(result.error?.message ?? 'The program has not answered.'));
    const open = async (index, generation) => { const { machine } = await act('agent', { index, generation }); if (machine) app.select(machine); };
    const title = `${result.agents.length === 100 ? 'The first 100 agents' : `${result.agents.length} agents`} in ${pathOf(chart, state)}`;
    agents.replaceChildren(...[make('h3', {}, title), !app.mayCommand && quiet('Opening an agent needs the token.'), ...result.agents.map(([index, generation]) =>
        button(`agent ${index}`, () => open(index, generation), { className: 'chip', disabled: !app.mayCommand }))].filter(Boolean));
}

function makeRow(chart, state) {
    const square = make('span', { className: 'square' }), count = make('td', { className: 'number' }), share = make('td', { className: 'number quiet' });
    square.style.background = color(state);
    const open = state !== null && button('agents', () => showAgents(chart, state), { className: 'link' });
    return { count, share, element: make('tr', {}, make('td', {}, square, state === null ? 'inactive' : pathOf(chart, state)), count, share, make('td', {}, open)) };
}

function drawAreas(all, states) {
    const width = canvas.clientWidth, height = canvas.clientHeight, c = canvas.getContext('2d');
    Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });
    c.scale(devicePixelRatio, devicePixelRatio);
    const start = all[0].t, length = Math.max(all.at(-1).t - start, 10), highest = Math.max(1, ...all.map(total));
    const x = i => ((all[i].t - start) / length) * width, y = count => height - (count / highest) * (height - 16);
    let below = all.map(() => 0);
    for (const s of states) {
        const above = all.map((sample, i) => below[i] + (sample.counts.get(s) ?? 0));
        c.fillStyle = color(s);
        c.beginPath();
        above.forEach((count, i) => c.lineTo(x(i), y(count)));
        for (let i = all.length - 1; i >= 0; --i) c.lineTo(x(i), y(below[i]));
        c.fill();
        below = above;
    }
    Object.assign(c, { fillStyle: getComputedStyle(panel).color, font: '11px system-ui, sans-serif' });
    c.fillText(`${grouped(highest)} agents`, 6, 12);
    c.textAlign = 'right';
    c.fillText(`${length.toFixed(0)} s`, width - 6, 12);
}

export function startPopulations() {
    onPaint('populations', () => {
        const machine = selectedMachine(), chart = selectedChart(), all = samples.get(machine?.id) ?? [];
        panel.hidden = machine?.kind !== 'crowd' || !chart;
        if (panel.hidden) return void (shown = null);
        if (shown !== machine.id) build();
        shown = machine.id;
        if (!all.length) return;
        const last = all.at(-1), states = [...new Set(all.flatMap(sample => [...sample.counts.keys()]))].sort((a, b) => a - b);
        drawAreas(all, states);
        const wanted = [...states, null].map(s => {
            if (!rows.has(s)) rows.set(s, makeRow(chart, s));
            const { element, count, share } = rows.get(s), n = s === null ? last.inactive : last.counts.get(s) ?? 0;
            count.textContent = grouped(n);
            share.textContent = `${((100 * n) / Math.max(1, total(last))).toFixed(1)} %`;
            return element;
        });
        if (wanted.length !== table.children.length) table.replaceChildren(...wanted);
    });
    new ResizeObserver(() => touch('populations')).observe(panel);
}
