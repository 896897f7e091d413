import { Mock } from '../mock.mjs';
import { busy, history } from '../scenes.mjs';
import { enter, enterStopped, expect, row, setHidden, soon, test } from './harness.mjs';

// A server on a port that was used before, with the same past unless told otherwise.
async function again(mock, mocked, options = {}) {
  const { port, past, state, picture, server } = mock;
  return mocked({ port, past, state, picture, server, ...options });
}

test('a break is told, greys the view and freezes ages; then all comes back without a gap', async ({
  page: panel,
  mock,
  mocked,
}) => {
  await panel.clock.install();
  await enter(panel, mock.url);
  await panel.locator('#view canvas').waitFor();
  const age = row(panel, 'browser_wait_for').locator('.age');
  await mock.kill();
  await expect(panel.locator('#notice')).toHaveText(/^Disconnected since \d\d:\d\d:\d\d, trying again/);
  await expect(panel.locator('#link')).toHaveText('Disconnected');
  await expect(panel.locator('body')).toHaveClass(/stale/);
  await expect(panel.locator('#view-note')).toHaveText('Not current');
  await expect(row(panel, 'browser_wait_for').locator('.state')).toContainText('was: running');
  await expect(panel.locator('#totals')).toHaveText('');
  await expect(panel).toHaveTitle('bridle: disconnected');
  await expect(panel.locator('#take')).toHaveAttribute('aria-disabled', 'true');
  const frozen = await age.textContent();
  await panel.clock.runFor(3_000); // an age that still counted would differ
  expect(await age.textContent()).toBe(frozen);

  // Meanwhile two calls ended.
  const ended = {
    session: '77e0f1a9',
    outcome: 'completed',
    tool: 'browser_hover',
    ms: 10,
    arguments: {},
    at: Date.now(),
  };
  const more = [12, 13].map((n) => ({ ...mock.past[0], ...ended, n, call: `m${n}`, text: `missed ${n}` }));
  const back = await again(mock, mocked, { past: [...mock.past, ...more] });
  await expect(panel.locator('#link')).toHaveText('Live');
  await expect(panel.locator('#notice')).toBeHidden();
  await expect(panel.locator('body')).not.toHaveClass(/stale/);
  for (const n of [12, 13]) await expect(panel.locator('.past').filter({ hasText: `missed ${n}` })).toHaveCount(1);
  await expect(panel.locator('.past')).toHaveCount(13);
  await expect(row(panel, 'browser_wait_for').locator('.state')).toHaveText('running · Cursor 1.9');
  await expect(panel.locator('#view-note')).toBeHidden();
  expect(back.streams.size).toBe(1);
});

test('it asks for what it has missed by the last event’s id', async ({ panel, mock }) => {
  await expect(panel.locator('.past')).toHaveCount(11);
  const ids = [];
  await mock.kill();
  const back = new Mock({ state: busy(), past: [], server: mock.server });
  const follow = back.follow.bind(back);
  back.follow = (request, ...rest) => {
    ids.push(request.headers['last-event-id']);
    return follow(request, ...rest);
  };
  await back.listen(mock.port);
  await expect.poll(() => ids[0]).toBe(`${mock.server}-11`);
  await back.kill();
});

test('another server’s past replaces the old one’s', async ({ panel, mock, mocked }) => {
  await expect(panel.locator('.past')).toHaveCount(11);
  await mock.kill();
  await again(mock, mocked, { server: 'ffffffff', past: history().slice(0, 2), state: { ...busy(), calls: [] } });
  await expect(panel.locator('#link')).toHaveText('Live');
  await expect(panel.locator('.past')).toHaveCount(2);
  await expect(panel.locator('#running .none')).toHaveText('Nothing runs.');
});

test('a server that falls silent is not taken for a living one', async ({ page, mock }) => {
  await enterStopped(page, mock.url);
  mock.mute = true;
  await page.clock.runFor(11_000);
  await expect(page.locator('#link')).toHaveText('Live');
  await page.clock.runFor(3_000);
  await soon(page, () => page.locator('body').getAttribute('class')).toMatch(/stale/);
  await expect(page.locator('#notice')).toContainText('Disconnected since');
});

test('comments keep the connection', async ({ page, mock }) => {
  await enterStopped(page, mock.url);
  for (let i = 0; i < 4; i++) {
    await page.clock.runFor(8_000);
    mock.write(': alive\n\n');
    await page.evaluate(() => fetch('/panel/console?')); // the comment came before this answer
  }
  await expect(page.locator('#link')).toHaveText('Live');
  expect(mock.gets.filter((path) => path === '/panel/events')).toHaveLength(1);
});

test('a cookie that isn’t known any more is told, with what to do', async ({ panel, mock, mocked }) => {
  await mock.kill();
  const back = await again(mock, mocked);
  back.refuse = 401;
  back.http.closeAllConnections();
  await expect(panel.locator('#notice')).toContainText('Run “bridle panel”');
  await expect(panel.locator('body')).toHaveClass(/stale/);
  back.refuse = 0; // another window got a new cookie
  await expect(panel.locator('#link')).toHaveText('Live');
});

test('entries that are no longer kept are told', async ({ page, mocked }) => {
  const mock = await mocked();
  mock.missed = 120;
  await enter(page, mock.url);
  await expect(page.locator('#timeline .none')).toHaveText('120 earlier calls are no longer kept.');
});

test('a window that nobody sees lets go of its streams, and is current again when it is seen', async ({
  page: panel,
  mock,
}) => {
  await enterStopped(panel, mock.url);
  const open = () => [mock.streams.size, mock.views.size];
  const link = () => panel.locator('#link').textContent();
  await soon(panel, open).toEqual([1, 1]);
  await setHidden(panel, true);
  await soon(panel, open).toEqual([1, 0]);
  await panel.clock.runFor(4_000);
  expect(mock.streams.size).toBe(1); // a glance elsewhere costs nothing
  await panel.clock.runFor(1_500);
  await soon(panel, open).toEqual([0, 0]);
  await soon(panel, link).toBe('Paused');
  await expect(panel.locator('#notice')).toBeHidden();
  await expect(panel.locator('body')).toHaveClass(/stale/);
  mock.end({ call: 'k22', session: '77e0f1a9', tool: 'browser_wait_for', text: 'meanwhile' });
  await setHidden(panel, false);
  await soon(panel, link).toBe('Live');
  await soon(panel, () => panel.locator('.past').first().textContent()).toContain('meanwhile');
  await soon(panel, open).toEqual([1, 1]);
});

test('a hidden window at the wheel keeps its stream', async ({ page, mock }) => {
  await enterStopped(page, mock.url);
  const take = page.getByRole('button', { name: 'Take over' });
  await soon(page, () => take.count()).toBe(1);
  await take.click();
  await soon(page, () => page.locator('#wheel').isVisible()).toBe(true);
  await setHidden(page, true);
  await page.clock.runFor(11_000);
  await expect(page.locator('#link')).toHaveText('Live');
  expect(mock.streams.size).toBe(1);
});

test('a fault of the page itself is not taken for a break', async ({ page, mock }) => {
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await enter(page, mock.url);
  mock.write('event: state\ndata: {"calls": 7}\n\n');
  mock.write('event: state\ndata: {"calls":\n\n');
  await expect.poll(() => faults.length).toBe(2);
  mock.push(({ calls }) => calls.splice(0, 3));
  await expect(page.locator('#running .call')).toHaveCount(1);
  await expect(page.locator('#link')).toHaveText('Live');
  expect(mock.gets.filter((path) => path === '/panel/events')).toHaveLength(1);
});
