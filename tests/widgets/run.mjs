// bridle against the widget libraries that the web is made of: each case does what a person would, and holds both the
// page's own state and the answer's words against it.
//   node tests/widgets/run.mjs [--bridle FILE] [part of a case's name]
// BRIDLE_BINARY names the program too. One bridle, one Chromium, one tab. Prints a line a case and `N passed, N failed`;
// exits with 1 if any failed. The libraries come of `npm ci` in this folder.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Bridle, Session } from '../support/bridle.mjs';
import { kPatience, within } from '../support/served.mjs';
import { serve } from '../support/static_server.mjs';
import { Driver } from './driver.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { bridle: { type: 'string' } } });
const filter = positionals[0] ?? '';
const kCaseLimit = 4 * kPatience;

const noIcon = (_, response) => response.writeHead(204).end();
const site = await serve(here, { '/favicon.ico': noIcon });
const bridle = await Bridle.start(values.bridle ?? process.env.BRIDLE_BINARY ?? join(here, '../../build/test/bridle'), [
  '--viewport-size',
  '1280x800',
]);
const driver = new Driver(await Session.open(bridle), site.origin);
let passed = 0;
let failed = 0;
try {
  for (const file of readdirSync(join(here, 'cases')).sort()) {
    const { default: cases } = await import(join(here, 'cases', file));
    for (const [title, run] of Object.entries(cases)) {
      const name = `${file.replace('.mjs', '')}: ${title}`;
      if (!name.includes(filter)) continue;
      const begun = performance.now();
      try {
        await within(kCaseLimit, 'the case', run(driver));
        passed++;
        console.log(`ok     ${name} (${Math.round(performance.now() - begun)} ms)`);
      } catch (error) {
        failed++;
        console.log(`FAILED ${name}\n  ${String(error.stack ?? error).replaceAll('\n', '\n  ')}`);
      }
    }
  }
} finally {
  await bridle.end();
  await site.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
