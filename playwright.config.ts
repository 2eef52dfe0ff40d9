import { defineConfig } from '@playwright/test';
import { describeRun, reporterOptions } from './fixtures/runner/run-identity.ts';

const { conformance } = describeRun();

export default defineConfig({
  testDir: 'tests',
  outputDir: 'reports/out/.playwright',
  retries: 0,
  workers: 2,
  timeout: 0,
  metadata: { conformance },
  reporter: [['./reports/reporter.ts', reporterOptions()]],
  projects: [
    // One worker with many requests in flight: the work is waiting, and token, rate and caps need no broker.
    { name: 'conformance', testIgnore: 'self/**', workers: 1 },
    // The suite examined.
    {
      name: 'self',
      testMatch: 'self/**/*.spec.ts',
      testIgnore: 'self/mutation/{population,incidents,matrix}.spec.ts',
      fullyParallel: true,
      workers: 2,
      timeout: 300_000,
    },
    // The proof: every faulty and every conformant bank, and the matrix of what became of them.
    { name: 'population', testMatch: 'self/mutation/{population,incidents}.spec.ts', fullyParallel: true, workers: 2 },
    { name: 'proof', testMatch: 'self/mutation/matrix.spec.ts', dependencies: ['population'] },
  ],
  globalSetup: './fixtures/runner/global-setup.ts',
});
