// Sessions whose answers are compared, letter by letter, with those in golden/: a change of what a model reads is seen in
// a review, wherever it comes from. The transcripts in docs/tools/ are compared likewise: see pages.mjs.
//   node tests/transcripts/run.mjs [--bridle FILE] [--update] [part of a session's name]
// BRIDLE_BINARY names the program too. --update writes the golden files anew, and into
// the pages the answers that have changed: read the difference before you commit it.
// What differs from run to run (addresses, times, folders) is replaced by a word. Prints a line a session with the
// characters that a model reads in it, and `N passed, N failed`; exits with 1 if any failed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Bridle, Session } from '../support/bridle.mjs';
import { kPatience, within } from '../support/served.mjs';
import { serve } from '../support/static_server.mjs';
import { routes } from './api.mjs';
import { normalised } from './normalise.mjs';
import { checkComparing, pages } from './pages.mjs';
import { Seen } from './script.mjs';
import sessions from './sessions.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bridle: { type: 'string' }, update: { type: 'boolean', default: false } },
});
const filter = positionals[0] ?? '';
const kSessionLimit = 4 * kPatience;

// The arguments as they are sent: paths and refs filled in.
function filledIn(value, said) {
  if (value instanceof Seen) return refOf(said, value.part);
  if (Array.isArray(value)) return value.map((one) => filledIn(one, said));
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledIn(one, said)]));
  }
  return typeof value === 'string' ? value.replace('{files}', files) : value;
}

function refOf(said, part) {
  const lines = said.flatMap((words) => words.split('\n').reverse());
  const line = lines.find((one) => one.includes(part) && one.includes('[ref=') && !one.includes('removed:'));
  const ref = line?.match(/\[ref=((?:f\d+)?e\d+)\]/)?.[1];
  if (!ref) throw new Error(`no answer has shown ${part} with a ref; the last one:\n${said[0]}`);
  return ref;
}

// Tabs are counted over all sessions: here from the session's first one on.
function countTabs(text) {
  const seen = new Map();
  return text.replaceAll(/\bt\d+\b/g, (tab) => {
    if (!seen.has(tab)) seen.set(tab, `t${seen.size + 1}`);
    return seen.get(tab);
  });
}

// {text, size}: all of a session, and how much of it a model reads.
async function play(steps) {
  const session = await Session.open(bridle);
  const said = []; // the newest first
  const parts = [];
  let size = 0;
  for (const step of steps) {
    if (typeof step === 'function') {
      step();
      continue;
    }
    const [tool, given] = step;
    const args = filledIn(given, said);
    const sent = args.url?.startsWith('/') ? { ...args, url: site.origin + args.url } : args;
    const { words } = await session.result(tool, sent);
    said.unshift(words);
    const answer = normalised(words, places).trimEnd();
    size += answer.length;
    parts.push(`>>> ${tool} ${normalised(JSON.stringify(args), places)}\n\n${answer}\n`);
  }
  await session.close();
  return { text: countTabs(parts.join('\n')), size };
}

// The first line that differs, with those around it.
function difference(golden, text) {
  const [was, is] = [golden.split('\n'), text.split('\n')];
  const at = is.findIndex((line, i) => line !== was[i]);
  const from = Math.max((at < 0 ? is.length : at) - 6, 0);
  const show = (lines, sign) => lines.slice(from, from + 14).map((line) => `${sign} ${line}`);
  return [...show(was, '-'), ...show(is, '+')].join('\n');
}

const files = join(here, 'files');
const site = await serve(join(here, 'site'), routes);
const program = values.bridle ?? process.env.BRIDLE_BINARY ?? join(here, '../../build/test/bridle');
const places = { program, site: site.origin, other: site.origin.replace('127.0.0.1', 'other.localhost'), files };
const bridle = await Bridle.start(program, ['--viewport-size', '1280x800', '--allowed-upload-dirs', files]);
let passed = 0;
let failed = 0;
let total = 0;
async function playGolden(name, steps) {
  const path = join(here, 'golden', `${name}.txt`);
  const { text, size } = await play(steps);
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : '';
  total += size;
  if (values.update) writeFileSync(path, text);
  else if (golden !== text) throw new Error(`differs from ${path}:\n${difference(golden, text)}`);
  return { steps: steps.length, size };
}

const cases = [
  ...Object.entries(sessions).map(([name, steps]) => ({ name, run: () => playGolden(name, steps) })),
  { name: 'comparing', run: async () => checkComparing() },
  ...pages(join(here, '../../docs/tools'), places).map(({ name, play: run }) => ({
    name,
    run: () => run(values.update),
  })),
];
try {
  for (const { name, run } of cases.filter((one) => one.name.includes(filter))) {
    const begun = performance.now();
    try {
      const { steps = 0, size = 0 } = (await within(kSessionLimit, 'the session', run())) ?? {};
      passed++;
      const ms = Math.round(performance.now() - begun);
      console.log(
        `ok     ${name.padEnd(14)} ${String(steps).padStart(3)} steps ${String(size).padStart(6)} characters (${ms} ms)`,
      );
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n  ${String(error.message).replaceAll('\n', '\n  ')}`);
    }
  }
} finally {
  await bridle.end();
  await site.close();
}
console.log(`${total} characters in all`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
