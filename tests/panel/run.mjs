// The control panel in Chromium, by Playwright's test runner:
//   node tests/panel/run.mjs [--bridle FILE] [--testing FILE] [more arguments of `playwright test`]
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const rest = process.argv.slice(2);
function option(name, otherwise) {
  const at = rest.indexOf(`--${name}`);
  return resolve(at < 0 ? join(root, otherwise) : rest.splice(at, 2)[1]);
}
const env = {
  ...process.env,
  BRIDLE: option('bridle', 'build/test/bridle'),
  BRIDLE_TESTING: option('testing', 'build/test/tests/bridle-testing'),
};
const cli = join(here, 'node_modules/@playwright/test/cli.js');
const { status } = spawnSync(
  process.execPath,
  [cli, 'test', '--config', join(here, 'playwright.config.mjs'), ...rest],
  {
    stdio: 'inherit',
    env,
  },
);
process.exit(status ?? 1);
