/** Tests that a run in shards reports the same as a run on one machine. */
import { expect, test } from '@playwright/test';
import { copyResponse } from '../../../fixtures/banks/lib/exchange.ts';
import { changeResponses } from '../../../fixtures/banks/lib/serving.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Report } from '../../../reports/model/report.ts';
import { runConformance, mergeShards, makeSandboxEnv, serveDuring } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';

/**
 * Returns the parts of a report that must be equal with and without shards. Other parts differ: each shard looks for its own test
 * data, and tests fewer expectations.
 */
const selectComparableParts = (report: Report | null) => ({
  verdict: report?.verdict,
  errors: report?.errors,
  promises: report?.clauses.filter(({ level }) => level === 'must').map(({ id, verdict }) => `${id} ${verdict}`),
  findings: report?.findings.map(({ clause, operation, pointer }) => `${clause} ${operation} ${pointer}`).sort(),
});

async function runInShards(
  env: Readonly<Record<string, string>>,
  shards: number,
): Promise<{ statuses: (number | null)[]; report: Report | null; gate: number | null }> {
  const blobs = makeTempDir();
  const statuses: (number | null)[] = [];
  for (let shard = 1; shard <= shards; shard += 1) {
    const shardEnv = { ...env, PLAYWRIGHT_BLOB_OUTPUT_FILE: `${blobs}/report-${shard}.zip` };
    statuses.push((await runConformance(shardEnv, { more: [`--shard=${shard}/${shards}`, '--reporter=blob'] })).status);
  }
  const { report, status } = await mergeShards(blobs);
  return { statuses, report, gate: status };
}

/** Cuts the last decimal of the rates in every offer, and puts a wrong token into every link. */
const faultyBank = changeResponses(async (response) => {
  const text = (await response.text()).replace(/("interest_rate":"[\d.]+)\d"/g, '$1"');
  return copyResponse(response, text.replace(/"payment_token":"/g, '"payment_token":"z'));
})(createBank());

test(
  'A faulty bank gets the same report from two shards as from one machine, and only the merged run fails',
  THOROUGH_ONLY,
  () =>
    serveDuring(faultyBank, async (url) => {
      const env = { ...makeSandboxEnv(url), SEED: '7', RUNS: '5', AREAS: 'loans,payment-links' };
      const [whole, parts] = [await runConformance(env), await runInShards(env, 2)];
      expect([...parts.statuses, parts.gate, whole.status]).toEqual([0, 0, 1, 1]);
      expect(new Set(whole.report?.findings.map(({ clause }) => clause))).toEqual(
        new Set(['loans.offer.interest-rate.decimals', 'links.token-in-link']),
      );
      expect(selectComparableParts(parts.report)).toEqual(selectComparableParts(whole.report));
    }),
);

test('A shard without SEED sends nothing, and ends with exit status 2', async () => {
  const { status, out } = await runConformance({}, { more: ['--shard=1/3'] });
  expect([status, out]).toEqual([2, expect.stringContaining('SEED is not set')]);
});

test('Two shards with a wrong RUNS end with exit status 2, and so does their merged run', THOROUGH_ONLY, async () => {
  const { statuses, report, gate } = await runInShards({ SEED: '7', RUNS: 'many' }, 2);
  expect([...statuses, gate, report?.verdict]).toEqual([2, 2, 2, 'inconclusive']);
  expect(report?.configuration).toEqual([expect.stringContaining('RUNS is "many"')]);
});
