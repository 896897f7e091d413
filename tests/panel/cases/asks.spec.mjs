import { asked, busy } from '../scenes.mjs';
import { enter, expect, test } from './harness.mjs';

const card = (page, words) => page.locator('.ask').filter({ hasText: words });
const question = 'Which address shall I use?';

test.describe('questions', () => {
  test.use({ mock: async ({ mocked }, use) => use(await mocked({ state: asked(busy()) })) });

  test('a question is answered with what its form says', async ({ panel, mock }) => {
    const form = card(panel, question);
    await form.getByRole('button', { name: 'Answer' }).click();
    expect(mock.posted('answer')).toEqual([]); // the address is required
    await form.getByLabel('Work, Dock Street 11').check();
    await form.getByLabel('Note for the courier').fill('ring twice');
    await form.getByLabel('Wrap it as a gift').check();
    mock.push(({ calls }) => (calls[0].ageMs += 1000));
    await expect(form.getByLabel('Note for the courier')).toHaveValue('ring twice'); // pushes leave the form alone
    await form.getByRole('button', { name: 'Answer' }).click();
    await expect(panel.getByText('Answered.', { exact: true }).first()).toBeVisible();
    expect(mock.posted('answer')).toEqual([
      { question: 'q3', action: 'accept', content: { address: 'work', note: 'ring twice', gift: true } },
    ]);
  });

  test('a question is declined', async ({ panel, mock }) => {
    await card(panel, question).getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => mock.posted('answer')).toEqual([{ question: 'q3', action: 'decline' }]);
    await expect(card(panel, question).locator('form')).toBeHidden();
  });

  test('a question that was answered elsewhere says so and goes', async ({ panel, mock }) => {
    await expect(card(panel, question)).toBeVisible();
    await card(panel, question).getByLabel('Note for the courier').fill('half a sen');
    mock.push((state) => (state.questions = []));
    await expect(panel.locator('.news').first()).toHaveText('Answered elsewhere, or withdrawn.');
    await expect(card(panel, question).locator('form')).toBeHidden();
    await expect(panel.locator('#say')).toContainText('Answered elsewhere, or withdrawn.');
  });

  test('the first answer wins, and the second is told', async ({ panel, mock }) => {
    mock.answers.answer = () => ({ status: 409, body: { error: 'It was answered.' } });
    await card(panel, question).getByLabel('Home, Mill Lane 4').check();
    await card(panel, question).getByRole('button', { name: 'Answer' }).click();
    mock.push((state) => (state.questions = []));
    await expect(panel.locator('.news').first()).toHaveText('Answered elsewhere, or withdrawn.');
  });

  test('an answer that the server refuses is told at the form, which stays', async ({ panel, mock }) => {
    mock.answers.answer = () => ({ status: 400, body: { error: 'address: unknown' } });
    const form = card(panel, question);
    await form.getByLabel('Home, Mill Lane 4').check();
    await form.getByRole('button', { name: 'Answer' }).click();
    await expect(form.getByRole('alert')).toHaveText('address: unknown');
    mock.answers.answer = null;
    await form.getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => mock.posted('answer').length).toBe(2);
  });

  test('a page’s dialog is answered', async ({ panel, mock }) => {
    const dialog = card(panel, 'Name this dashboard');
    await expect(dialog.getByLabel('Answer')).toHaveValue('Checkout');
    await dialog.getByLabel('Answer').fill('Cart');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect(dialog).toHaveCount(0);
    expect(mock.posted('dialog')).toEqual([
      { session: '77e0f1a9', tab: 't3', dialog: 'd7', accept: true, text: 'Cart' },
    ]);
  });
});

test('a dialog that is shown again in the same words is answered again', async ({ page, mocked }) => {
  const state = busy();
  const ask = (id, type = 'prompt') => ({ id, type, message: 'Again?', defaultPrompt: 'no' });
  const shown = state.sessions[0].tabs[0];
  shown.dialog = ask('d1');
  const mock = await mocked({ state });
  await enter(page, mock.url);
  // Its page shows it again before a state without it was told.
  let next = 2;
  mock.answers.dialog = () => {
    shown.dialog = ask(`d${next++}`);
    mock.push();
    return {};
  };
  const ok = card(page, 'Again?').getByRole('button', { name: 'OK' });
  for (const id of ['d1', 'd2']) {
    await ok.click();
    await expect.poll(() => mock.posted('dialog').at(-1)).toMatchObject({ dialog: id });
    await expect(ok).toBeEnabled();
  }
  // Each has a form of its own.
  await card(page, 'Again?').getByLabel('Answer').fill('yes');
  mock.push(() => (shown.dialog = ask('d4')));
  await expect(card(page, 'Again?').getByLabel('Answer')).toHaveValue('no');
  await ok.click();
  await expect.poll(() => mock.posted('dialog').at(-1)).toMatchObject({ dialog: 'd4', text: 'no' });
  mock.push(() => (shown.dialog = ask('d6', 'confirm')));
  await expect(card(page, 'Again?').getByLabel('Answer')).toHaveCount(0);
});

test('the focus stays near what was answered', async ({ page, mocked }) => {
  await page.clock.install();
  const mock = await mocked({ state: asked(busy()) });
  await enter(page, mock.url);
  await card(page, question).getByRole('button', { name: 'Decline' }).press('Enter');
  await expect(page.locator('.news').first()).toBeFocused();
  await page.clock.runFor(7_000); // the news has been read
  await expect(card(page, 'Name this dashboard').getByRole('button').first()).toBeFocused();
  await card(page, 'Name this dashboard').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.locator('#asks')).toBeHidden();
  await expect(page.locator('#now')).toBeFocused();
});

test('forms that did not arrive are asked for again', async ({ page, mocked }) => {
  const mock = await mocked({ state: asked(busy()) });
  await page.route('**/asks.js*', (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent('requestfailed');
  await enter(page, mock.url);
  await failed;
  mock.push();
  await expect(card(page, question)).toBeVisible();
});

test('each kind of field gives the kind of value that was asked for', async ({ page, mocked }) => {
  const state = busy();
  const properties = {
    name: { type: 'string', title: 'Name', default: 'Ann', minLength: 2 },
    mail: { type: 'string', format: 'email', title: 'Mail' },
    count: { type: 'integer', title: 'Count', minimum: 1, maximum: 9 },
    share: { type: 'number', title: 'Share' },
    agreed: { type: 'boolean', title: 'Agreed' },
    colour: {
      type: 'string',
      title: 'Colour',
      enum: ['r', 'g', 'b', 'c', 'm', 'y'],
      enumNames: ['Red', 'Green', 'Blue', 'Cyan', 'Magenta', 'Yellow'],
    },
    sizes: { type: 'array', title: 'Sizes', items: { type: 'string', enum: ['S', 'M', 'L'] } },
    unsaid: { type: 'string', title: 'Unsaid' },
  };
  state.questions = [
    {
      id: 'q1',
      session: 'ab12cd34',
      call: 'k17',
      message: 'All of it',
      schema: { type: 'object', properties, required: ['name'] },
      takeOver: false,
      ageMs: 1,
    },
  ];
  const mock = await mocked({ state });
  await enter(page, mock.url);
  const form = card(page, 'All of it');
  await form.getByLabel('Mail').fill('not a mail');
  await form.getByLabel('Count').fill('3');
  await form.getByLabel('Share').fill('0.25');
  await form.getByLabel('Colour').selectOption('Magenta');
  await form.getByLabel('S', { exact: true }).check();
  await form.getByLabel('L', { exact: true }).check();
  await form.getByRole('button', { name: 'Answer' }).click();
  expect(mock.posted('answer')).toEqual([]);
  await form.getByLabel('Mail').fill('ann@example.org');
  await form.getByRole('button', { name: 'Answer' }).click();
  await expect.poll(() => mock.posted('answer').length).toBe(1);
  expect(mock.posted('answer')[0].content).toEqual({
    ...{ name: 'Ann', mail: 'ann@example.org', count: 3, share: 0.25, agreed: false, colour: 'm', sizes: ['S', 'L'] },
  });
});

test('a question may offer the wheel, and stands until it is handed back', async ({ page, mocked }) => {
  const state = busy();
  state.questions = [
    {
      id: 'q1',
      session: 'ab12cd34',
      call: 'k17',
      message: 'Please solve the captcha',
      schema: null,
      takeOver: true,
      ageMs: 1,
    },
  ];
  const mock = await mocked({ state });
  await enter(page, mock.url);
  const ask = card(page, 'captcha');
  await ask.getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#wheel')).toContainText('You are at the wheel');
  await expect(ask.getByRole('button', { name: 'Take over' })).toBeHidden();
  await ask.getByRole('button', { name: 'Hand back' }).click();
  await expect.poll(() => mock.posted('hand-back').length).toBe(1);
});

test('kinds of dialogs have the answers that they need', async ({ page, mocked }) => {
  const mock = await mocked();
  await enter(page, mock.url);
  const names = { alert: ['OK'], confirm: ['OK', 'Cancel'], beforeunload: ['Leave', 'Stay'] };
  for (const [type, buttons] of Object.entries(names)) {
    mock.push(
      ({ sessions }) => (sessions[0].tabs[0].dialog = { id: type, type, message: `A ${type}`, defaultPrompt: '' }),
    );
    await expect(card(page, `A ${type}`).locator('.buttons button')).toHaveText(buttons);
    await card(page, `A ${type}`)
      .getByRole('button', { name: buttons.at(-1) })
      .click();
    await expect(page.locator('.ask')).toHaveCount(0);
  }
  expect(mock.posted('dialog').map((one) => one.accept)).toEqual([true, false, false]);
});
