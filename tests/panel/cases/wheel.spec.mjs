import { busy } from '../scenes.mjs';
import { enter, expect, row, test } from './harness.mjs';

async function takeOver(page) {
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#keys')).toBeFocused();
}
const events = (mock) => mock.posted('input').flatMap((body) => body.events);
const ofType = (mock, ...types) => events(mock).filter((one) => types.includes(one.type));
// Where a point of the page lies in the window.
async function spot(page, x, y) {
  const box = await page.locator('#view canvas').boundingBox();
  return [box.x + (x / 1280) * box.width, box.y + (y / 800) * box.height];
}

test('taking over is told clearly, and handing back releases', async ({ panel, mock }) => {
  await takeOver(panel);
  await expect(panel.locator('#wheel')).toContainText('You are at the wheel of Claude Code 2.1');
  await expect(panel.locator('#say')).toContainText('You are at the wheel.');
  mock.push((state) => {
    state.calls[1].state = 'held';
    state.sessions[0].held.waiting = 2;
  });
  await expect(panel.locator('#wheel')).toContainText('2 calls wait');
  await expect(row(panel, 'browser_click').locator('.state')).toHaveText('held by the user');
  await panel.getByRole('button', { name: 'Hand back' }).click();
  await expect(panel.locator('#wheel')).toBeHidden();
  await expect(panel.locator('#keys')).toBeHidden();
  await expect(panel.locator('#take')).toBeFocused();
  await expect(panel.locator('#say')).toContainText('The wheel is the agent’s again.');
  const [{ session, viewer }] = mock.posted('take-over');
  expect(session).toBe('ab12cd34');
  expect(viewer).toMatch(/^[A-Za-z0-9]{8,64}$/);
  expect(mock.posted('hand-back')).toEqual([{ session, viewer }]);
});

test('the mouse reaches the page where it points, with its buttons, clicks and modifiers', async ({ panel, mock }) => {
  await takeOver(panel);
  const [x, y] = await spot(panel, 640, 400);
  await panel.mouse.move(x, y);
  // A double click of a moment, however long a busy machine takes for it.
  const cdp = await panel.context().newCDPSession(panel);
  const timestamp = Date.now() / 1000;
  for (const clickCount of [1, 2])
    for (const type of ['mousePressed', 'mouseReleased'])
      await cdp.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount, timestamp });
  await expect.poll(() => ofType(mock, 'up').length).toBe(2);
  for (const one of ofType(mock, 'down', 'up')) {
    expect(Math.abs(one.x - 640)).toBeLessThan(3);
    expect(Math.abs(one.y - 400)).toBeLessThan(3);
    expect(one.button).toBe('left');
  }
  expect(ofType(mock, 'down').map((one) => [one.clicks, one.buttons])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(ofType(mock, 'move').length).toBeGreaterThan(0);
  await panel.keyboard.down('Shift');
  await panel.mouse.click(...(await spot(panel, 40, 40)), { button: 'right' });
  await panel.keyboard.up('Shift');
  await expect
    .poll(() => ofType(mock, 'down').at(-1))
    .toMatchObject({ button: 'right', buttons: 2, clicks: 1, modifiers: 8 });
  await panel.mouse.wheel(0, 240);
  await expect.poll(() => ofType(mock, 'wheel').at(-1)).toMatchObject({ dx: 0, dy: 240 });
  const { session, tab } = mock.posted('input')[0];
  expect([session, tab]).toEqual(['ab12cd34', 't1']);
});

test('a drag holds its button while it moves', async ({ panel, mock }) => {
  await takeOver(panel);
  await panel.mouse.move(...(await spot(panel, 100, 100)));
  await panel.mouse.down();
  await panel.mouse.move(...(await spot(panel, 300, 200)), { steps: 3 });
  await panel.mouse.up();
  await expect.poll(() => ofType(mock, 'up').length).toBe(1);
  const at = events(mock).findIndex((one) => one.type === 'down');
  const moved = events(mock)
    .slice(at)
    .filter((one) => one.type === 'move');
  expect(moved.length).toBeGreaterThan(0);
  for (const one of moved) expect(one).toMatchObject({ button: 'left', buttons: 1 });
});

test('keys go to the page, Tab and Escape too; Shift+Escape brings them back', async ({ panel, mock }) => {
  await takeOver(panel);
  for (const key of ['a', 'Shift+B', 'Tab', 'Escape', '?', '/', 'Control+a']) await panel.keyboard.press(key);
  await expect.poll(() => ofType(mock, 'keyup').filter((one) => one.key === 'Control').length).toBe(1);
  const downs = ofType(mock, 'keydown').map((one) => one.key);
  expect(downs).toEqual(['a', 'Shift', 'B', 'Tab', 'Escape', '?', '/', 'Control', 'a']);
  expect(ofType(mock, 'keydown').at(-1)).toMatchObject({ code: 'KeyA', modifiers: 2 });
  await expect(panel.locator('#keys')).toBeFocused();
  await expect(panel.locator('#help')).toBeHidden();
  await panel.keyboard.press('Shift+Escape');
  await expect(panel.getByRole('button', { name: 'Hand back' })).toBeFocused();
  await expect.poll(() => ofType(mock, 'keyup').at(-1).key).toBe('Shift'); // released in the page, too
  await panel.keyboard.press('x');
  expect(ofType(mock, 'keydown').some((one) => one.key === 'x')).toBe(false);
});

test('what is held is released when the person goes elsewhere', async ({ panel, mock }) => {
  await takeOver(panel);
  await panel.keyboard.down('w');
  await panel.locator('#search').focus();
  await expect.poll(() => ofType(mock, 'keyup').map((one) => one.key)).toEqual(['w']);
});

test('text of an input method and of a paste arrives as text, once', async ({ panel, mock }) => {
  await takeOver(panel);
  const cdp = await panel.context().newCDPSession(panel);
  await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await cdp.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
  await cdp.send('Input.insertText', { text: '日本' });
  await expect.poll(() => ofType(mock, 'text').map((one) => one.text)).toEqual(['日本']);
  await panel.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'two\nlines');
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true }),
    );
  });
  await expect.poll(() => ofType(mock, 'text').map((one) => one.text)).toEqual(['日本', 'two\nlines']);
  await panel.keyboard.press('Control+v');
  await panel.keyboard.press('z');
  await expect.poll(() => ofType(mock, 'keydown').map((one) => one.key)).toEqual(['Control', 'z']);
  expect(await panel.locator('#keys').inputValue()).toBe('');
});

test('one request at a time, in order; moves meanwhile become one', async ({ panel, mock }) => {
  let under = 0;
  let most = 0;
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  mock.answers.input = async () => {
    most = Math.max(most, ++under);
    await gate;
    under--;
  };
  await takeOver(panel);
  for (let i = 0; i < 30; i++) await panel.mouse.move(...(await spot(panel, 100 + i * 10, 300)));
  await panel.keyboard.type('abc');
  go();
  await expect.poll(() => ofType(mock, 'keyup').length).toBe(3);
  expect(most).toBe(1);
  expect(ofType(mock, 'move').length).toBeLessThanOrEqual(3);
  expect(
    ofType(mock, 'keydown')
      .map((one) => one.key)
      .join(''),
  ).toBe('abc');
  expect(events(mock).at(-1)).toMatchObject({ type: 'keyup', key: 'c' });
});

// The session's current tab is another one now.
const elsewhere = (state) => {
  const [one, other] = state.sessions[0].tabs;
  [one.current, other.current] = [false, true];
};

test('input goes to the tab that it was made for, whatever is shown by then', async ({ panel, mock }) => {
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  mock.answers.input = () => gate;
  await takeOver(panel);
  await panel.keyboard.press('a'); // under way
  await panel.keyboard.press('b'); // waits for its turn
  await panel.keyboard.down('w');
  await panel.mouse.move(...(await spot(panel, 300, 300)));
  await panel.mouse.down();
  mock.push(elsewhere);
  await expect(panel.locator('#stage-title')).toHaveText('Order 4711 – Leaf & Kettle');
  await expect(panel.locator('#keys')).toBeFocused();
  await panel.mouse.up();
  await panel.keyboard.down('w'); // as a key that is held repeats
  await panel.keyboard.up('w');
  await panel.keyboard.press('c');
  go();
  await expect.poll(() => ofType(mock, 'keyup').at(-1)?.key).toBe('c');
  const of = (tab) =>
    mock
      .posted('input')
      .filter((body) => body.tab === tab)
      .flatMap((body) => body.events)
      .filter((one) => one.type !== 'move')
      .map((one) => `${one.type} ${one.key ?? one.button}`);
  expect(of('t1')).toEqual([
    'keydown a',
    'keyup a',
    'keydown b',
    'keyup b',
    'keydown w',
    'down left',
    'keyup w',
    'up left',
  ]);
  expect(of('t2')).toEqual(['keydown c', 'keyup c']);
});

test('input that waits is not sent when the wheel is gone, nor when it is taken again', async ({ panel, mock }) => {
  let go;
  const gate = new Promise((resolve) => (go = resolve));
  mock.answers.input = () => gate;
  await takeOver(panel);
  await panel.keyboard.press('a');
  await expect.poll(() => mock.posted('input').length).toBe(1);
  await panel.keyboard.type('bcd');
  mock.push(({ sessions }) => (sessions[0].held = null));
  await expect(panel.locator('#keys')).toBeHidden();
  go();
  await takeOver(panel);
  await panel.keyboard.press('z');
  await expect.poll(() => ofType(mock, 'keyup').at(-1)?.key).toBe('z');
  expect(ofType(mock, 'keydown').map((one) => one.key)).toEqual(['a', 'z']);
});

test('a question’s Take over shows its tab first', async ({ page, mocked }) => {
  const state = busy();
  const call = { session: '77e0f1a9', call: 'k22', schema: null, takeOver: true, ageMs: 1 };
  state.questions = [{ id: 'q1', message: 'Please log in', ...call }];
  const mock = await mocked({ state });
  await enter(page, mock.url);
  await expect(page.locator('#stage-title')).toHaveText(/^Leaf/);
  let go;
  mock.answers['take-over'] = () => new Promise((resolve) => (go = resolve));
  await page.locator('.ask').getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#stage-title')).toHaveText(/^Grafana/);
  await expect.poll(() => mock.posted('take-over')).toMatchObject([{ session: '77e0f1a9' }]);
  go();
  await expect(page.locator('#keys')).toBeFocused();
});

test('a take-over that was refused takes no focus later', async ({ panel, mock }) => {
  mock.answers['take-over'] = () => ({ status: 409, body: { error: 'Another viewer is at the wheel.' } });
  await panel.getByRole('button', { name: 'Take over' }).click();
  await expect(panel.locator('#notice')).toContainText('Another viewer is at the wheel.');
  await panel.locator('#search').focus();
  const [{ viewer }] = mock.posted('take-over');
  mock.push(({ sessions }) => (sessions[0].held = { viewer, sinceMs: 0, waiting: 0 }));
  await expect(panel.locator('#keys')).toBeVisible();
  await expect(panel.locator('#search')).toBeFocused();
});

// The state says that the wheel was taken before the request has its answer, which the returned function gives.
function answerLate(mock) {
  let answer;
  mock.answers['take-over'] = ({ viewer }) => {
    mock.push(({ sessions }) => (sessions[0].held = { viewer, sinceMs: 0, waiting: 0 }));
    return new Promise((resolve) => (answer = resolve));
  };
  return () => answer({ body: { ok: true } });
}

test('the focus comes when the answer does, also after the state', async ({ panel, mock }) => {
  const go = answerLate(mock);
  await panel.getByRole('button', { name: 'Take over' }).click();
  await expect(panel.locator('#keys')).toBeVisible();
  go();
  await expect(panel.locator('#keys')).toBeFocused();
});

test('a hand-back is sent, also while a take-over is under way', async ({ panel, mock }) => {
  const go = answerLate(mock);
  await panel.getByRole('button', { name: 'Take over' }).click();
  await panel.getByRole('button', { name: 'Hand back' }).click();
  expect(mock.posted('hand-back')).toEqual([]);
  go();
  await expect.poll(() => mock.posted('hand-back')).toMatchObject([{ session: 'ab12cd34' }]);
  await expect(panel.locator('#wheel')).toBeHidden();
});

test('hands that did not arrive are asked for again', async ({ panel, mock }) => {
  await panel.route('**/input.js*', (route) => route.abort(), { times: 1 });
  const failed = panel.waitForEvent('requestfailed');
  await panel.getByRole('button', { name: 'Take over' }).click();
  await failed;
  mock.push();
  await expect(panel.locator('#keys')).toBeFocused();
});

test('input that the server refuses is told', async ({ panel, mock }) => {
  mock.answers.input = () => ({ status: 409, body: { error: 'The wheel was handed back.' } });
  await takeOver(panel);
  await panel.keyboard.press('a');
  await expect(panel.locator('#notice')).toContainText('The wheel was handed back.');
});

test('another viewer at the wheel is named, and keeps it', async ({ panel, mock, browser }) => {
  const other = await browser.newPage();
  await enter(other, mock.url);
  await takeOver(panel);
  await expect(other.locator('#wheel')).toContainText('Another viewer is at the wheel of Claude Code 2.1');
  await expect(other.locator('#take')).toHaveText('Taken by another viewer');
  await other.locator('#take').click({ force: true });
  expect(mock.posted('take-over')).toHaveLength(1);
  await expect(other.locator('#keys')).toBeHidden();
  await other.close();
});

test('a wheel that the server took back is let go of', async ({ panel, mock }) => {
  await takeOver(panel);
  mock.push(({ sessions }) => (sessions[0].held = null));
  await expect(panel.locator('#keys')).toBeHidden();
  await expect(panel.locator('#take')).toBeFocused();
  await expect(panel.locator('#take')).toHaveText('Take over');
});

test('a reload keeps the wheel; a new window is another viewer', async ({ panel, mock, context }) => {
  await takeOver(panel);
  await panel.reload();
  await expect(panel.locator('#wheel')).toContainText('You are at the wheel');
  await expect(panel.locator('#keys')).toBeVisible();
  const other = await context.newPage();
  await enter(other, mock.url);
  await expect(other.locator('#wheel')).toContainText('Another viewer');
});

test('a finger clicks and scrolls', async ({ browser, mock }) => {
  const page = await browser.newPage({ hasTouch: true, viewport: { width: 400, height: 800 } });
  await enter(page, mock.url);
  await page.locator('#view canvas').waitFor();
  await page.getByRole('button', { name: 'Take over' }).tap();
  await expect(page.locator('#keys')).toBeFocused();
  await page.locator('#view').scrollIntoViewIfNeeded();
  await page.touchscreen.tap(...(await spot(page, 640, 400)));
  await expect
    .poll(() => ofType(mock, 'down', 'up').map((one) => [one.type, one.button]))
    .toEqual([
      ['down', 'left'],
      ['up', 'left'],
    ]);
  const cdp = await page.context().newCDPSession(page);
  const [x, y] = await spot(page, 640, 600);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (const up of [20, 40, 60])
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - up }] });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(() => ofType(mock, 'wheel').reduce((sum, one) => sum + one.dy, 0)).toBeGreaterThan(20);
  expect(ofType(mock, 'down')).toHaveLength(1);
  await page.close();
});
