// Tests of browser/page/js/*.js in a real Chromium.
//   node tests/page/run.mjs [part of a test's name]
// Prints `N passed, N failed` and exits with 1 if any failed.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kLeanBrowser } from '../support/served.mjs';
import { Browser } from './cdp.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const kTestLimit = 240_000; // longer than the patience of what a test waits for
const filter = process.argv[2] ?? '';
let passed = 0;
let failed = 0;

const cases = [];
for (const file of readdirSync(join(here, 'cases')).sort()) {
  const { default: list } = await import(join(here, 'cases', file));
  for (const [name, run] of Object.entries(list)) cases.push({ name: `${file.replace('.mjs', '')}: ${name}`, run });
}

// The page's script asks only what both have alike, which is Blink.
const browser = await Browser.launch(kLeanBrowser);
try {
  const page = await browser.newPage();
  for (const { name, run } of cases) {
    if (!name.includes(filter)) continue;
    let timer;
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took more than ${kTestLimit} ms`)), kTestLimit);
    });
    try {
      page.next = 1;
      await Promise.race([run(page, browser), limit]);
      passed++;
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n  ${String(error.stack ?? error).replaceAll('\n', '\n  ')}`);
    } finally {
      clearTimeout(timer);
    }
  }
} finally {
  await browser.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
