/**
 * Tests how findings are divided by cause: by the received value, by the requests in which it comes, and by whether one finding is
 * probably a consequence of another.
 */
import { expect, test } from '@playwright/test';
import { listRootCauses } from '../../../../../reports/build/causes.ts';
import { findDistinguishingProperty } from '../../../../../reports/build/conditions.ts';
import { readText, renderings } from '../../../support/reports/renderings.ts';
import {
  makeEntryLine,
  makeFindingLine,
  reportOfLines,
  makeJournalOfCalls,
  makeLines,
  makeRecord,
} from '../../../support/reports/sample-report.ts';

/** Makes loan requests. `faults` returns the received rates by the amount of the request; other rates are right. */
const makeLoanRequests = (requestedAmounts: readonly number[], faults: (amount: number) => readonly object[]) =>
  requestedAmounts.flatMap((amount, at) => [
    makeEntryLine(`many-${at}`, 'requestLoan', {
      exercised: ['loans.rate', 'loans.order-id'],
      breaks: faults(amount).map((fault) => makeFindingLine({ exchange: `many-${at}`, ...fault })),
      request: { ...makeRecord('x', 'requestLoan').request, asked: { amount } },
    }),
  ]);

const otherOperations = makeJournalOfCalls((operation) => operation !== 'requestLoan');
const amounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5];

test('Two wrong values at one place are two rows of one finding, each with its condition, in every format', () => {
  const report = reportOfLines([
    ...otherOperations,
    ...makeLines(
      ...makeLoanRequests(amounts, (amount) => [
        ...(amount >= 10 ? [{ received: '"12.5"' }] : []),
        ...(Number.isInteger(amount) ? [] : [{ received: 'null' }]),
      ]),
    ),
  ]);
  expect(report.findings).toHaveLength(1);
  expect(report.findings[0]).toMatchObject({
    count: 13,
    values: [
      { value: '"12.5"', count: 7, answers: 7, exchange: 'many-9', only: 'amount is 10 or more' },
      { value: 'null', count: 6, answers: 6, exchange: 'many-16', only: 'amount has decimals' },
    ],
  });
  for (const exchange of ['many-9', 'many-16']) expect(report.exchanges).toHaveProperty([exchange]);
  for (const name of Object.keys(renderings))
    for (const row of ['7 × "12.5", always and only where amount is 10 or more', '6 × null'])
      expect(readText(name, report), name).toContain(row);
});

const withAmount = (...amounts: readonly (number | string | boolean)[]) =>
  amounts.map((amount) => new Map([['amount', amount]]));
const listNumbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

for (const [title, faultyRequests, soundRequests, words] of [
  ['faults at one value', withAmount(...Array<number>(9).fill(5)), withAmount(...listNumbers(6, 20)), 'amount is 5'],
  [
    'faults in a range',
    withAmount(...listNumbers(5, 12)),
    withAmount(...listNumbers(1, 4), ...listNumbers(13, 40)),
    'amount is 5 or more and amount is 12 or less',
  ],
  ['too few requests', withAmount(5), withAmount(6, 7), null],
  ['faults at random', withAmount(1, 2, 3, 4, 5, 6), withAmount(1, 2, 3, 4, 5, 6, 7), null],
  ['faults in all requests', withAmount(1, 2, 3, 4, 5, 6), [], null],
] as const)
  test(`From ${title}, the condition is ${words ?? 'not named'}`, () => {
    expect(findDistinguishingProperty(faultyRequests, soundRequests)).toBe(words);
  });

test('A finding in exactly the answers of another is shown as its consequence, but not if both are in all answers', () => {
  const orderId = { clause: 'loans.order-id', pointer: '/data/application_id', received: 'null' };
  const withFaults = (faults: (amount: number) => readonly object[]) =>
    reportOfLines([...otherOperations, ...makeLines(...makeLoanRequests(amounts, faults))]);
  const linked = withFaults((amount) => (amount >= 10 ? [{}, orderId] : []));
  const [cause, effect] = linked.findings;
  expect([cause?.consequenceOf, effect?.consequenceOf]).toEqual([undefined, cause?.id]);
  for (const name of ['terminal', 'page', 'junit', 'sarif'])
    expect(readText(name, linked).replace(/<[^>]*>/g, '')).toContain('robably a consequence of no. 1');
  const unlinked = withFaults((amount) => [...(amount >= 10 ? [{}] : []), ...(amount < 5 ? [orderId] : [])]);
  expect(unlinked.findings.map(({ consequenceOf }) => consequenceOf)).toEqual([undefined, undefined]);
  const inAllAnswers = withFaults(() => [{}, orderId]);
  expect(inAllAnswers.findings.map(({ consequenceOf }) => consequenceOf)).toEqual([undefined, undefined]);
});

const tolerateRates = (form: string) => ({
  baselineFiles: {
    known: [
      {
        clause: 'loans.rate',
        operation: 'POST /api/bank/revolving-loans/v1/loans',
        pointer: '/data/infos/*/interest_rate',
        form,
        reason: 'Ticket 4711',
        owner: 'The loans team',
        expires: '2999-12-31',
      },
    ],
  },
});

test('A finding that is not tolerated is never shown below a tolerated finding', () => {
  const orderId = { clause: 'loans.order-id', pointer: '/data/application_id', received: 'null' };
  const missingRate = { kind: 'null', received: 'null' };
  for (const secondFault of [orderId, missingRate]) {
    const requests = makeLoanRequests(amounts, (amount) => (amount >= 10 ? [{}, secondFault] : []));
    const journal = [...otherOperations, ...makeLines(...requests)];
    // Without an entry, one of the two is shown below the other.
    expect(listRootCauses(reportOfLines(journal).findings).causes).toHaveLength(1);
    const report = reportOfLines(journal, tolerateRates('a decimal number as text'));
    expect(
      listRootCauses(report.findings).causes.map(([worst]) => [worst.values[0]?.value, worst.known?.owner]),
    ).toEqual([
      ['null', undefined],
      ['"1.5"', 'The loans team'],
    ]);
    for (const name of ['terminal', 'page', 'junit', 'sarif'])
      expect(readText(name, report).replace(/<[^>]*>/g, '')).not.toContain('robably a consequence');
  }
});
