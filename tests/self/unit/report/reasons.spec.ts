/** Tests the reasons of an inconclusive verdict: why an operation did not succeed or was not called, and what a user can do. */
import { expect, test } from '@playwright/test';
import type { OperationId } from '../../../../openapi/api.ts';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { groupUntested } from '../../../../reports/build/untested.ts';
import {
  makeAnswerJournal,
  makeFindingLine,
  makeEntryLine,
  reportOfLines,
  makeLines,
  makeSoundJournal,
  smallCatalogue,
} from '../../support/reports/sample-report.ts';

const leaveOutAdvice = 'If the bank does not offer this area, leave it out with AREAS.';
for (const [status, outcome, cure] of [
  [null, 'lost', ' No server answers at the address of BASE_URL.'],
  [401, 'refused', ' The bank accepts the same credentials in another area: check the rights of the client.'],
  [302, 'refused', ' The suite follows no redirect: set BASE_URL to the address in the Location header.'],
  [500, 'refused', ' The bank answers with server errors.'],
  [402, 'refused', ''],
  [
    404,
    'refused',
    ` Check the path in BASE_URL, which ends before /api; other paths stand in an OVERLAY. ${leaveOutAdvice}`,
  ],
] as const)
  test(`If findAtms always gets ${status ?? 'no answer'}, the reason names the status and what to correct`, () => {
    const { reasons } = reportOfLines(makeAnswerJournal('findAtms', status, outcome));
    expect(reasons[0]).toBe(`No documented request of findAtms succeeded: both got ${status ?? 'no answer'}.${cure}`);
  });

test('If a finding explains why an operation never succeeded, there is no further reason for the operation', () => {
  const broken = makeLines(
    makeFindingLine({
      clause: 'links.token-in-link',
      operation: 'createPaymentLink',
      pointer: '/data',
      kind: 'missing',
    }),
  );
  const journal = makeAnswerJournal('createPaymentLink', 200, 'malformed');
  const report = reportOfLines([...journal, ...broken]);
  expect(report.reasons).toEqual(['1 clause of the document is broken: links.token-in-link.']);
  const [id, group] = [...groupUntested(report)].at(-1)!;
  expect([id, group.operations.map((operation) => operation.id)]).toEqual([
    report.findings[0]?.id,
    ['createPaymentLink'],
  ]);
  expect(reportOfLines(journal).reasons[0]).toMatch(
    /^No documented request of createPaymentLink succeeded: both got 200/,
  );
});

test('A clause of a behaviour is not tested because of an operation on which the behaviour depends', () => {
  const id = 'loans.limit';
  const clause = { ...smallCatalogue.clauses['links.unique']!, area: 'loans' } as const;
  const explain = (journal: readonly JournalLine[], ...dependencies: readonly (readonly OperationId[])[]) => {
    const clauses = { ...smallCatalogue.clauses, [id]: clause };
    const unexercised = makeLines({ line: 'unexercised', clause: id, why: 'no account was offered' });
    const catalogue = { ...smallCatalogue, clauses, dependenciesOf: () => dependencies };
    const report = reportOfLines([...journal, ...unexercised], {}, catalogue).clauses.find((row) => row.id === id);
    return [report?.why, report?.operation];
  };
  const [refused, loans] = [
    makeAnswerJournal('requestLoan', 404, 'refused'),
    'POST /api/bank/revolving-loans/v1/loans',
  ];
  expect(explain(refused, ['requestLoan'])).toEqual(['No documented request of requestLoan succeeded.', loans]);
  expect(explain(refused, ['requestLoan', 'validateLoan'])).toEqual(['No account was offered.', null]);
  expect(explain(refused)).toEqual(['No account was offered.', null]);
  expect(explain(makeSoundJournal(), ['requestLoan'])).toEqual(['No account was offered.', null]);
});

test('A clock of the bank that is 6 hours ahead is a reason; a clock that is a minute off is not', () => {
  const reasonsAt = (date: string): string => {
    const response = { status: 200, headers: [['Date', date] as const] };
    const line = makeEntryLine('dated', 'findAtms', { response });
    return reportOfLines([...makeSoundJournal(), ...makeLines(line)]).reasons.join(' ');
  };
  expect(reasonsAt('Thu, 02 Jan 2025 09:04:06 GMT')).toContain('The clock of the bank is 6 hours ahead of the clock');
  expect(reasonsAt('Thu, 02 Jan 2025 03:05:06 GMT')).not.toContain('clock');
});

test('If more than a tenth of the documented requests of an operation are lost or crash, the run is inconclusive', () => {
  const requests = (status: number | null, outcome: string, count: number) =>
    makeLines(
      ...Array.from({ length: count }, (_, nth) => makeEntryLine(`${status}-${nth}`, 'findAtms', { status, outcome })),
    );
  const fold = (...lines: readonly JournalLine[]) => reportOfLines([...makeSoundJournal(), ...lines]);
  const report = fold(...requests(null, 'lost', 3));
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { exitStatus: 2 } });
  expect(report.reasons.join()).toMatch(/^findAtms gave no answer, or 502, 503 or 504, to 3 of 5 .*RATE_LIMIT/);
  const crashed = fold(...requests(500, 'crashed', 3));
  expect(crashed.reasons.join()).toMatch(/^findAtms gave no answer, or a status 5xx, to 3 of 5 documented/);
  expect(crashed.reasons.join()).not.toContain('RATE_LIMIT');
  const several = fold(
    ...requests(null, 'lost', 3),
    ...makeLines(
      ...[1, 2, 3, 4, 5].map((nth) =>
        makeEntryLine(`v${nth}`, 'validateLoan', {
          status: nth < 5 ? 503 : 200,
          outcome: nth < 5 ? 'crashed' : 'accepted',
        }),
      ),
    ),
  );
  expect(several.reasons[0]).toMatch(
    /^validateLoan and findAtms gave no answer, or 502, 503 or 504, to 57 to 60 % of their documented requests/,
  );
  const answered = requests(200, 'accepted', 90);
  expect(fold(...answered, ...requests(503, 'crashed', 12)).reasons.join()).toContain('12 of 104 documented');
  // A lower rate is a warning, and a 429 does not count.
  expect(fold(...answered, ...requests(503, 'crashed', 8)).verdict).toBe('conformant');
  expect(fold(...answered, ...requests(429, 'throttled', 40)).verdict).toBe('conformant');
});

test('If one value is always throttled, the run is inconclusive, and the reason names the value', () => {
  const received = 'status 429 for a value such as tr, while the same request with another language_code is accepted';
  const finding = makeFindingLine({
    ...{ clause: 'links.unique', operation: 'createPaymentLink', kind: 'throttled' },
    ...{ pointer: 'request/body/language_code', received },
  });
  const report = reportOfLines([...makeSoundJournal(), ...makeLines(finding)]);
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { exitStatus: 2 } });
  expect(report.reasons[0]).toContain(`/payment-links does not serve all documented values: ${received}.`);
});

test('An answer that is too large to read counts as a lost request, and the reason says so', () => {
  const failure = { kind: 'too-large', message: 'The body is larger than 8 MiB.' } as const;
  const fold = (count: number) =>
    reportOfLines([
      ...makeSoundJournal(),
      ...Array.from({ length: 90 }, (_, nth) => makeLines(makeEntryLine(`read-${nth}`, 'findAtms', {}))).flat(),
      ...Array.from({ length: count }, (_, nth) =>
        makeLines(makeEntryLine(`unread-${nth}`, 'findAtms', { status: null, outcome: 'lost', failure })),
      ).flat(),
    ]);
  expect(fold(8).verdict).toBe('conformant');
  const { verdict, reasons } = fold(12);
  expect(verdict).toBe('inconclusive');
  expect(reasons.join()).toMatch(/12 of 104 documented .* larger than 8 MiB/);
  expect(reasons.join()).not.toContain('RATE_LIMIT');
});

test('If the run stopped an operation because its answers could not be read, the run is inconclusive', () => {
  const fold = (...lines: object[]) =>
    reportOfLines([...makeSoundJournal(), ...makeLines(...lines.map((line) => ({ line: 'given-up', ...line })))]);
  const why = 'too many requests to the bank were not answered';
  const report = fold({ operation: 'findAtms', why, unread: true }, { operation: 'disburse', why, unread: true });
  expect(report).toMatchObject({ verdict: 'inconclusive' });
  expect(report.reasons[0]).toContain(`The run sent no more requests to findAtms and disburse: ${why}.`);
  // Large answers that were read are answers.
  expect(fold({ operation: 'findAtms', why: 'the answers are too large' }).verdict).toBe('conformant');
});

test('If scenarios did not run, the run is inconclusive, and a reason names them and what left them out', () => {
  const ran = makeLines(
    { line: 'scenario', run: 'a-run', scenario: 'a', title: 'A' },
    { line: 'end', scenario: 'a', durationMs: 1 },
  );
  const fold = (more: Parameters<typeof reportOfLines>[1]) => reportOfLines([...makeSoundJournal(), ...ran], more);
  expect(fold({ scope: ['A'], selection: '-g A' }).verdict).toBe('conformant');
  const partial = { scope: ['A', 'B', 'C'], selection: '-g A' };
  const leftOut = '2 of 3 scenarios were left out by -g A: “B” and “C”.';
  expect(fold(partial)).toMatchObject({ verdict: 'inconclusive', reasons: [leftOut], gate: { exitStatus: 2 } });
  // The selection is not the reason if the run ended early, or if a shard is missing.
  const missing = '2 of 3 scenarios did not run: “B” and “C”.';
  expect(fold({ ...partial, interrupted: 'its time was up.' }).reasons.at(-1)).toBe(missing);
  expect(fold({ ...partial, incomplete: ['Of 2 shards, 1 is missing.'] }).reasons.at(-1)).toBe(missing);
  expect(reportOfLines([], partial).reasons.at(-1)).toBe('3 of 3 scenarios were left out by -g A: “A”, “B” and “C”.');
  const finding = makeFindingLine({
    clause: 'links.token-in-link',
    operation: 'createPaymentLink',
    pointer: '/data',
    kind: 'missing',
  });
  expect(reportOfLines([...makeSoundJournal(), ...ran, ...makeLines(finding)], partial)).toMatchObject({
    verdict: 'non-conformant',
    reasons: [expect.stringContaining('is broken'), leftOut],
  });
});
