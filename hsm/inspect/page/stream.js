// The connection to the program: one stream of events, and requests.
let token = '';
/** Takes the token out of the address, and stores it for a reload of the page. */
export function takeToken() {
    if (location.hash.length > 1) {
        sessionStorage.setItem('hsm.token', location.hash.slice(1));
        history.replaceState(null, '', location.pathname);
    }
    token = sessionStorage.getItem('hsm.token') ?? '';
}

const headers = () => (token ? { 'X-Hsm-Token': token } : {});
export const get = path => fetch(path, { headers: headers() });
/** Sends a POST request. Returns the answer; an error has the member `error`. */
export async function post(path, body) {
    try {
        const answer = await fetch(path, { method: 'POST', headers: { ...headers(), 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
        return { status: answer.status, ...(await answer.json()) };
    } catch {
        return { error: { message: 'The program did not answer.' } };
    }
}

/** Reads events until the stream ends, and calls `isAlive` for all data. */
async function read(answer, receive, isAlive) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        isAlive();
        text += value;
        if (!value.includes('\n\n') && value[0] !== '\n') continue; // splitting the text of a long list again for each part is slow
        const parts = text.split('\n\n');
        text = parts.pop();
        for (const part of parts) {
            const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? []; // as the server writes events; comments are skipped
            if (name) receive(name, JSON.parse(data));
        }
    }
}

/** Keeps a stream open. `status(text, isGood)` is called when the connection changes. */
export async function listen(receive, status) {
    for (let wait = 0.5; ; wait = Math.min(wait * 2, 8)) {
        // The server sends a comment every half second, unless the program was stopped, for example in a debugger.
        const ending = new AbortController();
        let silence;
        const isAlive = () => { clearTimeout(silence); silence = setTimeout(() => ending.abort(), 4000); };
        try {
            isAlive();
            const answer = await fetch('/api/stream', { headers: headers(), signal: ending.signal });
            if (answer.ok) {
                status('connected', true);
                wait = 0.25;
                await read(answer, receive, isAlive);
            } else {
                const { error } = await answer.json();
                status(`${error.message}: ${error.hint}`, false);
                if (answer.status === 401 || answer.status === 403) return;
            }
        } catch (error) {
            if (!(error instanceof TypeError) && error.name !== 'AbortError') console.error(error);
        }
        clearTimeout(silence);
        ending.abort(); // otherwise the connection remains after an exception
        status(`disconnected, next try in ${Math.ceil(wait * 2)} s`, false);
        await new Promise(resolve => setTimeout(resolve, wait * 2000));
    }
}
