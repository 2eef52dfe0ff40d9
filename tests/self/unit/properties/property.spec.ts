/** Tests properties, which send random cases: shrinking to the smallest case, caps, and seeds. */
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

test('A wrong answer from the amount 500 on is shrunk to the case 500, and its replay sends exactly this case', async () => {
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

test('If only one answer is wrong, the counterexample says that the finding did not recur', async () => {
  let answerCount = 0;
  const answerOnce = () =>
    (answerCount += 1) === 3 ? { body: body('validateLoan', '/data/result', 'maybe') } : undefined;
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

test('With MAX_LINKS=10, 8 links are spent on cases and 2 on shrinking, and the log says what the cap left out', async () => {
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

test('If the cap leaves no request to repeat a finding, the counterexample names the cap', async () => {
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

test('A property with the same label draws the same cases each time, with another label other cases', async () => {
  const listCases = async (label: string): Promise<readonly string[]> => {
    const drawnValues: string[] = [];
    await runScenarioOnServer(
      async ({ forAll }) => forAll(label, fc.nat(), async (value) => void drawnValues.push(String(value))),
      {
        env: { IN_FLIGHT: '1' },
      },
    );
    return drawnValues;
  };
  expect(await listCases('one')).toEqual(await listCases('one'));
  expect(await listCases('one')).not.toEqual(await listCases('another'));
});
