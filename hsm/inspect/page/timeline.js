// The timeline: states as tracks, transitions as ticks, and a cursor for the moment that the page shows.

import { find, make, seconds } from './dom.js';
import { app, jump, kinds, moment, noNumber, onPaint, pathOf, touch } from './model.js';
import { recordText } from './log.js';

const box = find('#timeline'), canvas = box.querySelector('canvas'), spacer = box.querySelector('.spacer'), tip = find('#tip');
const rowHeight = 15, gutter = 150, top = 16;
let span = 10, right = 10; // the visible time, in seconds; its end
let rows = [], rowOf = new Map();

let fullWidth = 0, height = 0, scrolled = 0; // sizes are stored: reading them computes the layout
const width = () => fullWidth - gutter;
const toX = time => gutter + (1 - (right - time) / span) * width();
const toTime = x => right - (1 - (x - gutter) / width()) * span;
let colors = [];
const readColors = () => (colors = ['--ink', '--quiet', '--line', '--bar', '--lit', '--bad', '--panel'].map(name => getComputedStyle(document.documentElement).getPropertyValue(name)));

/** Distance between grid lines: 1, 2 or 5 times a power of ten. */
function gridStep() {
    const least = (span * 90) / Math.max(width(), 1), power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map(n => n * power).find(step => step >= least);
}

function chooseRows(records) {
    const { chart } = records;
    if (rows.records === records && rows.seen === records.seen.size) return;
    rows = [...records.seen].filter(s => s > 0).sort((a, b) => a - b);
    Object.assign(rows, { records, seen: records.seen.size });
    rowOf = new Map(rows.map((s, i) => [s, i]));
    rows.names = rows.map(s => `${'  '.repeat(Math.max(0, chart.depths[s] - 1))}${chart.states[s].name}`);
}

function draw() {
    const { records } = app;
    if (!records || !fullWidth) return;
    chooseRows(records);
    const isLive = app.cursor === null, at = isLive ? records.latest : records.timeAt(app.cursor);
    if (isLive) right = records.latest + span * 0.02;
    else if (at > right) right = at + span * 0.1;
    else if (at < right - span) right = at + span * 0.9;

    const ratio = devicePixelRatio;
    spacer.style.height = `${Math.max(0, top + rows.length * rowHeight - height)}px`;
    const c = canvas.getContext('2d');
    const [ink, quiet, line, bar, lit, bad, panel] = colors;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, fullWidth, height);
    c.font = '11px system-ui, sans-serif';
    c.textBaseline = 'middle';
    const yOf = row => top + row * rowHeight - scrolled;

    c.fillStyle = quiet;
    c.strokeStyle = line;
    const step = gridStep(), digits = Math.max(0, -Math.floor(Math.log10(step)));
    for (let time = Math.ceil((right - span) / step) * step; time < right; time += step) {
        const x = Math.round(toX(time)) + 0.5;
        c.beginPath();
        c.moveTo(x, top);
        c.lineTo(x, height);
        c.stroke();
        c.fillText(`${time.toFixed(digits)} s`, x + 3, 8);
    }

    // Each state is a bar from its entry to its exit; bars of less than a pixel are drawn once.
    const first = records.after(right - span), last = records.after(right);
    const began = new Map(), drawn = new Map(), ticks = [];
    const startX = Math.max(gutter, toX(records.timeAt(records.first)));
    const start = records.at(first);
    for (const s of rows) if (start.active[s]) began.set(s, startX);
    c.save();
    c.beginPath();
    c.rect(gutter, top, width(), height - top);
    c.clip();
    const finish = (s, x) => {
        const row = rowOf.get(s), from = began.get(s);
        began.delete(s);
        if (row === undefined || from === undefined) return;
        if (x - from < 1 && drawn.get(s) === Math.floor(x)) return;
        drawn.set(s, Math.floor(x));
        c.fillRect(from, yOf(row) + 2, Math.max(x - from, 1), rowHeight - 4);
    };
    c.fillStyle = bar;
    for (let i = first; i < last; ++i) {
        const kind = records.kindAt(i);
        if (kind !== kinds.entered && kind !== kinds.exited && kind !== kinds.transition && kind !== kinds.configuration) continue;
        const r = records.record(i), x = toX(r.time);
        if (kind === kinds.entered) began.has(r.state) || began.set(r.state, x);
        else if (kind === kinds.exited) finish(r.state, x);
        else if (kind === kinds.transition) ticks.push([x, r.state]);
        else {
            const state = records.at(i + 1 < records.end && records.kindAt(i + 1) === kinds.more ? i + 2 : i + 1);
            for (const s of [...began.keys()]) if (!state.active[s]) finish(s, x);
            for (const s of rows) if (state.active[s] && !began.has(s)) began.set(s, x);
        }
    }
    const endX = Math.min(toX(records.latest), toX(right));
    c.fillStyle = bar;
    for (const s of [...began.keys()]) finish(s, endX);
    c.fillStyle = lit;
    let lastX = -9;
    for (const [x, s] of ticks) {
        if (x - lastX < 1) continue;
        lastX = x;
        c.fillRect(x - 0.75, yOf(rowOf.get(s) ?? 0), 1.5, rowHeight);
    }
    c.strokeStyle = c.fillStyle = bad;
    for (const gap of records.gaps) {
        const x = toX(records.timeAt(gap.index));
        c.fillRect(x, top, 2, height);
        c.fillText(`${gap.count} records lost`, x + 5, height - 8);
    }
    if (startX > gutter) {
        c.fillStyle = quiet;
        c.fillRect(startX, top, 1, height);
        c.textAlign = 'right';
        c.fillText(records.first === 0 ? 'recording begins' : 'older records were removed', startX - 4, height - 8);
        c.textAlign = 'left';
    }
    c.fillStyle = ink;
    const x = Math.min(toX(at), fullWidth - 1);
    c.fillRect(x - 0.5, 0, isLive ? 1 : 2, height);
    c.restore();

    const now = moment();
    c.fillStyle = panel;
    c.fillRect(0, 0, gutter - 1, height);
    rows.names.forEach((name, i) => {
        const y = yOf(i) + rowHeight / 2;
        if (y < top || y > height) return;
        c.fillStyle = now.active[rows[i]] ? lit : ink;
        c.fillText(name, 8, y, gutter - 14);
    });
    describe(records, at, isLive, now);
}

function describe(records, at, isLive, now) {
    const { chart } = records;
    const position = app.cursor ?? records.end;
    find('#live').ariaPressed = isLive;
    document.body.classList.toggle('past', !isLive);
    find('#moment').textContent = `${seconds(at)}  ·  record ${position.toLocaleString('en')} of ${records.end.toLocaleString('en')}`;
    box.ariaValueMin = records.first;
    box.ariaValueMax = records.end;
    box.ariaValueNow = position;
    if (document.activeElement === box) box.ariaValueText = `${isLive ? 'present, ' : ''}${seconds(at)}, ${now.leaves().map(s => pathOf(chart, s)).join(', ')}`;
}

/** Returns the index of the transition nearest to a place, within a few pixels, or -1. */
function transitionAt(x) {
    const { records } = app, pixel = span / Math.max(width(), 1);
    let best = -1, distance = 5 * pixel;
    const time = toTime(x), last = records.after(time + distance);
    for (let i = records.after(time - distance); i < last; ++i) {
        if (records.kindAt(i) !== kinds.transition) continue;
        const from = Math.abs(records.record(i).time - time);
        if (from < distance) [best, distance] = [i, from];
    }
    return best;
}

function showTip(x, y) {
    const i = app.records && x > gutter ? transitionAt(x) : -1;
    tip.hidden = i < 0;
    if (i < 0) return;
    const { records } = app, event = records.at(i + 1).lastEvent;
    tip.replaceChildren(make('div', {}, recordText(records.chart, records.record(i))),
        make('div', { className: 'quiet' }, `${seconds(records.record(i).time)}${event !== noNumber ? ` · event ${records.chart.events[event]?.text}` : ''}`));
    tip.style.left = `${Math.min(x + 12, fullWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${y - tip.offsetHeight - 8 + box.parentElement.querySelector('.bar').offsetHeight}px`;
}

export function startTimeline() {
    onPaint('timeline', draw);
    const scrub = event => {
        const at = event.clientX - box.getBoundingClientRect().left;
        if (app.records && at > gutter) jump(app.records.after(toTime(at)));
    };
    box.onpointerdown = event => { box.setPointerCapture(event.pointerId); scrub(event); };
    box.onpointermove = event => {
        const at = box.getBoundingClientRect();
        if (event.buttons & 1) scrub(event);
        showTip(event.clientX - at.left, event.clientY - at.top);
    };
    box.onpointerleave = () => (tip.hidden = true);
    box.addEventListener('scroll', () => { scrolled = box.scrollTop; touch('timeline'); });
    box.addEventListener('wheel', event => {
        if (!app.records || event.clientX - box.getBoundingClientRect().left < gutter) return;
        event.preventDefault();
        const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        const at = toTime(event.clientX - box.getBoundingClientRect().left);
        if (isPan) {
            if (app.cursor === null) jump(app.records.end);
            right += ((event.deltaX || event.deltaY) / width()) * span;
        } else {
            const longest = Math.max(60, (app.records.latest - app.records.timeAt(app.records.first)) * 1.1);
            const wanted = Math.max(0.01, Math.min(longest, span * Math.exp(event.deltaY / 400)));
            if (app.cursor !== null) right = at + ((right - at) * wanted) / span;
            span = wanted;
        }
        touch('timeline');
    }, { passive: false });
    box.onkeydown = event => {
        const { records } = app;
        if (!records || event.ctrlKey || event.altKey) return;
        const at = app.cursor ?? records.end;
        const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: records.after(records.timeAt(at) - span / 2), PageDown: records.after(records.timeAt(at) + span / 2),
            Home: records.first, End: null };
        if (!(event.key in targets)) return;
        event.preventDefault();
        jump(targets[event.key]);
    };
    find('#live').onclick = () => jump(null);
    find('#previous').onclick = () => step(-1);
    find('#next').onclick = () => step(1);
    readColors();
    new ResizeObserver(() => {
        [fullWidth, height] = [box.clientWidth, box.clientHeight];
        Object.assign(canvas, { width: fullWidth * devicePixelRatio, height: height * devicePixelRatio });
        Object.assign(canvas.style, { width: `${fullWidth}px`, height: `${height}px` });
        touch('timeline');
    }).observe(box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColors(); touch('timeline', 'populations'); });
}

/** Moves to the moment after the previous or next transition. */
export function step(direction) {
    const { records } = app;
    if (!records) return;
    const found = records.transitionFrom((app.cursor ?? records.end) + (direction < 0 ? -2 : 0), direction);
    if (found >= 0) jump(found + 1);
    else if (direction > 0) jump(null);
}
