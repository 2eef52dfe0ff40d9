/** Tests which changes of a finding since BASELINE are reported: its value, its condition, and in how many answers it is. */
import { expect, test } from '@playwright/test';
import { writeTerminalSummary } from '../../../../../reports/formats/terminal.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import {
  reportOfLines,
  makeEntryLine,
  makeFindingLine,
  makeJournalOfCalls,
  makeLines,
  makeRecord,
} from '../../../support/reports/sample-report.ts';

/** Makes a report of 24 loan requests. `faults` returns the wrong rates and ids of the nth answer. */
function judgeRequests(faults: (n: number) => readonly object[], baseline?: Report): Report {
  const requests = Array.from({ length: 24 }, (_, n) =>
    makeEntryLine(`many-${n}`, 'requestLoan', {
      exercised: ['loans.rate', 'loans.order-id'],
      breaks: faults(n).map((fault) => makeFindingLine({ exchange: `many-${n}`, ...fault })),
      request: {
        ...makeRecord('x', 'requestLoan').request,
        asked: { amount: n, currency: n % 2 === 0 ? 'EUR' : 'TRY' },
      },
    }),
  );
  return reportOfLines(
    [...makeJournalOfCalls((operation) => operation !== 'requestLoan'), ...makeLines(...requests)],
    baseline === undefined ? {} : { baselineFiles: { baseline } },
  );
}

const PLACE = '(POST /api/bank/revolving-loans/v1/loans at /data/infos/*/interest_rate)';
const atRandom = new Set([0, 1, 5, 6, 7, 11, 12, 18, 19, 23]);
const otherAnswers = new Set([2, 3, 4, 8, 9, 13, 14, 20, 21, 22]);
const onlyEuro = 'a decimal number as text only where currency is "EUR"';

for (const [title, before, now, sentences] of [
  [
    'is in other answers, but as many,',
    (n) => (atRandom.has(n) ? [{}] : []),
    (n) => (otherAnswers.has(n) ? [{}] : []),
    [],
  ],
  ['is in nearly all answers', (n) => (atRandom.has(n) ? [{}] : []), (n) => (n > 0 ? [{}] : []), []],
  [
    'is in all answers',
    (n) => (atRandom.has(n) ? [{}] : []),
    () => [{}],
    [`before a decimal number as text in some answers, now a decimal number as text in all answers ${PLACE}`],
  ],
  ['has another border', (n) => (n >= 10 ? [{}] : []), (n) => (n >= 12 ? [{}] : []), []],
  ['has the same condition', (n) => (n % 2 === 0 ? [{}] : []), (n) => (n % 2 === 0 ? [{}] : []), []],
  [
    'has another condition',
    (n) => (n % 2 === 0 ? [{}] : []),
    (n) => (n % 2 === 1 ? [{}] : []),
    [`before ${onlyEuro}, now ${onlyEuro.replace('EUR', 'TRY')} ${PLACE}`],
  ],
  [
    'has another value',
    (n) => (n % 2 === 0 ? [{}] : []),
    (n) => (n % 2 === 0 ? [{ received: 'null' }] : []),
    [`before ${onlyEuro}, now ${onlyEuro.replace('a decimal number as text', 'null')} ${PLACE}`],
  ],
] as const satisfies (readonly [string, ...Parameters<typeof judgeRequests>[0][], readonly string[]])[])
  test(`Compared with BASELINE, a finding that ${title} is ${sentences.length > 0 ? '' : 'not '}reported as changed`, () => {
    const report = judgeRequests(now, judgeRequests(before));
    const text = writeTerminalSummary(report, { color: false });
    expect(report.against?.changes?.places).toHaveLength(sentences.length);
    for (const sentence of sentences) expect(text).toContain(`loans.rate: ${sentence}`);
  });

test('The terminal gives the command for the finding that BASELINE does not have', () => {
  const orderId = { clause: 'loans.order-id', pointer: '/data/application_id', received: 'null' };
  const report = judgeRequests(
    () => [{}, orderId],
    judgeRequests(() => [{}]),
  );
  const [fresh] = report.against!.changes!.findings.fresh;
  const number = report.findings.findIndex(({ id }) => id === fresh) + 1;
  expect(number).toBe(report.findings.length);
  expect(writeTerminalSummary(report, { color: false, path: 'conformance.html' })).toContain(
    `This command shows finding ${number} with its requests`,
  );
  expect(report.gate.reasons).toEqual([
    'the bank breaks 2 clauses of the document: loans.order-id (new) and loans.rate',
  ]);
});
