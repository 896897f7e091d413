import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './cases',
  testMatch: '*.spec.mjs',
  outputDir: '../../build/panel-tests',
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: [['./reporter.mjs']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: '/usr/bin/chromium' },
    trace: 'off',
  },
});
