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

const look = (cents: number): Exchange =>
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
    const before = look(limit);
    const after = [look(limit - fall), look(limit - fall - moved)];
    limit -= fall + moved;
    return { before, disbursed, outcome, after };
  });
}
const one = (amount: number, fall = amount, more: Partial<Row> = {}): Row => ({ amounts: [amount], fall, ...more });
const of = (...rows: readonly Row[]): string => {
  const [first = {}, ...more] = ledger(...rows);
  return shownBy('loans.limit.ledger', first, {}, more);
};
const fitting = [one(100_000), one(100), one(1250)];

test('If most single disbursements lower the limit by an amount, the others do too', () => {
  expect(of(...fitting)).toBe('kept');
  expect(of(...fitting, one(110_935, 0), one(400, 0))).toBe('broken');
  expect(of(...fitting, one(110_935, 110_900), one(435, 400))).toBe('broken');
  expect(of(...fitting, one(500, 1000), one(700, 1400))).toBe('broken');
  expect(of(one(100_000, 100_050), one(100, 150), one(1250, 1300), one(500, 0), one(700, 0))).toBe('broken');
  // Two at once count like two in a row; one of two may be refused.
  expect(of(...fitting, { amounts: [1000, 1000], fall: 2000 })).toBe('kept');
  const lost = { amounts: [1000, 1000], fall: 1000 };
  expect(of(...fitting, lost, lost)).toBe('broken');
  expect(of(...fitting, { ...lost, isFirstRefused: true }, { ...lost, isFirstRefused: true })).toBe('kept');
});

test('A bank may treat a limit in several ways without breaking the clause', () => {
  // The limit stays, or falls by a share of the amount; the rows are too few, or all of one amount.
  expect(of(one(100, 0), one(200, 0), one(300, 0), one(400), one(500))).toBe('untested');
  expect(of(one(100, 10), one(200, 20), one(300, 30), one(400), one(500))).toBe('untested');
  expect(of(one(100), one(200), one(300, 0), one(400, 0))).toBe('untested');
  expect(of(one(100), one(100), one(100), one(400, 0), one(500, 0))).toBe('untested');
  // One change may come from other clients; a fee may begin at an amount, or after some disbursements.
  expect(of(...fitting, one(500, 0))).toBe('kept');
  expect(of(...fitting, one(200_000, 200_500), one(300_000, 300_500))).toBe('kept');
  expect(of(...fitting, one(500, 550), one(600, 650))).toBe('kept');
  // The limit is shown only up to a maximum, or updated late.
  expect(of(one(500, 0), one(600, 0), ...fitting)).toBe('kept');
  expect(of(...fitting, one(500, 0), one(600, 1100), one(700, 0), one(800, 1500))).toBe('kept');
});

test('Nothing is concluded while the limit changes by itself, or an outcome is unknown', () => {
  expect(of(...fitting, one(500, 0), one(600, 0, { moved: 50 }))).toBe('untested');
  const pending = { result: 'Disbursement is being processed' };
  expect(of(...fitting, one(500, 0, pending), one(600, 1100), one(700, 0), one(800, 0))).toBe('untested');
});
