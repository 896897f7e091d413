import { busy, history } from '../scenes.mjs';
import { enter, expect, faultsOf, sideways, test } from './harness.mjs';

const markup = '<img src=x onerror="window.hit=1"><script>window.hit=1</script></title><b>bold</b>';
const titles = {
  markup,
  'right to left': '\u202e\u2066moc.live//:sptth \u202e',
  'very long': 'A'.repeat(20_000),
  'combining marks': `Z${'\u0310\u0301\u0328'.repeat(400)}`,
  'lines and nulls': 'one\n\n\ntwo\u0000\u0007three\u2028four',
  'a template': '${window.hit=1} {{constructor.constructor("window.hit=1")()}}',
};

// Everything that a page or a client can write, everywhere it is shown.
function everywhere(words) {
  const state = busy();
  for (const session of state.sessions) {
    session.client = words;
    for (const tab of session.tabs) Object.assign(tab, { title: words, url: `https://x.example/${words}` });
  }
  for (const call of state.calls) Object.assign(call, { target: words, progress: { done: 1, total: 2, words } });
  state.sessions[1].tabs[0].dialog = { id: 'd7', type: 'prompt', message: words, defaultPrompt: words };
  for (const one of state.downloads) Object.assign(one, { name: words, url: words });
  const schema = {
    type: 'object',
    required: [words],
    properties: {
      [words]: { type: 'string', title: words, description: words, oneOf: [{ const: words, title: words }] },
      x: { type: 'string', description: words, default: words },
    },
  };
  state.questions = [{ id: 'q1', session: 'ab12cd34', call: 'k17', message: words, schema, takeOver: false, ageMs: 1 }];
  const past = history();
  for (const one of past) {
    Object.assign(one, {
      client: words,
      text: words,
      url: words,
      settle: words,
      effects: [words, words],
      arguments: { [words]: words, element: words },
    });
  }
  Object.assign(past[10], { outcome: 'aborted', reason: words });
  return { state, past };
}

for (const [name, words] of Object.entries(titles)) {
  test(`hostile words are words everywhere: ${name}`, async ({ page, mocked }) => {
    const mock = await mocked(everywhere(words));
    mock.console = [{ level: words, text: words, url: words, line: 1 }];
    mock.network = [{ method: words, url: words, status: 200, type: words, ms: 1, bytes: 1 }];
    const faults = faultsOf(page);
    await enter(page, mock.url);
    const before = await page.evaluate(() => document.querySelectorAll('img, script, b, iframe, style, link').length);
    await page.locator('.ask').first().waitFor();
    await page.locator('.past > .row').nth(3).click();
    await page.locator('.detail').waitFor();
    for (const tab of ['Network', 'Downloads', 'Console']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.locator('.entry').first().waitFor();
    }
    await page.locator('#stop-all').click();
    mock.stopping('k22', 'overdue');
    mock.end({ call: 'k21', tool: 'browser_click', outcome: 'aborted', reason: 'stopped_by_user', effects: [words] });
    await page.locator('#running .call[data-state=aborted]').waitFor();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.locator('#wheel').waitFor();

    expect(await page.evaluate(() => window.hit)).toBeUndefined();
    const after = await page.evaluate(() => document.querySelectorAll('img, script, b, iframe, style, link').length);
    const pictures = await page.locator('.pictures img').count();
    expect(after - pictures).toBe(before);
    if (words === markup) {
      for (const place of [
        '#stage-title',
        '.tab .title',
        '.session .name',
        '.call .target',
        '.ask .message',
        '#wheel p',
        '.line',
        '.effects bdi',
      ]) {
        await expect(page.locator(place).first()).toContainText(words.slice(0, 70));
      }
    }
    expect(await sideways(page)).toBe(0);
    await expect(page).not.toHaveTitle(/hit|AAAA/);
    // The bar on top and the stop stay where they are.
    await expect(page.locator('#stop-all')).toBeInViewport();
    expect(faults).toEqual([]);
  });
}

test('a title’s direction does not reach its neighbours', async ({ page, mocked }) => {
  const mock = await mocked(everywhere(titles['right to left']));
  await enter(page, mock.url);
  const isolated = await page.evaluate(() =>
    ['.tab .title', '.tab .url', '.call .target', '#stage-title', '.ask .message', '.session .name'].filter(
      (place) => !/isolate/.test(getComputedStyle(document.querySelector(place)).unicodeBidi),
    ),
  );
  expect(isolated).toEqual([]);
});
