// Nested boxes: the picture of a chart without Graphviz.
const svgNames = 'http://www.w3.org/2000/svg';
export function makeSvg(tag, attributes = {}, text) {
    const element = document.createElementNS(svgNames, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
}

const gap = 8, header = 22, leafHeight = 24;
/** Returns the size of a state and the places of the states in it. States in rows fill about a landscape page. */
function measure(chart, children, collapsed, s) {
    const { name } = chart.states[s], inner = collapsed.has(s) ? [] : children[s];
    const own = name.length * 7 + 2 * gap + (children[s].length ? 14 : 0);
    if (!inner.length) return { s, width: own, height: leafHeight, inner };
    const boxes = inner.map(child => measure(chart, children, collapsed, child));
    const area = boxes.reduce((sum, box) => sum + (box.width + gap) * (box.height + gap), 0);
    const most = Math.max(Math.sqrt(area * 1.8), ...boxes.map(box => box.width + gap));
    let x = gap, y = header, rowHeight = 0, width = own;
    for (const box of boxes) {
        if (x > gap && x + box.width > most + gap) [x, y, rowHeight] = [gap, y + rowHeight + gap, 0];
        Object.assign(box, { x, y });
        x += box.width + gap;
        rowHeight = Math.max(rowHeight, box.height);
        width = Math.max(width, x);
    }
    return { s, width, height: y + rowHeight + gap, inner: boxes };
}

/** Draws all states that no collapsed state contains. Returns the picture, and its groups with their rectangles. */
export function drawBoxes(chart, collapsed) {
    const children = chart.states.map(() => []);
    chart.states.forEach((state, s) => state.parent !== null && children[state.parent].push(s));
    const root = measure(chart, children, collapsed, 0);
    const svg = makeSvg('svg', { width: root.width + 2, height: root.height + 2, class: 'boxes' });
    const groups = [];
    const draw = (box, x, y) => {
        const state = chart.states[box.s], isBox = children[box.s].length > 0;
        const group = makeSvg('g', { class: `state ${isBox ? 'cluster box' : 'node'}`, 'data-state': box.s });
        group.append(makeSvg('rect', { x, y, width: box.width, height: box.height, rx: 5, 'stroke-dasharray': state.region ? '4 3' : 'none' }),
            makeSvg('text', { x: x + gap, y: y + 16 }, (isBox ? (collapsed.has(box.s) ? '▸ ' : '▾ ') : '') + state.name));
        svg.append(group);
        groups.push({ element: group, bounds: { x, y, width: box.width, height: box.height }, isHidden: false });
        for (const child of box.inner) draw(child, x + child.x, y + child.y);
    };
    draw(root, 1, 1);
    return { svg, groups };
}
