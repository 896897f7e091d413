// What the cases share: a scripted server per test, the panel open on it, axe, and a picture for the live view.
import { test as base, expect } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Mock } from '../mock.mjs';
import { busy, history } from '../scenes.mjs';

export { expect };
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const test = base.extend({
  picture: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.setContent(readFileSync(new URL('../site/teas.html', import.meta.url), 'utf8'));
      const shot = await page.screenshot({ type: 'jpeg', quality: 70 });
      await page.close();
      await use(shot);
    },
    { scope: 'worker' },
  ],
  // A picture of another size.
  smallPicture: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
      const shot = await page.screenshot({ type: 'jpeg', quality: 70 });
      await page.close();
      await use(shot);
    },
    { scope: 'worker' },
  ],
  // mocked(options): a server that shows the busy scene, or what the options say; killed at the test's end.
  mocked: async ({ picture }, use) => {
    const mocks = [];
    await use(async (options) => {
      const mock = await Mock.start({ state: busy(), past: history(), picture, ...options });
      mocks.push(mock);
      return mock;
    });
    await Promise.all(mocks.map((mock) => mock.kill().catch(() => {})));
  },
  mock: async ({ mocked }, use) => use(await mocked()),
  // The panel on `mock`; a script error or a break of the Content-Security-Policy fails the test.
  panel: async ({ page, mock }, use) => {
    const faults = faultsOf(page);
    await enter(page, mock.url);
    await page.locator('#view canvas').waitFor();
    await use(page);
    expect(faults).toEqual([]);
  },
});

export function faultsOf(page) {
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.stack));
  page.on('console', (line) => /Content Security Policy/.test(line.text()) && faults.push(line.text()));
  return faults;
}

export async function enter(page, url) {
  await page.goto(url);
  await page.locator('[data-link=live]').waitFor();
}

// The same with a time of the page's own, which stands still: none of its timers runs out while a busy machine is at the
// steps of the test. What the page shows takes a few of its milliseconds: soon() lets them pass, page.clock.runFor() more.
export async function enterStopped(page, url) {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 3_600_000);
  await page.goto(url);
  await soon(page, () => page.locator('[data-link=live]').count()).toBe(1);
}
// An expectation of what `look()` gives.
export const soon = (page, look) =>
  expect.poll(async () => {
    await page.clock.runFor(10);
    return look();
  });

export const row = (page, tool) => page.locator('#running .call').filter({ hasText: tool });
export const pastRow = (page, words) => page.locator('.past > .row').filter({ hasText: words });

// Through the debugger, as the page's policy lets no foreign script in.
export async function axe(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axeSource });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations.map((one) =>
      ({ id: one.id, help: one.help, nodes: one.nodes.map((node) => node.target.join(' ') + ': ' + node.failureSummary) }))))`,
    awaitPromise: true,
  });
  await session.detach();
  return JSON.parse(result.value);
}

// How far the page reaches beyond the window to the side.
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Chromium's own tabs are never hidden under test; the property and the event are what the page goes by.
export const setHidden = (page, hidden) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new window.Event('visibilitychange'));
  }, hidden);
