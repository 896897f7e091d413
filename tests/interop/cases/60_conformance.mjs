// The official conformance suite against `bridle-testing --conformance`, with an empty baseline: every failure and every warning
// fails. It needs Node 22, which comes as an npm package.
// Contract: [wire.conformance] [tool.testing]
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Served } from '../harness.mjs';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const packaged = join(modules, `node-linux-${process.arch}`, 'bin/node');
const node = existsSync(packaged) ? packaged : process.execPath;
const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');

// What one run of the suite found: {scenarios: {name: [check]}, output}.
async function runSuite(program, environment, temp, choice) {
  const served = await Served.start(program, ['--conformance', '--port', '0'], environment);
  const folder = mkdtempSync(join(temp.path, 'conformance-'));
  const baseline = join(folder, 'baseline.yml');
  writeFileSync(baseline, 'server: []\n');
  const results = join(folder, 'results');
  const child = spawn(node, [
    suite,
    'server',
    '--url',
    served.url,
    ...choice,
    '--expected-failures',
    baseline,
    '-o',
    results,
  ]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject));
  const { code: ended } = await served.end('SIGTERM');
  const scenarios = {};
  for (const name of readdirSync(results)) {
    scenarios[name] = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'));
  }
  return { code, output, scenarios, ended };
}

// All runs wait more than they work, so they run at once, each against a server of its own; the first test starts them. One
// whose test is run alone runs alone.
const runs = new Map();
function startAll(world) {
  for (const { name, choice } of kRuns) {
    if (!world.chosen(`conformance: ${name}`)) continue;
    runs.set(choice, runSuite(world.testing, world.environment, world.temp, choice.split(' ')));
    runs.get(choice).catch(() => {}); // until its own test asks
  }
}

const checksOf = ({ scenarios }) =>
  Object.entries(scenarios).flatMap(([name, list]) => list.map((one) => ({ scenario: name, ...one })));
const badOf = (run) => checksOf(run).filter(({ status }) => status === 'FAILURE' || status === 'WARNING');

// The suite's own limits of 2 to 10 s can't be set. What fails by them alone is run again, by itself.
const kOwnLimit = /timed out|timeout|within \d+ ?ms|operation was aborted/i;
async function patientRun(choice, world) {
  let run = await runs.get(choice);
  for (let again = 0; again < 4; again++) {
    const bad = badOf(run);
    if (!bad.length || !bad.every(({ errorMessage }) => kOwnLimit.test(errorMessage))) break;
    run = await runSuite(world.testing, world.environment, world.temp, choice.split(' '));
  }
  return run;
}

async function check({ choice, scenarios: expected }, world, note) {
  if (!runs.size) startAll(world);
  const run = await patientRun(choice, world);
  const { code, output, scenarios, ended } = run;
  const checks = checksOf(run);
  const bad = badOf(run);
  assert.deepEqual(
    bad.map(({ scenario, id, status, errorMessage }) => `${scenario}: ${id} ${status} ${errorMessage ?? ''}`),
    [],
  );
  assert.equal(code, 0, output.split('\n').slice(-40).join('\n'));
  assert.equal(ended, 0, 'the server ends cleanly');
  const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length;
  const skipped = new Set(
    checks
      .filter(({ status }) => status === 'SKIPPED')
      .map(({ scenario }) => scenario.replace(/-\d{4}-\d\d-\d\dT.*|^server-/g, '')),
  );
  note(
    `${Object.keys(scenarios).length} scenarios, ${succeeded} checks passed; skipped in: ${[...skipped].join(', ') || 'none'}`,
  );
  assert.equal(Object.keys(scenarios).length, expected, 'scenarios that ran');
}

const kRuns = [
  { name: 'what 2025-11-25 requires', choice: '--requirements 2025-11-25', scenarios: 33 },
  { name: 'what 2026-07-28 requires, and its extensions', choice: '--requirements 2026-07-28', scenarios: 50 },
  { name: 'every scenario there is', choice: '--suite all', scenarios: 65 },
  { name: 'all at 2025-03-26', choice: '--suite all --spec-version 2025-03-26', scenarios: 1 },
  { name: 'all at 2025-06-18', choice: '--suite all --spec-version 2025-06-18', scenarios: 27 },
  { name: 'all at 2025-11-25', choice: '--suite all --spec-version 2025-11-25', scenarios: 33 },
  { name: 'all at 2026-07-28', choice: '--suite all --spec-version 2026-07-28', scenarios: 40 },
];

export default Object.fromEntries(kRuns.map((run) => [run.name, (world, note) => check(run, world, note)]));
