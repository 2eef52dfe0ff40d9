/** Tests the plan of values: its rows, its amounts, and the classes that it leaves out because the bank refuses them. */
import fc from 'fast-check';
import {
  amountForms,
  getAmountForm,
  getDigitCount,
  listAmountSizes,
  listOddAmounts,
  pickAmount,
  pickAmountOfMistakes,
  toCents,
} from '../../../../fixtures/arbitraries/amount-classes.ts';
import { listUsableInputs, planRows, type SentRow } from '../../../../fixtures/arbitraries/planned-rows.ts';
import { expect, test } from '../../support/reports/samples.ts';

const table = {
  currency: ['EUR', 'USD', 'TRY'],
  flag: [true, false],
  order: ['text', 'digits', 'uuid', 'integer'],
  size: [1, 2, 3, 4],
} as const;

const takeRows = (scenario: string, count: number, seed = 7) => {
  const rows = planRows(table, { seed, scenario });
  return Array.from({ length: count }, () => rows.next().value);
};

test('The plan gives the same rows for the same seed and scenario, and other rows for another seed or scenario', () => {
  expect(takeRows('loan-flow', 5)).toEqual(takeRows('loan-flow', 5));
  expect(takeRows('loan-flow', 5)).not.toEqual(takeRows('loan-flow', 5, 8));
  expect(takeRows('loan-flow', 5)).not.toEqual(takeRows('order-race', 5));
});

test('The first 24 rows of the plan contain all 62 pairs of classes', () => {
  const rows = takeRows('loan-flow', 24);
  const pairs = new Set(
    rows.flatMap((row) => {
      const names = Object.entries(row).map(String);
      return names.flatMap((first, nth) => names.slice(nth + 1).map((second) => `${first} ${second}`));
    }),
  );
  // 3 × 2 + 3 × 4 + 3 × 4 + 2 × 4 + 2 × 4 + 4 × 4
  expect(pairs.size).toBe(62);
});

test('A picked amount has the requested form and number of digits, in exact decimals', () => {
  expect([110, 434, 435, 6410, 1000, 1050, 1025].map(getAmountForm)).toEqual([
    ...['rises above', 'cents', 'falls below', 'falls below', 'whole', 'tenths', 'last cent 5'],
  ]);
  fc.assert(
    fc.property(fc.constantFrom(...amountForms), fc.integer({ min: 1, max: 6 }), fc.string(), (form, size, seed) => {
      const cents = toCents(pickAmount(form, size, 1_000_000, seed));
      return getAmountForm(cents) === form && getDigitCount(cents) === size;
    }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.constantFrom(...amountForms),
      fc.string(),
      (maxCents, form, seed) => {
        const highest = maxCents / 100;
        const amounts = listAmountSizes(highest).map((size) => pickAmount(form, size, highest, seed));
        return amounts.every((amount) => amount > 0 && amount <= highest);
      },
    ),
  );
  expect(listOddAmounts(20).map((amount) => getAmountForm(toCents(amount)))).toEqual([
    ...['falls below', 'tenths', 'falls below', 'tenths'],
  ]);
});

test('Binary arithmetic rounds down the chosen amount, or what is left of the limit after a disbursement of this amount', () => {
  expect(pickAmountOfMistakes([100, 12_814, 200], 1_000_000)).toBe(12_814);
  // 7193.98 - 4300 is a little less than 2893.98.
  expect(pickAmountOfMistakes([100, 430_000], 719_398)).toBe(430_000);
  // A float of 32 bits has not all cents above 131,072.
  expect(pickAmountOfMistakes([503, 500], 41_264_737)).toBe(500);
});

test('The next row leaves out a class, or a pair of classes, that the bank refused', () => {
  const base = { currency: 'EUR', order: 'text', size: 'base' };
  const row = { currency: 'USD', order: 'integer', size: 2 };
  const makeSentRow = (classes: SentRow['classes'], isAccepted: boolean): SentRow => ({ classes, isAccepted });
  const list = (...requests: readonly SentRow[]) => listUsableInputs(row, base, [makeSentRow(base, true), ...requests]);
  expect(list()).toEqual(['currency', 'order', 'size']);
  // The bank refuses one class, whatever the other classes are.
  expect(list(makeSentRow({ ...base, order: 'integer' }, false))).toEqual(['currency', 'size']);
  const refusedThenAccepted = [false, true].map((isAccepted) => makeSentRow({ ...base, order: 'integer' }, isAccepted));
  expect(list(...refusedThenAccepted)).toEqual(['currency', 'order', 'size']);
  // Each class is taken, but not this pair: the later one goes.
  const acceptedClasses = [{ currency: 'USD' }, { order: 'integer' }, { size: 2 }].map((change) =>
    makeSentRow({ ...base, ...change }, true),
  );
  const pair = makeSentRow({ ...base, currency: 'USD', size: 2 }, false);
  expect(list(...acceptedClasses, pair)).toEqual(['currency', 'order']);
  // A refusal that one class explains says nothing about pairs.
  const gbp = makeSentRow({ currency: 'GBP', order: 'integer', size: 2 }, false);
  expect(list(...acceptedClasses, makeSentRow({ ...base, currency: 'GBP' }, false), gbp)).toEqual([
    'currency',
    'order',
    'size',
  ]);
});
