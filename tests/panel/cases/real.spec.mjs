// The panel on the real program: a scripted MCP client makes calls in a real Chromium while a person looks and stops.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Session } from '../../support/bridle.mjs';
import { kWithLeanBrowser, Served } from '../../support/served.mjs';
import { axe, expect, faultsOf, pastRow, row, test as base } from './harness.mjs';

const run = promisify(execFile);
const kTestTools = ['--test-tools'];

// The program on a port of its own, in a folder of its own, which a restart on the same port keeps.
class Program {
  static async start(port = 0, args = kTestTools) {
    const folder = mkdtempSync(join(tmpdir(), 'bridle-panel-'));
    chmodSync(folder, 0o711);
    mkdirSync(join(folder, 'output'));
    const program = new Program();
    Object.assign(program, { folder, args });
    await program.begin(port);
    return program;
  }
  async begin(port) {
    const args = ['--port', String(port), '--output-dir', join(this.folder, 'output'), '--viewport-size', '1280x800'];
    this.served = await Served.start(process.env.BRIDLE_TESTING, [...args, ...this.args], {
      TMPDIR: this.folder,
      ...kWithLeanBrowser,
    });
    this.url = this.served.url; // of MCP
    this.root = new URL('/', this.url).href;
    this.port = new URL(this.url).port;
  }
  // As `bridle panel` prints it.
  async link() {
    const { stdout } = await run(process.env.BRIDLE, ['panel', '--no-open', '--port', this.port]);
    return stdout.split('\n')[0].match(/http:\S+/)[0];
  }
  async end() {
    await this.served.end('SIGTERM').catch(() => this.served.child.kill('SIGKILL'));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

// A browser for bridle to launch that keeps what goes over its pipe, both ways.
function overheardBrowser(folder) {
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  chmodSync(kept, 0o777); // as root the browser is another user
  const launcher = join(folder, 'chromium');
  const pipes = `3< <(exec tee '${kept}/commands' <&3) 4> >(exec tee '${kept}/events' >&4)`;
  writeFileSync(launcher, `#!/bin/bash\nexec /usr/bin/chromium "$@" ${pipes}\n`);
  chmodSync(launcher, 0o755);
  const read = (name) =>
    readFileSync(join(kept, name), 'utf8')
      .split('\0')
      .slice(0, -1) // the last may have come in part
      .map((text) => JSON.parse(text));
  return { launcher, commands: () => read('commands'), events: () => read('events') };
}

const test = base.extend({
  overheard: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'bridle-overheard-'));
    chmodSync(folder, 0o711);
    const { launcher, ...kept } = overheardBrowser(folder);
    const program = await Program.start(0, [...kTestTools, '--executable-path', launcher]);
    await use({ program, ...kept });
    await program.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  },
  program: async ({}, use) => {
    const program = await Program.start();
    await use(program);
    await program.end();
  },
  // Pages for the agent: the shop, a page that never comes, one with a hostile title, a button that takes its time.
  site: async ({}, use) => {
    const shop = readFileSync(new URL('../site/teas.html', import.meta.url));
    const pages = {
      '/teas': shop,
      '/hostile': '<title>&lt;img src=x onerror="window.hit=1"&gt; \u202e gnp.exe</title><h1>hostile</h1>',
      '/form': `<title>Form</title><body style="margin:0"><input aria-label="Name" style="position:absolute;left:100px;top:100px;width:300px;height:40px;font-size:24px">
        <button style="position:absolute;left:100px;top:200px;width:300px;height:60px" onclick="this.textContent='pressed '+(++window.n)">Press</button><script>window.n=0</script>
        <div style="height:4000px"></div>`,
      '/dialog':
        "<title>Dialog</title><button onclick=\"document.title='said ' + prompt('Your name?', 'Ann')\">Ask</button>",
      '/moving':
        '<title>Moving</title><h1></h1><script>setInterval(() => document.querySelector("h1").textContent = performance.now(), 30)</script>',
    };
    const held = new Set();
    const server = createServer((request, response) => {
      const page = pages[request.url];
      if (request.url === '/never') held.add(response);
      else if (page) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      else response.writeHead(404).end();
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(`http://127.0.0.1:${server.address().port}`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
  client: async ({ program }, use) => use(await Session.open(program)),
  // The panel, entered by the link.
  desk: async ({ page, program }, use) => {
    const faults = faultsOf(page);
    await page.goto(await program.link());
    await page.locator('[data-link=live]').waitFor();
    await use(page);
    expect(faults).toEqual([]);
  },
});

test('the link lets in once, and without it there is 401 with the way in', async ({ page, program, browser }) => {
  const refused = await page.goto(program.root);
  expect(refused.status()).toBe(401);
  await expect(page.locator('body')).toContainText('bridle panel');
  for (const path of ['panel/events', 'panel/past', 'panel/console?session=x&tab=y', 'panel/app.js']) {
    expect((await page.request.get(program.root + path)).status(), path).toBe(401);
  }
  expect((await page.request.post(`${program.root}panel/stop`, { data: { all: true } })).status()).toBe(401);
  const link = await program.link();
  await page.goto(link);
  expect(page.url()).toBe(program.root);
  await expect(page.locator('#link')).toHaveText('Live');
  await expect(page.getByRole('heading', { name: 'No client is connected' })).toBeVisible();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  const other = await browser.newPage();
  expect((await other.goto(link)).status()).toBe(401);
  await other.close();
});

test('the first view weighs 60 KB at most', async ({ desk: page, client, site, program }) => {
  await client.call('browser_navigate', { url: `${site}/teas` });
  const call = client.result('browser_wait_for', { text: 'never there', timeout: 60_000 }).catch(() => null);
  await row(page, 'browser_wait_for').waitFor();
  let bytes = 0;
  const names = [];
  const count = async (response) => {
    if (!/\.(js|css|svg)$|\/$/.test(new URL(response.url()).pathname)) return;
    names.push(new URL(response.url()).pathname);
    bytes += (await response.body()).length;
  };
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const counted = [];
  page.on('response', (response) => counted.push(count(response)));
  await page.reload();
  await row(page, 'browser_wait_for').waitFor();
  await page.locator('#view canvas').waitFor();
  await Promise.all(counted);
  expect(names).toContain('/panel/app.css');
  expect(bytes, names.join(' ')).toBeLessThanOrEqual(60_000);
  await page.locator('#stop-all').click();
  await call;
  expect(program.served.child.exitCode).toBe(null);
});

test('sessions, tabs and the live view of a real page', async ({ desk: page, client, site }) => {
  await client.call('browser_navigate', { url: `${site}/teas` });
  await expect(page.locator('.session .name')).toContainText('tests');
  await expect(page.locator('.session .meta')).toContainText('2025-06-18');
  await expect(page.locator('#stage-title')).toHaveText('Leaf & Kettle – Teas');
  await expect(page.locator('#stage-url')).toHaveText(`${site}/teas`);
  await page.locator('#view canvas').waitFor();
  // The shop's cream ground stands in the picture.
  await expect
    .poll(() =>
      page.locator('#view canvas').evaluate((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(4, canvas.height - 4, 1, 1);
        return [data[0] > 230, data[1] > 225, data[2] > 215];
      }),
    )
    .toEqual([true, true, true]);
  await expect(pastRow(page, `${site}/teas`)).toHaveCount(1);
});

test('a call on the tab that is looked at leaves its pictures; how far a long one is stands there', async ({
  desk: page,
  client,
  site,
}) => {
  await client.call('browser_navigate', { url: `${site}/form` });
  await page.locator('#view canvas').waitFor();
  await client.call('browser_click', { target: 'text=Press' });
  await pastRow(page, 'browser_click').click();
  for (const when of ['before', 'after']) {
    const picture = page.getByRole('img', { name: `${when} the call` });
    await expect.poll(() => picture.evaluate((img) => img.complete && img.naturalWidth > 0)).toBe(true);
  }
  const result = client.result('browser_wait_for', { text: 'never there', timeout: 60_000 });
  const call = row(page, 'browser_wait_for');
  await expect(call.locator('.state')).toContainText(/waited \d+ s/);
  await call.getByRole('button', { name: /^Stop/ }).click();
  await result;
});

for (const [name, tool, args] of [
  ['a navigation', 'browser_navigate', (site) => ({ url: `${site}/never` })],
  ['a wait', 'browser_wait_for', () => ({ text: 'never there', timeout: 60_000 })],
  ['a script', 'browser_evaluate', () => ({ function: '() => { for (;;); }' })],
]) {
  test(`stop ends ${name}, and says so`, async ({ desk: page, client, site }) => {
    await client.call('browser_navigate', { url: `${site}/teas` });
    const result = client.result(tool, args(site));
    const call = row(page, tool);
    await expect(call.locator('.state')).toContainText('running');
    await call.getByRole('button', { name: /^Stop/ }).click();
    await expect(call.locator('.state')).toContainText('stopped');
    expect((await result).words).toMatch(/stopped/i);
    await expect(page.locator('.past').first()).toContainText('stopped ·');
    await expect(page.locator('#running .count')).toHaveText('');
    expect(await client.call('browser_evaluate', { function: '() => 6 * 7' })).toContain('42');
  });
}

test('a queued call is stopped before it starts; one that ignores its abort is still stopping after 3 s', async ({
  desk: page,
  client,
}) => {
  await client.call('browser_evaluate', { function: '() => 1' });
  // Long enough to be overdue (3 s after its stop) though a busy machine takes its time for the steps before.
  const deaf = client.result('test_ignore_abort', { seconds: 30 });
  await expect(row(page, 'test_ignore_abort')).toHaveAttribute('data-state', 'running');
  await expect(row(page, 'test_ignore_abort').locator('.age')).toHaveText(/^\d:\d\d$/);
  const queued = client.result('browser_evaluate', { function: '() => (window.ran = true)' });
  await expect(row(page, 'browser_evaluate')).toHaveAttribute('data-state', 'queued');
  await row(page, 'browser_evaluate').getByRole('button', { name: /^Stop/ }).click();
  await expect(row(page, 'browser_evaluate').locator('.state')).toContainText('stopped');
  await queued;
  await row(page, 'test_ignore_abort').getByRole('button', { name: /^Stop/ }).click();
  await expect(row(page, 'test_ignore_abort')).toHaveAttribute('data-state', 'stopping');
  await expect(row(page, 'test_ignore_abort')).toContainText('still stopping: test_ignore_abort has not answered');
  await expect(row(page, 'test_ignore_abort').getByRole('button', { name: /^Stop/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(row(page, 'test_ignore_abort').locator('.state')).toContainText('stopped');
  await deaf;
  expect(await client.call('browser_evaluate', { function: '() => window.ran' })).not.toContain('true');
});

test('a person takes over in the middle of a click, acts, and hands back', async ({ desk: page, client, site }) => {
  await client.call('browser_navigate', { url: `${site}/form` });
  await page.locator('#view canvas').waitFor();
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#keys')).toBeFocused();
  const click = client.result('browser_click', { target: 'role=button[name=/Press|pressed/]' });
  await expect(row(page, 'browser_click').locator('.state')).toContainText('held by the user');
  await expect(page.locator('#wheel p')).toHaveText(/1 call waits · 0:\d\d$/);
  expect(await client.call('browser_find', { text: 'Press' })).toContain('Press'); // reading goes on
  const at = async (x, y) => {
    const box = await page.locator('#view canvas').boundingBox();
    return [box.x + (x / 1280) * box.width, box.y + (y / 800) * box.height];
  };
  await page.mouse.click(...(await at(250, 120)));
  await page.keyboard.type('Ann Bo');
  await page.keyboard.press('Backspace');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Input.insertText', { text: '日本' });
  await page.mouse.click(...(await at(250, 230)));
  await page.getByRole('button', { name: 'Hand back' }).click();
  await expect(page.locator('#wheel')).toBeHidden();
  const { words, isError } = await click;
  expect(isError ?? false).toBe(false);
  expect(words).toMatch(/user/i); // the agent is told that the user acted
  const seen = await client.call('browser_evaluate', {
    function: '() => [document.querySelector("input").value, window.n]',
  });
  expect(seen).toContain('Ann B日本');
  expect(seen).toMatch(/\b2\b/); // the person's click, then the agent's
});

test('a held call can be stopped', async ({ desk: page, client, site }) => {
  await client.call('browser_navigate', { url: `${site}/form` });
  await page.locator('#view canvas').waitFor();
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#keys')).toBeFocused();
  const click = client.result('browser_click', { target: 'role=button[name="Press"]' });
  await expect(row(page, 'browser_click').locator('.state')).toContainText('held by the user');
  await row(page, 'browser_click').getByRole('button', { name: /^Stop/ }).click();
  await expect(row(page, 'browser_click').locator('.state')).toContainText('stopped');
  expect((await click).words).toMatch(/stopped/i);
  await page.getByRole('button', { name: 'Hand back' }).click();
  expect(await client.call('browser_evaluate', { function: '() => window.n' })).toContain('0');
});

test('a page’s dialog is answered from the panel', async ({ desk: page, client, site }) => {
  await client.call('browser_navigate', { url: `${site}/dialog` });
  await client.result('browser_click', { target: 'role=button[name="Ask"]' });
  const ask = page.locator('.ask').filter({ hasText: 'Your name?' });
  await expect(ask.getByLabel('Answer')).toHaveValue('Ann');
  await ask.getByLabel('Answer').fill('Bo');
  await ask.getByRole('button', { name: 'OK' }).click();
  await expect(ask).toHaveCount(0);
  await expect(page.locator('#stage-title')).toHaveText('said Bo');
});

test('a hostile title is words on the real panel', async ({ desk: page, client, site }) => {
  await client.call('browser_navigate', { url: `${site}/hostile` });
  await expect(page.locator('#stage-title')).toContainText('<img src=x onerror="window.hit=1">');
  await expect(page.locator('.tab .title').first()).toContainText('<img src=x');
  expect(await page.evaluate(() => window.hit)).toBeUndefined();
});

test('a server that is killed and started again on its port is found again', async ({
  desk: page,
  program,
  client,
  site,
}) => {
  await client.call('browser_navigate', { url: `${site}/teas` });
  await expect(page.locator('#stage-title')).toHaveText('Leaf & Kettle – Teas');
  program.served.child.kill('SIGKILL');
  await expect(page.locator('body')).toHaveClass(/stale/);
  await expect(page.locator('#notice')).toContainText('Disconnected since');
  await program.begin(program.port);
  // Another process doesn't know the old cookie: it says so, and a new link in the same browser brings it back.
  await expect(page.locator('#notice')).toContainText(/Run “bridle panel”|^$/);
  const other = await page.context().newPage();
  await other.goto(await program.link());
  await expect(page.locator('#link')).toHaveText('Live');
  await expect(page.locator('#notice')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'No client is connected' })).toBeVisible();
  await expect(page.locator('.past')).toHaveCount(0); // the new process has no past
});

// Each of ten windows shows one new picture after another, of one screencast, which ends with the last of them.
test('ten viewers see one tab live, by one screencast', async ({ overheard, site, browser }) => {
  test.slow();
  const { program, commands, events } = overheard;
  const client = await Session.open(program);
  await client.call('browser_navigate', { url: `${site}/moving` });
  const viewers = [];
  for (let i = 0; i < 10; i++) {
    // Small pictures, in a profile of its own: ten windows that unpack large ones would be a test of this machine.
    const more = await browser.newPage({ viewport: { width: 360, height: 640 } });
    await more.goto(await program.link());
    await more.locator('#view canvas').waitFor();
    await expect(more.locator('#stage-title')).toHaveText('Moving');
    viewers.push(more);
  }
  // All at once: were one fed at another's cost, it would stand still.
  const threeMore = (one) =>
    one.locator('#view canvas').evaluate(async (canvas) => {
      const look = () => canvas.toDataURL();
      const seen = new Set([look()]);
      while (seen.size < 4) {
        await new Promise(requestAnimationFrame);
        seen.add(look());
      }
    });
  await Promise.all(viewers.map(threeMore));
  const casting = commands().filter((one) => /^Page\.(start|stop)Screencast$/.test(one.method));
  expect(new Set(casting.map((one) => one.sessionId)).size).toBe(1);
  for (const one of viewers) await one.close();
  // The cast's session is of another session, with which it ends.
  const attached = (one) =>
    one.method === 'Target.attachedToTarget' && one.params.sessionId === casting[0].sessionId && one.sessionId;
  const outer = events().find(attached).sessionId;
  const detached = (one) => one.method === 'Target.detachFromTarget' && one.params.sessionId === outer;
  await expect.poll(() => commands().some(detached)).toBe(true);
});

test('axe finds nothing on the real panel', async ({ desk: page, client, site }) => {
  await client.call('browser_navigate', { url: `${site}/teas` });
  await page.locator('#view canvas').waitFor();
  await expect(pastRow(page, `${site}/teas`)).toHaveCount(1);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await axe(page)).toEqual([]);
  }
});
