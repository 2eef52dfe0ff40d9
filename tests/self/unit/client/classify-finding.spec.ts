/** A finding that is looked at once more is classified by how it behaves: always, in a state, under load, or now and then. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { dataOf } from '../../../../fixtures/banks/lib/exchange.ts';
import { editAt, editBody } from '../../../../fixtures/banks/lib/intercept.ts';
import type { Handler, Mutant } from '../../../../fixtures/banks/lib/mutant.ts';
import { first, is } from '../../../../fixtures/banks/lib/mutators.ts';
import { always, every, sent, type Trigger } from '../../../../fixtures/banks/lib/triggers.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examine } from '../../support/examine.ts';
import { crowded } from '../../support/servers.ts';

/** The first of the currencies is a bare text. */
const bareCode = (when: Trigger) => editAt('listCurrencies', '/data/currencies/*', is('EUR'), when, first);

/** Breaks a promise when the bank is busy. */
function busy(most: number): Handler {
  const good = createBank();
  const bad = bareCode(always)(good);
  return crowded(async (request, underWay) => {
    await setTimeout(15);
    return (underWay > most ? bad : good).fetch(request);
  });
}

const banks: Record<string, () => Handler> = {
  deterministic: () => bareCode(always)(createBank()),
  intermittent: () => bareCode(every(9))(createBank()),
  'load-dependent': () => busy(2),
};

for (const [as, open] of Object.entries(banks))
  test(`A fault is classified as ${as}`, async () => {
    const report = await examine(open(), { env: { AREAS: 'payment-links', RUNS: '3' } });
    const [finding] = report.findings.filter(
      ({ verdict, operation }) => verdict === 'fail' && operation.endsWith('available-currency-codes'),
    );
    expect(finding?.classification, JSON.stringify(finding)).toMatchObject({ as });
    expect(finding?.classification?.of ?? 0).toBeLessThanOrEqual(14);
    expect(finding?.classification?.broken).toBeGreaterThan(0);
    expect(report.verdict).toBe('non-conformant');
  });

test('A fault that hangs on the application is classified as state-dependent', async () => {
  const queried = new Map<string, number>();
  const bank = editBody('queryDisbursement', (body, { params }) => {
    const id = String(params['application_id']);
    const first = queried.size === 0;
    if (!first && !queried.has(id)) return false;
    queried.set(id, 1);
    dataOf(body)['result'] = 7;
  })(createBank());
  const report = await examine(bank, { env: { AREAS: 'loans', RUNS: '3' } });
  const [finding] = report.findings.filter(({ pointer }) => pointer === '/data/result');
  expect(finding?.classification).toMatchObject({ as: 'state-dependent' });
});

const byInput: Record<string, readonly [area: string, mutate: Mutant['mutate']]> = {
  'the description of a link': [
    'payment-links',
    editAt(
      'createPaymentLink',
      '/data/is_success',
      is('yes'),
      sent(({ personal_description }) => /[^ -~]/.test(String(personal_description))),
    ),
  ],
  'the form of an order id': [
    'loans',
    editAt(
      'validateLoan',
      '/data/result',
      is('yes'),
      sent(({ order_id }) => typeof order_id === 'string' && /^\d+$/.test(order_id)),
    ),
  ],
};

for (const [what, [area, mutate]] of Object.entries(byInput))
  test(`A fault that hangs on ${what} is classified as deterministic`, async () => {
    const report = await examine(mutate(createBank()), { env: { AREAS: area } });
    const [finding] = report.findings.filter(({ verdict }) => verdict === 'fail');
    expect(finding?.classification).toMatchObject({ as: 'deterministic' });
  });

test('Nothing is looked at again where nothing was found', async () => {
  const report = await examine(createBank(), { env: { AREAS: 'atms', RUNS: '3' } });
  expect(report.findings).toEqual([]);
});

test('A finding that nothing could be sent for is not said to behave in any way', async () => {
  const bank = editAt('createPaymentLink', '/data/is_success', is('yes'))(createBank());
  const report = await examine(bank, { env: { AREAS: 'payment-links', RUNS: '3', MAX_LINKS: '1' } });
  const [finding] = report.findings.filter(({ pointer }) => pointer === '/data/is_success');
  expect(finding?.classification).toMatchObject({
    as: 'not tried',
    of: 0,
    why: 'it was not asked again: the cap on links is reached',
  });
});
