/** Which refused values deserve a contrast pair, and which a rule of business explains. */
import { notesOf } from '../../../../openapi/checks/history.ts';
import { failingPairs } from '../../../../openapi/run-rules/refusals/failing-pairs.ts';
import { expect, test } from '@playwright/test';
import { inferRefusals } from '../../../../openapi/inference/refusals.ts';
import type { OperationId } from '../../../../openapi/clauses/areas.ts';
import { failing, failuresNeeded } from '../../../../openapi/run-rules/refusals/failures.ts';
import type { AskedRequest } from '../../../../openapi/run-rules/refusals/suspect.ts';
import { suspectedValues } from '../../../../openapi/run-rules/refusals/suspected-values.ts';

type Row = readonly [outcome: AskedRequest['outcome'], values: Readonly<Record<string, unknown>>];

const suspected = (operation: OperationId, ...rows: readonly Row[]): readonly string[] =>
  suspectedValues(rows.map(([outcome, values]) => ({ operation, outcome, values }))).map(
    ({ name, what, outcome }) => `${outcome} ${name}: ${what}`,
  );

test('One value of a flag that is never taken is asked about, and not where the other is refused as well', () => {
  const flag = 'commercial_disbursement';
  expect(suspected('validateLoan', ['accepted', { [flag]: true }], ['refused', { [flag]: false }])).toEqual([
    `refused ${flag}: the value false`,
  ]);
  expect(
    suspected(
      'validateLoan',
      ['accepted', { [flag]: true }],
      ['accepted', { [flag]: false }],
      ['refused', { [flag]: false }],
    ),
  ).toEqual([]);
  expect(suspected('validateLoan', ['refused', { [flag]: true }], ['refused', { [flag]: false }])).toEqual([]);
});

test('Bounds of amounts, currencies and languages are matters of business', () => {
  expect(
    suspected(
      'validateLoan',
      ['refused', { amount: 1, currency: 'EUR' }],
      ['accepted', { amount: 1000, currency: 'EUR' }],
      ['accepted', { amount: 2000, currency: 'EUR' }],
      ['refused', { amount: 100_000, currency: 'EUR' }],
      ['refused', { amount: 1000, currency: 'CHF' }],
    ),
  ).toEqual([]);
  expect(
    suspected('createPaymentLink', ['accepted', { language_code: 'en' }], ['refused', { language_code: 'ar' }]),
  ).toEqual([]);
});

test('An amount between others that are taken is asked about, unless all of those are multiples', () => {
  const amounts = (...rows: readonly (readonly [AskedRequest['outcome'], number])[]): readonly string[] =>
    suspected('validateLoan', ...rows.map(([outcome, amount]): Row => [outcome, { amount, currency: 'EUR' }]));
  expect(amounts(['accepted', 1], ['refused', 300], ['accepted', 1000])).toEqual([
    'refused amount: an amount between others that are taken',
  ]);
  expect(amounts(['accepted', 50], ['refused', 75], ['accepted', 1000])).toEqual([]);
  expect(amounts(['accepted', 0.75], ['refused', 75], ['refused', 80], ['accepted', 1000.25])).toEqual([
    'refused amount: a whole amount',
    'refused amount: a whole amount between others',
  ]);
  expect(amounts(['accepted', 50], ['accepted', 1000], ['refused', 12.25])[0]).toBe(
    'refused amount: an amount with cents',
  );
  expect(amounts(['accepted', 50], ['accepted', 1000], ['refused', 1.234])).toEqual([]);
  expect(amounts(['accepted', 12.5], ['accepted', 0.75], ['refused', 0.29])).toEqual([
    'refused amount: an amount whose cents no binary fraction holds exactly',
  ]);
  // Its whole part lies between them too.
  expect(amounts(['accepted', 12.5], ['accepted', 0.75], ['refused', 4.35])).toEqual([
    'refused amount: an amount whose cents no binary fraction holds exactly',
    'refused amount: an amount between others that are taken',
  ]);
});

test('An answer of false is asked about where only outcome values are read explains it, or a list of the target', () => {
  const declined = (taken: Row[1], refused: Row[1]): readonly string[] =>
    suspected('createPaymentLink', ['accepted', taken], ['declined', refused]);
  expect(declined({ personal_description: 'a' }, { personal_description: 'é' })).toEqual([
    'declined personal_description: a text beyond ASCII',
    'declined personal_description: a text with accents',
  ]);
  expect(declined({ personal_description: 'a' }, { personal_description: 'x'.repeat(60) })).toEqual([]);
  expect(declined({ amount: 50 }, { amount: 12.5 })).toEqual([]);
  expect(declined({ amount: 12.5 }, { amount: 0.29 })).toEqual([
    'declined amount: an amount whose cents no binary fraction holds exactly',
  ]);
  expect(declined({ installment: 1 }, { installment: 3 })).toEqual(['declined installment: an entry of its own lists']);
  expect(suspected('requestLoan', ['accepted', { order_id: 17 }], ['declined', { order_id: 2 ** 31 }])).toEqual([
    'declined order_id: an integer of more than 31 bits',
  ]);
  const flags = [{ commercial_disbursement: false }, { commercial_disbursement: true }] as const;
  expect(suspected('requestLoan', ['accepted', flags[0]], ['declined', flags[1]])).toEqual([]);
});

test('The size of an integer id is asked about, and the shape of a text is not', () => {
  const ids = (taken: unknown, refused: unknown): readonly string[] =>
    suspected('requestLoan', ['accepted', { order_id: taken }], ['refused', { order_id: refused }]);
  expect(ids(17, 2 ** 31)).toEqual(['refused order_id: an integer of more than 31 bits']);
  expect(ids(2 ** 31, 2n ** 53n)).toEqual(['refused order_id: an integer of more than 53 bits']);
  expect(ids('123', 'ct-abc-1')).toEqual([]);
  expect(ids('123', 2 ** 31)).toEqual([]);
});

test('The family of an address is asked about where no other address is refused', () => {
  const ip = (...rows: readonly (readonly [AskedRequest['outcome'], string])[]): readonly string[] =>
    suspected('disburse', ...rows.map(([outcome, customer_ip]): Row => [outcome, { customer_ip }]));
  expect(ip(['accepted', '8.8.8.8'], ['refused', '2001:db8::17'])).toEqual(['refused customer_ip: an IPv6 address']);
  expect(ip(['accepted', '8.8.8.8'], ['refused', '2001:db8::17'], ['refused', '203.0.113.1'])).toEqual([]);
  expect(ip(['accepted', '8.8.8.8'], ['refused', '2001:db8::17'], ['refused', '8.8.8.8'])).toEqual([
    'refused customer_ip: an IPv6 address',
  ]);
  expect(ip(['accepted', '2001:db8:0:0:0:0:0:17'], ['refused', '2001:db8::17'])).toEqual([
    'refused customer_ip: an IPv6 address written in short',
  ]);
});

test('Texts are asked about by the widest kind that was never taken', () => {
  const texts = (taken: string, refused: string): string | undefined =>
    suspected(
      'createPaymentLink',
      ['accepted', { personal_description: taken }],
      ['refused', { personal_description: refused }],
    )[0];
  expect(texts('plain', 'Счёт')).toBe('refused personal_description: a text beyond ASCII');
  expect(texts('Счёт', '☕ 🧾')).toBe('refused personal_description: a text beyond the basic plane, as an emoji');
  expect(texts('a', 'b'.repeat(60))).toBe('refused personal_description: a text longer than 20');
  expect(texts('a'.repeat(250), 'b'.repeat(300))).toBeUndefined();
});

test('An entry of the own lists is asked about by the input that tells it apart', () => {
  const place = { merchant_no: '1', branch_no: '2', currency_code: 'EUR', installment: 1, is_domestic: true };
  const of = (change: object): Row => ['refused', { ...place, ...change }];
  const link = (...rows: readonly Row[]): readonly string[] =>
    suspected('createPaymentLink', ['accepted', place], ...rows);
  expect(link(of({ currency_code: 'USD' }))).toEqual(['refused currency_code: an entry of its own lists']);
  expect(link(of({ installment: 3 }))).toEqual(['refused installment: an entry of its own lists']);
  expect(link(of({}))).toEqual([]);
});

test('What a merchant is refused for explains the installments that only he has', () => {
  const place = { branch_no: 1, currency_code: 'TRY', is_domestic: true };
  const first: Row = ['accepted', { ...place, merchant_no: 1, installment: 1 }];
  const second = (installment: number): Row => ['refused', { ...place, merchant_no: 2, installment }];
  expect(suspected('createPaymentLink', first, second(9), second(1))).toEqual([
    'refused merchant_no: an entry of its own lists',
  ]);
  expect(suspected('createPaymentLink', first, second(9))).toEqual(['refused installment: an entry of its own lists']);
});

test('What failed is asked about by each value that was never taken', () => {
  const base = { amount: 10, currency: 'EUR' };
  const failed = (...rows: readonly Row[]): readonly string[] =>
    failing(
      'validateLoan',
      rows.map(([outcome, values]) => ({ operation: 'validateLoan', outcome, values })),
    ).map(({ outcome, name, what }) => `${outcome} ${name}: ${what}`);
  expect(failed(['accepted', base], ['crashed', { ...base, amount: 11 }])).toEqual([
    'crashed amount: a value such as 11',
  ]);
  expect(failed(['accepted', base], ['crashed', base])).toEqual([]);
  expect(failed(['crashed', base])).toEqual([]);
});

test('A merchant whose links fail is asked about with a branch of its own, beside the same with another merchant', () => {
  const place = (merchant_no: string, branch_no: string) => ({ merchant_no, branch_no, installment: '1' });
  const rows = [
    ['accepted', place('1', '12')],
    ['crashed', place('2', '31')],
    ['crashed', place('2', '32')],
  ] as const;
  const asked = rows.map(([outcome, values]) => ({ operation: 'createPaymentLink', outcome, values }) as const);
  const { change, base } = failing('createPaymentLink', asked).find(({ name }) => name === 'merchant_no') ?? {};
  expect(change).toEqual({ merchant_no: '2', branch_no: '31' });
  expect(base).toEqual(place('1', '12'));
});

test('Texts of letters that fail are told from an operation that fails at times', () => {
  const order = (outcome: AskedRequest['outcome'], order_id: unknown): AskedRequest => ({
    operation: 'requestLoan',
    outcome,
    values: { order_id },
  });
  const failed = Array.from({ length: 20 }, (_, nth) => order('crashed', `ct-${nth}`));
  expect(failuresNeeded('requestLoan', [order('accepted', 17), order('accepted', '18'), ...failed])).toBe(3);
  expect(failuresNeeded('requestLoan', [order('accepted', 17), order('accepted', 'ct-18'), ...failed])).toBeNull();
});

test('The more an operation fails with values that it takes, the more failures it takes to distinguish one value from the others', () => {
  const needed = (failed: number, of: number, more: readonly Row[] = []) => {
    const known = Array.from({ length: of }, (_, nth): Row => [
      nth < failed ? 'crashed' : 'accepted',
      { amount: 10, order_id: nth },
    ]);
    return failuresNeeded(
      'validateLoan',
      [...known, ...more].map(([outcome, values]) => ({ operation: 'validateLoan', outcome, values })),
    );
  };
  // A value that was never taken may be the cause of its failure.
  expect(needed(0, 100, [['crashed', { amount: 11, order_id: 'x' }]])).toBe(3);
  expect([needed(1, 100), needed(5, 100), needed(20, 100), needed(35, 100), needed(50, 100)]).toEqual([
    3,
    4,
    8,
    11,
    null,
  ]);
});

test('A refusal is described by what its status says', () => {
  const described = ([402, 403, 404, 451] as const).map((status) => {
    const fact = {
      rule: 'answer',
      operation: 'validateLoan',
      outcome: 'refused',
      at: 0,
      what: `${status}`,
      status,
    } as const;
    const record = { exchange: 'validateLoan-1', fact: { ...fact, asked: { amount: '100' } } };
    return inferRefusals(notesOf([record]))[0]?.question;
  });
  expect(described).toEqual([
    'a payment that is due',
    'missing rights',
    'something that was not found',
    'legal reasons',
  ]);
});

test('A pair of values that was never taken is suspected of what failed, each of the two beside the request without it', () => {
  const link = (outcome: AskedRequest['outcome'], is_domestic: boolean, installment: number): AskedRequest => ({
    operation: 'createPaymentLink',
    values: { is_domestic, installment },
    outcome,
  });
  const taken = [link('accepted', true, 3), link('accepted', false, 1), link('accepted', true, 1)];
  const failed = [link('crashed', false, 3), link('crashed', false, 6)];
  expect(
    failingPairs('createPaymentLink', [...taken, ...failed]).map(({ name, change, base }) => [name, change, base]),
  ).toEqual([
    ['installment', { installment: 3 }, { is_domestic: false, installment: 1 }],
    ['is_domestic', { is_domestic: false }, { is_domestic: true, installment: 3 }],
  ]);
  // What was taken as well fails at times; and what fails with any value has no pair in common.
  expect(failingPairs('createPaymentLink', [...taken, ...failed, link('accepted', false, 6)])).toEqual([]);
  expect(failingPairs('createPaymentLink', [...taken, link('crashed', true, 3), link('crashed', false, 1)])).toEqual(
    [],
  );
});
