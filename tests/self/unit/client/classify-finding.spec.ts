/** A finding that is looked at once more is told by how it behaves: always, in a state, under load, or now and then. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { editBody } from '../../../../fixtures/banks/lib/intercept.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examine } from '../../support/examine.ts';

const mutate = (body: { data?: unknown }): void =>
  void (((body.data as Record<string, unknown>)['currencies'] as unknown[])[0] = 'EUR');

/** Breaks a promise when the bank is busy. */
function busy(most: number): Handler {
  const good = createBank();
  const bad = editBody('listCurrencies', mutate)(good);
  let underWay = 0;
  return {
    async fetch(request) {
      underWay += 1;
      const over = underWay > most;
      await setTimeout(15);
      try {
        return await (over ? bad : good).fetch(request);
      } finally {
        underWay -= 1;
      }
    },
  };
}

const every = (nth: number): Handler => {
  let answers = 0;
  return editBody('listCurrencies', (body) => ((answers += 1) % nth === 0 ? mutate(body) : false))(createBank());
};

const banks: Record<string, () => Handler> = {
  deterministic: () => every(1),
  intermittent: () => every(9),
  'load-dependent': () => busy(2),
};

for (const [as, open] of Object.entries(banks))
  test(`A fault is told to be ${as}`, async () => {
    const report = await examine(open(), { env: { AREAS: 'payment-links', RUNS: '3' } });
    const [finding] = report.findings.filter(
      ({ verdict, operation }) => verdict === 'fail' && operation.endsWith('available-currency-codes'),
    );
    expect(finding?.classification, JSON.stringify(finding)).toMatchObject({ as });
    expect(finding?.classification?.of ?? 0).toBeLessThanOrEqual(14);
    expect(finding?.classification?.broken).toBeGreaterThan(0);
    expect(report.verdict).toBe('non-conformant');
  });

test('A fault that hangs on the application is told to be state-dependent', async () => {
  const told = new Map<string, number>();
  const bank = editBody('queryDisbursement', (body, { params }) => {
    const id = String(params['application_id']);
    const first = told.size === 0;
    if (!first && !told.has(id)) return false;
    told.set(id, 1);
    (body['data'] as Record<string, unknown>)['result'] = 7;
  })(createBank());
  const report = await examine(bank, { env: { AREAS: 'loans', RUNS: '3' } });
  const [finding] = report.findings.filter(({ pointer }) => pointer === '/data/result');
  expect(finding?.classification).toMatchObject({ as: 'state-dependent' });
});

const byInput: Record<string, readonly [area: string, open: () => Handler]> = {
  'the description of a link': [
    'payment-links',
    () =>
      editBody('createPaymentLink', ({ data }, { sent }) =>
        /[^ -~]/.test(String(sent['personal_description']))
          ? void ((data as Record<string, unknown>)['is_success'] = 'yes')
          : false,
      )(createBank()),
  ],
  'the form of an order id': [
    'loans',
    () =>
      editBody('validateLoan', ({ data }, { sent }) =>
        /^\d+$/.test(String(sent['order_id'])) && typeof sent['order_id'] === 'string'
          ? void ((data as Record<string, unknown>)['result'] = 'yes')
          : false,
      )(createBank()),
  ],
};

for (const [what, [area, open]] of Object.entries(byInput))
  test(`A fault that hangs on ${what} is told to be deterministic`, async () => {
    const report = await examine(open(), { env: { AREAS: area } });
    const [finding] = report.findings.filter(({ verdict }) => verdict === 'fail');
    expect(finding?.classification).toMatchObject({ as: 'deterministic' });
  });

test('Nothing is looked at again where nothing was found', async () => {
  const report = await examine(createBank(), { env: { AREAS: 'atms', RUNS: '3' } });
  expect(report.findings).toEqual([]);
});

test('A finding that nothing could be sent for is not said to behave in any way', async () => {
  const bank = editBody('createPaymentLink', (body) => {
    (body['data'] as Record<string, unknown>)['is_success'] = 'yes';
  })(createBank());
  const report = await examine(bank, { env: { AREAS: 'payment-links', RUNS: '3', MAX_LINKS: '1' } });
  const [finding] = report.findings.filter(({ pointer }) => pointer === '/data/is_success');
  expect(finding?.classification).toMatchObject({
    as: 'not tried',
    of: 0,
    why: 'it was not asked again: the cap on links is reached',
  });
});
