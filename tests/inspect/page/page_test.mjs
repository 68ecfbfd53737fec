// Tests the live page in Chromium: page_test.mjs FOLDER PROGRAM [ARGUMENT]...
//
// Starts the program, reads the URLs of its pages from its error output, and stores screenshots in the folder. Environment variables: HSM_PLAYWRIGHT is
// a folder that contains the package playwright-core. HSM_PAGE_CASE selects the cases whose names contain it. HSM_PAGE_FILES is a folder whose files
// replace those of the page, so that changes do not require a build.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const { chromium } = createRequire(`${resolve(process.env.HSM_PLAYWRIGHT ?? '.')}/`)('playwright-core');
const [folder, program, ...programArguments] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const watched = spawn(program, programArguments, { stdio: ['pipe', 'inherit', 'pipe'] });
const [url, readable] = await new Promise((found, failed) => { // readable: the page that needs no token for reading
    let text = '';
    watched.stderr.on('data', bytes => {
        text += bytes;
        const urls = text.match(/http:\/\/\S+#\S+(?=\s)/g) ?? [];
        if (urls.length === 2) found(urls);
    });
    watched.on('exit', () => failed(new Error(`the program ended: ${text}`)));
});
const origin = new URL(url).origin, readableOrigin = new URL(readable).origin;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const complaints = []; // messages on the console, exceptions, dialogs, and requests to other hosts
let isRefusing = false; // while the stream is blocked, the console reports it

async function view(options = {}, address = url) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15000);
    const files = process.env.HSM_PAGE_FILES;
    if (files) await page.route(/:\d+\/[\w.]*$/, (route, request) => {
        const path = `${files}/${new URL(request.url()).pathname.slice(1) || 'index.html'}`;
        return existsSync(path) ? route.fulfill({ path }) : route.continue();
    });
    page.on('console', message => ['error', 'warning'].includes(message.type()) && !isRefusing && complaints.push(message.text()));
    page.on('response', answer => answer.status() === 404 && complaints.push(`404: ${answer.url()} ${answer.request().postData() ?? ''}`));
    page.on('pageerror', error => complaints.push(error.stack));
    page.on('dialog', dialog => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', request => /^(http|ws)/.test(request.url()) && new URL(request.url()).origin !== new URL(address).origin && complaints.push(`request: ${request.url()}`));
    await page.goto(address);
    return page;
}

const page = await view();
const shot = (name, of = page) => of.screenshot({ path: `${folder}/${name}.png` });
const machine = (name, of = page) => of.locator('#list .row').filter({ has: of.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
const button = (name, of = page) => of.getByRole('button', { name, exact: true });
const tab = (name, of = page) => of.getByRole('tab', { name }).click();
const waitFor = (selector, text, of = page) => of.locator(selector, { hasText: text }).first().waitFor();
const notice = text => waitFor('#notice', text);
const box = (path, of = page) => of.getByRole('button', { name: `state ${path}`, exact: true });
const isActive = path => box(path).and(page.locator('.active')).waitFor();
const position = () => page.locator('#timeline').evaluate(element => +element.ariaValueNow);
/** Waits until no record has arrived for some time. */
const isStill = () => page.waitForFunction(() => {
    const now = document.querySelector('#timeline').ariaValueNow, time = performance.now();
    if (window.still?.now !== now) window.still = { now, time };
    return time - window.still.time > 600;
});
async function download(name, of = page) {
    const [file] = await Promise.all([of.waitForEvent('download'), button(name, of).click()]);
    return file;
}
async function upload(path) {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Load…').click()]);
    return command('load', () => chooser.setFiles(path));
}

/** Sends a command, and waits for its outcome. */
async function command(verb, action) {
    await page.locator('#notice').evaluate(element => (element.textContent = ''));
    await action();
    await notice(new RegExp(`^${verb}: `));
    return page.locator('#notice').textContent();
}

const cases = {
    'the token is removed from the address': async () => {
        await waitFor('#connection', 'connected');
        assert.equal(page.url(), `${origin}/`);
    },
    'the list shows all machines with their states': async () => {
        for (const name of ['alice', 'bob', 'herd', 'world', 'carol']) await machine(name).waitFor();
        await waitFor('#list .where', /^(search|hunt|attack)/);
        await waitFor('#title', 'watched program');
    },
    'a search filters the list': async () => {
        await page.fill('#search', 'kind:crowd');
        await machine('alice').waitFor({ state: 'detached' });
        await machine('herd').waitFor();
        await page.fill('#search', 'in:dead');
        await waitFor('#found', /^0 of/);
        await page.fill('#search', '');
        await machine('alice').waitFor();
    },
    'names are shown as text': async () => {
        await waitFor('#list .name', '<img src=x onerror=alert(3)>');
        await machine('<img src=x onerror=alert\\(3\\)>').click();
        await box('<svg onload=alert(22222)>').waitFor();
        await waitFor('#why', '<b>bold</b>');
        assert.equal(await page.locator('img, #picture svg svg, #why b').count(), 0);
        await shot('names');
    },
    'the picture shows the active states': async () => {
        await machine('alice').click();
        await box('hunt/run').waitFor();
        await isActive('hero');
        await page.waitForFunction(() => document.querySelectorAll('#picture .state.leaf').length === 1);
        await page.locator('#last', { hasText: '→' }).or(page.locator('#last', { hasText: '->' })).waitFor();
        await shot('picture');
    },
    'nested boxes replace the picture, and the choice survives a reload': async () => {
        await button('Boxes').click();
        await page.locator('svg.boxes').waitFor();
        await box('hunt').click({ position: { x: 9, y: 9 } });
        await button('Collapse').click();
        await box('hunt/run').waitFor({ state: 'detached' });
        await page.waitForFunction(() => document.querySelectorAll('#picture .leaf').length === 1);
        await shot('boxes');
        await page.waitForTimeout(300); // the view is stored after the last change
        await page.reload();
        await page.locator('svg.boxes').waitFor();
        assert.equal(await box('hunt/run').count(), 0);
        await box('hunt').click();
        await button('Collapse').click();
        await button('Picture').click();
        await box('hunt/run').waitFor();
    },
    'a click on a state explains why it is not active': async () => {
        await box('dead').click();
        await waitFor('#why h3', 'dead');
        await waitFor('#why .candidate.no li', /./);
        await waitFor('#why p', /^The machine at [\d.]+ s$/);
        const change = await button('Change to').elementHandle();
        await page.waitForTimeout(1100); // the panel is painted twice a second
        assert.ok(await change.evaluate(element => element.isConnected), 'equal content is not built again');
        await button('What is possible?').click();
        await waitFor('#why p', 'hit');
        await shot('why');
    },
    'the keyboard reaches states and shortcuts': async () => {
        await box('attack').focus();
        await page.keyboard.press('Enter');
        await waitFor('#why dd', 'attack');
        await page.keyboard.press('2');
        await page.locator('#records').waitFor();
        await page.keyboard.press('?');
        await page.locator('#help[open]').waitFor();
        await page.keyboard.press('Escape');
    },
    'the log shows records as text': async () => {
        await tab('Log');
        await waitFor('#records .record', /^\s*[\d.]+entered /);
        await page.fill('#log-search', 'armed');
        await waitFor('#records .record', 'armed');
        await page.waitForFunction(() => [...document.querySelectorAll('#records .record')].every(row => row.textContent.includes('armed')));
        await page.fill('#log-search', '');
    },
    'the cursor shows an earlier moment, and the present again': async () => {
        await page.locator('#timeline').focus();
        await page.keyboard.press('Home');
        await page.waitForFunction(() => document.body.classList.contains('past'));
        const first = await position();
        await button('Next transition').click();
        await page.waitForFunction(from => +document.querySelector('#timeline').ariaValueNow > from, first);
        const there = await position(), leaf = page.locator('#picture .state.leaf');
        const name = await leaf.getAttribute('aria-label');
        await page.waitForTimeout(700); // the machine continues; the page does not
        assert.equal(await position(), there);
        assert.equal(await leaf.getAttribute('aria-label'), name);
        const [, target] = /-> (\S+)/.exec(await page.locator('#last').textContent());
        assert.ok(name.includes(target), `${name} after a transition to ${target}`);
        await shot('live_page');
        await button('Next transition').click();
        await page.waitForFunction(from => +document.querySelector('#timeline').ariaValueNow > from, there);
        await button('Previous transition').click();
        await page.waitForFunction(to => +document.querySelector('#timeline').ariaValueNow === to, there);
        await page.locator('#records .record').first().click();
        await page.waitForFunction(from => +document.querySelector('#timeline').ariaValueNow !== from, there);
        await button('Live').click();
        await page.waitForFunction(() => !document.body.classList.contains('past'));
    },
    'a pause stops the machine, and a step runs one tick': async () => {
        await command('pause', () => button('Pause').click());
        await button('Continue').waitFor();
        await isStill();
        const before = await position();
        await command('step', () => button('Step').click());
        await page.waitForFunction(from => +document.querySelector('#timeline').ariaValueNow > from, before);
        await command('continue', () => button('Continue').click());
        await button('Pause').waitFor();
    },
    'a breakpoint pauses the machine': async () => {
        await box('hunt/look').click();
        await command('break', () => button('Break at entry').click());
        await button('Continue').waitFor({ timeout: 20000 });
        await isActive('hunt/look');
        await tab('Breaks');
        await waitFor('#breaks .row', 'entry: hunt/look');
        await page.reload(); // the program stores breakpoints
        await waitFor('#breaks .row', 'entry: hunt/look');
        await shot('breakpoint');
        await command('unbreak', () => button('Remove all').click());
        await waitFor('#breaks', 'No breakpoints.');
        await command('continue', () => button('Continue').click());
    },
    'conditions can be set, cleared and pulsed': async () => {
        await tab('Conditions');
        for (const verb of ['Set', 'Clear', 'Pulse']) assert.match(await command(verb.toLowerCase(), () => page.locator('.condition').getByRole('button', { name: verb }).first().click()), /taken/);
        await shot('conditions');
    },
    'an event can be sent with fields': async () => {
        await tab('Send');
        await page.getByRole('combobox', { name: 'Event' }).fill('hit');
        await page.getByRole('textbox', { name: 'Fields as JSON' }).fill('{"damage": }');
        await button('Process').click();
        await notice('not valid JSON');
        await page.getByRole('textbox', { name: 'Fields as JSON' }).fill('{"damage": 1}');
        assert.match(await command('process', () => button('Process').click()), /internal/);
        await command('post', () => button('Post').click());
        await shot('send');
    },
    'the state can be changed': async () => {
        await box('attack').click();
        await command('change_to', () => button('Change to').click());
        await command('force_to', () => button('Force to').click());
        await isActive('attack');
    },
    'a machine can be stopped, started and restarted': async () => {
        for (const text of ['Stop', 'Start', 'Restart']) await command(text.toLowerCase(), () => button(text).click());
    },
    'the time scale can be changed': async () => {
        const scale = page.getByRole('spinbutton', { name: 'Time scale' });
        await command('scale', async () => { await scale.press('Control+a'); await scale.pressSequentially('0.5'); await scale.press('Enter'); });
        await command('scale', async () => { await scale.press('Control+a'); await scale.pressSequentially('1'); await scale.press('Enter'); });
    },
    'documents and traces can be saved, and a document restored': async () => {
        for (const name of ['alice', 'world', 'door']) {
            await machine(name).click();
            await waitFor('#machine .name', name);
            await (await download('Save')).saveAs(`${folder}/${name}.json`);
            assert.match(await upload(`${folder}/${name}.json`), /taken/);
        }
        await machine('alice').click();
        assert.equal((await download('Trace')).suggestedFilename(), 'alice.trace');
    },
    'the tool bar has one line': async () => {
        const heights = await page.locator('#machine > *').evaluateAll(all => all.map(element => element.getBoundingClientRect().top));
        assert.ok(Math.max(...heights) - Math.min(...heights) < 20, `${heights}`);
    },
    'the keyboard selects a machine and a state, and sends a command': async () => {
        const focus = async isWanted => {
            for (let i = 0; i < 80; ++i) {
                await page.keyboard.press('Tab');
                if (await page.evaluate(isWanted)) return;
            }
            assert.fail('the focus does not get there');
        };
        await page.keyboard.press('/');
        await page.keyboard.type('kind:instance');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Home');
        await page.keyboard.press('ArrowDown');
        await waitFor('#machine .name', 'bob');
        await page.keyboard.press('ArrowUp');
        await waitFor('#machine .name', 'alice');
        await box('dead').waitFor();
        await focus(() => document.activeElement.ariaLabel === 'state dead' || document.activeElement.getAttribute('aria-label') === 'state dead');
        await page.keyboard.press('Enter');
        await waitFor('#why h3', 'dead');
        await focus(() => document.activeElement.textContent === 'Change to');
        await command('change_to', () => page.keyboard.press('Enter'));
        await isActive('dead');
        await command('restart', () => button('Restart').press('Enter'));
        await page.fill('#search', '');
        await machine('herd').waitFor();
    },
    'a machine that the program records shows the time before the viewer': async () => {
        await machine('bob').click();
        await waitFor('#moment', 'record');
        assert.equal(await button('Record').getAttribute('aria-pressed'), 'true');
        await page.locator('#timeline').focus();
        const end = performance.now() + 15000;
        do await page.keyboard.press('Home'); // the records of this machine arrive after the click
        while (!/^\d\.\d+ s/.test(await page.locator('#moment').textContent()) && performance.now() < end);
        await waitFor('#moment', /^\d\.\d+ s/); // the program has run for more than 10 s
        await button('Live').click();
    },
    'a session shows its states, and handles events': async () => {
        await machine('door').click();
        await box('open').waitFor();
        await page.waitForFunction(() => document.querySelectorAll('#picture .state.leaf').length === 1);
        await tab('Send');
        assert.match(await command('process', () => page.locator('#send').getByRole('button', { name: 'push', exact: true }).click()), /taken/);
    },
    '5,000 states stay usable': async () => {
        await machine('large').click();
        await page.waitForFunction(() => document.querySelectorAll('#picture .boxes .state').length > 5000, null, { timeout: 40000 });
        await page.locator('#picture .state.leaf').waitFor({ state: 'attached' });
        const frames = await page.evaluate(() => new Promise(done => {
            let count = 0;
            const end = performance.now() + 2000, next = time => (time < end ? (++count, requestAnimationFrame(next)) : done(count / 2));
            requestAnimationFrame(next);
        }));
        console.log(`        ${frames} frames per second with 5,000 states`);
        for (const name of ['Zoom in', 'Zoom in', 'Follow']) await button(name).click();
        const leaf = () => page.locator('#picture .state.leaf').evaluate(element => element.getBoundingClientRect().toJSON());
        await page.waitForFunction(() => { // the leaf is in view
            const at = document.querySelector('#picture .state.leaf')?.getBoundingClientRect(), all = document.querySelector('#picture').getBoundingClientRect();
            return at?.width && at.left >= all.left && at.right <= all.right && at.top >= all.top && at.bottom <= all.bottom;
        });
        assert.ok((await leaf()).width > 0);
        await tab('Why');
        await button('What is possible?').click();
        await waitFor('#why p', 'next');
        await button('Previous transition').click();
        await page.waitForFunction(() => document.body.classList.contains('past'));
        await shot('large');
        await button('Live').click();
    },
    'a machine whose loop does not call runs offers no pause': async () => {
        await machine('bob').click();
        await waitFor('#machine .name', 'bob');
        assert.ok(await button('Pause').isDisabled());
        assert.match(await button('Pause').getAttribute('title'), /page\.runs/);
        await tab('Breaks');
        await waitFor('#breaks', 'page.runs');
    },
    'a crowd shows its populations, and its agents': async () => {
        await machine('herd').click();
        await waitFor('#populations td', 'graze');
        await waitFor('#populations td', /^\d+$/);
        await page.locator('#populations tr', { hasText: 'graze' }).getByRole('button', { name: 'agents' }).click();
        await waitFor('.agents button', 'agent');
        await shot('live_page_crowd');
        await page.locator('.agents button').first().click();
        await waitFor('#machine', /agent/);
        await button('Close').click();
        await page.locator('#list .row[title^=agent]').waitFor({ state: 'detached' });
    },
    'two viewers see the same, and each other\'s commands': async () => {
        await machine('alice').click();
        const other = await view({ colorScheme: 'dark', viewport: { width: 1024, height: 700 } });
        await machine('alice', other).click();
        await waitFor('#machine .name', 'alice', other);
        await command('pause', () => button('Pause').click());
        await waitFor('#notice', /Viewer \d+, alice: pause/, other);
        await button('Continue', other).waitFor();
        await page.waitForFunction(() => document.querySelector('#timeline').ariaValueMin === '0'); // both see where the recording begins
        await other.waitForFunction(() => document.querySelector('#timeline').ariaValueMin === '0');
        await shot('second-viewer', other);
        const weak = () => other.evaluate(() => { // texts with a contrast of less than 4.5
            const brightness = color => {
                const parts = color.match(/[\d.]+/g).slice(0, 3).map(value => value / 255).map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
            };
            const behind = element => {
                for (; element; element = element.parentElement) {
                    const color = getComputedStyle(element).backgroundColor;
                    if (!/, 0\)$/.test(color)) return color;
                }
                return getComputedStyle(document.documentElement).backgroundColor;
            };
            const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const texts = [...document.querySelectorAll('h1, #list .name, #list .where, #machine .name, #machine .quiet, #tabs button, #moment, button:enabled')];
            return texts.filter(text => contrast(brightness(getComputedStyle(text).color), brightness(behind(text))) < 4.5).map(text => text.outerHTML.slice(0, 80));
        });
        const isReadable = async () => {
            for (const colorScheme of ['light', 'dark']) {
                await other.emulateMedia({ colorScheme });
                assert.deepEqual(await weak(), [], colorScheme);
            }
        };
        await isReadable();
        assert.ok(await other.evaluate(() => /^rgb\((\d|[1-4]\d), /.test(getComputedStyle(document.querySelector('main')).backgroundColor)), 'dark');
        await button('Continue', other).click();
        await button('Pause').waitFor();
        await button('Pause', other).waitFor();
        await isReadable();
        await other.context().close();
    },
    'without a token the page explains what to do': async () => {
        isRefusing = true;
        const context = await browser.newContext(), other = await context.newPage();
        await other.goto(origin);
        await waitFor('#connection', 'open the URL that the program printed', other);
        await context.close();
        isRefusing = false;
    },
    'without a token, a page that can be read without one offers no commands': async () => {
        const other = await view({}, readableOrigin);
        await waitFor('#rights', 'read-only', other);
        await machine('dave', other).click();
        await box('hunt', other).waitFor();
        await box('dead', other).click();
        await waitFor('#why h3', 'dead', other);
        for (const name of ['Start', 'Load…', 'Record', 'Change to', 'Break at entry']) assert.equal(await button(name, other).count(), 0, name);
        assert.ok(await button('Pause', other).isDisabled());
        await tab('Send', other);
        await waitFor('#send', 'Read-only', other);
        await download('Save', other);
        const status = await other.evaluate(async () => (await fetch('/api/command', { method: 'POST', body: '{"id":1,"verb":"stop"}' })).status);
        assert.equal(status, 401);
        await other.context().close();
        complaints.splice(0, complaints.length, ...complaints.filter(text => !text.includes('401'))); // of this request
    },
    'the page connects again': async () => {
        isRefusing = true;
        watched.kill('SIGSTOP'); // as in a debugger
        await waitFor('#connection', 'disconnected');
        await shot('disconnected');
        watched.kill('SIGCONT');
        await waitFor('#connection', /^connected$/);
        isRefusing = false;
        await isActive('hero');
    },
    'nothing was reported on the console, and no other host was used': async () => assert.ok(!complaints.length, complaints.join('\n')),
};

const only = process.env.HSM_PAGE_CASE ?? '';
let failed = 0;
for (const [name, run] of Object.entries(cases)) {
    if (!name.includes(only)) continue;
    const began = performance.now();
    let limit;
    try {
        await Promise.race([run(), new Promise((done, fail) => (limit = setTimeout(() => fail(new Error('it took more than 60 s')), 60000)))]);
        console.log(`ok      ${name} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
        ++failed;
        console.log(`FAILED  ${name}: ${error.message.split('\n').slice(0, 6).join('\n        ')}`);
        await shot(`failed-${failed}`).catch(() => {});
    } finally {
        clearTimeout(limit);
    }
}
await browser.close();
watched.removeAllListeners('exit');
watched.stdin.end();
process.exit(failed ? 1 : 0);
