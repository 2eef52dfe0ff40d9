import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../../support/judge-harness.ts';
import { shownBy, type Roles } from '../../history.ts';

interface Row {
  /** Amounts of concurrent disbursements, and the fall of the limit, in cents; `moved` is a later fall of the limit. */
  readonly amounts: readonly number[];
  readonly fall: number;
  readonly moved?: number;
  readonly isFirstRefused?: boolean;
  readonly result?: string;
}

const showLimit = (cents: number): Exchange =>
  exchange('requestLoan', body('requestLoan', '/data/infos/0/avaliable_limit', (cents / 100).toFixed(2)));
const [offer] = (body('requestLoan') as { data: { infos: { account_id: string }[] } }).data.infos;

/** Puts rows side by side as a scenario does, one after the other. */
function ledger(...rows: readonly Row[]): readonly Roles[] {
  let limit = 900_000;
  return rows.map(({ amounts, fall, moved = 0, isFirstRefused = false, result = 'Disbursement completed' }) => {
    const asked = amounts.map((amount, at) => {
      const application_id = String(7_000_000 + at);
      return { amount: amount / 100, account_id: String(offer?.account_id), application_id };
    });
    const disbursed = asked.map((one, at) =>
      isFirstRefused && at === 0
        ? exchange('disburse', { message: 'No' }, { asked: one, status: 409 })
        : exchange('disburse', body('disburse'), { asked: one }),
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
const singleDisbursement = (amount: number, fall = amount, more: Partial<Row> = {}): Row => ({
  amounts: [amount],
  fall,
  ...more,
});
const resultOfRows = (...rows: readonly Row[]): string => {
  const [first = {}, ...more] = ledger(...rows);
  return shownBy('loans.limit.ledger', first, {}, more);
};
const fittingRows = [singleDisbursement(100_000), singleDisbursement(100), singleDisbursement(1250)];

test('If most single disbursements lower the limit by an amount, the others do too', () => {
  expect(resultOfRows(...fittingRows)).toBe('kept');
  expect(resultOfRows(...fittingRows, singleDisbursement(110_935, 0), singleDisbursement(400, 0))).toBe('broken');
  expect(resultOfRows(...fittingRows, singleDisbursement(110_935, 110_900), singleDisbursement(435, 400))).toBe(
    'broken',
  );
  expect(resultOfRows(...fittingRows, singleDisbursement(500, 1000), singleDisbursement(700, 1400))).toBe('broken');
  expect(
    resultOfRows(
      singleDisbursement(100_000, 100_050),
      singleDisbursement(100, 150),
      singleDisbursement(1250, 1300),
      singleDisbursement(500, 0),
      singleDisbursement(700, 0),
    ),
  ).toBe('broken');
  // Two at once count like two in a row; one of two may be refused.
  expect(resultOfRows(...fittingRows, { amounts: [1000, 1000], fall: 2000 })).toBe('kept');
  const lost = { amounts: [1000, 1000], fall: 1000 };
  expect(resultOfRows(...fittingRows, lost, lost)).toBe('broken');
  expect(resultOfRows(...fittingRows, { ...lost, isFirstRefused: true }, { ...lost, isFirstRefused: true })).toBe(
    'kept',
  );
});

test('A bank may treat a limit in several ways without breaking the clause', () => {
  // The limit stays, or falls by a share of the amount; the rows are too few, or all of one amount.
  expect(
    resultOfRows(
      singleDisbursement(100, 0),
      singleDisbursement(200, 0),
      singleDisbursement(300, 0),
      singleDisbursement(400),
      singleDisbursement(500),
    ),
  ).toBe('untested');
  expect(
    resultOfRows(
      singleDisbursement(100, 10),
      singleDisbursement(200, 20),
      singleDisbursement(300, 30),
      singleDisbursement(400),
      singleDisbursement(500),
    ),
  ).toBe('untested');
  expect(
    resultOfRows(
      singleDisbursement(100),
      singleDisbursement(200),
      singleDisbursement(300, 0),
      singleDisbursement(400, 0),
    ),
  ).toBe('untested');
  expect(
    resultOfRows(
      singleDisbursement(100),
      singleDisbursement(100),
      singleDisbursement(100),
      singleDisbursement(400, 0),
      singleDisbursement(500, 0),
    ),
  ).toBe('untested');
  // One change may come from other clients; a fee may begin at an amount, or after some disbursements.
  expect(resultOfRows(...fittingRows, singleDisbursement(500, 0))).toBe('kept');
  expect(resultOfRows(...fittingRows, singleDisbursement(200_000, 200_500), singleDisbursement(300_000, 300_500))).toBe(
    'kept',
  );
  expect(resultOfRows(...fittingRows, singleDisbursement(500, 550), singleDisbursement(600, 650))).toBe('kept');
  // The limit is shown only up to a maximum, or updated late.
  expect(resultOfRows(singleDisbursement(500, 0), singleDisbursement(600, 0), ...fittingRows)).toBe('kept');
  expect(
    resultOfRows(
      ...fittingRows,
      singleDisbursement(500, 0),
      singleDisbursement(600, 1100),
      singleDisbursement(700, 0),
      singleDisbursement(800, 1500),
    ),
  ).toBe('kept');
});

test('Nothing is concluded while the limit changes by itself, or an outcome is unknown', () => {
  expect(resultOfRows(...fittingRows, singleDisbursement(500, 0), singleDisbursement(600, 0, { moved: 50 }))).toBe(
    'untested',
  );
  const pending = { result: 'Disbursement is being processed' };
  expect(
    resultOfRows(
      ...fittingRows,
      singleDisbursement(500, 0, pending),
      singleDisbursement(600, 1100),
      singleDisbursement(700, 0),
      singleDisbursement(800, 0),
    ),
  ).toBe('untested');
});
