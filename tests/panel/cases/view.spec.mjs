// The live view, from the first picture on.
import { enterStopped, expect, row, soon, test } from './harness.mjs';

const tabsShown = (mock) => [...mock.views].map((view) => view.tab);
const canvasWidth = (page) => page.locator('#view canvas').evaluate((canvas) => canvas.width);
const choose = (page, title) => page.locator('.tab').filter({ hasText: title }).click();

test('the live view follows the tab, and says why it ended', async ({ panel, mock, smallPicture }) => {
  await expect.poll(() => tabsShown(mock)).toEqual(['t1']);
  expect(await canvasWidth(panel)).toBe(1280);
  mock.pictures.t2 = smallPicture;
  await choose(panel, 'Order 4711');
  await expect(panel.locator('#stage-title')).toHaveText('Order 4711 – Leaf & Kettle');
  await expect.poll(() => tabsShown(mock)).toEqual(['t2']);
  await expect.poll(() => canvasWidth(panel)).toBe(640);
  mock.viewEnds = 'the tab was closed';
  const [view] = mock.views;
  view.part({ end: mock.viewEnds });
  view.response.end();
  await expect(panel.locator('#view-note')).toHaveText('This tab’s view has ended: the tab was closed');
  await expect(panel.locator('#view canvas')).toHaveClass('old');
  mock.viewEnds = '';
  mock.push(({ sessions }) => sessions[0].tabs.pop());
  await expect(panel.locator('#stage-title')).toHaveText('Leaf & Kettle – Teas');
  await expect(panel.locator('#view canvas')).toHaveClass('');
  await expect.poll(() => tabsShown(mock)).toEqual(['t1']);
  mock.push((state) => (state.sessions = []));
  await expect.poll(() => mock.views.size).toBe(0);
});

test('a view that has ended is asked for again while its tab is there', async ({ panel, mock }) => {
  mock.viewEnds = 'the browser was too slow';
  const [view] = mock.views;
  view.response.end();
  await expect(panel.locator('#view-note')).toHaveText('This tab’s view has ended: the browser was too slow');
  mock.viewEnds = '';
  await expect.poll(() => tabsShown(mock)).toEqual(['t1']);
  await expect(panel.locator('#view-note')).toBeHidden();
});

test('a picture that came late is not drawn over another tab', async ({ panel, mock, smallPicture }) => {
  await panel.evaluate(() => {
    const unpack = window.createImageBitmap;
    window.createImageBitmap = async (...args) => {
      window.createImageBitmap = unpack;
      const picture = await unpack(...args);
      await new Promise((resolve) => (window.unpacked = resolve));
      return picture;
    };
  });
  const [view] = mock.views;
  view.part({ width: 640, height: 400 }, smallPicture);
  await panel.waitForFunction(() => window.unpacked);
  await choose(panel, 'Order 4711');
  await expect(panel.locator('#view canvas')).toBeVisible(); // with the first picture of that tab
  await expect.poll(() => tabsShown(mock)).toEqual(['t2']);
  await panel.evaluate(() => window.unpacked());
  await panel.evaluate(() => new Promise(requestAnimationFrame)); // what waited for the picture has run
  expect(await canvasWidth(panel)).toBe(1280);
});

test('actions that wait for a connection, one after another, make room and leave the view to come back', async ({
  page,
  mock,
}) => {
  await enterStopped(page, mock.url);
  const note = page.locator('#view-note');
  await soon(page, () => page.locator('#view canvas').isVisible()).toBe(true);
  mock.answers.stop = () => new Promise(() => {});
  await row(page, 'browser_wait_for').getByRole('button', { name: /^Stop/ }).click();
  await page.clock.runFor(450);
  await expect.poll(() => mock.views.size).toBe(0);
  await soon(page, () => note.textContent()).toBe('The live view was interrupted, trying again');
  await row(page, 'browser_snapshot').getByRole('button', { name: /^Stop/ }).click();
  await page.clock.runFor(450);
  await page.clock.runFor(800);
  await soon(page, () => mock.views.size).toBe(1);
  await soon(page, () => note.isVisible()).toBe(false);
});

test('neither slow input nor a slow read costs the view', async ({ page, mock }) => {
  await enterStopped(page, mock.url);
  await soon(page, () => page.locator('#view canvas').isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Take over' }).click();
  await soon(page, () => page.evaluate(() => document.activeElement.id)).toBe('keys');
  const [view] = mock.views;
  mock.answers.input = () => new Promise(() => {});
  mock.before = { console: () => new Promise(() => {}) };
  await page.keyboard.press('a');
  await expect.poll(() => mock.posted('input').length).toBe(1);
  const asked = page.waitForResponse(/icon\.svg/);
  await page.clock.runFor(450); // a file is asked for, and comes: there are connections
  await (await asked).finished();
  await page.evaluate(() => fetch('/panel/icon.svg').then((response) => response.text()));
  await page.clock.runFor(2_000);
  expect(mock.gets.filter((path) => path === '/panel/console').length).toBeGreaterThan(0);
  expect([...mock.views]).toEqual([view]);
});

test('a stop gets through however many windows are open, and the view comes back', async ({ panel, mock, context }) => {
  const windows = [];
  for (let i = 2; i <= 3; i++) {
    const more = await context.newPage();
    await more.goto(mock.url, { waitUntil: 'commit' });
    windows.push(more);
    // A browser has six connections to a host, and each window takes two.
    await expect.poll(() => [mock.streams.size, mock.views.size]).toEqual([i, i]);
  }
  await row(panel, 'browser_wait_for').getByRole('button', { name: /^Stop/ }).click();
  await expect.poll(() => mock.posted('stop')).toEqual([{ call: 'k22' }]);
  await windows.pop().close();
  await expect.poll(() => [mock.streams.size, mock.views.size]).toEqual([2, 2]);
  await expect(panel.locator('#view-note')).toBeHidden();
});
