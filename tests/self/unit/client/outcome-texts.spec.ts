/** Tests how the suite reads the outcome texts of an unknown bank: pending, conclusive or not understood. */
import { expect, test } from '@playwright/test';
import { editAnswers, serveOperations } from '../../../../fixtures/banks/lib/serving.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import {
  isConclusive,
  isPending,
  makePendingTest,
  type OutcomeQuery,
} from '../../../../openapi/bank/history/outcome-texts.ts';
import { maskNumbers } from '../../../../openapi/util/truncate.ts';
import { listFindings } from '../../support/examine.ts';

test('Outcome texts in several languages are read as pending, as conclusive, or as neither', () => {
  for (const [expected, ...texts] of [
    [
      'pending',
      'In progress',
      'Accepted for processing',
      'Your request is being looked into',
      'İşleniyor',
      'Onayda bekliyor',
      'wird bearbeitet',
    ],
    ['pending', 'İşleminiz devam etmektedir', 'Kullandırım gerçekleştiriliyor', 'Ödeme yapılmaktadır'],
    ['conclusive', 'OK', 'Processed', 'The disbursement could not be made', 'Kullandırım tamamlandı', 'ausgezahlt'],
    ['neither', 'The loan is approved, the payment follows', 'It will be paid', 'Lähetetty', '7'],
  ] as const)
    for (const text of texts)
      expect([text, isPending(text), isConclusive(text)]).toEqual([
        text,
        expected === 'pending',
        expected === 'conclusive',
      ]);
  for (const text of ['Kullandırıma devam edilememiştir', 'İşleme devam edememekteyiz'])
    expect([text, isPending(text)]).toEqual([text, false]);
});

test('A text that is not understood counts as pending once two disbursements left it for another text', () => {
  const queries: OutcomeQuery[] = [];
  const isPendingHere = makePendingTest(queries);
  const note = (application_id: string, ...texts: readonly string[]): void =>
    texts.forEach((result) => void queries.push({ values: { application_id }, result, sentAt: queries.length }));
  note('1', 'Zlecenie przekazano', 'Paid', 'Paid back');
  expect(isPendingHere('Zlecenie przekazano')).toBe(false);
  note('2', 'Zlecenie przekazano', 'Paid', 'Paid back');
  expect(isPendingHere('Zlecenie przekazano')).toBe(true);
  // A payment that is taken back was no payment under way.
  expect(isPendingHere('Paid')).toBe(false);
  expect(isPendingHere('In progress')).toBe(true);
});

test('Texts that differ only in numbers and references are equal; words written together are not', () => {
  for (const [count, ...texts] of [
    [1, 'Paid at 9:07', 'Paid at 10:12'],
    [1, 'Paid (a123)', 'Paid (face)', 'Paid (9F0C)', 'Paid (FACE)'],
    [1, 'Paid, aGVsbG9', 'Paid, QmVsbA'],
    [1, 'Paid: 0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4', 'Paid: fedcbafe-aaaa-4abc-9abc-abcdefabcdef'],
    [3, 'InProgress', 'PaidOut', 'NotPaid'],
    [3, 'S00', 'E05', 'R036'],
    [2, '2. Taksit ödendi', '2. Taksit ödenmedi'],
  ] as const)
    expect([texts, new Set(texts.map(maskNumbers)).size]).toEqual([texts, count]);
});

test('An account id with a hyphen, which cannot be sent as an integer, gives one finding, and none about refused accounts', async () => {
  const bank = editAnswers('requestLoan', ({ rows }) => {
    const last = rows.at(-1);
    if (last !== undefined) last['account_id'] = String(last['account_id']).replace(/(?=\d{4}$)/, '-');
  })(createBank());
  expect(await listFindings(bank, 'loans', { env: { RUNS: '5' } })).toEqual([
    expect.stringMatching(/^loans\.offer\.account-id\.digits: /),
  ]);
});

test('A disbursement that was refused, sent again and answered 504 does not count as refused', async () => {
  const refusedOnce = new Set<unknown>();
  const bank = serveOperations('disburse', async ({ sent: { application_id: id, amount } }, forward) => {
    const isRefused = !Number.isInteger(amount) && !refusedOnce.has(id);
    if (isRefused) refusedOnce.add(id);
    if (isRefused) return Response.json({ error: 'no cents' }, { status: 422 });
    const answer = await forward();
    return refusedOnce.has(id) ? Response.json({ error: 'timeout' }, { status: 504 }) : answer;
  })(createBank());
  expect((await listFindings(bank, 'loans', { env: { RUNS: '5' } })).join()).not.toContain(
    'loans.outcome.not-of-a-refused',
  );
  expect(refusedOnce.size).toBeGreaterThan(0);
});
