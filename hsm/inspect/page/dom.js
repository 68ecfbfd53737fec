/** Creates an element. Strings among the children become text, never markup. */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) if (value !== undefined) name in element ? (element[name] = value) : element.setAttribute(name, value);
    element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
    return element;
}
export const button = (text, onclick, properties = {}) => make('button', { onclick, ...properties }, text);
export const quiet = (text, tag = 'p') => make(tag, { className: 'quiet' }, text);
/** Replaces the content of a panel. A control at the same position has the focus afterwards. */
export function refill(panel, ...children) {
    const controls = () => [...panel.querySelectorAll('button, input, select')], focused = controls().indexOf(document.activeElement);
    panel.replaceChildren(...children.filter(Boolean));
    controls()[focused]?.focus();
}
export const find = selector => document.querySelector(selector);
export const seconds = (value, digits = 3) => `${value.toFixed(digits)} s`;
export const grouped = number => number.toLocaleString('en');
/** Formats a duration in seconds for a narrow column. */
export function duration(value) {
    if (value < 100) return seconds(value, value < 10 ? 1 : 0);
    return value < 6000 ? `${Math.floor(value / 60)} min` : `${Math.floor(value / 3600)} h`;
}

let noticeEnd;
/** Shows a short message, which screen readers read. */
export function notify(text, isError = false) {
    const notice = find('#notice');
    Object.assign(notice, { textContent: text, title: text, className: isError ? 'bad' : '' });
    clearTimeout(noticeEnd);
    noticeEnd = setTimeout(() => (notice.textContent = ''), isError ? 15000 : 5000);
}

export function save(name, content) {
    const url = URL.createObjectURL(new Blob([content]));
    make('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const keySteps = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity };

/** Shows only the rows of a long list that are in view. Elements of rows are reused, so that a click between two updates is not lost. */
export class VirtualList {
    /** `fill(i, row, cells)` shows row i; `choose(i)` is called for a click, and for keys that move from row `chosen()`. */
    constructor(box, rowHeight, cells, { fill, choose, chosen }) {
        // The position and the height are stored: reading them computes the layout.
        Object.assign(this, { box, rowHeight, cells, fill, spacer: box.querySelector('.spacer'), count: 0, top: 0, height: 0 });
        box.addEventListener('scroll', () => { this.top = box.scrollTop; this.update(); });
        new ResizeObserver(() => { this.height = box.clientHeight; this.update(); }).observe(box);
        box.onclick = event => {
            const i = Math.floor((event.clientY - box.getBoundingClientRect().top + box.scrollTop) / rowHeight);
            if (i < this.count) choose(i);
        };
        box.onkeydown = event => {
            if (!(event.key in keySteps) || !this.count) return;
            event.preventDefault();
            choose(Math.max(0, Math.min(this.count - 1, chosen() + keySteps[event.key])));
        };
    }
    update(count = this.count) {
        this.count = count;
        this.spacer.style.height = `${count * this.rowHeight}px`;
        const visible = Math.ceil(this.height / this.rowHeight), rows = this.spacer.children;
        const first = Math.max(0, Math.min(Math.floor(this.top / this.rowHeight) - 2, count - visible)), last = visible ? Math.min(count, first + visible + 5) : first;
        while (rows.length > last - first) rows[rows.length - 1].remove();
        while (rows.length < last - first) this.spacer.append(make('div', { role: 'option' }, ...this.cells.map(className => make('span', { className }))));
        for (let i = first; i < last; ++i) {
            rows[i - first].style.top = `${i * this.rowHeight}px`;
            this.fill(i, rows[i - first], rows[i - first].children);
        }
    }
    show(i) {
        const top = i * this.rowHeight, below = top + this.rowHeight - this.height;
        const wanted = top < this.top ? top : below > this.top ? below : this.top;
        if (wanted !== this.top) this.top = this.box.scrollTop = wanted;
    }
}
