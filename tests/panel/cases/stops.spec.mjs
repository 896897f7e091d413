import { enterStopped, expect, row, soon, test } from './harness.mjs';

const stopped = {
  call: 'k22',
  session: '77e0f1a9',
  tool: 'browser_wait_for',
  outcome: 'aborted',
  reason: 'stopped_by_user',
  effects: ['scrolled to "p95"'],
};

test('a stop says Stopping from the click on, then what had been done', async ({ panel, mock }) => {
  let arrive;
  mock.answers.stop = () => new Promise((resolve) => (arrive = resolve)); // the server is slow
  const call = row(panel, 'browser_wait_for');
  const button = call.getByRole('button', { name: /^Stop/ });
  await button.click();
  await expect(button).toHaveText('Stopping…');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(call).toHaveAttribute('data-state', 'running'); // the state is the server's alone
  await button.click({ force: true });
  await button.press('Enter');
  await expect.poll(() => mock.posted('stop')).toEqual([{ call: 'k22' }]);
  arrive({ body: { ok: true, reached: 1 } });
  await expect(button).toHaveText('Stopping…');
  mock.stopping('k22');
  await expect(call.locator('.state')).toContainText('Stopping…');
  await expect(panel.locator('#say')).toContainText('Stopping browser_wait_for');
  mock.end(stopped);
  await expect(call.locator('.state')).toContainText('stopped');
  await expect(call).toContainText('had done: scrolled to "p95"');
  await expect(button).toBeHidden();
  await expect(panel.locator('#say')).toContainText('browser_wait_for stopped. Done before: scrolled to "p95".');
  await expect(panel.locator('.past').first()).toContainText('stopped · had done: scrolled to "p95"');
});

test('a call that does not answer is told so, and stops late', async ({ panel, mock }) => {
  const call = row(panel, 'browser_wait_for');
  await call.getByRole('button', { name: /^Stop/ }).click();
  await expect(call).toHaveAttribute('data-state', 'stopping');
  mock.stopping('k22', 'overdue');
  await expect(call).toContainText('still stopping: browser_wait_for has not answered');
  await expect(call.getByRole('button', { name: /^Stop/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(panel.locator('#say')).toContainText('still stopping: browser_wait_for has not answered');
  mock.end({ ...stopped, effects: [] });
  await expect(call.locator('.state')).toContainText('stopped');
  await expect(panel.locator('.past').first()).toContainText('stopped · nothing had been done');
});

test('a queued and a held call can be stopped', async ({ panel, mock }) => {
  mock.push(({ calls }) => (calls[1].state = 'held'));
  await expect(row(panel, 'browser_click').locator('.state')).toHaveText('held by the user');
  await expect(row(panel, 'browser_snapshot').locator('.state')).toContainText('waits for its turn');
  for (const [tool, id] of [
    ['browser_click', 'k21'],
    ['browser_snapshot', 'k23'],
  ]) {
    await row(panel, tool).getByRole('button', { name: /^Stop/ }).click();
    await expect(row(panel, tool)).toHaveAttribute('data-state', 'stopping');
    mock.end({ call: id, tool, outcome: 'aborted', reason: 'stopped_by_user' });
    await expect(row(panel, tool).locator('.state')).toContainText('stopped');
  }
  expect(mock.posted('stop')).toEqual([{ call: 'k21' }, { call: 'k23' }]);
});

test('a call that was done before the stop is not called stopped', async ({ panel, mock }) => {
  await row(panel, 'browser_wait_for').getByRole('button', { name: /^Stop/ }).click();
  await expect(row(panel, 'browser_wait_for')).toHaveAttribute('data-state', 'stopping');
  mock.end({ ...stopped, outcome: 'completed', reason: '', effects: [] });
  await expect(row(panel, 'browser_wait_for').locator('.state')).toContainText('was done before the stop');
});

test('a session is stopped, and only that', async ({ panel, mock }) => {
  const button = panel.getByRole('button', { name: /^Stop.* all calls of Cursor/ });
  await button.click();
  await expect(button).toHaveText('Stopping…');
  await expect.poll(() => mock.posted('stop')).toEqual([{ session: '77e0f1a9' }]);
  await expect(row(panel, 'browser_snapshot')).toHaveAttribute('data-state', 'stopping');
  await expect(row(panel, 'browser_agent')).toHaveAttribute('data-state', 'running');
  mock.end(stopped);
  mock.end({ ...stopped, call: 'k23', tool: 'browser_snapshot' });
  await expect(button).toHaveText('Stop');
  await expect(button).toHaveAttribute('aria-disabled', 'true'); // nothing runs there
});

test('everything is stopped, and the button is no use where nothing runs', async ({ panel, mock }) => {
  const button = panel.locator('#stop-all');
  await button.click();
  await expect(button).toHaveText('Stopping…');
  await button.click({ force: true });
  await expect.poll(() => mock.posted('stop')).toEqual([{ all: true }]);
  for (const id of ['k17', 'k21', 'k22', 'k23']) {
    mock.end({ call: id, tool: 'browser_x', outcome: 'aborted', reason: 'stopped_by_user' });
  }
  await expect(button).toHaveText('Stop everything');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await button.click({ force: true });
  expect(mock.posted('stop')).toHaveLength(1);
});

test('a call that does not end keeps no later call from being stopped', async ({ panel, mock }) => {
  const everything = panel.locator('#stop-all');
  const session = panel.getByRole('button', { name: /^Stop.* all calls of Cursor/ });
  await everything.click();
  await expect(session).toHaveText('Stopping…');
  for (const id of ['k17', 'k21', 'k23']) {
    mock.end({ call: id, tool: 'browser_x', outcome: 'aborted', reason: 'stopped_by_user' });
  }
  mock.stopping('k22', 'overdue');
  await expect(everything).toHaveText('Stopping…');
  const next = { id: 'k40', session: '77e0f1a9', request: 9, tool: 'browser_hover', target: 'e1', tab: 't3' };
  mock.push(({ calls }) => calls.push({ ...next, state: 'running', ageMs: 10, parent: null }));
  await expect(session).toHaveText('Stop');
  await expect(everything).toHaveText('Stop everything');
  await session.click();
  await expect.poll(() => mock.posted('stop').at(-1)).toEqual({ session: '77e0f1a9' });
  mock.end({ call: 'k40', tool: 'browser_hover', outcome: 'aborted', reason: 'stopped_by_user' });
  mock.push(({ calls }) => calls.push({ ...next, id: 'k41', state: 'running', ageMs: 10, parent: null }));
  await expect(everything).toHaveText('Stop everything');
  await everything.click();
  await expect.poll(() => mock.posted('stop').length).toBe(3);
});

test('the focus stays at a call that was stopped', async ({ panel, mock }) => {
  const call = row(panel, 'browser_wait_for');
  await call.getByRole('button', { name: /^Stop/ }).press('Enter');
  await expect(call).toHaveAttribute('data-state', 'stopping');
  mock.end(stopped);
  await expect(call.locator('.state')).toContainText('stopped');
  await expect(call.locator('.row')).toBeFocused();
});

test('a stop that does not arrive is told, and can be pressed again', async ({ panel, mock }) => {
  mock.answers.stop = () => ({ status: 500, body: { error: 'The disk is full.' } });
  const button = row(panel, 'browser_wait_for').getByRole('button', { name: /^Stop/ });
  await button.click();
  await expect(panel.locator('#notice')).toContainText('The stop did not arrive: The disk is full.');
  await expect(button).toHaveText('Stop');
  await button.click();
  await expect.poll(() => mock.posted('stop').length).toBe(2);
});

test('a stop that nobody answers is told, and can be pressed again', async ({ page, mock }) => {
  await enterStopped(page, mock.url);
  mock.answers.stop = () => new Promise(() => {});
  const button = row(page, 'browser_wait_for').getByRole('button', { name: /^Stop/ });
  await soon(page, () => button.count()).toBe(1);
  await button.click();
  await page.clock.runFor(9_000);
  await expect(button).toHaveText('Stopping…');
  await page.clock.runFor(1_500);
  const notice = () => page.locator('#notice').textContent();
  await soon(page, notice).toContain('The stop did not arrive: bridle has not answered in time.');
  await expect(button).toHaveText('Stop');
});

test('a stop that reached nothing says so', async ({ panel, mock }) => {
  mock.answers.stop = () => ({ body: { ok: true, reached: 0 } });
  await row(panel, 'browser_wait_for').getByRole('button', { name: /^Stop/ }).click();
  await expect(panel.locator('#say')).toContainText('Nothing was running any more.');
});

test('a call that runs appears and its age counts', async ({ page: panel, mock }) => {
  await enterStopped(panel, mock.url);
  mock.push(({ calls }) =>
    calls.push({ ...calls[2], id: 'k30', tool: 'browser_navigate', target: 'https://slow.example/', ageMs: 58_500 }),
  );
  const call = row(panel, 'browser_navigate');
  await soon(panel, () => call.count()).toBe(1);
  await expect(call).toContainText('https://slow.example/');
  await expect(call.locator('.age')).toHaveText(/^0:5[89]$/);
  await panel.clock.runFor(3_000);
  await expect(call.locator('.age')).toHaveText(/^1:0[1-9]$/);
  await expect(panel).toHaveTitle('(5) bridle');
  mock.end({ call: 'k30', tool: 'browser_navigate', arguments: { url: 'https://slow.example/' }, ms: 61000 });
  await soon(panel, () => call.count()).toBe(0);
  await expect(panel.locator('.past').first()).toContainText('https://slow.example/');
});

test('a run shows its goal, its step and its calls below it', async ({ panel, mock }) => {
  const rows = panel.locator('#running .call');
  await expect(rows.nth(0)).toContainText('Find the cheapest red kettle');
  await expect(rows.nth(0).locator('.state')).toContainText('step 6 of 40: put the enamel kettle');
  await expect(rows.nth(1)).toContainText('browser_click');
  await expect(rows.nth(1)).toHaveClass(/nested/);
  mock.push(({ calls }) => (calls[0].progress = { done: 7, total: 40, words: 'step 7 of 40: pay' }));
  await expect(rows.nth(0).locator('.state')).toContainText('step 7 of 40: pay');
  // Without words the figures are all that there is.
  mock.push(({ calls }) => (calls[0].progress = { done: 8.5, total: 40, words: '' }));
  await expect(rows.nth(0).locator('.state')).toContainText('8 of 40');
});
