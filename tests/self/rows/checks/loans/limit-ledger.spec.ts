import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../../history.ts';

interface Row {
  /** The amounts of concurrent disbursements, and how much the limit fell (cents). `moved` is how much it fell later. */
  readonly amounts: readonly number[];
  readonly fall: number;
  readonly moved?: number;
  readonly isFirstRefused?: boolean;
  readonly result?: string;
}

const showLimit = (cents: number): Exchange =>
  exchange('requestLoan', body('requestLoan', '/data/infos/0/avaliable_limit', (cents / 100).toFixed(2)));
const [offer] = (body('requestLoan') as { data: { infos: { account_id: string }[] } }).data.infos;

/** Makes the comparisons of a scenario from rows, one after the other. */
function makeLedger(...rows: readonly Row[]): readonly Roles[] {
  let limit = 900_000;
  return rows.map(({ amounts, fall, moved = 0, isFirstRefused = false, result = 'Disbursement completed' }) => {
    const asked = amounts.map((amount, at) => {
      const application_id = String(7_000_000 + at);
      return { amount: amount / 100, account_id: String(offer?.account_id), application_id };
    });
    const disbursed = asked.map((entry, at) =>
      isFirstRefused && at === 0
        ? exchange('disburse', { message: 'No' }, { asked: entry, status: 409 })
        : exchange('disburse', body('disburse'), { asked: entry }),
    );
    const outcome = asked.map(({ application_id }) =>
      exchange('queryDisbursement', { data: { application_id, result } }, { asked: { application_id } }),
    );
    const before = showLimit(limit);
    const after = [showLimit(limit - fall), showLimit(limit - fall - moved)];
    limit -= fall + moved;
    return { before, disbursed, outcome, after };
  });
}
const makeSingleDisbursement = (amount: number, fall = amount, more: Partial<Row> = {}): Row => ({
  amounts: [amount],
  fall,
  ...more,
});
const checkRows = (...rows: readonly Row[]): string => {
  const [first = {}, ...more] = makeLedger(...rows);
  return readResultOfRoles('loans.limit.ledger', first, {}, more);
};
const fittingRows = [makeSingleDisbursement(100_000), makeSingleDisbursement(100), makeSingleDisbursement(1250)];

test('If most single disbursements lower the limit by an amount, the others do too', () => {
  expect(checkRows(...fittingRows)).toBe('kept');
  expect(checkRows(...fittingRows, makeSingleDisbursement(110_935, 0), makeSingleDisbursement(400, 0))).toBe('broken');
  expect(checkRows(...fittingRows, makeSingleDisbursement(110_935, 110_900), makeSingleDisbursement(435, 400))).toBe(
    'broken',
  );
  // Two concurrent disbursements count like two consecutive ones. One of the two may be refused.
  expect(checkRows(...fittingRows, { amounts: [1000, 1000], fall: 2000 })).toBe('kept');
  const lost = { amounts: [1000, 1000], fall: 1000 };
  expect(checkRows(...fittingRows, lost, lost)).toBe('broken');
  expect(checkRows(...fittingRows, { ...lost, isFirstRefused: true }, { ...lost, isFirstRefused: true })).toBe('kept');
});

test('A bank may treat a limit in several ways without breaking the clause', () => {
  // The limit stays the same, or there are too few rows.
  expect(
    checkRows(
      makeSingleDisbursement(100, 0),
      makeSingleDisbursement(200, 0),
      makeSingleDisbursement(300, 0),
      makeSingleDisbursement(400),
      makeSingleDisbursement(500),
    ),
  ).toBe('untested');
  expect(
    checkRows(
      makeSingleDisbursement(100),
      makeSingleDisbursement(200),
      makeSingleDisbursement(300, 0),
      makeSingleDisbursement(400, 0),
    ),
  ).toBe('untested');
  // One change may come from other clients. A fee may start at some amount.
  expect(checkRows(...fittingRows, makeSingleDisbursement(500, 0))).toBe('kept');
  expect(
    checkRows(...fittingRows, makeSingleDisbursement(200_000, 200_500), makeSingleDisbursement(300_000, 300_500)),
  ).toBe('kept');
  // The limit is shown only up to a maximum, or updated late.
  expect(checkRows(makeSingleDisbursement(500, 0), makeSingleDisbursement(600, 0), ...fittingRows)).toBe('kept');
  expect(
    checkRows(
      ...fittingRows,
      makeSingleDisbursement(500, 0),
      makeSingleDisbursement(600, 1100),
      makeSingleDisbursement(700, 0),
      makeSingleDisbursement(800, 1500),
    ),
  ).toBe('kept');
});

test('Nothing is concluded while the limit changes by itself, or an outcome is unknown', () => {
  expect(checkRows(...fittingRows, makeSingleDisbursement(500, 0), makeSingleDisbursement(600, 0, { moved: 50 }))).toBe(
    'untested',
  );
  const pending = makeSingleDisbursement(500, 0, { result: 'Disbursement is being processed' });
  expect(checkRows(...fittingRows, pending, pending)).toBe('untested');
});
