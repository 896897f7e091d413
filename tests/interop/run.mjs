// bridle driven by the official MCP client, over a real Chromium and the fixture site.
//   node tests/interop/run.mjs [--bridle FILE] [--testing FILE] [--site FILE] [part of a test's name]
// BRIDLE_BINARY, BRIDLE_TESTING_BINARY and BRIDLE_SITE name the programs too. Prints a line a test and `N passed, N failed`; exits with 1 if
// any failed.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { kPatience, kWithLeanBrowser, PrivateTemp, Served, Site, within } from './harness.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const build = join(here, '../../build/test');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bridle: { type: 'string' }, testing: { type: 'string' }, site: { type: 'string' } },
});
const filter = positionals[0] ?? '';
const kTestLimit = 5 * kPatience;

const temp = new PrivateTemp();
const world = {
  temp,
  // A bridle of one's own, in the private temporary folder.
  bridle: values.bridle ?? process.env.BRIDLE_BINARY ?? join(build, 'bridle'),
  // The same server with the fixtures of the conformance suite.
  testing: values.testing ?? process.env.BRIDLE_TESTING_BINARY ?? join(build, 'tests/bridle-testing'),
  environment: { TMPDIR: temp.path, ...kWithLeanBrowser },
  // Whether this run is to run the test of that full name.
  chosen(name) {
    return name.includes(filter);
  },
  start(options = []) {
    return Served.start(world.bridle, ['--port', '0', ...options], world.environment);
  },
};

let passed = 0;
let failed = 0;
async function run(name, test) {
  const begun = performance.now();
  const notes = [];
  try {
    await within(
      kTestLimit,
      'the test',
      test(world, (words) => notes.push(words)),
    );
    passed++;
    console.log(
      `ok     ${name} (${Math.round(performance.now() - begun)} ms)${notes.map((one) => `\n       ${one}`).join('')}`,
    );
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n  ${String(error.stack ?? error).replaceAll('\n', '\n  ')}`);
  }
}

const site = await Served.start(values.site ?? process.env.BRIDLE_SITE ?? join(build, 'tests/bridle-site'), [
  '--port',
  '0',
]);
world.site = new Site(site);
world.served = await world.start();
try {
  // In the order of their names: what ends the server comes last.
  for (const file of readdirSync(join(here, 'cases')).sort()) {
    const { default: cases } = await import(join(here, 'cases', file));
    for (const [name, test] of Object.entries(cases)) {
      const full = `${file.replace(/^\d+_|\.mjs$/g, '')}: ${name}`;
      if (world.chosen(full)) await run(full, test);
    }
  }
} finally {
  for (const served of [world.served, site]) {
    served.child.kill('SIGTERM');
    await within(kPatience, 'the servers end', served.exited).catch(() => served.child.kill('SIGKILL'));
  }
  if (failed) console.log(`bridle's log:\n${world.served.log.split('\n').slice(-60).join('\n')}`);
  temp.remove();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
