/** Tests what the report says about refused requests. */
import { expect, test } from '@playwright/test';
import { groupNotesByKind } from '../../../../openapi/checks/history.ts';
import { inferRefusals } from '../../../../openapi/inference/refusals.ts';

/** A validation with an amount and a currency, and the status of its answer. */
type Row = readonly [status: number, amount: string, currency?: string];

function listSentences(...rows: readonly Row[]): readonly string[] {
  const records = rows.map(([status, amount, currency = 'EUR'], nth) => ({
    exchange: `validateLoan-${nth}`,
    fact: {
      rule: 'answer',
      operation: 'validateLoan',
      outcome: status < 300 ? 'accepted' : 'refused',
      at: nth,
      what: `${nth}`,
      status,
      asked: { amount, currency },
    } as const,
  }));
  return inferRefusals(groupNotesByKind(records)).map(
    ({ question, answer }) => `${String(question)}: ${String(answer)}`,
  );
}

test('Bounds, values and statuses explain refusals; an unexplained refusal comes first', () => {
  const taken: readonly Row[] = [
    [200, '100'],
    [200, '500'],
  ];
  expect(listSentences(...taken, [422, '50'], [422, '0'], [422, '1000'], [422, '200', 'CHF'], [422, '300'])).toEqual([
    'no explanation found: refused: 1 of 7',
    'amounts below 100: refused: 1 of 1',
    'amounts of zero and below: refused: 1 of 1',
    'amounts above 500: refused: 1 of 1',
    'the currency CHF: refused: 1 of 1',
  ]);
  expect(listSentences(...taken)).toEqual([]);
  expect(listSentences(...taken, [403, '100'])).toEqual(['missing rights: refused: 1 of 1']);
});
