// Debian's Chromium, driven by playwright-core, for the pages that .ci/page has made.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readFile, writeFile } from 'node:fs/promises';
import { deflateSync, inflateSync } from 'node:zlib';

const { DAELAB_PAGE_WORK: work = 'build/page' } = process.env;
const require = createRequire(`${process.cwd()}/${work}/package.json`);
const { chromium } = require('playwright-core');
const axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

export const desk = { width: 1400, height: 900 }, phone = { width: 390, height: 844 };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
export const closeBrowser = () => browser.close();

export const fileOf = name => name.includes('/') ? `${process.cwd()}/${work}/${name}` : `${process.cwd()}/${work}/pages/${name}.html`;
export const read = name => readFile(fileOf(name), 'utf8');
export const write = (name, text) => writeFile(fileOf(name), text);

// The page with its data changed.
export const withData = (html, change) => html.replace(/(id="data">)(.*?)(<\/script>)/s, (_, begin, text, end) => {
  const data = JSON.parse(inflateSync(Buffer.from(text, 'base64')));
  change(data);
  return begin + deflateSync(JSON.stringify(data)).toString('base64') + end;
});

// A page with what it complained of, and the texts it would put into the clipboard. `settings` are those of a context.
export const open = async (name, { view = '', ...settings } = {}) => {
  const context = await browser.newContext({ viewport: desk, ...settings });
  const page = await context.newPage();
  const complaints = [], requests = [];
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('dialog', dialog => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: text => { globalThis.copied = text; return Promise.resolve(); } } });
  });
  const begin = performance.now();
  await page.goto(pathToFileURL(fileOf(name)).href + view);
  const seconds = (performance.now() - begin) / 1000;
  return { page, complaints, requests, seconds, close: () => context.close() };
};

// Serious and critical violations of accessibility, of these rules or all, as "rule: selectors".
export const violations = async (page, rules) => {
  // The page's policy lets no script in; what the debugger evaluates is none of the page's.
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(only => globalThis.axe.run({ exclude: [['iframe']] },
    { resultTypes: ['violations'], ...(only && { runOnly: { type: 'rule', values: only } }) }), rules);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => `${impact} ${id} x${nodes.length}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`).join('; ')}`);
};
