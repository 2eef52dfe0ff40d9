/** Tests banks that send any JSON in place of a value: the suite judges, reports and shows all of it without a fault. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { editAnswers } from '../../../../fixtures/banks/lib/serving.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { writeTerminalSummary } from '../../../../reports/formats/terminal.ts';
import { examineBank } from '../../support/examine.ts';
import { thoroughUnless } from '../../support/thorough.ts';

/** Names with a meaning in JavaScript. */
const specialNames = ['toString', 'valueOf', '__proto__', 'constructor', 'then', 'toJSON', 'length', 'data', '0', ''];

const anyJsonValue = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...specialNames), fc.jsonValue(), { maxKeys: 3 }),
  // Half a character, a number beyond any double, an invalid date.
  fc.constantFrom('\ud800', '\u0000', '9'.repeat(400), '1e400', '2030-02-30T25:61:61Z', -0, 5e-324, 1e308, {
    toString: null,
  }),
);

/** Replaces a share of the values of the bank by other JSON, at random from `seed`. */
function makeBankWithAnyValues(seed: number, share: number): Handler {
  const bank = createBank();
  const values = fc.sample(anyJsonValue, { seed, numRuns: 3000 });
  const chances = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { seed, numRuns: 3000 });
  let drawn = 0;
  const isChanged = (probability: number): boolean => (chances[(drawn += 1) % chances.length] ?? 1) < probability;
  const mutate = (value: unknown): unknown => {
    const isLeaf = typeof value !== 'object' || value === null;
    if (isChanged(isLeaf ? share : share / 6)) return values[drawn % values.length];
    if (isLeaf) return value;
    if (Array.isArray(value)) return value.map(mutate);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mutate(member)]));
  };
  return {
    async fetch(request) {
      const answer = await bank.fetch(request);
      return Response.json(mutate(await answer.json()) ?? null, { status: answer.status });
    },
  };
}

for (const [seed, share] of [
  [6, 0.1],
  [7, 1],
] as const)
  test(
    `A bank that replaces ${100 * share} % of its values by random JSON is judged without a fault of the suite`,
    thoroughUnless(share === 1),
    async () => {
      const report = await examineBank(makeBankWithAnyValues(seed, share), { seed, env: { RUNS: '5' } });
      expect(report.errors).toEqual([]);
      expect(report.verdict).toBe('non-conformant');
      expect(writeTerminalSummary(report, { color: false })).toContain('non-conformant');
      expect(renderHtml(report)).toContain('non-conformant');
    },
  );

test('If a merchant number contains half a surrogate pair, its branches are requested without a fault of the suite', async () => {
  const breakMerchantNumbers = editAnswers('listMerchants', ({ body }) => {
    for (const merchant of (body['data'] as { merchants: { merchant_no: string }[] }).merchants)
      merchant.merchant_no += '\ud800';
  });
  const report = await examineBank(breakMerchantNumbers(createBank()), { env: { AREAS: 'payment-links', RUNS: '2' } });
  expect(report.errors).toEqual([]);
  expect(report.operations.find(({ id }) => id === 'listBranches')?.requests).toBeGreaterThan(0);
});
