import { empty } from '../mock.mjs';
import { asked, busy, history } from '../scenes.mjs';
import { axe, enter, expect, pastRow, row, sideways, test } from './harness.mjs';

const states = {
  busy: {},
  empty: { options: () => ({ state: empty(), past: [] }) },
  asked: { options: () => ({ state: asked(busy()) }) },
  answered: {
    options: () => ({ state: asked(busy()) }),
    async then(page) {
      await page.getByRole('button', { name: 'Decline' }).click();
      await page.locator('.news').first().waitFor();
    },
  },
  stopping: {
    async then(page, mock) {
      await page.locator('#stop-all').click();
      mock.stopping('k22', 'overdue');
      mock.end({
        call: 'k21',
        tool: 'browser_click',
        outcome: 'aborted',
        reason: 'stopped_by_user',
        effects: ['pressed'],
      });
      await page.locator('#running .call[data-state=aborted]').waitFor();
      await page.locator('#running .call[data-state=overdue]').waitFor();
    },
  },
  taken: {
    async then(page) {
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.locator('#keys').waitFor();
    },
  },
  'taken by another': {
    async then(page, mock) {
      mock.push(({ sessions }) => (sessions[0].held = { viewer: 'x', sinceMs: 1000, waiting: 2 }));
      await page.locator('#wheel').waitFor();
    },
  },
  broken: {
    async then(page, mock) {
      await mock.kill();
      await page.locator('.stale').waitFor();
    },
  },
  refused: {
    async then(page, mock) {
      mock.refuse = 401;
      mock.http.closeAllConnections();
      await page.getByText('Run “bridle panel”').waitFor();
    },
  },
  error: {
    async then(page, mock) {
      mock.answers.stop = () => ({ status: 500, body: { error: 'The disk is full.' } });
      await row(page, 'browser_wait_for').getByRole('button').last().click();
      await page.locator('#notice').waitFor();
    },
  },
  'a call opened': {
    async then(page) {
      await pastRow(page, 'link "Kettles"').click();
      await page.locator('.detail img').first().waitFor();
      await page.getByRole('tab', { name: 'Network' }).click();
      await page.locator('.entry').first().waitFor();
    },
  },
  downloads: {
    async then(page) {
      await page.getByRole('tab', { name: 'Downloads' }).click();
      await page.locator('.entry').first().waitFor();
    },
  },
  'nothing found': {
    async then(page) {
      await page.locator('#search').fill('zebra');
      await page.getByText('No call matches.').waitFor();
    },
  },
  help: {
    async then(page) {
      await page.keyboard.press('?');
      await page.locator('#help[open]').waitFor();
    },
  },
};
const logs = {
  console: ['log', 'warning', 'error'].map((level) => ({
    level,
    text: `a ${level}`,
    url: 'https://x.example/a.js',
    line: 1,
  })),
  network: [200, 503].map((status) => ({ method: 'GET', url: 'https://x.example/', status, ms: 1, bytes: 1 })),
};

for (const scheme of ['light', 'dark']) {
  for (const [name, { options, then }] of Object.entries(states)) {
    test(`axe finds nothing: ${name}, ${scheme}`, async ({ page, mocked }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const mock = await mocked({ past: history(), ...options?.() });
      Object.assign(mock, logs);
      await enter(page, mock.url);
      if (name !== 'empty') await page.locator('#view canvas').waitFor();
      else await page.locator('#welcome .snippet').first().waitFor();
      await then?.(page, mock);
      expect(await axe(page)).toEqual([]);
    });
  }
}

const windows = {
  '360 px': [360, 740],
  'a desktop at 200 %': [640, 400],
  'a small desktop at 400 %': [320, 256],
  tablet: [1024, 768],
  desktop: [1440, 900],
  '4k': [3840, 2160],
};
for (const [name, [width, height]] of Object.entries(windows)) {
  test(`no sideways scrolling, and each control in reach: ${name}`, async ({ page, mocked }) => {
    await page.setViewportSize({ width, height });
    const mock = await mocked({ state: asked(busy()) });
    Object.assign(mock, logs);
    await enter(page, mock.url);
    await page.locator('#view canvas').waitFor();
    await page.locator('.ask').first().waitFor();
    await pastRow(page, 'Accept').first().click();
    expect(await sideways(page)).toBe(0);
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, canvas, h2')]
        .filter((one) => one.checkVisibility() && !one.closest('.skip'))
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect(outside).toEqual([]);
    await expect(page.locator('#stop-all')).toBeInViewport();
    await page.getByRole('button', { name: 'Take over' }).click();
    await expect(page.locator('#wheel')).toBeVisible();
    expect(await sideways(page)).toBe(0);
  });
}

test('text at 200 % by the reader’s own size cuts nothing off', async ({ panel }) => {
  await panel.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await sideways(panel)).toBe(0);
  for (const one of ['#stop-all', '#take', '#search']) {
    await panel.locator(one).scrollIntoViewIfNeeded();
    await expect(panel.locator(one)).toBeInViewport();
  }
});

test('by keyboard alone: a call is stopped, the wheel taken and given back, a question answered', async ({
  page,
  mocked,
}) => {
  const mock = await mocked({ state: asked(busy()) });
  await enter(page, mock.url);
  await page.locator('.ask').first().waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent);
  const tabTo = async (words) => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press('Tab');
      if (words.test(await focused())) return;
    }
    throw new Error(`${words} is not reached by Tab`);
  };
  await page.keyboard.press('Tab');
  await expect(page.locator('.skip')).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(/^Home, Mill Lane|^$/); // the radio buttons
  await page.keyboard.press('Space');
  await tabTo(/^Answer$/);
  await page.keyboard.press('Enter');
  await expect.poll(() => mock.posted('answer').length).toBe(1);
  await tabTo(/^Stop browser_wait_for/);
  await page.keyboard.press('Enter');
  await expect.poll(() => mock.posted('stop')).toEqual([{ call: 'k22' }]);
  await expect.poll(focused).toMatch(/^Stopping… browser_wait_for/); // the focus stays on it
  mock.end({ call: 'k22', tool: 'browser_wait_for', outcome: 'aborted', reason: 'stopped_by_user' });
  await tabTo(/^Take over$/);
  await page.keyboard.press('Enter');
  await expect(page.locator('#keys')).toBeFocused();
  await page.keyboard.press('Shift+Escape');
  await expect.poll(focused).toBe('Hand back');
  await page.keyboard.press('Enter');
  await expect(page.locator('#take')).toBeFocused();
  await tabTo(/^Console$/);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Network' })).toBeFocused();
  await expect(page.getByRole('tab', { name: 'Network' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('/');
  await expect(page.locator('#search')).toBeFocused();
  await page.keyboard.type('kettle');
  await expect(pastRow(page, 'browser_evaluate')).toHaveCount(0);
  await tabTo(/^browser_click.*Enamel/);
  await expect(page.locator('.past > .row:focus')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('.detail')).toBeVisible();
  await tabTo(/^Copy as JSON$/);
  await page.keyboard.press('?');
  await expect(page.locator('#help')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#help')).toBeHidden();
});

test('the focus is never lost when a row goes', async ({ panel, mock }) => {
  const button = row(panel, 'browser_snapshot').getByRole('button').last();
  await button.focus();
  mock.end({ call: 'k23', tool: 'browser_snapshot' });
  await expect(row(panel, 'browser_snapshot')).toHaveCount(0);
  expect(
    await panel.evaluate(
      () => document.activeElement !== document.body && document.activeElement.closest('#running') !== null,
    ),
  ).toBe(true);
});

test('with less motion nothing moves', async ({ panel }) => {
  await panel.emulateMedia({ reducedMotion: 'reduce' });
  expect(await panel.evaluate(() => document.getAnimations().length)).toBe(0);
  await panel.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await panel.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
});
