import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: /(client|empty)\.ts/,
  workers: 1,
  timeout: 0,
  reporter: 'dot',
  outputDir: '../../../../reports/out/.bench',
});
