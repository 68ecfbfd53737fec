// render.mjs NODE_MODULES CHROMIUM FILE.mmd...: renders each file to FILE.mmd.svg. Prints the errors of Mermaid, and fails if there is one.
import { createRequire } from 'module';
import fs from 'fs';
import path from 'path';

const [modules, chromium, ...files] = process.argv.slice(2);
const { chromium: browsers } = createRequire(path.resolve(modules) + '/')('playwright-core');
const browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setContent('<div id="here"></div>');
await page.addScriptTag({ path: path.join(modules, 'mermaid/dist/mermaid.min.js') });
await page.evaluate(() => mermaid.initialize({ startOnLoad: false, maxTextSize: 1e7, maxEdges: 1e5 }));
let failures = 0;
for (const file of files) {
  const result = await page.evaluate(async (text) => {
    try {
      return { svg: (await mermaid.render('m', text)).svg };
    } catch (e) {
      return { error: String(e.message ?? e) };
    }
  }, fs.readFileSync(file, 'utf8'));
  if (result.svg) fs.writeFileSync(file + '.svg', result.svg);
  else ++failures, console.log(`${file}: ${result.error.slice(0, 500)}`);
}
await browser.close();
process.exit(failures ? 1 : 0);
