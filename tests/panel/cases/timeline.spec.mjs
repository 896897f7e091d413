import { expect, pastRow, row, test } from './harness.mjs';

test('words find calls, kept here or only by the server', async ({ panel, mock }) => {
  mock.past.unshift({
    ...mock.past[0],
    n: 0,
    call: 'k0',
    text: '### Result\nthe needle',
    arguments: { url: 'https://old.example/' },
  });
  await panel.locator('#search').fill('NEEDLE old.example');
  await expect(panel.locator('.past')).toHaveCount(1);
  await expect(panel.locator('.past')).toContainText('https://old.example/');
  await panel.locator('#search').fill('needle absent');
  await expect(panel.locator('#timeline .none')).toHaveText('No call matches.');
  await panel.locator('#search').press('Escape');
  await expect(panel.locator('.past')).toHaveCount(11);
});

test('filters show the failed, the stopped, the actions, this session', async ({ panel }) => {
  const shown = async (filter, tools) => {
    await panel.locator('#filters').getByRole('button', { name: filter }).click();
    await expect(panel.locator('.past .tool')).toHaveText(tools);
  };
  await shown('Failed', ['browser_click']);
  await shown('Stopped', ['browser_evaluate']);
  await panel.locator('#filters').getByRole('button', { name: 'Actions' }).click();
  await expect(pastRow(panel, 'browser_snapshot')).toHaveCount(0);
  await expect(pastRow(panel, 'browser_type')).toHaveCount(1);
  await panel.locator('#filters').getByRole('button', { name: 'This session' }).click();
  await expect(pastRow(panel, 'browser_take_screenshot')).toHaveCount(0);
  await row(panel, 'browser_wait_for').locator('.row').click(); // its session is chosen now
  await expect(panel.locator('.past .tool')).toHaveText(['browser_take_screenshot']);
});

test('a call tells its arguments, result, settle verdict, effects and pictures', async ({ panel }) => {
  await pastRow(panel, 'link "Kettles"').click();
  const detail = panel.locator('.detail');
  for (const words of [
    '"target": "e14"',
    'clicked link "Kettles"',
    'a navigation to /kettles, load in 96 ms',
    'Claude Code 2.1',
    'ab12cd34',
  ]) {
    await expect(detail).toContainText(words);
  }
  await expect(detail.getByRole('img')).toHaveCount(2);
  await expect(detail.getByRole('img', { name: 'before the call' })).toHaveAttribute('src', '/panel/pictures/p2');
  expect(
    await detail
      .getByRole('img')
      .first()
      .evaluate((one) => one.decode().then(() => one.naturalWidth)),
  ).toBeGreaterThan(0);
  await pastRow(panel, 'link "Kettles"').click();
  await expect(detail).toHaveCount(0);
});

test('a picture that is gone says so', async ({ panel, mock }) => {
  mock.picture = null;
  await pastRow(panel, 'link "Kettles"').click();
  await expect(panel.locator('.pictures')).toContainText('The picture is gone.');
});

test('a call is copied as JSON and as Playwright code', async ({ panel, mock, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => panel.evaluate(() => navigator.clipboard.readText());
  const code = async (entry) => {
    mock.end({ call: `x${mock.past.length}`, session: 'ab12cd34', ...entry });
    await pastRow(panel, entry.mark).click();
    await panel.locator('.detail').getByRole('button', { name: 'Copy as Playwright' }).click();
    await expect(panel.locator('.detail').getByRole('button', { name: 'Copied' })).toBeVisible();
    await pastRow(panel, entry.mark).click();
    return copied();
  };
  await pastRow(panel, 'link "Kettles"').click();
  await panel.getByRole('button', { name: 'Copy as JSON' }).click();
  await expect.poll(async () => JSON.parse((await copied()) || '{}').call).toBe('k3');
  await pastRow(panel, 'link "Kettles"').click();

  const click = {
    tool: 'browser_click',
    mark: 'Say',
    arguments: { target: 'e5' },
    text: '### Result\nclicked button "Say \'hi\'"',
  };
  expect(await code(click)).toBe("await page.getByRole('button', { name: 'Say \\'hi\\'' }).click();");
  const type = { tool: 'browser_type', mark: '#mail', arguments: { target: '#mail', text: 'a\\b', submit: true } };
  expect(await code(type)).toBe(
    "await page.locator('#mail').fill('a\\\\b');\nawait page.locator('#mail').press('Enter');",
  );
  const by = { tool: 'browser_hover', mark: 'getByLabel', arguments: { target: "getByLabel('Mail')" } };
  expect(await code(by)).toBe("await page.getByLabel('Mail').hover();");
  expect(
    await code({ tool: 'browser_navigate', mark: 'copied.example', arguments: { url: 'https://copied.example/' } }),
  ).toBe("await page.goto('https://copied.example/');");
});

test('a run’s calls stand below it', async ({ panel, mock }) => {
  mock.end({
    call: 'k17',
    session: 'ab12cd34',
    tool: 'browser_agent',
    arguments: { task: 'Find the kettle' },
    text: 'done',
  });
  await expect(panel.locator('.past').nth(0)).toContainText('Find the kettle');
  for (const [i, tool] of ['browser_navigate', 'browser_find', 'browser_click'].entries()) {
    await expect(panel.locator('.past').nth(i + 1)).toHaveClass(/nested/);
    await expect(
      panel
        .locator('.past')
        .nth(i + 1)
        .locator('.tool'),
    ).toHaveText(tool);
  }
});

test('older calls are fetched when they are asked for', async ({ panel, mock }) => {
  mock.past.unshift(...Array.from({ length: 3 }, (_, i) => ({ ...mock.past[0], call: `o${i}`, text: `old ${i}` })));
  mock.past.forEach((one, i) => (one.n = i - 2));
  await panel.evaluate(() => null);
  await expect(panel.locator('#older')).toBeHidden(); // the oldest kept is the first
  await panel.locator('#search').fill('old');
  await expect(panel.locator('.past')).toHaveCount(3);
});

test('downloads can be clicked when they are whole', async ({ panel }) => {
  await panel.getByRole('tab', { name: 'Downloads 2' }).click();
  await expect(panel.getByRole('link', { name: 'price-list-2026.pdf' })).toHaveAttribute('href', '/panel/downloads/d4');
  await expect(panel.getByRole('link', { name: 'catalogue.zip' })).toHaveCount(0);
  await expect(panel.locator('.entry').filter({ hasText: 'catalogue.zip' })).toContainText('running');
});

test('the console and the network go on by themselves', async ({ panel, mock }) => {
  await expect(panel.locator('#inspect-panel')).toContainText('The page has logged nothing.');
  mock.console = [{ level: 'error', text: 'boom', url: 'https://x.example/a.js', line: 7 }];
  await expect(panel.locator('.entry')).toContainText('boom');
  await expect(panel.locator('.entry')).toContainText('a.js:7');
});

test('with no client it says how to connect one', async ({ page, mocked }) => {
  const mock = await mocked({ state: { sessions: [], calls: [], questions: [], runs: [], downloads: [] }, past: [] });
  await page.goto(mock.url);
  await expect(page.getByRole('heading', { name: 'No client is connected' })).toBeVisible();
  await expect(page.locator('#welcome')).toContainText(`claude mcp add --transport http bridle ${mock.url}mcp`);
  await expect(page.locator('#stage')).toBeHidden();
});
