// The picture of the selected machine's chart: Graphviz's drawing, or nested boxes.
import { find, notify } from './dom.js';
import { app, moment, noNumber, onPaint, pathOf, selectedChart, selectedMachine, touch } from './model.js';
import { get } from './stream.js';
import { drawBoxes, makeSvg } from './boxes.js';
const box = find('#picture');
let shown = null; // the chart in the picture
let view = null;  // how it is shown: x, y, scale, mode, follow, collapsed
let svg = null, overlay = null, groups = [], states = [], transitions = new Map();
let lit = [], focused = [], flashed = -1, followed = -1, flashing = [], flashedAt = 0;
const pictures = new Map();
/** Returns the text of the server's picture, or a reason why it has none. */
async function pictureOf(fingerprint) {
    if (!pictures.has(fingerprint)) {
        const answer = await get(`/api/picture/${fingerprint}`).catch(() => null);
        if (answer?.status !== 200 && answer?.status !== 204) return { why: 'the program did not answer' };
        if (answer.status === 204) return { why: answer.headers.get('X-Hsm-Why') ?? 'there is no picture' }; // a later request can succeed
        pictures.set(fingerprint, { text: await answer.text() });
    }
    return pictures.get(fingerprint);
}

/** Parses a picture, without scripts, links, and identifiers that could equal those of the page. */
function parse(chart, text) {
    const root = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
    for (const bad of root.querySelectorAll('script, style, foreignObject, image, use, g.graph > polygon')) bad.remove();
    const byBox = new Map(chart.states.map((state, s) => [state.box, s])), labels = new Map(); // labels: those that are nodes between two arrows
    const numberOf = element => /(?:^| )t(\d+)/.exec(element.getAttribute('class'))?.[1];
    for (const element of root.querySelectorAll('g.edge')) {
        if (numberOf(element) === undefined) continue;
        element.dataset.transition = numberOf(element);
        for (const end of element.querySelector('title').textContent.split('->')) labels.set(end, numberOf(element));
        for (const arrow of element.querySelectorAll('path')) element.appendChild(arrow.cloneNode()).setAttribute('class', 'hit'); // a line is hard to hit
    }
    for (const element of root.querySelectorAll('g.node, g.cluster')) {
        const state = byBox.get(element.id), number = numberOf(element) ?? (element.classList.contains('label') && labels.get(element.querySelector('title').textContent));
        if (state !== undefined && element.id) element.dataset.state = state;
        else if (number) element.dataset.transition = number;
    }
    for (const element of root.querySelectorAll('*')) {
        for (const { name } of [...element.attributes]) if (/^on|href$|^style$|title$|^id$/i.test(name)) element.removeAttribute(name);
        if (element.tagName === 'title') element.remove();
    }
    const [, , width, height] = root.getAttribute('viewBox').split(' ');
    root.setAttribute('width', width);
    root.setAttribute('height', height);
    return root;
}

const store = () => localStorage.setItem(`hsm.view.${shown.fingerprint}`, JSON.stringify({ ...view, collapsed: [...view.collapsed] }));
/** Reads all rectangles before it changes anything: each later one would compute the layout again. */
function prepare(chart) {
    if (!groups.length) groups = [...svg.querySelectorAll('[data-state], [data-transition]')].map(element => ({ element, isHidden: false,
        bounds: element.getBBox(), label: element.dataset.transition && element.querySelector('text:last-of-type')?.getBBox() }));
    [states, transitions, lit] = [[], new Map(), []];
    overlay = (svg.querySelector('g.graph') ?? svg).appendChild(makeSvg('g'));
    for (const group of groups) {
        const { element, element: { dataset: { state, transition } } } = group;
        if (state !== undefined) states[state] = group;
        else transitions.set(+transition, [...(transitions.get(+transition) ?? []), group]);
        if (state === undefined && !group.label) continue;
        element.setAttribute('tabindex', '0');
        element.setAttribute('role', 'button');
        element.setAttribute('aria-label', state !== undefined ? `state ${pathOf(chart, state)}` : `transition ${chart.transitions[transition]?.text}`);
    }
    hideInside(chart);
}

/** In Graphviz's picture, a collapsed state stays in its place, and its substates are hidden. */
function hideInside(chart) {
    const isInside = s => [...view.collapsed].some(outer => s > outer && s <= chart.states[outer].last);
    for (const { element, element: { dataset: { state, transition } } } of groups) {
        const arrow = chart.transitions[transition];
        element.classList.toggle('inside', state !== undefined ? isInside(+state) : !!arrow && isInside(arrow.source) && arrow.targets.every(isInside));
        element.classList.toggle('collapsed', state !== undefined && view.collapsed.has(+state));
    }
}

async function draw(chart) {
    const picture = view.mode === 'picture' ? await pictureOf(chart.fingerprint) : {};
    if (chart !== shown) return;
    if (picture.why && !picture.text) notify(`Nested boxes are shown: ${picture.why}.`);
    ({ svg, groups } = picture.text ? { svg: parse(chart, picture.text), groups: [] } : drawBoxes(chart, view.collapsed));
    view.scale ? place() : fit();
    box.replaceChildren(svg);
    prepare(chart);
    hideOutside();
    find('#mode').textContent = view.mode === 'picture' ? 'Boxes' : 'Picture';
    find('#follow').ariaPressed = view.follow;
    flashed = moment()?.last ?? -1;
    touch('picture');
}

function load(chart) {
    const stored = JSON.parse(localStorage.getItem(`hsm.view.${chart.fingerprint}`) ?? '{}');
    shown = chart;
    svg = null;
    view = { x: 0, y: 0, scale: 0, mode: 'picture', follow: false, ...stored, collapsed: new Set(stored.collapsed) };
    draw(chart);
}

function fit() {
    const width = +svg.getAttribute('width'), height = +svg.getAttribute('height'), free = box.clientHeight - 70; // between the last transition and the tools
    view.scale = Math.min(1.3, (box.clientWidth - 16) / width, free / height);
    Object.assign(view, { x: (box.clientWidth - width * view.scale) / 2, y: 28 + (free - height * view.scale) / 2 });
    place();
}

let placing = 0;
function place() {
    svg.classList.toggle('far', view.scale < 0.3); // text that cannot be read costs time
    svg.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    placing ||= setTimeout(() => { placing = 0; hideOutside(); store(); }, 100);
}

/** Groups outside the view cost time in each frame, so large pictures do not display them. */
function hideOutside() {
    if (groups.length < 300 || !svg) return;
    const margin = 200, { e, f } = svg.querySelector('g.graph')?.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    const left = (-view.x - margin) / view.scale - e, top = (-view.y - margin) / view.scale - f;
    const right = left + (box.clientWidth + 2 * margin) / view.scale, bottom = top + (box.clientHeight + 2 * margin) / view.scale;
    for (const group of groups) {
        const { x, y, width, height } = group.bounds, hides = x > right || y > bottom || x + width < left || y + height < top;
        if (hides !== group.isHidden) group.element.style.display = (group.isHidden = hides) ? 'none' : '';
    }
}

function zoom(factor, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const scale = Math.max(0.02, Math.min(8, view.scale * factor)), change = scale / view.scale;
    Object.assign(view, { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change });
    place();
}
function pan(x, y) { Object.assign(view, { x: view.x + x, y: view.y + y }); place(); }

function follow(leaf) {
    const target = states[leaf];
    if (!view.follow || !target || followed === leaf) return;
    followed = leaf;
    if (target.isHidden) target.element.style.display = ''; // its group is hidden again, if needed, when the view is placed
    const at = target.element.getBoundingClientRect(), all = box.getBoundingClientRect();
    if (at.left > all.left + 30 && at.right < all.right - 30 && at.top > all.top + 50 && at.bottom < all.bottom - 50) return;
    pan((all.left + all.right - at.left - at.right) / 2, (all.top + all.bottom - at.top - at.bottom) / 2);
}

const groupsOf = (chart, number) => transitions.get(number) ?? transitions.get(chart.transitions[number]?.same) ?? [];
/** Shows which guards were true, and how long timers still run. */
function mark(chart, state) {
    const marks = [], add = (group, bounds, text, kind, x, y, anchor) => group && !group.isHidden && !group.element.classList.contains('inside')
        && marks.push(makeSvg('text', { x: bounds.x + bounds.width + x, y: bounds.y + y, class: `mark ${kind}`, 'text-anchor': anchor }, text));
    for (const [number, { yes }] of state.answers) {
        const group = groupsOf(chart, number).find(({ label }) => label);
        add(group, group?.label, yes ? '✓' : '✗', yes ? 'yes' : 'no', 3, 9, 'start');
    }
    for (const [timer, due] of state.timers) {
        const group = states[chart.timers[timer]?.state];
        add(group, group?.bounds, `${Math.max(0, (due - state.clock) / 1e9).toFixed(1)} s`, 'timer', -4, -2, 'end');
    }
    overlay.replaceChildren(...marks);
}

/** Shows the last transition as text, and lets its arrow light up once. */
function flash(chart, state) {
    const r = state.last >= app.records.first ? app.records.record(state.last) : null, event = state.lastEvent !== noNumber && chart.events[state.lastEvent]?.text;
    const text = r && (chart.transitions[r.number]?.text ?? `${pathOf(chart, r.state)} → ${pathOf(chart, Number(r.value))}`);
    find('#last').textContent = r ? `${text}  ·  ${event ? `event ${event}` : chart.reasons[r.what]}` : '';
    if (!r || state.last === flashed) return;
    flashed = state.last;
    // An animation paints the picture in each frame, so frequent transitions only change the color.
    const time = performance.now(), isFrequent = time - flashedAt < 300;
    flashedAt = time;
    const endFlash = all => { for (const element of all) element.classList.remove('flash'); };
    endFlash(flashing);
    const now = (flashing = groupsOf(chart, r.number).map(({ element }) => element));
    for (const element of now) {
        if (!isFrequent) element.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 500 });
        element.classList.add('flash');
    }
    setTimeout(() => now === flashing && endFlash(now), 900);
}

function highlight(state) {
    const leaves = new Set(state.leaves());
    for (const s of lit) if (!state.active[s]) states[s]?.element.classList.remove('active', 'leaf');
    lit = [];
    state.active.forEach((on, s) => on && lit.push(s));
    for (const s of lit) {
        states[s]?.element.classList.add('active');
        states[s]?.element.classList.toggle('leaf', leaves.has(s) || view.collapsed.has(s));
    }
    for (const group of focused) group?.element.classList.remove('focused');
    focused = app.focus?.state !== undefined ? [states[app.focus.state]] : transitions.get(app.focus?.transition) ?? [];
    for (const group of focused) group?.element.classList.add('focused');
    find('#collapse').ariaPressed = view.collapsed.has(app.focus?.state);
    follow([...leaves][0]);
}

function paint() {
    const machine = selectedMachine(), chart = selectedChart(), state = moment(), hasPicture = !!chart && machine.kind !== 'crowd';
    find('#picture-panel').hidden = find('#timeline-panel').hidden = !hasPicture;
    find('#empty').hidden = hasPicture || machine?.kind === 'crowd';
    find('#empty').textContent = machine?.kind === 'manager' ? 'Select one of its machines in the list.' : machine ? '' : 'Select a machine in the list.';
    if (!hasPicture) return;
    if (shown !== chart) return load(chart);
    if (!svg || state?.chart !== chart) return;
    highlight(state);
    mark(chart, state);
    flash(chart, state);
}

function collapse() {
    const s = app.focus?.state;
    if (s === undefined || shown.states[s].last === s) return notify('Select a state with substates first.');
    view.collapsed.delete(s) || view.collapsed.add(s);
    store();
    svg.classList.contains('boxes') ? draw(shown) : hideInside(shown);
    touch('picture');
}
function switchFollow() {
    find('#follow').ariaPressed = view.follow = !view.follow;
    followed = -1;
    store();
    touch('picture');
}
function switchMode() { Object.assign(view, { mode: view.mode === 'picture' ? 'boxes' : 'picture', scale: 0 }); draw(shown); }

/** Explains the state or transition at an event's place, if there is one. */
function explain(event) {
    const data = event.target.closest('[data-state], [data-transition]')?.dataset;
    if (!data) return false;
    app.focus = data.state !== undefined ? { state: +data.state } : { transition: +data.transition };
    app.explain();
    return true;
}

export function startPicture() {
    onPaint('picture', paint);
    const actions = { '#fit': fit, '#zoom-in': () => zoom(1.25), '#zoom-out': () => zoom(0.8), '#follow': switchFollow, '#collapse': collapse, '#mode': switchMode };
    for (const [name, action] of Object.entries(actions)) find(name).onclick = () => svg && action();
    let drag = null;
    box.onpointerdown = ({ clientX: x, clientY: y }) => (drag = { x, y, moved: false });
    box.onpointermove = ({ clientX: x, clientY: y, buttons, pointerId }) => {
        if (!drag || !buttons || !svg || (!drag.moved && Math.abs(x - drag.x) + Math.abs(y - drag.y) < 4)) return;
        if (!drag.moved) box.setPointerCapture(pointerId);
        pan(x - drag.x, y - drag.y);
        drag = { x, y, moved: true };
    };
    box.onclick = event => { if (!drag?.moved) explain(event); drag = null; };
    box.ondblclick = event => explain(event) && collapse();
    box.addEventListener('wheel', event => {
        event.preventDefault();
        const at = box.getBoundingClientRect();
        if (svg) zoom(Math.exp(-event.deltaY / 400), event.clientX - at.left, event.clientY - at.top);
    }, { passive: false });
    box.onkeydown = event => {
        const steps = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
        if ((event.key === 'Enter' && explain(event)) || !steps[event.key] || !svg) return;
        event.preventDefault();
        pan(...steps[event.key]);
    };
    new ResizeObserver(hideOutside).observe(box);
}
