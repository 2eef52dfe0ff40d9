/** Judges a library with the engine of the suite: `library.spec.ts` starts it. */
import './resolve.cjs';
import '../../../fixtures/typescript.cjs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { isWorker, restrictNewFiles } from '../../../fixtures/run/config/process-env.ts';
import { describeRun, getRunnerFolder, makeReporterOptions } from '../../../fixtures/runner/run-identity.ts';
import { describeScope } from '../../../fixtures/runner/scope.ts';

restrictNewFiles();
const testDir = join(__dirname, 'scenarios');

export default defineConfig({
  testDir,
  outputDir: getRunnerFolder(),
  timeout: 0,
  metadata: isWorker() ? {} : { conformance: { ...describeRun().conformance, ...describeScope(testDir) } },
  reporter: [[join(__dirname, '../../../reports/reporter.ts'), isWorker() ? {} : makeReporterOptions()]],
  projects: [{ name: 'conformance', workers: 1 }],
  globalSetup: join(__dirname, '../../../fixtures/runner/global-setup.ts'),
});
