import './fixtures/typescript.cjs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { isReporterReplaced, isWorker, restrictNewFiles } from './fixtures/run/config/process-env.ts';
import { GATE_PROJECT } from './reports/model/description.ts';
import type { ReporterOptions } from './reports/reporter.ts';
import { describeRun, makeReporterOptions, getRunnerFolder } from './fixtures/runner/run-identity.ts';
import { describeScope } from './fixtures/runner/scope.ts';

restrictNewFiles();

// A worker is given the description by the process that started it.
const metadata = isWorker()
  ? {}
  : { conformance: { ...describeRun().conformance, ...describeScope(join(__dirname, 'tests')) } };

// Where another reporter takes the place of ours, the gate is a test that comes after all others.
const gate = isReporterReplaced()
  ? [
      {
        name: GATE_PROJECT,
        testDir: 'reports/reporter',
        testMatch: 'gate.spec.ts',
        use: { reporterOptions: makeReporterOptions() },
      },
    ]
  : [];

const self = {
  testMatch: 'self/**/*.spec.ts',
  testIgnore: ['self/mutation/{population,matrix}.spec.ts', 'self/library/scenarios/**'],
  fullyParallel: true,
  timeout: 300_000,
};

const population = { testMatch: 'self/mutation/population.spec.ts', fullyParallel: true, workers: 2 };
const matrix = 'self/mutation/matrix.spec.ts';

export default defineConfig<{ reporterOptions: ReporterOptions }>({
  testDir: 'tests',
  outputDir: getRunnerFolder(),
  retries: 0,
  // The tests of the suite wait for processes and for slow banks: four at once keep two cores at work.
  workers: 4,
  timeout: 0,
  metadata,
  reporter: [['./reports/reporter.ts', isWorker() ? {} : makeReporterOptions()]],
  projects: [
    // One worker with many requests in flight: the work is waiting, and token, rate and caps need no broker.
    {
      name: 'conformance',
      testIgnore: 'self/**',
      workers: 1,
      ...(gate.length > 0 ? { teardown: GATE_PROJECT } : {}),
    },
    ...gate,
    // The proof: faulty and conformant banks, and the matrix of what became of them. `npm test` takes a part of the
    // population, the whole proof the rest of it too. It begins first: it computes while other tests wait.
    { name: 'population', grepInvert: /@thorough/, ...population },
    { name: 'rest-of-population', grep: /@thorough/, ...population },
    // The suite examined; `thorough` are the tests that cost more than they show beside others.
    { name: 'self', grepInvert: /@thorough/, ...self },
    { name: 'thorough', grep: /@thorough/, ...self },
    { name: 'proof', testMatch: matrix, dependencies: ['population'] },
    { name: 'whole-proof', testMatch: matrix, dependencies: ['population', 'rest-of-population'] },
  ],
  globalSetup: './fixtures/runner/global-setup.ts',
});
