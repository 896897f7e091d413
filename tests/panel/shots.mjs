// Pictures of the panel in its states, for the eye:  node tests/panel/shots.mjs FOLDER [NAME...]
import { chromium } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mock } from './mock.mjs';
import { asked, busy, history } from './scenes.mjs';

const [folder, ...wanted] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });

// The page that the live view shows.
export async function picture() {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await tab.setContent(readFileSync(new URL('./site/teas.html', import.meta.url), 'utf8'));
  const shot = await tab.screenshot({ type: 'jpeg', quality: 80 });
  await tab.close();
  return shot;
}
const jpeg = await picture();
const wide = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const logs = (mock) => {
  mock.console = [
    { level: 'log', text: 'cart restored: 0 items', url: 'https://shop.example/app.js', line: 118 },
    {
      level: 'warning',
      text: 'preload of /fonts/lora.woff2 was not used within a few seconds',
      url: 'https://shop.example/kettles',
      line: 1,
    },
    {
      level: 'error',
      text: 'GET https://shop.example/api/stock 503 (Service Unavailable)',
      url: 'https://shop.example/app.js',
      line: 431,
    },
  ];
  mock.network = [
    {
      method: 'GET',
      url: 'https://shop.example/kettles?colour=red',
      status: 200,
      type: 'document',
      ms: 96,
      bytes: 18233,
    },
    { method: 'GET', url: 'https://shop.example/api/stock', status: 503, type: 'fetch', ms: 1204, bytes: 312 },
    { method: 'POST', url: 'https://shop.example/api/cart', status: 201, type: 'fetch', ms: 48, bytes: 96 },
  ];
};
const shots = {
  busy: { state: busy(), past: history() },
  dark: { state: busy(), past: history(), scheme: 'dark' },
  phone: { state: busy(), past: history(), size: phone, full: true },
  tablet: { state: busy(), past: history(), size: { width: 1024, height: 768 }, full: true },
  wide: { state: busy(), past: history(), size: { width: 3840, height: 2160 } },
  empty: {},
  'empty-dark': { scheme: 'dark', size: { width: 900, height: 700 } },
  asked: { state: asked(busy()), past: history() },
  'asked-phone': { state: asked(busy()), past: history(), size: phone, full: true, scheme: 'dark' },
  stopping: {
    state: busy(),
    past: history(),
    async then(page, mock) {
      await page.getByRole('button', { name: 'Stop everything' }).click();
      mock.stopping('k22', 'overdue');
      mock.end({
        call: 'k21',
        parent: 'k17',
        session: 'ab12cd34',
        tool: 'browser_click',
        arguments: { target: 'e57' },
        outcome: 'aborted',
        reason: 'stopped_by_user',
        effects: ['pressed the mouse on button "Add to cart"'],
      });
    },
  },
  taken: {
    state: busy(),
    past: history(),
    async then(page, mock) {
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.locator('#keys').waitFor();
      mock.push((state) => {
        state.calls[1].state = 'held';
        state.sessions[0].held.waiting = 1;
        state.sessions[0].held.sinceMs = 42000;
      });
    },
  },
  broken: {
    state: busy(),
    past: history(),
    async then(page, mock) {
      await mock.kill();
      await page.getByText('trying again').first().waitFor();
    },
  },
  detail: {
    state: busy(),
    past: history(),
    scheme: 'dark',
    async then(page) {
      await page.locator('.past > .row').filter({ hasText: 'link "Kettles"' }).click();
      await page.getByRole('tab', { name: 'Network' }).click();
    },
  },
  help: {
    state: busy(),
    past: history(),
    async then(page) {
      await page.keyboard.press('?');
    },
  },
};

for (const [name, { state, past, scheme = 'light', size = wide, full = false, then }] of Object.entries(shots)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const mock = await Mock.start({ state, past, picture: jpeg });
  logs(mock);
  const page = await browser.newPage({ viewport: size, colorScheme: scheme });
  page.on('pageerror', (error) => console.log(name, error.message));
  page.on('console', (line) => line.type() === 'error' && console.log(name, line.text()));
  await page.goto(mock.url);
  await page.locator('[data-link=live]').waitFor();
  if (state) await page.locator('#view canvas').waitFor();
  await then?.(page, mock);
  if (state) await page.locator('.entry').first().waitFor();
  else await page.locator('#welcome .snippet').first().waitFor();
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: full, animations: 'disabled' });
  await page.close();
  await mock.kill().catch(() => {});
}
await browser.close();
