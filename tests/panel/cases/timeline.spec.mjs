import { history } from '../scenes.mjs';
import { expect, pastRow, row, sideways, test } from './harness.mjs';

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

for (const width of [360, 960, 1280]) {
  test(`the filters stand in one line, ${width} px wide`, async ({ panel }) => {
    await panel.setViewportSize({ width, height: 800 });
    const filters = panel.locator('#filters').getByRole('button');
    await expect(filters).toHaveCount(5);
    const tops = await filters.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    expect(await sideways(panel)).toBe(0);
  });
}

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
    const button = panel.locator('.detail').getByRole('button', { name: 'Copy as Playwright' });
    // It says so for a moment only.
    await button.evaluate((one) => {
      window.said = [];
      new window.MutationObserver(() => window.said.push(one.textContent)).observe(one, { childList: true });
    });
    await button.click();
    await expect.poll(() => panel.evaluate(() => window.said)).toContain('Copied');
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

const codes = {
  'a locator with page. before it': [
    { tool: 'browser_click', arguments: { target: "page.getByRole('button', { name: 'Save' })" } },
    "await page.getByRole('button', { name: 'Save' }).click();",
  ],
  'a locator in a frame': [
    { tool: 'browser_click', arguments: { target: "frameLocator('#pay').getByText('Pay')" } },
    "await page.frameLocator('#pay').getByText('Pay').click();",
  ],
  'quotes and backslashes in a name': [
    {
      tool: 'browser_click',
      arguments: { target: 'ref=e5' },
      text: '### Result\nclicked button "A \\"b\\" \\\\ \'c\'"',
    },
    "await page.getByRole('button', { name: 'A \"b\" \\\\ \\'c\\'' }).click();",
  ],
  'every end of line': [
    { tool: 'browser_type', arguments: { target: '#a', text: 'one\r\ntwo\u2028three\ttab' } },
    "await page.locator('#a').fill('one\\r\\ntwo\\u2028three\\ttab');",
  ],
  'an element that has no role': [
    { tool: 'browser_click', arguments: { target: 'e7' }, text: '### Result\nclicked <label class="pick"> "Choose"' },
    "// e7 names an element of that moment only: say which one by a locator.\nawait page.locator('aria-ref=e7').click();",
  ],
  'an element in a frame': [
    { tool: 'browser_hover', arguments: { target: 'f1e7' }, text: '### Result\nhovered link "Terms"' },
    "// f1e7 was in a frame: say which one by frameLocator().\nawait page.getByRole('link', { name: 'Terms' }).hover();",
  ],
  'words of the page are not taken for the element': [
    {
      tool: 'browser_click',
      arguments: { target: 'e7' },
      text: '### Result\ndone\n### Page\n- Page Title: button "Other"',
    },
    "// e7 names an element of that moment only: say which one by a locator.\nawait page.locator('aria-ref=e7').click();",
  ],
  'a script on an element': [
    { tool: 'browser_evaluate', arguments: { function: '(one) => one.value', target: '#mail' } },
    "await page.locator('#mail').evaluate((one) => one.value);",
  ],
  'a script that is an expression': [
    { tool: 'browser_evaluate', arguments: { function: "(async () => document.title)() + 'x'" } },
    "await page.evaluate('(async () => document.title)() + \\'x\\'');",
  ],
  'how it was clicked': [
    { tool: 'browser_click', arguments: { target: '#a', button: 'right', modifiers: ['Shift'], clickCount: 3 } },
    "await page.locator('#a').click({ button: 'right', clickCount: 3, modifiers: ['Shift'] });",
  ],
  'an address without a scheme': [
    { tool: 'browser_navigate', arguments: { url: 'localhost:3000/a' } },
    "await page.goto('https://localhost:3000/a');",
  ],
  'arguments that were cut': [
    { tool: 'browser_type', cut: true, arguments: { target: '#a', text: 'a long te…' } },
    "// Only the beginning of its long arguments was kept: what ends in … goes on.\nawait page.locator('#a').fill('a long te…');",
  ],
  'a tool that has no line': [{ tool: 'browser_snapshot', arguments: {} }, ''],
};
test('calls of every kind as Playwright code', async ({ panel }) => {
  for (const [name, [past, code]] of Object.entries(codes)) {
    const made = panel.evaluate(async (call) => (await import('/panel/code.js')).playwright(call), past);
    expect.soft(await made, name).toBe(code);
  }
});

test('a call whose arguments were cut says so', async ({ panel, mock }) => {
  mock.end({
    call: 'x1',
    tool: 'browser_type',
    cut: true,
    arguments: { target: '#a', text: 'a long te…' },
    text: 'a long re…',
  });
  await pastRow(panel, 'a long re').click();
  await expect(panel.locator('.detail h3')).toHaveText(['Arguments, long ones cut', 'Result, its beginning']);
});

test('details that did not arrive are told, and come when they are asked for again', async ({ panel }) => {
  await panel.route('**/detail.js*', (route) => route.abort(), { times: 1 });
  const call = pastRow(panel, 'link "Kettles"');
  await call.click();
  await expect(panel.locator('#notice')).toContainText('The details did not arrive. Try again.');
  await expect(call).toHaveAttribute('aria-expanded', 'false');
  await call.click();
  await expect(panel.locator('.detail')).toContainText('clicked link "Kettles"');
});

test('what can be opened, pressed or chosen says that it isn’t', async ({ panel }) => {
  const call = pastRow(panel, 'link "Kettles"');
  await call.click();
  await expect(call).toHaveAttribute('aria-expanded', 'true');
  await call.click();
  await expect(call).toHaveAttribute('aria-expanded', 'false');
  const filters = panel.locator('#filters button');
  const pressed = () => filters.evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed')));
  await panel.getByRole('button', { name: 'Failed', exact: true }).click();
  await expect.poll(pressed).toEqual(['false', 'false', 'true', 'false', 'false']);
  const tabs = panel.getByRole('tab');
  expect(await tabs.evaluateAll((all) => all.map((one) => one.getAttribute('aria-selected')))).toEqual([
    'true',
    'false',
    'false',
  ]);
});

test('nothing is called empty that isn’t known', async ({ page, mocked }) => {
  const mock = await mocked();
  mock.mute = true;
  await page.goto(mock.url);
  await expect(page.locator('#link')).toHaveText('Connecting…');
  await expect(page.locator('#running .none')).toHaveText('Not known yet.');
  await expect(page.locator('#timeline .none')).toHaveText('');
  await expect(page.locator('#inspect-panel .none')).toHaveText('');
  await expect(page).toHaveTitle('bridle');
  await page.getByRole('tab', { name: 'Downloads' }).click();
  await expect(page.locator('#inspect-panel .none')).toHaveText('');
});

test('no search is called empty before its answer, nor a console that could not be read', async ({ panel, mock }) => {
  let answer;
  mock.before = { past: () => new Promise((resolve) => (answer = resolve)) };
  await panel.locator('#search').fill('zebra');
  await expect(panel.locator('#timeline .none')).toHaveText('Searching…');
  await expect.poll(() => Boolean(answer)).toBe(true);
  answer();
  await expect(panel.locator('#timeline .none')).toHaveText('No call matches.');
  await panel.route('**/panel/past?*', (route) => route.abort());
  await panel.locator('#search').fill('zebras');
  await expect(panel.locator('#timeline .none')).toHaveText('The search did not arrive: bridle can’t be reached.');
  await panel.route('**/panel/console?*', (route) => route.abort());
  await panel.locator('.tab').filter({ hasText: 'Order 4711' }).click();
  await expect(panel.locator('#stage-title')).toHaveText(/^Order/);
  await expect(panel.locator('#inspect-panel .none')).toHaveText('');
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
  await expect(panel.locator('#older')).toBeHidden(); // the oldest that is shown is the first there was
  const old = (i) => ({ ...history()[0], call: `o${i}`, text: `### Result\nold ${i}` });
  mock.past = [...Array.from({ length: 130 }, (_, i) => old(i)), ...history()];
  mock.past.forEach((one, i) => (one.n = i + 1));
  mock.server = 'ffffffff'; // which has no id in common with the one before
  mock.http.closeAllConnections();
  await expect(panel.locator('.past')).toHaveCount(50);
  await expect(pastRow(panel, 'old 90')).toHaveCount(0);
  const older = panel.locator('#older');
  await older.click();
  await expect(panel.locator('.past')).toHaveCount(100);
  await expect(panel.locator('.past').last()).toContainText('old 41');
  await older.click();
  await expect(panel.locator('.past')).toHaveCount(141);
  await expect(panel.locator('.past').last()).toContainText('old 0');
  await expect(older).toBeHidden();
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
  const mock = await mocked({ state: { sessions: [], calls: [], questions: [], downloads: [] }, past: [] });
  await page.goto(mock.url);
  await expect(page.getByRole('heading', { name: 'No client is connected' })).toBeVisible();
  await expect(page.locator('#welcome')).toContainText(`claude mcp add --transport http bridle ${mock.url}mcp`);
  await expect(page.locator('#stage')).toBeHidden();
});
