import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: 'empty.ts',
  workers: 1,
  reporter: 'dot',
  outputDir: '../../../../reports/out/.empty',
});
