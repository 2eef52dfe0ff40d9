/** Tests that the CI definitions have the right content, and that the plain script runs. */
import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { makeCleanEnvironment, readReport } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';

interface Job {
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly run?: string }[];
  readonly script?: readonly string[];
  readonly parallel?: number;
}

const MERGE_COMMAND = 'npx playwright merge-reports --config=playwright.config.ts blob-report';
const makeShardCommand = (shard: string): string =>
  `npx playwright test --project=conformance --shard=${shard} --reporter=blob`;

test('The workflow for GitHub shards the scenarios, merges the shards and keeps the report', () => {
  const { jobs } = parse(readFileSync('.github/workflows/conformance.yml', 'utf8')) as { jobs: Record<string, Job> };
  const { shard, conformance } = jobs;
  expect(conformance?.needs).toBe('shard');
  const shards = shard?.strategy?.matrix.shard ?? [];
  expect(shards).toEqual(shards.map((_, index) => index + 1));
  expect(shard?.steps?.map(({ run }) => run)).toContain(makeShardCommand(`\${{ matrix.shard }}/${shards.length}`));
  expect(conformance?.steps?.map(({ run }) => run)).toContain(MERGE_COMMAND);
  expect(JSON.stringify(conformance?.steps)).toContain('"path":"reports/out"');
  // Both jobs need the same target: the report job looks for the secrets that the shard jobs use.
  expect(conformance?.env).toEqual(shard?.env);
  expect(shard?.env).toHaveProperty('SEED');
});

test('The definition for GitLab shards and merges too', () => {
  const { variables, shard, conformance } = parse(readFileSync('.gitlab-ci.yml', 'utf8')) as {
    variables: object;
    shard: Job;
    conformance: Job;
  };
  expect(variables).toMatchObject({ BASE_URL: '', SEED: expect.any(String) });
  expect(shard.parallel).toBeGreaterThan(1);
  expect(shard.script).toEqual([makeShardCommand('$CI_NODE_INDEX/$CI_NODE_TOTAL')]);
  expect([conformance.needs, conformance.script]).toEqual([['shard'], [MERGE_COMMAND]]);
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
