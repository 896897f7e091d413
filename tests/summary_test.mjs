// tests/summary.mjs and tests/again.mjs on what Catch2, the runners and CTest write.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import again from './again_test.mjs';
import { complaint, counts, row, secondLook, suites, withSecondLooks } from './summary.mjs';

const junit = (name, status, rest, output) =>
  `<testsuite>\n<testcase name="${name}" classname="x" time="1.5" status="${status}">\n${rest}<system-out>${output}\n</system-out>\n</testcase>\n</testsuite>`;
const only = (...parts) => row(suites(junit(...parts))[0]);

const rule = '-'.repeat(79);
const report = (name, words) => [rule, name, rule, 'test.cpp:1', ...words];
const passes = Array(200).fill('0.001 s: another passed');

// What the program itself does about a suite `unit` that failed, with that much in again.json.
function summary(output, looked) {
  const logs = mkdtempSync(join(tmpdir(), 'bridle-summary-'));
  try {
    const file = join(logs, 'junit.xml');
    writeFileSync(file, junit('unit', 'fail', '<failure message=""/>', output));
    if (looked) writeFileSync(join(logs, 'again.json'), JSON.stringify(looked));
    const program = fileURLToPath(new URL('summary.mjs', import.meta.url));
    return spawnSync(process.execPath, [program, file, logs], { encoding: 'utf8' });
  } finally {
    rmSync(logs, { recursive: true });
  }
}

const tests = {
  ...again,
  'Catch2 that passed': () =>
    assert.deepEqual(counts('All tests passed (51 assertions in 492 test cases)\n'), { passed: 492, failed: 0 }),
  'Catch2 that failed, in colour': () =>
    assert.deepEqual(counts('\x1b[31mtest cases: \x1b[0m 5 | 3 passed | 1 failed | 1 failed as expected\n'), {
      passed: 4,
      failed: 1,
    }),
  'a runner, of which the last line counts': () =>
    assert.deepEqual(counts('9 passed, 9 failed\n3 passed, 1 failed\n'), { passed: 3, failed: 1 }),
  'a suite that ended well': () =>
    assert.deepEqual(only('unit', 'run', '', '3 passed, 0 failed'), {
      name: 'unit',
      seconds: 1.5,
      passed: 3,
      failed: 0,
      skipped: 0,
      note: '',
    }),
  'one that counted nothing has failed': () => assert.equal(only('unit', 'run', '', 'words').failed, 1),
  'but for a build': () => assert.equal(only('asan-build', 'run', '', 'words').failed, 0),
  'one that broke off after it counted has failed': () => {
    const found = only('unit', 'fail', '<failure message="Timeout"/>', '3 passed, 0 failed');
    assert.deepEqual([found.passed, found.failed, found.note], [3, 1, 'Timeout']);
  },
  'failures of a suite are counted once': () =>
    assert.equal(only('unit', 'fail', '<failure message=""/>', '3 passed, 2 failed').failed, 2),
  'one that can not run here is skipped, with its words': () => {
    const found = only('format', 'notrun', '<skipped message="SKIP_RETURN_CODE=77"/>', 'skipped: a &amp; b');
    assert.deepEqual([found.passed, found.failed, found.skipped, found.note], [0, 0, 1, 'skipped: a & b']);
  },
  'a code that means skipping does not hide failures': () => {
    const found = only('unit', 'notrun', '<skipped message="SKIP_RETURN_CODE=77"/>', '3 passed, 77 failed');
    assert.deepEqual([found.passed, found.failed, found.skipped], [3, 77, 0]);
  },
  'what is unsteady counts as passed, and the note says so': () => {
    const before = only('unit', 'fail', '<failure message=""/>', '3 passed, 2 failed');
    const found = withSecondLooks(before, [
      { suite: 'unit', unsteady: true },
      { suite: 'unit', unsteady: false },
      { suite: 'wire', unsteady: true },
    ]);
    assert.deepEqual([found.passed, found.failed, found.note], [4, 1, '1 unsteady']);
    assert.equal(withSecondLooks(before, []), before);
  },
  'what is unsteady is named with its complaint': () => {
    const look = { passed: true, log: 'logs/again-1.log' };
    const one = {
      suite: 'unit',
      name: 'a case',
      complaint: ['test.cpp:1: FAILED:', ''],
      looks: [look, look],
      unsteady: true,
    };
    assert.equal(
      secondLook(one),
      '--- unit, unsteady: a case failed beside the others and passed 2 of 2 alone; that is a bug of the test or of bridle\n' +
        '  | test.cpp:1: FAILED:\n  | ',
    );
  },
  'of a second look that failed, its logs are named': () => {
    const looks = [
      { passed: true, log: 'again-1.log' },
      { passed: false, log: 'again-2.log' },
    ];
    const words = secondLook({ suite: 'page', name: 'a: b', complaint: [], looks, unsteady: false });
    assert.equal(words, '--- page, failed again: a: b passed 1 of 2 alone: again-1.log again-2.log');
  },
  'the last line and the status are those of a run that passed when all failures are unsteady': () => {
    const look = { passed: true, log: '' };
    const found = { suite: 'unit', name: 'a case', complaint: ['why'], looks: [look, look] };
    const output = 'test cases: 3 | 2 passed | 1 failed';
    const unsteady = summary(output, [{ ...found, unsteady: true }]);
    assert.equal(unsteady.status, 0);
    assert.match(unsteady.stdout, /^unit +3 +0 +2 {2}1 unsteady\n3 passed, 0 failed\n$/m);
    assert.match(unsteady.stderr, /^--- unit, unsteady: a case failed .*\n {2}\| why\n$/);
    const steady = summary(output, [{ ...found, looks: [{ passed: false, log: '' }], unsteady: false }]);
    assert.equal(steady.status, 1);
    assert.match(steady.stdout, /^2 passed, 1 failed\n$/m);
    assert.equal(summary(output, null).status, 1);
  },
  'of a suite that failed, the failed cases are shown, wherever they stand': () => {
    const bad = report('a bad one', [...Array(100).fill('a log line'), 'test.cpp:7: FAILED:', '  CHECK( 1 == 2 )']);
    const shown = complaint([...passes, ...report('warns', ['test.cpp:2: warning:']), ...bad, ...passes].join('\n'));
    assert.deepEqual(shown.slice(0, 3), [rule, 'a bad one', rule]);
    assert.ok(shown.includes('  CHECK( 1 == 2 )'));
    assert.ok(shown.length < 90 && !shown.includes('warns'));
  },
  'of one that shows none, the end': () => assert.deepEqual(complaint([...passes, 'died'].join('\n')).at(-1), 'died'),
  'one that was not there has failed': () =>
    assert.equal(only('unit', 'notrun', '<skipped message="Unable to find executable"/>', '').failed, 1),
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
