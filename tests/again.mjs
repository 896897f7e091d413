// What has failed beside the other suites is run again alone [why.second-look]:  node tests/again.mjs JUNIT LOGS BUILD
// Comes after all suites have ended. Reads CTest's JUnit file, how each suite has ended from LOGS/ctest.log, and the suites'
// commands from the tree BUILD. Writes LOGS/again.json, which tests/summary.mjs reads: {suite, name, complaint, looks,
// unsteady} for each case that was run again. What each of these runs has printed is in LOGS/again-*.log.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counts, excerpt, isFailure, reports, row, suites } from './summary.mjs';

const kMostCases = 12; // of a run; where more have failed, the machine is hardly to blame
const kLooks = 2; // each of which has to pass
const kSeconds = 900; // for a look, where CTest knows no other bound for the suite
const kSanitizer = /(?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer|runtime error:/;

const squeezed = (text) => text.replace(/\s+/g, '');

// Whether a case's name fills the first lines of a title. Catch2 wraps a name, breaks a long word with a hyphen, and lets the
// names of sections follow on lines of their own.
function fills(name, title) {
  let rest = squeezed(name);
  for (const line of title.map(squeezed)) {
    if (rest.startsWith(line)) rest = rest.slice(line.length);
    else if (line.endsWith('-') && rest.startsWith(line.slice(0, -1))) rest = rest.slice(line.length - 1);
    else return false;
    if (!rest) return true;
  }
  return false;
}

// What `program ARGUMENT...` of Catch2 would run. Its version 2 exits with the number of names, and version 3 prints nothing
// but an error for the option of version 2.
async function listed(command, run) {
  for (const options of [['--list-test-names-only'], ['--list-tests', '--verbosity', 'quiet']]) {
    const { output } = await run([...command, ...options], { quiet: true });
    const names = output.split('\n').filter(Boolean);
    if (names.length) return names;
  }
  return [];
}

// A case's name as Catch2's pattern for it alone. A minus in front would begin an option; a space behind an escaped first
// character is lost unless it is escaped too.
export const catchPattern = (name) => name.replace(/[\\,[\]*"~]|^-/g, '\\$&').replace(/^(\\.) /, '$1\\ ');

// A suite's part of the tests is chosen by tags, as `[#file],`.
const withoutTags = (command) => command.filter((argument) => !/^~?\[/.test(argument));

// Each kind of suite: `failed` finds what has failed as [{name, complaint}], or null where a case can't be named; `alone`
// is the command that runs one case, or null where there is none.
const catch2 = {
  async failed(output, command, run) {
    const names = await listed(withoutTags(command), run);
    const found = new Map();
    for (const { title, lines } of reports(output)) {
      if (!lines.some(isFailure)) continue;
      const matching = names.filter((one) => fills(one, title));
      if (matching.length !== 1) return null;
      const [name] = matching;
      // With its time the case has ended, and what follows is others'.
      const end = lines.findIndex((line) => /^\d+\.\d+ s: /.test(line) && line.endsWith(` s: ${name}`));
      const own = excerpt(end < 0 ? lines : lines.slice(0, end), Infinity);
      found.set(name, [...(found.get(name) ?? []), ...own]);
    }
    return [...found].map(([name, complaint]) => ({ name, complaint }));
  },
  async alone(command, name, run) {
    const chosen = [...withoutTags(command), catchPattern(name)];
    return (await listed(chosen, run)).includes(name) ? chosen : null;
  },
};

// The runners under tests/ and Playwright's, by tests/panel/reporter.mjs, print `FAILED name` and the complaint.
function failedLines(output) {
  const found = [];
  let open = null;
  for (const line of output.split('\n')) {
    const name = line.match(/^FAILED (.+)$/)?.[1];
    if (name) found.push((open = { name, complaint: [] }));
    else if (/^(?:ok {5}|\d+ passed, \d+ failed)/.test(line)) open = null;
    else open?.complaint.push(line);
  }
  return found;
}

// Playwright looks for a pattern in the file, the groups and the title with spaces between them; the reporter prints ' > '.
export function playwrightPattern(name) {
  const escaped = name.split(' > ').map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return escaped.join('(?: > | )');
}

const runner = { failed: failedLines, alone: (command, name) => [...command, name] };
const playwright = { failed: failedLines, alone: (command, name) => [...command, '-g', playwrightPattern(name)] };

function kindOf(suite) {
  if (/^(?:unit|(?:wire|browser)-\d+|[at]san-unit|[at]san-wire)$/.test(suite)) return catch2;
  if (/^(?:page|widgets|interop|transcripts)$/.test(suite)) return runner;
  return suite === 'panel' ? playwright : null;
}

// The failed cases of a suite, or in words why none of them may be run again. `ending` is CTest's word, which is `Failed`
// only for a program that has ended by itself.
async function failedCases(suite, test, ending, run) {
  const kind = kindOf(suite.name);
  if (!kind) return 'only single cases of tests are';
  if (!test?.command) return 'CTest knows no command';
  if (suite.status !== 'fail' || ending !== 'Failed') return `it has ended with ${ending ?? suite.status}`;
  if (kSanitizer.test(suite.output)) return 'a sanitizer has reported';
  const failed = counts(suite.output)?.failed ?? 0;
  if (!failed) return 'it has counted no failed case';
  const cases = await kind.failed(suite.output, test.command, run);
  const names = new Set(cases?.map(({ name }) => name));
  if (names.size !== failed || cases.length !== failed) return `of ${failed} failed cases it names ${names.size}`;
  return cases;
}

// A run that has run nothing has not passed.
function hasPassed({ code, output }) {
  const found = counts(output);
  return code === 0 && found !== null && found.passed > 0 && found.failed === 0 && !kSanitizer.test(output);
}

async function looksAt(kind, test, name, run) {
  const command = await kind.alone(test.command, name, run);
  if (!command) return [{ passed: false, log: '' }];
  const looks = [];
  do {
    const result = await run(command, {});
    looks.push({ passed: hasPassed(result), log: result.log });
  } while (looks.length < kLooks && looks.at(-1).passed);
  return looks;
}

// `all` are the suites of the JUnit file, `tests` and `endings` what CTest says of each by its name. `run(argv, {quiet}, test)`
// runs a program to {code, output, log}.
export async function lookAgain({ all, tests, endings, run, say }) {
  const bad = all.filter((suite) => row(suite).failed);
  const failed = bad.reduce((sum, suite) => sum + row(suite).failed, 0);
  if (failed > kMostCases) {
    say(`${failed} have failed, more than ${kMostCases}: none is run again`);
    return [];
  }
  const found = [];
  for (const suite of bad) {
    const test = tests.get(suite.name);
    const runIt = (argv, options) => run(argv, options, test);
    const cases = await failedCases(suite, test, endings.get(suite.name), runIt);
    if (typeof cases === 'string') {
      say(`${suite.name} is not run again: ${cases}`);
      continue;
    }
    for (const { name, complaint } of cases) {
      say(`${suite.name}: alone again: ${name}`);
      const looks = await looksAt(kindOf(suite.name), test, name, runIt);
      const unsteady = looks.length === kLooks && looks.every(({ passed }) => passed);
      say(unsteady ? 'it has passed, and is unsteady' : 'it has failed');
      found.push({ suite: suite.name, name, complaint, looks, unsteady });
    }
  }
  return found;
}

// By suite, the word that CTest's list of failed tests has for its end.
export function endingsIn(log) {
  const list = log.slice(log.lastIndexOf('The following tests FAILED:'));
  return new Map([...list.matchAll(/^\s+\d+ - (\S+) \(([^)]*)\)/gm)].map(([, name, ending]) => [name, ending]));
}

// By suite, {command, directory, environment, seconds} of `ctest --show-only=json-v1`.
export function testsIn(json) {
  return new Map(
    JSON.parse(json).tests.map(({ name, command, properties }) => {
      const value = (key) => properties.find((one) => one.name === key)?.value;
      const environment = Object.fromEntries((value('ENVIRONMENT') ?? []).map((one) => one.split(/=(.*)/s, 2)));
      return [name, { command, directory: value('WORKING_DIRECTORY'), environment, seconds: value('TIMEOUT') }];
    }),
  );
}

// Runs programs one after the other, each in a process group of its own, which ends with the program's time or with ours.
// Their output goes to files: a pipe would be waited for as long as anything that they have left behind holds it.
export class Programs {
  #group = 0;
  #count = 0;
  #logs;

  constructor(logs) {
    this.#logs = logs;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => {
        this.#end();
        process.exit(1);
      });
    }
  }

  #end() {
    try {
      if (this.#group) process.kill(-this.#group, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }

  // `quiet` leaves out what goes to stderr. The code is null when a signal has ended the program.
  async run([program, ...args], { quiet = false }, { directory, environment = {}, seconds = kSeconds }) {
    const log = join(this.#logs, quiet ? 'again-list.log' : `again-${++this.#count}.log`);
    const out = openSync(log, 'w');
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...process.env, ...environment },
      stdio: ['ignore', out, quiet ? 'ignore' : out],
      detached: true,
    });
    closeSync(out);
    this.#group = child.pid ?? 0;
    const timer = setTimeout(() => this.#end(), 1000 * seconds);
    const code = await new Promise((resolve) => child.once('exit', resolve).once('error', () => resolve(null)));
    clearTimeout(timer);
    this.#group = 0;
    return { code, output: readFileSync(log, 'utf8'), log };
  }
}

async function main([junit, logs, build]) {
  const shown = spawnSync('ctest', ['--test-dir', build, '--show-only=json-v1'], { encoding: 'utf8' });
  const log = join(logs, 'ctest.log');
  const programs = new Programs(logs);
  const found = await lookAgain({
    all: existsSync(junit) ? suites(readFileSync(junit, 'utf8')) : [],
    tests: testsIn(shown.stdout),
    endings: endingsIn(existsSync(log) ? readFileSync(log, 'utf8') : ''),
    run: (...args) => programs.run(...args),
    say: (words) => console.error(words),
  });
  writeFileSync(join(logs, 'again.json'), JSON.stringify(found, null, 1));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
