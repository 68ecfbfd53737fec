// The picture of the selected machine's chart: Graphviz's drawing, or nested boxes.

import { find, notify } from './dom.js';
import { app, moment, noNumber, onPaint, selectedChart, selectedMachine, touch } from './model.js';
import { get } from './stream.js';
import { drawBoxes, makeSvg } from './boxes.js';

const box = find('#picture');
let shown = null;    // the chart in the picture
let view = null;     // its stored view: x, y, scale, mode, follow, collapsed
let svg = null, states = [], transitions = new Map(), groups = [], overlay = null;
let lit = [], focused = [], flashed = -1, followed = -1;

const pictures = new Map();
/** Returns the text of the server's picture, or null if it has none. */
async function pictureOf(fingerprint) {
    if (!pictures.has(fingerprint)) {
        const answer = await get(`/api/picture/${fingerprint}`).catch(() => null);
        if (!answer || (answer.status !== 200 && answer.status !== 204)) return { text: null, why: 'the program did not answer' };
        pictures.set(fingerprint, { text: answer.status === 200 ? await answer.text() : null, why: answer.headers.get('X-Hsm-Why') });
    }
    return pictures.get(fingerprint);
}

/** Parses a picture, without scripts, links and identifiers, which could equal those of the page. */
function parse(chart, text) {
    const root = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
    for (const bad of root.querySelectorAll('script, style, foreignObject, image, use, iframe, parsererror')) bad.remove();
    const byBox = new Map(chart.states.map((state, s) => [state.box, s]));
    const labels = new Map(); // the classes of labels that are nodes between two arrows
    for (const element of root.querySelectorAll('g.edge')) {
        const number = /(?:^| )t(\d+)/.exec(element.getAttribute('class'))?.[1];
        if (number === undefined) continue;
        element.dataset.transition = number;
        for (const arrow of element.querySelectorAll('path')) { // a line is hard to hit
            const wide = element.appendChild(arrow.cloneNode());
            wide.setAttribute('class', 'hit');
        }
        for (const end of element.querySelector('title').textContent.split('->')) if (end.startsWith('label ')) labels.set(end, number);
    }
    for (const element of root.querySelectorAll('g.node, g.cluster')) {
        const state = byBox.get(element.id), label = labels.get(element.querySelector('title')?.textContent);
        const number = /(?:^| )t(\d+)/.exec(element.getAttribute('class'))?.[1];
        if (state !== undefined && element.id) element.dataset.state = state;
        else if (label ?? number) element.dataset.transition = label ?? number;
    }
    for (const element of root.querySelectorAll('*')) {
        for (const { name } of [...element.attributes]) if (/^on|href$|^style$|title$|^id$/i.test(name)) element.removeAttribute(name);
        if (element.tagName === 'title') element.remove();
    }
    root.querySelector('polygon')?.remove(); // the background
    const [, , width, height] = root.getAttribute('viewBox').split(' ');
    root.setAttribute('width', width);
    root.setAttribute('height', height);
    return root;
}

function store() { localStorage.setItem(`hsm.view.${shown.fingerprint}`, JSON.stringify({ ...view, collapsed: [...view.collapsed] })); }

/** Reads all rectangles first: each one that is read after a change would compute the layout again. */
function prepare(chart) {
    states = [];
    transitions = new Map();
    overlay = makeSvg('g', { class: 'marks' });
    (svg.querySelector('g.graph') ?? svg).append(overlay);
    if (!groups.length) {
        const elements = [...svg.querySelectorAll('[data-state], [data-transition]')], bounds = elements.map(element => element.getBBox());
        groups = elements.map((element, i) => ({ element, bounds: bounds[i], isHidden: false }));
    }
    for (const group of groups) {
        const { state, transition } = group.element.dataset;
        if (state !== undefined) states[state] = group;
        else transitions.set(+transition, [...(transitions.get(+transition) ?? []), group]);
        if (transition !== undefined && group.element.classList.contains('edge') && !group.element.querySelector('text')) continue;
        group.element.setAttribute('tabindex', '0');
        group.element.setAttribute('role', 'button');
        group.element.setAttribute('aria-label', state !== undefined ? `state ${chart.states[state].path}` : `transition ${chart.transitions[transition]?.text}`);
    }
    lit = [];
    hideInside(chart);
}

/** In Graphviz's picture a collapsed state stays in its place, and its inside is hidden. */
function hideInside(chart) {
    const isInside = s => [...view.collapsed].some(outer => s > outer && s <= chart.states[outer].last);
    groups.forEach(({ element }) => {
        const { state, transition } = element.dataset, arrow = chart.transitions[transition];
        const hides = state !== undefined ? isInside(+state) : arrow && isInside(arrow.source) && arrow.targets.every(isInside);
        element.classList.toggle('inside', !!hides);
        element.classList.toggle('collapsed', state !== undefined && view.collapsed.has(+state));
    });
}

async function load() {
    const chart = selectedChart(), fingerprint = chart?.fingerprint;
    if (!chart || shown === chart) return;
    shown = chart;
    const stored = JSON.parse(localStorage.getItem(`hsm.view.${fingerprint}`) ?? 'null');
    view = { x: 0, y: 0, scale: 0, mode: 'picture', follow: false, ...stored, collapsed: new Set(stored?.collapsed ?? []) };
    await draw();
}

async function draw() {
    const chart = shown;
    let text = null;
    if (view.mode === 'picture') {
        const picture = await pictureOf(chart.fingerprint);
        if (chart !== shown) return;
        text = picture.text;
        if (!text && picture.why) notify(`Nested boxes are shown: ${picture.why}.`);
    }
    ({ svg, groups } = text ? { svg: parse(chart, text), groups: [] } : drawBoxes(chart, view.collapsed));
    if (!view.scale) fit();
    place();
    box.replaceChildren(svg);
    prepare(chart);
    hideOutside();
    find('#mode').textContent = view.mode === 'picture' ? 'Boxes' : 'Picture';
    find('#follow').ariaPressed = view.follow;
    flashed = moment()?.last ?? -1;
    touch('picture');
}

function fit() {
    const width = +svg.getAttribute('width'), height = +svg.getAttribute('height');
    const free = box.clientHeight - 70; // between the last transition and the tools
    view.scale = Math.min(1.3, (box.clientWidth - 16) / width, free / height);
    view.x = (box.clientWidth - width * view.scale) / 2;
    view.y = 28 + (free - height * view.scale) / 2;
    place();
}

let isPlaced = false;
function place() {
    svg.classList.toggle('far', view.scale < 0.3); // text that cannot be read costs time
    svg.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    if (isPlaced) return;
    isPlaced = true;
    setTimeout(() => { isPlaced = false; hideOutside(); store(); }, 100);
}

/** Groups outside the view cost time in each frame, so large pictures do not display them. */
function hideOutside() {
    if (groups.length < 300) return;
    const margin = 200, graph = svg.querySelector('g.graph')?.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    const left = (-view.x - margin) / view.scale - graph.e, top = (-view.y - margin) / view.scale - graph.f;
    const right = left + (box.clientWidth + 2 * margin) / view.scale, bottom = top + (box.clientHeight + 2 * margin) / view.scale;
    for (const group of groups) {
        const { x, y, width, height } = group.bounds;
        const hides = x > right || y > bottom || x + width < left || y + height < top;
        if (hides !== group.isHidden) group.element.style.display = (group.isHidden = hides) ? 'none' : '';
    }
}

function zoom(factor, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const scale = Math.max(0.02, Math.min(8, view.scale * factor)), change = scale / view.scale;
    Object.assign(view, { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change });
    place();
}
const pan = (x, y) => { view.x += x; view.y += y; place(); };

function follow(leaf) {
    const target = states[leaf]?.element;
    if (!view.follow || !target || followed === leaf) return;
    followed = leaf;
    const at = target.getBoundingClientRect(), all = box.getBoundingClientRect();
    if (at.width === 0) return; // hidden in a collapsed state
    if (at.left > all.left + 30 && at.right < all.right - 30 && at.top > all.top + 50 && at.bottom < all.bottom - 50) return;
    pan((all.left + all.right - at.left - at.right) / 2, (all.top + all.bottom - at.top - at.bottom) / 2);
}

/** Shows which guards were true, and how long timers still run. */
function mark(chart, state) {
    const marks = [];
    const add = (group, text, kind) => {
        if (!group || group.isHidden || group.element.classList.contains('inside')) return;
        const { x, y, width } = group.bounds, { dataset } = group.element;
        marks.push(dataset.state !== undefined ? makeSvg('text', { x: x + width - 4, y: y - 2, class: `mark ${kind}`, 'text-anchor': 'end' }, text)
            : makeSvg('text', { x: x + width + 1, y: y + 9, class: `mark ${kind}` }, text));
    };
    for (const [number, answer] of state.answers) {
        const all = transitions.get(number) ?? transitions.get(chart.transitions[number].same);
        add(all?.find(group => group.element.querySelector('text')), answer.yes ? '✓' : '✗', answer.yes ? 'yes' : 'no');
    }
    for (const [timer, due] of state.timers) add(states[chart.timers[timer]?.state], `${Math.max(0, (due - state.clock) / 1e9).toFixed(1)} s`, 'timer');
    overlay.replaceChildren(...marks);
}

function flash(chart, state) {
    const transition = state.last >= app.records.first && state.last >= 0 ? app.records.record(state.last) : null;
    const text = !transition ? '' : chart.transitions[transition.number]?.text
        ?? `${chart.states[transition.state]?.path ?? '·'} → ${chart.states[Number(transition.value)]?.path ?? '·'}`;
    const event = state.lastEvent !== noNumber ? chart.events[state.lastEvent]?.text : null;
    find('#last').textContent = transition ? `${text}  ·  ${event ? `event ${event}` : chart.reasons[transition.what]}` : '';
    if (state.last === flashed || !transition) return;
    flashed = state.last;
    for (const group of transitions.get(transition.number) ?? transitions.get(chart.transitions[transition.number]?.same) ?? []) {
        group.element.getAnimations().forEach(animation => animation.cancel());
        group.element.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 500 });
        group.element.classList.add('flash');
        setTimeout(() => group.element.classList.remove('flash'), 900);
    }
}

export function startPicture() {
    onPaint('picture', () => {
        const machine = selectedMachine(), chart = selectedChart();
        const hasPicture = !!chart && machine.kind !== 'crowd';
        find('#picture-panel').hidden = find('#timeline-panel').hidden = !hasPicture;
        find('#empty').hidden = hasPicture || machine?.kind === 'crowd';
        find('#empty').textContent = machine ? 'Select one of its machines in the list.' : 'Select a machine in the list.';
        if (!hasPicture) return;
        if (shown !== chart) return void load();
        const state = moment();
        if (!svg || !state || state.chart !== chart) return;
        for (const s of lit) if (!state.active[s]) states[s]?.element.classList.remove('active', 'leaf');
        const leaves = new Set(state.leaves());
        lit = [];
        state.active.forEach((on, s) => {
            if (!on) return;
            lit.push(s);
            states[s]?.element.classList.add('active');
            states[s]?.element.classList.toggle('leaf', leaves.has(s) || view.collapsed.has(s));
        });
        for (const group of focused) group?.element.classList.remove('focused');
        focused = app.focus?.state !== undefined ? [states[app.focus.state]] : transitions.get(app.focus?.transition) ?? [];
        for (const group of focused) group?.element.classList.add('focused');
        mark(chart, state);
        flash(chart, state);
        follow([...leaves][0]);
        find('#collapse').ariaPressed = view.collapsed.has(app.focus?.state);
    });

    const explain = event => {
        const element = event.target.closest?.('[data-state], [data-transition]');
        if (!element) return false;
        const { state, transition } = element.dataset;
        app.focus = state !== undefined ? { state: +state } : { transition: +transition };
        app.explain?.();
        touch('picture');
        return true;
    };
    const actions = {
        '#fit': fit, '#zoom-in': () => zoom(1.25), '#zoom-out': () => zoom(0.8),
        '#follow': () => { view.follow = !view.follow; followed = -1; find('#follow').ariaPressed = view.follow; store(); touch('picture'); },
        '#collapse': collapse,
        '#mode': () => { view.mode = view.mode === 'picture' ? 'boxes' : 'picture'; view.scale = 0; draw(); },
    };
    for (const [name, action] of Object.entries(actions)) find(name).onclick = () => svg && action();

    let drag = null;
    box.onpointerdown = event => { drag = { x: event.clientX, y: event.clientY, moved: false }; };
    box.onpointermove = event => {
        if (!drag || !event.buttons) return;
        const x = event.clientX - drag.x, y = event.clientY - drag.y;
        if (!drag.moved && Math.abs(x) + Math.abs(y) < 4) return;
        if (!drag.moved) box.setPointerCapture(event.pointerId);
        drag = { x: event.clientX, y: event.clientY, moved: true };
        pan(x, y);
    };
    box.onclick = event => { if (!drag?.moved) explain(event); drag = null; };
    box.ondblclick = event => { if (explain(event)) collapse(); };
    box.addEventListener('wheel', event => {
        event.preventDefault();
        const at = box.getBoundingClientRect();
        if (svg) zoom(Math.exp(-event.deltaY / 400), event.clientX - at.left, event.clientY - at.top);
    }, { passive: false });
    box.onkeydown = event => {
        const steps = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
        if (event.key === 'Enter' && explain(event)) return;
        if (!steps[event.key] || !svg) return;
        event.preventDefault();
        pan(...steps[event.key]);
    };
    new ResizeObserver(() => svg && hideOutside()).observe(box);
}

function collapse() {
    const s = app.focus?.state;
    if (s === undefined || shown.states[s].last === s) return notify('Select a state with substates first.');
    view.collapsed.has(s) ? view.collapsed.delete(s) : view.collapsed.add(s);
    store();
    view.mode === 'boxes' || svg.classList.contains('boxes') ? draw() : hideInside(shown);
    touch('picture');
}
