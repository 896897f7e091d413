// tests/summary.mjs on what Catch2, the runners and CTest write.
import assert from 'node:assert/strict';
import { complaint, counts, row, suites } from './summary.mjs';

const junit = (name, status, rest, output) =>
  `<testsuite>\n<testcase name="${name}" classname="x" time="1.5" status="${status}">\n${rest}<system-out>${output}\n</system-out>\n</testcase>\n</testsuite>`;
const only = (...parts) => row(suites(junit(...parts))[0]);

const rule = '-'.repeat(79);
const report = (name, words) => [rule, name, rule, 'test.cpp:1', ...words];
const passes = Array(200).fill('0.001 s: another passed');

const tests = {
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
    test();
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
