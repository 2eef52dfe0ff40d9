/** Properties: cases side by side, shrinking to the smallest case, and seeds. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Body } from '../../../../fixtures/runner/run-scenario.ts';
import { body } from '../../support/judge-harness.ts';
import { runHarness } from '../../support/scenario-harness.ts';
import { closeAll } from '../../support/servers.ts';

test.afterEach(closeAll);

const loan = {
  amount: 1250.5,
  currency: 'EUR',
  commercial_disbursement: true,
  disbursement_purpose: false,
  order_id: 'A-1001',
};

const wrongFrom500 = (_: string, { body: text }: { body: string }) =>
  (JSON.parse(text) as { amount: number }).amount >= 500
    ? { body: body('validateLoan', '/data/result', 'maybe') }
    : undefined;

const property: Body = async ({ bank, forAll }) => {
  const amounts = fc.record({ amount: fc.integer({ min: 1, max: 100_000 }), purpose: fc.boolean() });
  await forAll('amounts', amounts, ({ amount, purpose }) =>
    bank.validateLoan({ ...loan, amount, disbursement_purpose: purpose }),
  );
};

test('A finding of a property is shrunk to the smallest case that shows it, and its replay asks exactly that', async () => {
  const { lines } = await runHarness(property, { answer: wrongFrom500 });
  const shrunk = lines.filter((line) => line.line === 'counterexample');
  expect(
    shrunk.map(({ clause, pointer, counterexample }) => [clause, pointer, counterexample.state, counterexample.input]),
  ).toEqual([['loans.validation.result.boolean', '/data/result', 'minimal', { amount: 500, purpose: false }]]);
  const { received } = await runHarness(property, { answer: wrongFrom500, env: { REPLAY: String(shrunk[0]?.replay) } });
  expect(received.map((one) => (JSON.parse(one.body) as { amount: number }).amount)).toEqual([500]);
});

test('A finding that does not recur says so', async () => {
  let asked = 0;
  const once = () => ((asked += 1) === 3 ? { body: body('validateLoan', '/data/result', 'maybe') } : undefined);
  const { lines } = await runHarness(property, { answer: once });
  expect(lines.flatMap((line) => (line.line === 'counterexample' ? [line.counterexample.state] : []))).toEqual([
    'did not recur alone',
  ]);
});

test('Cases run side by side, at most as many as may be in flight', async () => {
  let [open, most] = [0, 0];
  const scenario: Body = async ({ forAll }) => {
    await forAll('waiting', fc.nat(), async () => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
    });
  };
  await runHarness(scenario, { env: { IN_FLIGHT: '6', RUNS: '40' } });
  expect([open, most]).toEqual([0, 6]);
});

test('The same seed asks the same, another seed another', async () => {
  const cases = async (label: string): Promise<readonly string[]> => {
    const seen: string[] = [];
    await runHarness(async ({ forAll }) =>
      forAll(label, fc.nat(), async (value) => void seen.push(String(value)), { concurrency: 1 }),
    );
    return seen;
  };
  expect(await cases('one')).toEqual(await cases('one'));
  expect(await cases('one')).not.toEqual(await cases('another'));
});
