/**
 * Tests that findings distinguish causes: the kinds of received values, when they occur, which finding is a consequence, and what
 * differs.
 */
import { expect, test } from '@playwright/test';
import { quoteAnswer } from '../../../../../openapi/history/describe.ts';
import { readAnswer } from '../../../../../openapi/history/answered.ts';
import { toExchange } from '../../../../../openapi/history/reading.ts';
import { describeValueForm } from '../../../../../openapi/util/truncate.ts';
import { findDistinguishingProperty } from '../../../../../reports/fold/causes/conditions.ts';
import {
  describeDifference,
  renderSentRequest,
  restoreOriginalDigits,
} from '../../../../../reports/text/difference.ts';
import { readText, renderings } from '../../../support/reports/renderings.ts';
import {
  makeEntryLine,
  makeFindingLine,
  foldJournal,
  makeJournalOfCalls,
  makeLines,
  makeRecord,
  smallCatalogue,
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

test('Two faults at one place are two rows of one finding, with their conditions, in every rendering', () => {
  const report = foldJournal([
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

const withAmount = (...all: readonly (number | string | boolean)[]) =>
  all.map((amount) => new Map([['amount', amount]]));
const listNumbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

for (const [title, some, others, words] of [
  ['one value', withAmount(...Array<number>(9).fill(5)), withAmount(...listNumbers(6, 20)), 'amount is 5'],
  [
    'a range',
    withAmount(...listNumbers(5, 12)),
    withAmount(...listNumbers(1, 4), ...listNumbers(13, 40)),
    'amount is 5 or more and amount is 12 or less',
  ],
  [
    'a kind of character',
    withAmount('ä', 'ö', 'ü', 'ß', 'Ü', 'Ö'),
    withAmount(...'abcdefghij'),
    'amount has a character beyond ASCII',
  ],
  ['too few requests', withAmount(5), withAmount(6, 7), null],
  ['a fault at random', withAmount(1, 2, 3, 4, 5, 6), withAmount(1, 2, 3, 4, 5, 6, 7), null],
  ['no request that is fine', withAmount(1, 2, 3, 4, 5, 6), [], null],
] as const)
  test(`The condition of a fault: ${title}`, () => {
    expect(findDistinguishingProperty(some, others)).toBe(words);
  });

test('Values are of one form if only numbers and references differ', () => {
  const same = [
    ['12.50', '7.25'],
    ['"0042"', '"17"'],
    ['"https://x/p/a8Fk2-3bD_kq0"', '"https://x/p/Zz9-1bcD3aaaB"'],
  ];
  for (const [one, other] of same) expect(describeValueForm(one!)).toBe(describeValueForm(other!));
  const different = [
    ['12.50', '12.5'],
    ['12', '"12"'],
    ['""', '"ok"'],
    ['null', 'true'],
    ['"a"', '"b"'],
  ];
  for (const [one, other] of different) expect(describeValueForm(one!)).not.toBe(describeValueForm(other!));
});

test('A finding in the same answers as another is shown under it; one in all answers is not', () => {
  const orderId = { clause: 'loans.order-id', pointer: '/data/application_id', received: 'null' };
  const withFaults = (faults: (amount: number) => readonly object[]) =>
    foldJournal([...otherOperations, ...makeLines(...makeLoanRequests(amounts, faults))]);
  const linked = withFaults((amount) => (amount >= 10 ? [{}, orderId] : []));
  const [cause, effect] = linked.findings;
  expect([cause?.consequenceOf, effect?.consequenceOf]).toEqual([undefined, cause?.id]);
  for (const name of ['terminal', 'page', 'junit', 'sarif'])
    expect(readText(name, linked).replace(/<[^>]*>/g, '')).toContain('robably a consequence of no. 1');
  const apart = withFaults((amount) => [...(amount >= 10 ? [{}] : []), ...(amount < 5 ? [orderId] : [])]);
  expect(apart.findings.map(({ consequenceOf }) => consequenceOf)).toEqual([undefined, undefined]);
  const always = withFaults(() => [{}, orderId]);
  expect(always.findings.map(({ consequenceOf }) => consequenceOf)).toEqual([undefined, undefined]);
});

test('If a faulty answer contained a value, the refusal of this value is shown as a consequence of the fault', () => {
  const list = { clause: 'loans.rate', operation: 'listInstallments', pointer: '/data/installments/*/value' };
  const link = (id: string, installment: number) =>
    makeEntryLine(id, 'createPaymentLink', {
      ...(installment === 1.5 ? { status: 400, outcome: 'refused' } : {}),
      request: { ...makeRecord('x', 'createPaymentLink').request, asked: { installment } },
    });
  const refused = { clause: 'links.unique', operation: 'createPaymentLink', pointer: 'request/body/installment' };
  const reportOn = (value: number) =>
    foldJournal(
      makeLines(
        ...['list-1', 'list-2'].map((id) =>
          makeEntryLine(id, 'listInstallments', {
            body: `{"data":{"installments":[{"value":1},{"value":${value}}]}}`,
            exercised: ['loans.rate'],
            breaks: [makeFindingLine({ ...list, exchange: id, instance: '/data/installments/1/value' })],
          }),
        ),
        ...[1, 2, 3].flatMap((turn) => [link(`good-${turn}`, 1), link(`bad-${turn}`, 1.5)]),
      ),
      {},
      {
        ...smallCatalogue,
        evaluateRun: () => ({
          exercised: [],
          observed: [],
          broken: [
            { ...makeFindingLine({ ...refused, kind: 'behaviour', exchange: 'bad-1', contrast: 'good-1' }) } as never,
          ],
        }),
      },
    );
  const [fault, refusal] = reportOn(1.5).findings;
  expect(refusal).toMatchObject({ clause: 'links.unique', consequenceOf: fault?.id });
  expect(reportOn(2.5).findings.map(({ consequenceOf }) => consequenceOf)).toEqual([undefined, undefined]);
});

const makeRecordWithBody = (body: string) => makeRecord('a', 'validateLoan', { body });

test('The difference of two answers names the places, and leaves out what is new in each answer', () => {
  const [one, other] = [
    makeRecordWithBody('{"data":{"application_id":"17","infos":[{"code":"EUR"},{"code":"JPY"}]}}'),
    makeRecordWithBody('{"data":{"application_id":"18","infos":[{"code":"EUR"},{"code":"USD"}]}}'),
  ];
  expect(describeDifference(one, other)).toEqual(['/data/infos/*/code: "JPY" here, "USD" there']);
  expect(describeDifference(makeRecordWithBody('{"data":{"a":1}}'), makeRecordWithBody('{"data":{}}'))).toEqual([
    '/data/a: 1 here, nothing there',
    '/data: nothing here, {} there',
  ]);
});

test('Values, digits and requests are quoted unchanged', () => {
  const came = readAnswer(toExchange(makeRecordWithBody('{"data":{"result":"true"}}')), 'accepted');
  expect(quoteAnswer(came, '/data/result')).toBe('"true" (status 200)');
  expect(quoteAnswer(came, 'response/status')).toBe('status 200 with {"result":"true"}');
  expect(restoreOriginalDigits(makeRecordWithBody('{"data":{"limit":1783.60}}'), '/data/limit', '1783.6')).toBe(
    '1783.60',
  );
  expect(restoreOriginalDigits(makeRecordWithBody('{"data":{"limit":"x"}}'), '/data/limit', '1783.6')).toBe('1783.6');
  const { request } = makeRecord('a', 'validateLoan');
  expect(renderSentRequest(makeRecord('a', 'validateLoan'))).toBe(`POST ${request.path}\n{"amount":100}`);
});
