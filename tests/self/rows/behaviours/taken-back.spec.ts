/** Tests the clauses that a payment does not become a failure later, and that a final outcome text stays. */
import { expect, test } from '@playwright/test';
import { finalOutcome } from '../../../../openapi/bank/behaviours/loans/outcome-history.ts';
import { inferFollowedOutcomes, paymentNotTakenBack } from '../../../../openapi/bank/behaviours/loans/taken-back.ts';
import { openRun } from '../../../../openapi/evaluate-run.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { NO_PAYMENT_STAYS } from '../../../../openapi/bank/history/outcome-stages.ts';
import { collectRecords } from '../../support/judge-harness.ts';
import {
  FAILURE_TEXT,
  makeDisbursement,
  makeFailure,
  makeOutcome,
  PENDING_TEXT,
  SUCCESS_TEXT,
} from './outcome-rows.ts';
import { broken, kept, notTested, runRows } from './rows.ts';

/** A disbursement of each id, and queries at these seconds with these texts. A text that ends in `!` comes with errors. */
const watch = (ids: readonly string[], from: number, texts: Readonly<Record<number, string>>): readonly Exchange[] =>
  ids.flatMap((id, nth) => [
    makeDisbursement(id, from + nth),
    ...Object.entries(texts).map(([second, text]) =>
      text.endsWith('!')
        ? makeFailure(id, text.slice(0, -1), Number(second) + nth)
        : makeOutcome(id, text, Number(second) + nth),
    ),
  ]);

const FAILED = `${FAILURE_TEXT}!`;
const paidTexts = { 20: SUCCESS_TEXT, 90: SUCCESS_TEXT };
const older = watch(['1', '2', '3'], 0, paidTexts);
const younger = watch(['7', '8', '9'], 15, paidTexts);
const takenBack = watch(['4', '5'], 10, { 20: SUCCESS_TEXT, 80: FAILED });
const onlyFailures = watch(['4', '5'], 10, { 20: FAILED, 80: FAILED });
/** Queries every ten seconds. */
const keepLonger = (text: string) =>
  Object.fromEntries([20, 30, 40, 50, 60, 70, 80, 90].map((second) => [second, text]));
const RECEIVED = `“${FAILURE_TEXT}” with errors`;

runRows(paymentNotTakenBack, {
  'two payments become failures, and older payments stay': broken([...older, ...takenBack], {
    ...{ pointer: '/errors', received: RECEIVED, unit: 'disbursements', count: 2 },
  }),
  'two failures become payments, and most other payments stay': broken([
    ...[...older, ...younger],
    ...watch(['4', '5'], 10, { 20: FAILED, 80: SUCCESS_TEXT, 90: SUCCESS_TEXT }),
  ]),
  'payments and failures stay': kept([...older, ...watch(['4', '5'], 10, { 20: FAILED, 80: FAILED })]),
  'only one payment becomes a failure': kept([...older, ...watch(['4'], 10, { 20: SUCCESS_TEXT, 80: FAILED })]),
  'only younger payments stay, so that time may explain the failures': kept([...takenBack, ...younger]),
  'a failure follows a text that need not mean a payment, or that is not final': ['Approved', PENDING_TEXT].map(
    (text) =>
      kept([
        ...[...older, ...watch(['1a', '2a', '3a'], 0, { 20: text, 90: text })],
        ...watch(['4', '5'], 10, { 20: text, 80: FAILED }),
      ]),
  ),
  'only two older payments stay, or none is queried after the failures': [
    kept([...older.slice(3), ...takenBack, ...younger]),
    kept([...watch(['1', '2', '3'], 0, { 20: SUCCESS_TEXT, 70: SUCCESS_TEXT }), ...takenBack]),
  ],
  'a further text without errors follows the payment of another disbursement': kept([
    ...[...older, ...takenBack],
    ...watch(['6'], 12, { 20: SUCCESS_TEXT, 80: 'The loan is closed' }),
  ]),
  'only one failure becomes a payment, or no other payment stays': [
    kept([...older, ...watch(['4'], 10, { 20: FAILED, 80: SUCCESS_TEXT, 90: SUCCESS_TEXT })]),
    kept(watch(['4', '5'], 10, { 20: FAILED, 80: SUCCESS_TEXT, 90: SUCCESS_TEXT })),
  ],
  'two failures get a text that need not mean a payment, that no other has, or that others had only once': [
    kept([
      ...watch(['1', '2', '3'], 0, { 20: 'Approved', 90: 'Approved' }),
      ...watch(['4', '5'], 10, { 20: FAILED, 80: 'Approved', 90: 'Approved' }),
    ]),
    kept([...older, ...watch(['4', '5'], 10, { 20: FAILED, 80: 'Paid', 90: 'Paid' })]),
    kept([
      ...watch(['1', '2', '3'], 0, { 20: SUCCESS_TEXT }),
      ...watch(['4', '5'], 10, { 20: FAILED, 80: SUCCESS_TEXT, 90: SUCCESS_TEXT }),
    ]),
  ],
  'two payments become failures, only younger payments stay, and other disbursements failed': kept([
    ...[...younger, ...takenBack],
    ...watch(['1', '2', '3'], 0, { 20: FAILED, 90: FAILED }),
  ]),
  'failures follow a text soon that younger disbursements keep much longer': broken([
    ...watch(['1', '2', '3'], 15, { 16: PENDING_TEXT, ...keepLonger('Approved') }),
    ...watch(['4', '5'], 10, { 20: 'Approved', 30: FAILED }),
  ]),
  'the payments that become failures had two disbursements before': kept([
    ...[...older, makeDisbursement('4', 5), makeDisbursement('5', 6)],
    ...takenBack,
  ]),
  'two payments become failures during a second disbursement': kept([
    ...older,
    ...watch(['4', '5'], 10, { 20: SUCCESS_TEXT, 50: FAILED }),
    ...[makeDisbursement('4', 50), makeDisbursement('5', 51)],
  ]),
  'two payments become failures after a second disbursement': kept([
    ...older,
    ...takenBack,
    makeDisbursement('4', 50),
    makeDisbursement('5', 51),
  ]),
  'every payment becomes a failure, or no disbursement is a payment': [
    notTested(takenBack, NO_PAYMENT_STAYS),
    notTested(onlyFailures, NO_PAYMENT_STAYS),
  ],
});

const keptPaid = watch(['1', '2', '3'], 15, { 16: PENDING_TEXT, ...keepLonger(SUCCESS_TEXT) });
const leftPaid = watch(['4', '5'], 10, { 20: SUCCESS_TEXT, 30: FAILED });
const WORDS_BEFORE = { 20: 'Paid', 22: 'Paid', 24: 'Disbursed' };
const renamed = watch(['4', '5'], 10, WORDS_BEFORE);
const stayPaid = (last: number) => watch(['1', '2', '3'], 0, { 5: 'Pending', 20: 'Paid', 60: 'Paid', [last]: 'Paid' });
const disbursed = watch(['7', '8', '9'], 15, { 96: 'Disbursed', 100: 'Disbursed', 105: 'Disbursed', 110: 'Disbursed' });
runRows(finalOutcome, {
  'a text changes that other disbursements keep to the end': broken([...stayPaid(110), ...renamed, ...disbursed]),
  'a text changes that no disbursement has at the end': kept([...stayPaid(62), ...renamed, ...disbursed]),
  'payments become failures, which is a finding of another clause': kept([...keptPaid, ...leftPaid]),
  'no payment stays, or only failures': [
    notTested(takenBack, NO_PAYMENT_STAYS),
    notTested(onlyFailures, NO_PAYMENT_STAYS),
  ],
});

test('If payments become failures, an open point names the text of the payment and the failure after it', () => {
  const run = openRun(takenBack.flatMap((exchange) => collectRecords(exchange)));
  expect(inferFollowedOutcomes(run)).toMatchObject([
    { point: 'loans.outcome-texts', question: `after “${SUCCESS_TEXT}”`, answer: RECEIVED, count: 2 },
  ]);
});
