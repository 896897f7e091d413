import { defineConfig } from '@playwright/test';
import { kLeanBrowser, kPatience } from '../support/served.mjs';

export default defineConfig({
  testDir: './cases',
  testMatch: '*.spec.mjs',
  outputDir: '../../build/panel-tests',
  fullyParallel: true,
  workers: 2,
  timeout: 4 * kPatience,
  expect: { timeout: kPatience },
  reporter: [['./reporter.mjs']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: kLeanBrowser },
    trace: 'off',
  },
});
