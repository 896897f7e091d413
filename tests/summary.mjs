// What ./test ends with, from CTest's JUnit file:  node tests/summary.mjs JUNIT LOGS [suite that failed before CTest ran]...
// Writes what each suite has said to LOGS, shows what those that failed have said of it and what tests/again.mjs has found,
// and prints a table and the line `N passed, N failed`. Exits with 1 unless all has passed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// {passed, failed} by the last of the lines that Catch2 2 and 3, the node runners and the scripts end with, or null.
export function counts(output) {
  let found = null;
  for (const line of output.replace(/\x1b\[[0-9;]*m/g, '').split('\n')) {
    const all = line.match(/^All tests passed \(.* in (\d+) test cases?\)/);
    const runner = line.match(/^(\d+) passed, (\d+) failed/);
    if (all) found = { passed: Number(all[1]), failed: 0 };
    else if (runner) found = { passed: Number(runner[1]), failed: Number(runner[2]) };
    else if (line.startsWith('test cases: ')) {
      found = { passed: 0, failed: 0 };
      for (const [, count, word] of line.matchAll(/\| +(\d+) (passed|failed as expected|failed)/g)) {
        found[word === 'failed' ? 'failed' : 'passed'] += Number(count);
      }
    }
  }
  return found;
}

const unescape = (text) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name]);

// The suites in a JUnit file of CTest's: {name, status, seconds, message, output}.
export function suites(xml) {
  return [...xml.matchAll(/<testcase ([^>]*)>(.*?)<\/testcase>/gs)].map(([, head, body]) => {
    const attribute = (name) => unescape(head.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? '');
    return {
      name: attribute('name'),
      status: attribute('status'),
      seconds: Number(attribute('time')),
      message: unescape(body.match(/<(?:failure|skipped) message="([^"]*)"/)?.[1] ?? ''),
      output: unescape(body.match(/<system-out>(.*?)<\/system-out>/s)?.[1] ?? ''),
    };
  });
}

// The suite's row of the table. One that died, hung or counted nothing has failed; a build counts only when it failed.
export function row({ name, status, seconds, message, output }) {
  const found = counts(output) ?? { passed: 0, failed: 0 };
  // Catch2 exits with the number of failures, which may be the code for that too.
  if (status === 'notrun' && message.startsWith('SKIP_RETURN_CODE') && !found.failed) {
    return { name, seconds, passed: 0, failed: 0, skipped: 1, note: output.trim().split('\n').at(-1) };
  }
  const result = { name, seconds, ...found, skipped: 0, note: '' };
  if (status !== 'run' && !found.failed) {
    result.failed = 1;
    result.note = message || 'ended with an error';
  } else if (!found.passed && !found.failed && !name.endsWith('-build')) {
    result.failed = 1;
    result.note = 'counted no tests';
  }
  return result;
}

export const isFailure = (line) => /: FAILED:$/.test(line);

// What Catch2 has said of each case that it shows: its title stands between two rules, and the report goes on to the next
// case's. The title is the case's name, wrapped, and below it those of the sections.
export function reports(output) {
  const lines = output.trimEnd().split('\n');
  const rules = lines.flatMap((line, i) => (/^-{79}$/.test(line) ? [i] : []));
  return rules
    .filter((_, i) => i % 2 === 0)
    .map((start, i) => ({
      title: lines.slice(start + 1, rules[2 * i + 1] ?? lines.length),
      lines: lines.slice(start, rules[2 * (i + 1)] ?? lines.length),
    }));
}

const kBefore = 40; // lines: of what the program has logged before
const kAfter = 40;

// Of a report with a failure its title, and what surrounds the first one.
export function excerpt(report, after = kAfter) {
  const at = report.findIndex(isFailure);
  const from = Math.max(0, at - kBefore);
  return [...(from > 0 ? report.slice(0, 3) : []), ...report.slice(from, at + after)];
}

// What a suite that failed has said of that: the cases that Catch2 shows as failed, or else the end of it all.
export function complaint(output) {
  const failed = reports(output).filter(({ lines }) => lines.some(isFailure));
  if (failed.length) return failed.flatMap(({ lines }) => excerpt(lines));
  return output
    .trimEnd()
    .split('\n')
    .slice(-(kBefore + kAfter));
}

// The row when tests/again.mjs has run its failed cases again: what is unsteady has passed.
export function withSecondLooks(one, looked) {
  const unsteady = looked.filter((found) => found.suite === one.name && found.unsteady).length;
  if (!unsteady) return one;
  const note = [one.note, `${unsteady} unsteady`].filter(Boolean).join(', ');
  return { ...one, passed: one.passed + unsteady, failed: one.failed - unsteady, note };
}

// What is said of a case that was run again.
export function secondLook({ suite, name, complaint: words, looks, unsteady }) {
  const passed = `passed ${looks.filter((look) => look.passed).length} of ${looks.length} alone`;
  if (!unsteady) {
    const logs = looks.map(({ log }) => log).join(' ');
    return `--- ${suite}, failed again: ${name} ${passed}: ${logs}`;
  }
  const title = `--- ${suite}, unsteady: ${name} failed beside the others and ${passed}; that is a bug of the test or of bridle`;
  return [title, ...words.map((line) => `  | ${line}`)].join('\n');
}

function main([junit, logs, ...broken]) {
  const all = existsSync(junit) ? suites(readFileSync(junit, 'utf8')) : [];
  for (const { name, output } of all) writeFileSync(join(logs, `${name}.log`), output);
  const again = join(logs, 'again.json');
  const looked = existsSync(again) ? JSON.parse(readFileSync(again, 'utf8')) : [];
  const rows = [
    ...broken.map((name) => ({ name, seconds: 0, passed: 0, failed: 1, skipped: 0, note: 'failed' })),
    ...all.map((suite) => withSecondLooks(row(suite), looked)),
  ];
  const failures = new Set(rows.filter(({ failed }) => failed).map(({ name }) => name));
  for (const { name, output } of all.filter((suite) => failures.has(suite.name))) {
    console.error(`--- ${name}:\n${complaint(output).join('\n').replace(/^/gm, '  | ')}`);
  }
  for (const one of looked) console.error(secondLook(one));
  const sum = (what) => rows.reduce((total, one) => total + one[what], 0);
  const line = (...cells) =>
    console.log(
      `${cells[0].padEnd(16)} ${cells
        .slice(1, 4)
        .map((cell) => String(cell).padStart(8))
        .join(' ')}  ${cells[4]}`.trimEnd(),
    );
  console.log();
  line('suite', 'passed', 'failed', 'seconds', '');
  for (const one of rows) line(one.name, one.passed, one.failed, Math.round(one.seconds), one.note);
  const skipped = sum('skipped');
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`);
  return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(main(process.argv.slice(2)));
