/** Tests that the CI definitions have the right content, and that the plain script runs. */
import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { makeCleanEnvironment, readReport } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';

test('Both jobs of the workflow for GitHub have the same bank, secrets and seed', () => {
  const { jobs } = parse(readFileSync('.github/workflows/conformance.yml', 'utf8')) as {
    jobs: Record<string, { env: object }>;
  };
  // The report job looks for the secrets that the shard jobs use.
  expect(jobs['conformance']?.env).toEqual(jobs['shard']?.env);
  expect(jobs['shard']?.env).toHaveProperty('SEED');
});

test('The plain script judges in shards, and judges nothing if no bank is named', THOROUGH_ONLY, () => {
  const started = (words: readonly string[], env: object) =>
    spawnSync('.ci/conformance.sh', words, { encoding: 'utf8', env: { ...makeCleanEnvironment(), ...env } });
  const nobody = started([], {});
  expect([nobody.status, nobody.stderr]).toEqual([2, expect.stringContaining('BASE_URL is not set')]);
  const folder = makeTempDir();
  const { status, stdout } = started(['--embedded'], { REPORT_DIR: folder, SHARDS: '2', AREAS: 'atms', RUNS: '1' });
  expect(status, stdout).toBe(0);
  expect(readReport(folder)).toMatchObject({ verdict: 'conformant', target: { areas: ['atms'] } });
});
