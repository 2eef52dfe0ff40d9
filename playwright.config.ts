import { defineConfig } from '@playwright/test';
import { describeRun, reporterOptions } from './fixtures/run.ts';

const { conformance } = describeRun();

export default defineConfig({
  testDir: 'tests',
  outputDir: 'reports/out/.playwright',
  retries: 0,
  timeout: 0,
  metadata: { conformance },
  reporter: [['./reports/reporter.ts', reporterOptions()]],
  projects: [
    // One worker with many requests in flight: the work is waiting, and token, rate and caps need no broker.
    { name: 'conformance', testIgnore: 'self/**', workers: 1 },
    { name: 'self', testMatch: 'self/**/*.spec.ts', fullyParallel: true, workers: 2, timeout: 300_000 },
  ],
  globalSetup: './fixtures/set-up.ts',
});
