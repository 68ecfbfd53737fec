// The timeline: states as tracks, transitions as ticks, and a cursor for the moment that the page shows.
import { find, grouped, make, seconds } from './dom.js';
import { app, jump, kinds, moment, noNumber, onPaint, pathOf, touch } from './model.js';
import { recordText } from './log.js';
const box = find('#timeline'), canvas = box.querySelector('canvas'), spacer = box.querySelector('.spacer'), tip = find('#tip'), c = canvas.getContext('2d');
const rowHeight = 15, gutter = 150, top = 16;
let span = 10, right = 10; // the visible time, in seconds; its end
let fullWidth = 0, height = 0, scrolled = 0, ink, quiet, line, bar, lit, bad, panel; // read once: reading sizes and colors computes the layout
let rows = { states: [], index: new Map(), records: null, seen: 0 };
const width = () => fullWidth - gutter;
const toX = time => gutter + (1 - (right - time) / span) * width();
const toTime = x => right - (1 - (x - gutter) / width()) * span;
const yOf = row => top + row * rowHeight - scrolled;
const readColors = () => ([ink, quiet, line, bar, lit, bad, panel] = ['--ink', '--quiet', '--line', '--bar', '--lit', '--bad', '--panel'].map(name =>
    getComputedStyle(document.documentElement).getPropertyValue(name)));

function fill(color, x, y, w, h) { c.fillStyle = color; c.fillRect(x, y, w, h); }
function write(text, color, x, y, most) { c.fillStyle = color; c.fillText(text, x, y, most); }

/** All states that were active since the recording began have a row. */
function chooseRows(records) {
    if (rows.records === records && rows.seen === records.seen.size) return;
    const states = [...records.seen].filter(s => s > 0).sort((a, b) => a - b);
    rows = { states, index: new Map(states.map((s, i) => [s, i])), records, seen: records.seen.size };
    spacer.style.height = `${Math.max(0, top + states.length * rowHeight - height)}px`;
}

/** Vertical lines at distances of 1, 2 or 5 times a power of ten. */
function drawGrid() {
    const least = (span * 90) / Math.max(width(), 1), power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= least), digits = Math.max(0, -Math.floor(Math.log10(step)));
    for (let time = Math.max(0, Math.ceil((right - span) / step)) * step; time < right; time += step) {
        fill(line, Math.round(toX(time)), top, 1, height);
        write(seconds(time, digits), quiet, toX(time) + 3, 8);
    }
}

/** Each state is a bar from its entry to its exit; bars of less than a pixel are drawn once for each pixel. */
function drawBars(records) {
    const first = records.after(right - span), last = records.after(right), began = new Map(), drawn = new Map(), ticks = [];
    const finish = (s, x) => {
        const row = rows.index.get(s), from = began.get(s);
        began.delete(s);
        if (row === undefined || from === undefined || (x - from < 1 && drawn.get(s) === Math.floor(x))) return;
        drawn.set(s, Math.floor(x));
        c.fillRect(from, yOf(row) + 2, Math.max(x - from, 1), rowHeight - 4);
    };
    const begin = (state, x) => { for (const s of rows.states) if (state.active[s] && !began.has(s)) began.set(s, x); };
    c.fillStyle = bar;
    begin(records.at(first), Math.max(gutter, toX(records.timeAt(records.first))));
    for (let i = first; i < last; ++i) {
        const kind = records.kindAt(i);
        if (kind !== kinds.entered && kind !== kinds.exited && kind !== kinds.transition && kind !== kinds.configuration) continue;
        const r = records.record(i), x = toX(r.time);
        if (kind === kinds.entered) began.has(r.state) || began.set(r.state, x);
        else if (kind === kinds.exited) finish(r.state, x);
        else if (kind === kinds.transition) ticks.push([x, r.state]);
        else {
            let end = i + 1;
            while (end < records.end && records.kindAt(end) === kinds.more) ++end;
            const state = records.at(end);
            for (const s of [...began.keys()]) if (!state.active[s]) finish(s, x);
            begin(state, x);
        }
    }
    for (const s of [...began.keys()]) finish(s, toX(Math.min(records.latest, right)));
    let before = -1;
    for (const [x, s] of ticks) if (x - before >= 1) fill(lit, (before = x) - 0.75, yOf(rows.index.get(s) ?? 0), 1.5, rowHeight);
}

function drawMarks(records) {
    for (const gap of records.gaps) {
        const x = toX(records.timeAt(gap.index));
        fill(bad, x, top, 2, height);
        write(`${grouped(gap.count)} records lost`, bad, x + 5, height - 8);
    }
    const start = toX(records.timeAt(records.first));
    if (start <= gutter) return;
    fill(quiet, start, top, 1, height);
    const isWide = start - gutter > 150; // for the text on the left side
    c.textAlign = isWide ? 'right' : 'left';
    write(records.first === 0 ? 'recording begins' : 'older records were removed', quiet, start + (isWide ? -4 : 4), height - 8);
    c.textAlign = 'left';
}

function draw() {
    const { records, cursor } = app;
    if (!records || !fullWidth) return;
    chooseRows(records);
    const isLive = cursor === null, at = isLive ? records.latest : records.timeAt(cursor), now = moment();
    if (isLive) right = records.latest + span * 0.02;
    else if (at > right) right = at + span * 0.1;
    else if (at < right - span) right = at + span * 0.9;

    c.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    Object.assign(c, { font: '11px system-ui, sans-serif', textBaseline: 'middle' });
    c.clearRect(0, 0, fullWidth, height);
    const names = rows.states.map(s => [records.chart.states[s], now.active[s]]); // before `at` returns another moment
    drawGrid();
    c.save();
    c.beginPath();
    c.rect(gutter, top, width(), height - top);
    c.clip();
    drawBars(records);
    drawMarks(records);
    c.restore();
    fill(ink, Math.min(toX(at), fullWidth - 1) - 0.5, 0, isLive ? 1 : 2, height);
    fill(panel, 0, 0, gutter - 1, height);
    names.forEach(([state, isActive], i) => {
        const y = yOf(i) + rowHeight / 2;
        if (y > top && y < height) write(state.name, isActive ? lit : ink, 8 + 7 * (state.depth - 1), y, gutter - 14);
    });

    const position = cursor ?? records.end;
    find('#live').ariaPressed = isLive;
    document.body.classList.toggle('past', !isLive);
    find('#moment').textContent = `${seconds(at)}  ·  record ${grouped(position)} of ${grouped(records.end)}`;
    Object.assign(box, { ariaValueMin: records.first, ariaValueMax: records.end, ariaValueNow: position });
    const leaves = () => moment().leaves().map(s => pathOf(records.chart, s)).join(', ');
    if (document.activeElement === box) box.ariaValueText = `${isLive ? 'present, ' : ''}${seconds(at)}, ${leaves()}`;
}

/** Shows the transition nearest to a place, within a few pixels. */
function showTip(x, y) {
    tip.hidden = true;
    if (!app.records || x < gutter) return;
    const { records } = app, time = toTime(x), near = (5 * span) / Math.max(width(), 1), end = records.after(time + near), from = i => Math.abs(records.timeAt(i + 1) - time);
    let best = -1;
    for (let i = records.after(time - near); i < end; ++i) if (records.kindAt(i) === kinds.transition && (best < 0 || from(i) < from(best))) best = i;
    if (best < 0) return;
    const r = records.record(best), event = records.at(best + 1).lastEvent;
    tip.hidden = false;
    tip.replaceChildren(make('div', {}, recordText(records.chart, r)),
        make('div', {}, `${seconds(r.time)}${event !== noNumber ? `  ·  event ${records.chart.events[event]?.text}` : ''}`));
    Object.assign(tip.style, { left: `${Math.min(x + 12, fullWidth - tip.offsetWidth - 8)}px`, top: `${box.offsetTop + y - tip.offsetHeight - 8}px` });
}

/** Moves to the end of the previous or next call with a transition. */
export function step(direction) {
    const { records } = app;
    if (!records) return;
    const at = app.cursor ?? records.end;
    let found = records.transitionFrom(direction < 0 ? at - 1 : at, direction);
    while (direction < 0 && found >= 0 && records.endOfCall(found) >= at) found = records.transitionFrom(found - 1, -1);
    if (found >= 0) jump(records.endOfCall(found));
    else if (direction > 0) jump(null);
}

function zoom(event) {
    const x = event.clientX - box.getBoundingClientRect().left, { records } = app;
    if (!records || x < gutter) return;
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        if (app.cursor === null) jump(records.end);
        right += ((event.deltaX || event.deltaY) / width()) * span;
    } else {
        const longest = Math.max(60, (records.latest - records.timeAt(records.first)) * 1.1), at = toTime(x);
        const wanted = Math.max(0.01, Math.min(longest, span * Math.exp(event.deltaY / 400)));
        if (app.cursor !== null) right = at + ((right - at) * wanted) / span;
        span = wanted;
    }
    touch('timeline');
}

export function startTimeline() {
    onPaint('timeline', draw);
    readColors();
    const scrub = event => {
        const x = event.clientX - box.getBoundingClientRect().left;
        if (app.records && x > gutter) jump(app.records.after(toTime(x)));
    };
    box.onpointerdown = event => { box.setPointerCapture(event.pointerId); scrub(event); };
    box.onpointermove = event => {
        const at = box.getBoundingClientRect();
        if (event.buttons & 1) scrub(event);
        showTip(event.clientX - at.left, event.clientY - at.top);
    };
    box.onpointerleave = () => (tip.hidden = true);
    box.addEventListener('scroll', () => { scrolled = box.scrollTop; touch('timeline'); });
    box.addEventListener('wheel', zoom, { passive: false });
    box.onkeydown = event => {
        const { records } = app, at = app.cursor ?? records?.end, by = time => records.after(records.timeAt(at) + time);
        const targets = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, PageUp: () => by(-span / 2), PageDown: () => by(span / 2), Home: () => 0, End: () => null };
        if (!records || event.ctrlKey || event.altKey || !(event.key in targets)) return;
        event.preventDefault();
        jump(targets[event.key]());
    };
    const buttons = { '#live': () => jump(null), '#previous': () => step(-1), '#next': () => step(1) };
    for (const [name, action] of Object.entries(buttons)) find(name).onclick = action;
    new ResizeObserver(() => {
        [fullWidth, height, rows.records] = [box.clientWidth, box.clientHeight, null];
        Object.assign(canvas, { width: fullWidth * devicePixelRatio, height: height * devicePixelRatio });
        Object.assign(canvas.style, { width: `${fullWidth}px`, height: `${height}px` });
        touch('timeline');
    }).observe(box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColors(); touch('timeline', 'populations'); });
}
