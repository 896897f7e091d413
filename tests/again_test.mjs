// tests/again.mjs on what Catch2, the runners and CTest write; tests/summary_test.mjs runs these.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catchPattern, endingsIn, lookAgain, playwrightPattern, Programs, testsIn } from './again.mjs';
import { kPatience, within } from './support/served.mjs';

const rule = '-'.repeat(79);
const report = (title, line = 7) => [
  ...[rule, ...title, rule, 'test.cpp:1', '.'.repeat(79), ''],
  ...[`test.cpp:${line}: FAILED:`, '  CHECK( 1 == 2 )', ''],
];
const totals = (passed, failed) =>
  `${'='.repeat(79)}\ntest cases: ${passed + failed} | ${passed} passed | ${failed} failed\nassertions: 9 | 8 passed | 1 failed\n`;
const catchOutput = (reports, failed) => [...reports.flat(), '0.012 s: another', totals(3, failed)].join('\n');

const passes = { code: 0, output: 'All tests passed (4 assertions in 1 test case)\n' };
const fails = { code: 1, output: totals(0, 1) };

// A world of one suite or several, {NAME: {output, status, ending, command}}, whose programs answer with `listed` when they
// are to list, and otherwise with the `results` one after the other.
async function look(given, { listed = [], results = [], version = 2 } = {}) {
  const ran = [];
  const said = [];
  const found = await lookAgain({
    all: Object.entries(given).map(([name, { output, status = 'fail' }]) => ({ name, status, message: '', output })),
    tests: new Map(Object.entries(given).map(([name, { command = ['program'] }]) => [name, { command }])),
    endings: new Map(Object.entries(given).map(([name, { ending = 'Failed' }]) => [name, ending])),
    run: async (argv, { quiet }) => {
      const option = version === 2 ? '--list-test-names-only' : '--list-tests';
      if (quiet) return { code: 2, output: argv.includes(option) ? listed.map((one) => `${one}\n`).join('') : '' };
      ran.push(argv);
      return { log: 'a.log', ...results[(ran.length - 1) % results.length] };
    },
    say: (words) => said.push(words),
  });
  return { found, ran, said };
}

const names = [
  'a short one',
  'a click waits for its target, which moves all the time, and is done when the target stands still',
  'committed: the URL, the title, the status, the verdict, and the page itself with all that is in it',
  'a short',
];
const unit = (reports, failed = reports.length) => ({ unit: { output: catchOutput(reports, failed) } });
const named = async (title, version = 2) => {
  const { found } = await look(unit([report(title)]), { listed: names, version, results: [passes] });
  return found.map(({ name }) => name);
};
const runnerOutput = (failed, passed = 3) =>
  [
    'ok     cases: another (3 ms)',
    ...failed.map((name) => `FAILED ${name}\n  Error: it is not\n      at there`),
    `${passed} passed, ${failed.length} failed\n`,
  ].join('\n');
const page = (...failed) => ({ page: { output: runnerOutput(failed), command: ['suite.sh', 'page'] } });
const onePassed = { code: 0, output: '1 passed, 0 failed\n' };

const naming = {
  'a name between the rules': async () => {
    for (const version of [2, 3]) assert.deepEqual(await named(['a short one'], version), ['a short one']);
  },
  'a name that is wrapped': async () => {
    const title = [
      'a click waits for its target, which moves all the time, and is done when the',
      'target stands still',
    ];
    assert.deepEqual(await named(title), [names[1]]);
  },
  'a name that is wrapped behind its colon, over the whole of a word': async () => {
    const title = ['committed: the URL, the title, the status, the verdict, and the page itself w-'];
    assert.deepEqual(await named([...title, '           ith all that is in it']), [names[2]]);
  },
  'the names of sections below the name': async () => {
    assert.deepEqual(await named(['a short one', '  a section', '  a section: of it']), ['a short one']);
    assert.deepEqual(await named(['a short', '  two']), ['a short']);
  },
  'a name that nobody knows, or two could be': async () => {
    assert.deepEqual(await named(['a long one']), []);
    assert.deepEqual(await named(['a short', '  one']), []);
  },
  'a case with several reports is one, with what all of them say up to its end': async () => {
    const reports = [
      report(['a short one', '  first']),
      ['0.001 s: a short one'],
      report(['warns']).slice(0, 6),
      report(['a short one', '  second'], 8),
      ['0.001 s: a short one'],
    ];
    const { found } = await look(unit(reports, 1), { listed: names, results: [passes] });
    assert.equal(found.length, 1);
    assert.deepEqual(
      found[0].complaint.filter((line) => /FAILED|section|first|second| s: /.test(line)),
      ['  first', 'test.cpp:7: FAILED:', '  second', 'test.cpp:8: FAILED:'],
    );
  },
  'a pattern of Catch2 means the name alone': () => {
    assert.equal(catchPattern('a [b], c* "d" \\ ~e'), 'a \\[b\\]\\, c\\* \\"d\\" \\\\ \\~e');
    assert.equal(catchPattern('-a: b'), '\\-a: b');
    assert.equal(catchPattern('- a: b'), '\\-\\ a: b');
    assert.equal(catchPattern('/ a: b'), '/ a: b');
  },
  "a pattern of Playwright's means the name alone, whatever separates its parts": () => {
    const name = 'a.spec.mjs > of > it (is/was) 1+1 [$^|{}*?\\]';
    const pattern = new RegExp(playwrightPattern(name), 'gi');
    assert.match('a.spec.mjs of it (is/was) 1+1 [$^|{}*?\\]', pattern);
    assert.ok(!/^\/.*\/[gi]*$/.test(playwrightPattern('/a/')));
  },
  'a case is run alone by the command of its suite, without its tags': async () => {
    const command = ['program', '--durations', 'yes', '--filenames-as-tags', '[#a],[#b],'];
    const given = { 'browser-2': { output: catchOutput([report(['a short one'])], 1), command } };
    const { ran } = await look(given, { listed: names, results: [passes] });
    assert.deepEqual(ran, Array(2).fill([...command.slice(0, -1), 'a short one']));
  },
  'a case of a runner and of the panel is run by its name': async () => {
    const { ran } = await look(page('forms: it (is)'), { results: [onePassed] });
    assert.deepEqual(ran[0], ['suite.sh', 'page', 'forms: it (is)']);
    const given = { panel: { output: runnerOutput(['a.spec.mjs > it (is)']), command: ['suite.sh', 'panel'] } };
    assert.deepEqual((await look(given, { results: [onePassed] })).ran[0], [
      'suite.sh',
      'panel',
      '-g',
      'a\\.spec\\.mjs(?: > | )it \\(is\\)',
    ]);
  },
};

const verdicts = {
  'what passes twice is unsteady, with its complaint': async () => {
    const { found } = await look(page('forms: it'), { results: [onePassed] });
    assert.equal(found.length, 1);
    assert.deepEqual(found[0].complaint, ['  Error: it is not', '      at there']);
    assert.deepEqual([found[0].suite, found[0].name, found[0].unsteady], ['page', 'forms: it', true]);
  },
  'what fails once has failed, and is not asked any more': async () => {
    const first = await look(page('forms: it'), { results: [{ code: 1, output: '0 passed, 1 failed\n' }, onePassed] });
    assert.deepEqual([first.ran.length, first.found[0].unsteady], [1, false]);
    const second = await look(unit([report(['a short one'])]), { listed: names, results: [passes, fails] });
    assert.deepEqual([second.ran.length, second.found[0].unsteady], [2, false]);
  },
  'what has run nothing, was ended or ended badly has failed': async () => {
    for (const result of [
      { code: 0, output: '0 passed, 0 failed\n' },
      { code: 0, output: 'No tests ran\n' },
      { code: 0, output: '' },
      { code: null, output: '1 passed, 0 failed\n' },
      { code: 1, output: '1 passed, 0 failed\n' },
      { code: 0, output: '1 passed, 1 failed\n' },
      { code: 0, output: 'a.cpp:1:2: runtime error: overflow\n1 passed, 0 failed\n' },
    ]) {
      const { found } = await look(page('forms: it'), { results: [result] });
      assert.deepEqual([found.length, found[0].unsteady], [1, false], JSON.stringify(result));
    }
  },
  'twelve are run again, of thirteen none': async () => {
    const forms = Array.from({ length: 11 }, (_, i) => `forms: ${i}`);
    const twelve = { ...unit([report(['a short one'])]), ...page(...forms) };
    const { found } = await look(twelve, { listed: names, results: [passes] });
    assert.deepEqual(
      found.map(({ name, unsteady }) => [name, unsteady]),
      ['a short one', ...forms].map((name) => [name, true]),
    );
    const more = { ...twelve, lint: { output: '1 passed, 1 failed' } };
    const thirteen = await look(more, { listed: names, results: [passes] });
    assert.deepEqual([thirteen.found, thirteen.ran, thirteen.said.length], [[], [], 1]);
  },
};

async function never(given, words, options = {}) {
  const { found, ran, said } = await look(given, { results: [passes], listed: names, ...options });
  assert.deepEqual([found, ran], [[], []]);
  assert.match(said.join('\n'), words);
}
const changed = (change) => ({ page: { ...page('forms: it').page, ...change } });

const exclusions = {
  'a suite that is none of tests is never run again': async () => {
    const output = runnerOutput(['forms: it']);
    const gates = ['asan-build', 'lint', 'format', 'shellcheck', 'clang-tidy', 'summary', 'fuzz-json'];
    for (const name of gates) await never({ [name]: { output } }, /only single cases/);
  },
  'nor one that hung or died': async () => {
    for (const ending of ['Timeout', 'SEGFAULT', 'Subprocess aborted', 'Subprocess killed']) {
      await never(changed({ ending }), new RegExp(ending));
    }
    await never(changed({ status: 'run' }), /it has ended/);
    await never(changed({ output: 'FAILED forms: it\n' }), /counted no failed case/);
    await never(changed({ output: '3 passed, 0 failed\n' }), /counted no failed case/);
  },
  'nor one whose failures are not all named': async () => {
    await never(changed({ output: 'FAILED forms: it\n3 passed, 2 failed\n' }), /of 2 failed cases it names 1/);
    await never(changed({ output: runnerOutput(['forms: it', 'forms: it']) }), /of 2 failed cases it names 1/);
    await never(unit([report(['a long one'])]), /of 1 failed cases it names 0/);
    await never(unit([report(['a short one'])], 2), /of 2 failed cases it names 1/);
  },
  'nor one in which a sanitizer has reported': async () => {
    for (const words of [
      '==7==ERROR: AddressSanitizer: heap-use-after-free',
      '==7==ERROR: LeakSanitizer: detected memory leaks',
      'WARNING: ThreadSanitizer: data race (pid=7)',
      'a.cpp:1:2: runtime error: signed integer overflow',
    ]) {
      const output = `${words}\n${catchOutput([report(['a short one'])], 1)}`;
      await never({ 'asan-unit': { output } }, /a sanitizer/);
    }
  },
  'a case that the program does not find again has failed': async () => {
    const given = { unit: { output: catchOutput([report(['a short one'])], 1) } };
    let lists = 0;
    const { found } = await look(given, {
      listed: { map: (...args) => (lists++ ? [] : ['a short one'].map(...args)) },
      results: [passes],
    });
    assert.deepEqual([found[0].unsteady, found[0].looks.length], [false, 1]);
  },
};

// Whether a process has that word in its environment; one that has ended has none.
function livesWith(word) {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(word);
    } catch {
      return false; // it is gone, or another user's
    }
  });
}

async function ended(word) {
  while (livesWith(word)) await new Promise(setImmediate);
}

const outside = {
  'how the suites have ended, by the last list in the log of CTest': () => {
    const log = [
      '1/2 Test #1: unit ....***Failed    0.01 sec',
      'The following tests FAILED:\n\t  1 - unit (Failed)\n\t 12 - browser-2 (SEGFAULT)  plain\n\t  3 - page (Timeout)',
    ];
    assert.deepEqual(
      [...endingsIn(log.join('\n'))],
      [
        ['unit', 'Failed'],
        ['browser-2', 'SEGFAULT'],
        ['page', 'Timeout'],
      ],
    );
  },
  'the commands of CTest': () => {
    const properties = [
      { name: 'ENVIRONMENT', value: ['A=b=c'] },
      { name: 'TIMEOUT', value: 900.0 },
      { name: 'WORKING_DIRECTORY', value: '/x' },
    ];
    assert.deepEqual(
      [...testsIn(JSON.stringify({ tests: [{ name: 'unit', command: ['p', 'a'], properties }] }))],
      [['unit', { command: ['p', 'a'], directory: '/x', environment: { A: 'b=c' }, seconds: 900 }]],
    );
  },
  'programs have no input, and end with their time, with all that they have started': async () => {
    const logs = mkdtempSync(join(tmpdir(), 'bridle-again-'));
    try {
      const programs = new Programs(logs);
      const cat = await programs.run(['sh', '-c', 'cat; echo "$A" out; echo err >&2'], {}, { environment: { A: 'b' } });
      assert.deepEqual([cat.code, cat.output], [0, 'b out\nerr\n']);
      const quiet = await programs.run(['sh', '-c', 'pwd; echo err >&2; exit 3'], { quiet: true }, { directory: '/' });
      assert.deepEqual([quiet.code, quiet.output], [3, '/\n']);
      const environment = { BRIDLE_AGAIN_TEST: logs };
      const hangs = await programs.run(['sh', '-c', 'sleep 600 & wait'], {}, { seconds: 0.5, environment });
      assert.equal(hangs.code, null);
      await within(kPatience, 'all that it has started ends', ended(logs));
      assert.equal((await programs.run(['/nowhere'], {}, {})).code, null);
    } finally {
      rmSync(logs, { recursive: true });
    }
  },
};

export default { ...naming, ...verdicts, ...exclusions, ...outside };
