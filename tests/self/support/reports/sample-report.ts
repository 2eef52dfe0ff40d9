/** A small catalogue and journals that are written by hand, for tests of the report. */
import type { Clause, Level, Section } from '../../../../openapi/clauses/clause.ts';
import { operationIds, areas, type OperationId } from '../../../../openapi/api.ts';
import type { Outcome } from '../../../../openapi/model/outcome.ts';
import { readEntry } from '../../../../openapi/history/reading.ts';
import type { Violation } from '../../../../openapi/model/finding.ts';
import { type ExchangeRecord, type JournalLine, type Reading, openLines } from '../../../../openapi/model/journal.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import { buildReport } from '../../../../reports/build/index.ts';
import type { Catalogue } from '../../../../reports/model/tallies.ts';
import type { RunFacts } from '../../../../reports/model/description.ts';
import type { Report } from '../../../../reports/model/report.ts';

const FIELDS_SECTION: Section = 'Resources and their fields';

type Row = [
  ...[id: string, level: Level, exercise: Clause['exercise'], area: Clause['area'], section: Section, pointer?: string],
  ...operations: (OperationId | null)[],
];
const catalogueEntries: Row[] = [
  ['loans.rate', 'must', 'always', 'loans', FIELDS_SECTION, '/data/infos/*/interest_rate', 'requestLoan'],
  ['loans.errors', 'must', 'conditional', 'loans', 'Errors', '/errors', 'queryDisbursement'],
  ['loans.order-id', 'must', 'always', 'loans', 'Endpoints', 'request/body/order_id', 'requestLoan'],
  ['links.token-in-link', 'must', 'always', 'payment-links', FIELDS_SECTION, '/data/payment_link', 'createPaymentLink'],
  ['links.unique', 'should', 'conditional', 'payment-links', FIELDS_SECTION, '/data/order_id', null],
  ['atms.distance', 'must', 'always', 'atms', 'Endpoints', '/data/*/atm_distance', 'findAtms'],
  [
    'service.content-type',
    'should',
    'conditional',
    'service',
    'What the service does',
    'response/header/content-type',
    ...operationIds,
  ],
  ['service.success-status', 'open', 'conditional', 'service', 'Endpoints'],
];

/** Eight clauses of all levels, in three areas, with and without places in the contract. */
export const smallCatalogue: Catalogue = {
  clauses: Object.fromEntries(
    catalogueEntries.map(([id, level, exercise, area, section]) => [
      id,
      { level, exercise, area, source: { section }, statement: `The statement of ${id}.` },
    ]),
  ),
  operations,
  placesOf(id) {
    const [, , , , , pointer = '', ...operations] = catalogueEntries.find((row) => row[0] === id) ?? [];
    return operations.map((operation) => ({ operation, pointer }));
  },
  dependenciesOf: () => [],
  read: readEntry,
  evaluateRun: () => ({ exercised: [], broken: [], observed: [], untested: [], errors: [] }),
};

export const RUN_FACTS: RunFacts = {
  target: { name: 'A bank', build: '7', baseUrl: 'https://bank.example/sandbox', embedded: false, areas },
  suite: {
    ...{ version: '0.1.0', digest: 'd'.repeat(64), contractDigest: 'c'.repeat(64), catalogueDigest: 'a'.repeat(64) },
    ...{ seed: 42, runs: 10, strict: false, failOn: ['security', 'money'] },
  },
  startedAt: '2025-01-02T03:04:05.000Z',
  durationMs: 1234.5,
};

/** Converts objects to journal lines without type checks: the small catalogue has other ids than the real one. */
export const makeLines = (...loose: readonly Record<string, unknown>[]): JournalLine[] =>
  loose as unknown as JournalLine[];

interface Sample extends Partial<Omit<ExchangeRecord, 'response'>> {
  readonly status?: number | null;
  readonly outcome?: string;
  readonly ms?: number;
  /** The ids of the clauses that the entry tested. */
  readonly exercised?: readonly string[];
  readonly breaks?: readonly object[];
  readonly undecided?: readonly string[];
  readonly share?: Reading['share'];
  readonly entries?: Reading['entries'];
  readonly body?: string;
  readonly response?: Partial<NonNullable<ExchangeRecord['response']>>;
}

const FAULTLESS_SAMPLE = {
  ...{ status: 200, outcome: 'accepted', ms: 1, body: '{"data":{}}', share: null, entries: {} },
  ...{ exercised: [], breaks: [], undecided: [] },
} satisfies Sample;

/** Makes the record of a successful documented request with a response time of 1 ms. `more` replaces parts of the record. */
export function makeRecord(id: string, operation: OperationId, more: Sample = {}): ExchangeRecord {
  const sample: Sample & Required<Pick<Sample, keyof typeof FAULTLESS_SAMPLE>> = { ...FAULTLESS_SAMPLE, ...more };
  const { status, outcome, ms, exercised, breaks, undecided, share, entries, body, response, ...rest } = sample;
  const { method, path } = operations[operation];
  const received = { status: status ?? 0, headers: [['content-type', 'application/json']] as const, body };
  return {
    id,
    operation,
    kind: 'positive',
    request: {
      method,
      path,
      url: `https://bank.example/sandbox${path}`,
      headers: { 'X-GW-client-id': '$CLIENT_ID', 'Content-Type': 'application/json' },
      body: method === 'POST' ? '{"amount":100}' : null,
      asked: { amount: 100 },
    },
    response: status === null && response === undefined ? null : { ...received, encoding: 'utf-8', ...response },
    failure: status === null ? { kind: 'timeout', message: 'No answer came in time.' } : null,
    redacted: 1,
    truncated: false,
    timing: { startedAt: '2025-01-02T03:04:06.000Z', durationMs: ms },
    takenFromRun: {
      outcome: outcome as Outcome,
      ...({ exercised, breaks, undecided, share, entries } as Omit<Reading, 'outcome' | 'facts' | 'seen'>),
      facts: [],
      seen: [],
    },
    sha256: 'a'.repeat(64),
    ...rest,
  };
}

export const makeEntryLine = (...details: Parameters<typeof makeRecord>) => ({
  line: 'entry',
  entry: makeRecord(...details),
});

function withReading(
  line: Extract<JournalLine, { line: 'entry' }>,
  change: (reading: NonNullable<ExchangeRecord['takenFromRun']>) => Partial<Reading>,
): JournalLine {
  const { takenFromRun = {} } = line.entry;
  return { ...line, entry: { ...line.entry, takenFromRun: { ...takenFromRun, ...change(takenFromRun) } } };
}

/**
 * Converts each `broken` line to a violation of the entry that the line names, by default of the last entry. A real journal has
 * no separate lines for violations.
 */
export function attachBrokenClauses(loose: readonly JournalLine[]): JournalLine[] {
  const isBroken = ({ line }: JournalLine): boolean => (line as string) === 'broken';
  const holders = new Map(loose.flatMap((line) => (line.line === 'entry' ? [[line.entry.id, line]] : [])));
  const last = [...holders.values()].at(-1);
  const byHolder = groupBy(
    loose.filter(isBroken) as unknown as Violation[],
    ({ exchange }) => holders.get(exchange) ?? last,
  );
  return loose
    .filter((line) => !isBroken(line))
    .map((line) => {
      const found = line.line === 'entry' ? byHolder.get(line) : undefined;
      if (line.line !== 'entry' || found === undefined) return line;
      return withReading(line, ({ breaks = [] }) => ({ breaks: [...breaks, ...found] }));
    });
}

/** Makes the line of a violation at a rate of an offer. `more` replaces members of the line. */
export const makeFindingLine = (more: Readonly<Record<string, unknown>> = {}) => ({
  line: 'broken',
  clause: 'loans.rate',
  operation: 'requestLoan',
  pointer: '/data/infos/*/interest_rate',
  kind: 'format',
  expected: 'five decimals',
  received: '"1.5"',
  exchange: 'requestLoan-1',
  ...more,
});

/** Makes a report from a journal. The default is the small catalogue. */
export const reportOfLines = (
  journal: readonly JournalLine[],
  more: Partial<RunFacts> = {},
  catalogue = smallCatalogue,
): Report =>
  buildReport({ lines: openLines([...attachBrokenClauses(journal)]), run: { ...RUN_FACTS, ...more } }, catalogue);

/** Makes a journal in which every operation succeeds twice, and every `always` clause is tested. */
export function makeSoundJournal(): JournalLine[] {
  const tested = (operation: OperationId): readonly string[] =>
    catalogueEntries
      .filter(([id, , exercise]) => exercise === 'always' || id === 'service.content-type')
      .filter(([, , , , , , ...operations]) => operations.includes(operation))
      .map(([id]) => id);
  const sent = operationIds.flatMap((operation) =>
    [1, 2].map((n) => makeEntryLine(`${operation}-${n}`, operation, { ms: 10 * n, exercised: tested(operation) })),
  );
  return makeLines(
    { line: 'scenario', scenario: 's1', title: 'Everything is as documented' },
    ...sent,
    {
      line: 'observation',
      point: 'service.success-status',
      operation: 'findAtms',
      answer: '200',
      exchange: 'findAtms-1',
    },
    { line: 'end', scenario: 's1', durationMs: 100 },
  );
}

/** Returns the journal without faults, but with another answer of one operation. */
export const makeAnswerJournal = (
  operation: OperationId,
  status: number | null,
  outcome: string,
  more = {},
): JournalLine[] =>
  makeSoundJournal().flatMap((line) => {
    const isOfOperation = line.line === 'entry' && line.entry.operation === operation;
    return isOfOperation
      ? makeLines(makeEntryLine(line.entry.id, operation, { status, outcome, body: '', ...more }))
      : line;
  });

/** Returns the journal without faults of a run that called only some operations. */
export const makeJournalOfCalls = (isCalled: (operation: string) => boolean): JournalLine[] =>
  makeSoundJournal().filter((line) => {
    const { operation } = line.line === 'entry' ? line.entry : (line as { readonly operation?: string });
    return operation === undefined || isCalled(operation);
  });

/** Returns the journal without faults of a run that tested only some clauses. */
export const makeJournalOfTested = (isTested: (clause: string) => boolean): JournalLine[] =>
  makeSoundJournal().map((line) =>
    line.line === 'entry'
      ? withReading(line, ({ exercised = [] }) => ({ exercised: exercised.filter(isTested) }))
      : line,
  );

/** A text with mark-up of several formats. Every output must show the characters, and not interpret the mark-up. */
export const HOSTILE_TEXTS =
  '</script><script>alert(1)</script><img src=x onerror=alert(1)> "\' & \u001b[31mred\u001b]8;;http://x\u0007 \u202Egnp.exe \ud800\n::error::pwned\n##[error]pwned\n##vso[task.complete]';

/** Makes a journal with a failure, a warning, a counterexample and a contrast, all of them with malicious text. */
export function makeFaultyJournal(): JournalLine[] {
  const answer = '{"data":{"application_id":"1","result":"true","infos":[{"interest_rate":"1.5"}]}}';
  return [
    ...makeSoundJournal(),
    ...makeLines(
      { line: 'scenario', scenario: 's2', title: `Rates have five decimals ${HOSTILE_TEXTS}` },
      makeEntryLine('bad', 'requestLoan', { body: answer }),
      makeEntryLine('small', 'requestLoan', { body: `${answer}${HOSTILE_TEXTS}` }),
      makeEntryLine('torn', 'findAtms', {
        status: null,
        outcome: 'lost',
        failure: { kind: 'reset', message: `The connection broke ${HOSTILE_TEXTS}` },
      }),
      makeFindingLine({ received: HOSTILE_TEXTS, exchange: 'bad', contrast: 'requestLoan-1' }),
      {
        ...makeFindingLine(),
        line: 'counterexample',
        counterexample: {
          input: { amount: 1, currency: HOSTILE_TEXTS },
          state: 'minimal',
          shrinks: 7,
          exchange: 'small',
        },
        replay: `s1#${HOSTILE_TEXTS}#0`,
      },
      makeFindingLine({
        clause: 'service.content-type',
        operation: 'findAtms',
        pointer: 'response/header/content-type',
        kind: 'label',
        expected: 'application/json or +json',
        received: `text/html ${HOSTILE_TEXTS}`,
        exchange: 'torn',
      }),
      {
        line: 'observation',
        point: 'service.success-status',
        operation: 'requestLoan',
        answer: HOSTILE_TEXTS,
        question: HOSTILE_TEXTS,
        exchange: 'bad',
      },
      { line: 'unexercised', clause: 'loans.errors', why: `No outcome failed. ${HOSTILE_TEXTS}` },
      { line: 'created', what: 'application', id: HOSTILE_TEXTS, exchange: 'bad' },
      { line: 'created', what: 'disbursement', id: '1', amount: 100.5, currency: 'EUR', exchange: 'bad' },
      { line: 'end', scenario: 's2', durationMs: 10 },
    ),
  ];
}

export const soundReport = reportOfLines(makeSoundJournal());
export const faultyReport = reportOfLines(makeFaultyJournal());
