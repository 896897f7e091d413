// Makes docs/panel.png anew, from the real program with a scripted client:
//   node tests/panel/screenshot.mjs [--bridle FILE]
import { chromium } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bridle, Session } from '../support/bridle.mjs';
import { serve } from '../support/static_server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const at = process.argv.indexOf('--bridle');
const program = at < 0 ? join(root, 'build/test/bridle') : process.argv[at + 1];
const picture = join(root, 'docs/panel.png');
const kMost = 200_000;

async function client(served, name, version) {
  const session = new Session(served);
  const clientInfo = { name, version };
  await session.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return session;
}

const site = await serve(join(here, 'site'), { '/favicon.ico': (_, response) => response.writeHead(204).end() });
const bridle = await Bridle.start(program, ['--viewport-size', '1280x800']);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
try {
  const agent = await client(bridle, 'Claude Code', '2.1');
  const other = await client(bridle, 'Cursor', '1.9');
  const port = new URL(bridle.url).port;
  const link = execFileSync(program, ['panel', '--no-open', '--port', port])
    .toString()
    .match(/http:\S+/)[0];

  await agent.call('browser_navigate', { url: `${site.origin}/teas.html` });
  await agent.result('browser_click', { target: 'role=button[name="Accept all"]', timeout: 300 });
  await agent.call('browser_type', { target: 'role=textbox[name="Search teas and kettles"]', text: 'red kettle' });
  await agent
    .call('browser_click', { target: '.grid button >> nth=0' })
    .catch(() => agent.call('browser_click', { target: '.grid button' }));
  await agent.call('browser_find', { text: 'Cart' });
  await other.call('browser_navigate', { url: `${site.origin}/teas.html#prices` });
  await other.call('browser_take_screenshot', {});
  await agent.call('browser_evaluate', { function: '() => console.warn("stock of 3 kettles is low")' });
  await agent.call('browser_hover', { target: 'text=Gooseneck, coral' });

  const page = await browser.newPage({ viewport: { width: 1280, height: 700 } });
  await page.goto(link);
  await page.locator('[data-link=live]').waitFor();
  const waiting = agent.result('browser_wait_for', { text: 'Order confirmed', timeout: 60_000 }).catch(() => null);
  const stopped = other.result('browser_wait_for', { text: 'p95 below 300 ms', timeout: 60_000 }).catch(() => null);
  await page.locator('#running .call').nth(1).waitFor();
  await page.getByRole('button', { name: /^Claude Code/ }).click();
  await page.locator('#view canvas').waitFor();
  await page.locator('.entry').first().waitFor();
  await page.locator('#running .call .age').getByText('0:02').first().waitFor();
  await page.screenshot({ path: picture, animations: 'disabled' });
  await page.locator('#stop-all').click();
  await Promise.all([waiting, stopped]);
} finally {
  await browser.close();
  await bridle.end();
  await site.close();
}
const { size } = statSync(picture);
console.log(`docs/panel.png: ${size} bytes`);
if (size > kMost) throw new Error(`docs/panel.png has more than ${kMost} bytes`);
