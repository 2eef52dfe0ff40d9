import { defineConfig } from '@playwright/test';
import { describeRun } from './fixtures/run.ts';

const { conformance, reportDir } = describeRun();

export default defineConfig({
  testDir: 'tests',
  outputDir: 'reports/out/.playwright',
  retries: 0,
  workers: 1,
  metadata: { conformance },
  reporter: [['./reports/reporter.ts', { reportDir }]],
  projects: [
    { name: 'conformance', testIgnore: 'self/**', timeout: 0 },
    { name: 'self', testMatch: 'self/**/*.spec.ts', fullyParallel: true },
  ],
  globalSetup: './fixtures/set-up.ts',
});
