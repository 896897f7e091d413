// Sessions whose answers are compared, letter by letter, with those in golden/: a change of what a model reads is seen in
// a review, wherever it comes from.
//   node tests/transcripts/run.mjs [--bridle FILE] [--update] [part of a session's name]
// BRIDLE_BINARY names the program too. --update writes the golden files anew: read the difference before you commit it.
// What differs from run to run (addresses, times, folders) is replaced by a word. Prints a line a session with the
// characters that a model reads in it, and `N passed, N failed`; exits with 1 if any failed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Bridle, Session } from '../support/bridle.mjs';
import { within } from '../support/served.mjs';
import { serve } from '../support/static_server.mjs';
import { routes } from './api.mjs';
import { Seen } from './script.mjs';
import sessions from './sessions.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bridle: { type: 'string' }, update: { type: 'boolean', default: false } },
});
const filter = positionals[0] ?? '';
const kSessionLimit = 60_000;

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

// What differs from run to run.
function normalised(text) {
  return text
    .replaceAll(site.origin, 'http://site')
    .replaceAll(files, '/files')
    .replaceAll(/\S*\/output\/[^/\s"]+\//g, '/output/session/')
    .replaceAll(/\b(in|waited) \d+ ms/g, '$1 N ms')
    .replaceAll(/\[scroll: [^\]]*\]/g, (mark) => mark.replaceAll(/\d+/g, 'N')) // as the fonts are
    .replaceAll(/; still loading: \d+ requests?\b/g, '') // as much as is on its way then [nav.verdict]
    .replaceAll(/(opened a new tab: t\d+) "[^"\n]*"/g, '$1'); // told where it comes in time [nav.popup]
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
  for (const [tool, given] of steps) {
    const args = filledIn(given, said);
    const sent = args.url?.startsWith('/') ? { ...args, url: site.origin + args.url } : args;
    const { words } = await session.result(tool, sent);
    said.unshift(words);
    const answer = normalised(words).trimEnd();
    size += answer.length;
    parts.push(`>>> ${tool} ${normalised(JSON.stringify(args))}\n\n${answer}\n`);
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
const bridle = await Bridle.start(values.bridle ?? process.env.BRIDLE_BINARY ?? join(here, '../../build/test/bridle'), [
  '--viewport-size',
  '1280x800',
  '--allowed-upload-dirs',
  files,
]);
let passed = 0;
let failed = 0;
let total = 0;
try {
  for (const [name, steps] of Object.entries(sessions).filter(([one]) => one.includes(filter))) {
    const begun = performance.now();
    const path = join(here, 'golden', `${name}.txt`);
    try {
      const { text, size } = await within(kSessionLimit, 'the session', play(steps));
      total += size;
      const golden = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (values.update) writeFileSync(path, text);
      else if (golden !== text) throw new Error(`differs from ${path}:\n${difference(golden, text)}`);
      passed++;
      const ms = Math.round(performance.now() - begun);
      console.log(
        `ok     ${name.padEnd(10)} ${String(steps.length).padStart(3)} steps ${String(size).padStart(6)} characters (${ms} ms)`,
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
