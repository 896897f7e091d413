// eslint and prettier over the page's scripts and the tests' own modules.
//   node tests/lint/run.mjs          reports; exits with 1 if there is anything to report
//   node tests/lint/run.mjs --fix    mends what the two can mend by themselves
// Installs nothing: tests/lint/node_modules comes of `npm ci` in tests/lint.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const fix = process.argv.includes('--fix');

function sources(folder, ending) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(path, ending);
    return ending.test(entry.name) ? [relative(root, path)] : [];
  });
}

const files = [
  ...sources(join(root, 'browser/page/js'), /\.js$/),
  ...sources(join(root, 'server/panel/page'), /\.js$/),
  ...sources(join(root, 'tests'), /\.mjs$|^audit\.js$/),
];
const programs = [
  [
    'eslint',
    'eslint/bin/eslint.js',
    ['--config', join(here, 'eslint.config.mjs'), '--max-warnings', '0', ...(fix ? ['--fix'] : [])],
  ],
  [
    'prettier',
    'prettier/bin/prettier.cjs',
    ['--config', join(here, 'prettier.config.mjs'), '--log-level', 'warn', fix ? '--write' : '--check'],
  ],
];
let failed = 0;
for (const [name, program, args] of programs) {
  const path = join(here, 'node_modules', program);
  if (!existsSync(path)) {
    console.error(`${name} is not installed: run npm ci in tests/lint`);
    failed++;
    continue;
  }
  const { status } = spawnSync(process.execPath, [path, ...args, ...files], { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed++;
}
console.log(`${programs.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
