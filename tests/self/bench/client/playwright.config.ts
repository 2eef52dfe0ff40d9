import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: 'client.ts',
  workers: 1,
  timeout: 0,
  reporter: 'dot',
  outputDir: '../../../../reports/out/.client',
});
