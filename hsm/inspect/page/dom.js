/** Creates an element. Strings among the children become text, never markup. */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined) continue;
        if (name.startsWith('on') || name in element) element[name] = value;
        else element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
    return element;
}

export const find = selector => document.querySelector(selector);

export const seconds = (value, digits = 3) => `${value.toFixed(digits)} s`;

/** Formats a duration in seconds for a narrow column. */
export function duration(value) {
    if (value < 10) return `${value.toFixed(1)} s`;
    if (value < 100) return `${Math.floor(value)} s`;
    return value < 6000 ? `${Math.floor(value / 60)} min` : `${Math.floor(value / 3600)} h`;
}

let lastNotice;
/** Shows a short message, and reads it to screen readers. */
export function notify(text, isError = false) {
    const notice = find('#notice');
    notice.textContent = text;
    notice.className = isError ? 'bad' : '';
    clearTimeout(lastNotice);
    lastNotice = setTimeout(() => (notice.textContent = ''), isError ? 15000 : 5000);
}

export function save(name, text, type = 'application/json') {
    const url = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
    make('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Shows only the rows of a long list that are in view. `draw(i)` returns the element of row i. */
export class VirtualList {
    constructor(box, rowHeight, draw) {
        Object.assign(this, { box, rowHeight, draw, count: 0 });
        this.spacer = box.querySelector('.spacer');
        box.addEventListener('scroll', () => this.update());
        new ResizeObserver(() => this.update()).observe(box);
    }
    // A browser limits the height of an element, so the rows of very long lists are not all reachable by the scroll bar.
    update(count = this.count) {
        this.count = count;
        this.spacer.style.height = `${Math.min(count * this.rowHeight, 16e6)}px`;
        const first = Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 2);
        const last = Math.min(count, first + Math.ceil(this.box.clientHeight / this.rowHeight) + 5);
        const rows = [];
        for (let i = first; i < last; ++i) {
            const row = this.draw(i);
            row.style.top = `${i * this.rowHeight}px`;
            rows.push(row);
        }
        this.spacer.replaceChildren(...rows);
    }
    show(i) {
        const top = i * this.rowHeight, { scrollTop, clientHeight } = this.box;
        if (top < scrollTop) this.box.scrollTop = top;
        else if (top + this.rowHeight > scrollTop + clientHeight) this.box.scrollTop = top + this.rowHeight - clientHeight;
    }
}
