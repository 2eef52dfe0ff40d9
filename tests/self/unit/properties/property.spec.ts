/** Tests properties: concurrent cases, shrinking to the smallest case, and seeds. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { ScenarioBody } from '../../../../fixtures/runner/run-scenario.ts';
import { body } from '../../support/judge-harness.ts';
import { runScenarioOnServer } from '../../support/scenario-harness.ts';
import { closeAllServers } from '../../support/servers.ts';

test.afterEach(closeAllServers);

/** Answers with `wrong` if the amount of the request is 500 or more. */
const answerWrongFrom500 =
  (wrong: ReturnType<typeof body>) =>
  (_: string, { body: text }: { body: string }) =>
    (JSON.parse(text) as { amount: number }).amount >= 500 ? { body: wrong } : undefined;
const wrongFrom500 = answerWrongFrom500(body('validateLoan', '/data/result', 'maybe'));

const checkAmounts: ScenarioBody = async ({ bank, forAll }) => {
  const amounts = fc.record({ amount: fc.integer({ min: 1, max: 100_000 }), purpose: fc.boolean() });
  const loan = { currency: 'EUR', commercial_disbursement: true, order_id: 'A-1001' };
  await forAll('amounts', amounts, ({ amount, purpose }) =>
    bank.validateLoan({ ...loan, amount, disbursement_purpose: purpose }),
  );
};

test('A finding of a property is shrunk to the smallest case that shows it, and its replay sends exactly that case', async () => {
  const { lines } = await runScenarioOnServer(checkAmounts, { answer: wrongFrom500 });
  const shrunk = lines.filter((line) => line.line === 'counterexample');
  expect(
    shrunk.map(({ clause, pointer, counterexample }) => [clause, pointer, counterexample.state, counterexample.input]),
  ).toEqual([['loans.validation.result.boolean', '/data/result', 'minimal', { amount: 500, purpose: false }]]);
  const { received } = await runScenarioOnServer(checkAmounts, {
    answer: wrongFrom500,
    env: { REPLAY: String(shrunk[0]?.replay) },
  });
  expect(received.map((entry) => (JSON.parse(entry.body) as { amount: number }).amount)).toEqual([500]);
});

test('A finding that does not recur says so', async () => {
  let asked = 0;
  const answerOnce = () => ((asked += 1) === 3 ? { body: body('validateLoan', '/data/result', 'maybe') } : undefined);
  const { lines } = await runScenarioOnServer(checkAmounts, { answer: answerOnce });
  expect(lines.flatMap((line) => (line.line === 'counterexample' ? [line.counterexample.state] : []))).toEqual([
    'did not recur alone',
  ]);
});

/** Requests payment links with many amounts. Those of 500 and more get a wrong answer. */
const checkLinks: ScenarioBody = async ({ bank, forAll }) => {
  const link = { language_code: 'en', branch_no: 1, merchant_no: 1, installment: 1, currency_code: 'EUR' };
  const amounts = fc.integer({ min: 1, max: 1000 });
  const ask = (amount: number) =>
    bank.createPaymentLink({ ...link, personal_description: 'x', is_domestic: true, amount });
  await forAll('links', amounts, ask, { creates: 'links' });
};
const wrongLink = answerWrongFrom500(body('createPaymentLink', '/data/is_success', 'yes'));

test('Shrinking keeps a share of the cap, and the report says what the cap cut', async () => {
  const { lines, received } = await runScenarioOnServer(checkLinks, {
    answer: wrongLink,
    creates: { links: 1 },
    env: { MAX_LINKS: '10' },
  });
  expect(received).toHaveLength(10);
  expect(lines).toContainEqual({ line: 'cases', label: 'links', asked: 8, of: 25, why: 'limited by MAX_LINKS' });
  const [shrunk] = lines.flatMap((line) => (line.line === 'counterexample' ? [line.counterexample] : []));
  expect(shrunk).toMatchObject({ state: 'stopped by cap', why: 'the cap on links is reached' });
  expect(shrunk?.input).toEqual(expect.any(Number));
});

test('A case that a cap stops is not reported as one that did not recur', async () => {
  const { lines, received } = await runScenarioOnServer(checkLinks, {
    answer: () => ({ body: body('createPaymentLink', '/data/is_success', 'yes') }),
    creates: { links: 1 },
    env: { MAX_LINKS: '1' },
  });
  const [shrunk] = lines.flatMap((line) => (line.line === 'counterexample' ? [line.counterexample] : []));
  const { amount } = JSON.parse(received[0]?.body ?? '{}') as { amount: number };
  expect(shrunk).toMatchObject({ state: 'not asked alone', why: 'the cap on links is reached', input: amount });
  expect(lines).toContainEqual({ line: 'cases', label: 'links', asked: 1, of: 25, why: 'limited by MAX_LINKS' });
});

test('The same seed sends the same requests, another seed sends others', async () => {
  const listCases = async (label: string): Promise<readonly string[]> => {
    const seen: string[] = [];
    await runScenarioOnServer(
      async ({ forAll }) => forAll(label, fc.nat(), async (value) => void seen.push(String(value))),
      {
        env: { IN_FLIGHT: '1' },
      },
    );
    return seen;
  };
  expect(await listCases('one')).toEqual(await listCases('one'));
  expect(await listCases('one')).not.toEqual(await listCases('another'));
});
