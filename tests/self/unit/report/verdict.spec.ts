/** Tests how levels, counts and answers become verdicts, reasons and an exit status. */
import { expect, test } from '@playwright/test';
import { areas } from '../../../../openapi/model/exchange.ts';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { describeFewerCases } from '../../../../reports/text/phrases.ts';
import { decideClause } from '../../../../reports/fold/verdict/verdict.ts';
import type { RunFacts } from '../../../../reports/model/description.ts';
import type { Report } from '../../../../reports/model/report.ts';
import {
  makeAnswerJournal,
  makeJournalOfCalls,
  makeFindingLine,
  foldJournal,
  makeLines,
  RUN_FACTS,
  makeSoundJournal,
  soundReport,
  makeJournalOfTested,
} from '../../support/reports/sample-report.ts';

const strictSettings: Partial<RunFacts> = { suite: { ...RUN_FACTS.suite, strict: true } };
const breakClause = (clause: string): JournalLine[] =>
  makeLines(makeFindingLine({ clause, pointer: '/data', kind: 'type' }));
const makeFault = (message: string, scenario: string | null = null) => ({ scenario, message });
const findClause = (report: Report, id: string) => report.clauses.find((clause) => clause.id === id);

const makeUnexercised = (clause: string, why: string): JournalLine[] => makeLines({ line: 'unexercised', clause, why });
const journalWithoutLinks = makeJournalOfCalls((operation) => operation !== 'createPaymentLink');

type Counts = Partial<Parameters<typeof decideClause>[0]>;
for (const [title, counts, verdicts] of [
  ['is not tested', {}, ['inconclusive', 'inconclusive', 'inconclusive']],
  ['was tested', { exercised: 1 }, ['pass', 'pass', 'inconclusive']],
  ['was broken', { exercised: 5, broken: 1 }, ['fail', 'warning', 'inconclusive']],
  ['was broken, and no other answer tested it', { broken: 1 }, ['fail', 'warning', 'inconclusive']],
  ['was observed', { observed: 1, broken: 1 }, ['fail', 'warning', 'observed']],
  ['is of an area that was not selected', { applicable: false }, Array(3).fill('not-applicable')],
] satisfies [string, Counts, unknown][])
  test(`The verdict of a clause that ${title}, as must, should and open`, () => {
    const none = { applicable: true, exercised: 0, broken: 0, observed: 0 };
    const levels = ['must', 'should', 'open'] as const;
    expect(levels.map((level) => decideClause({ ...none, ...counts, level }))).toEqual(verdicts);
  });

type Row = readonly [title: string, journal: JournalLine[], run: Partial<RunFacts>, exit: number, reasons: string[]];

/** Runs, their exit status, and all their reasons. */
const runsWithReasons: readonly Row[] = [
  [
    'A fault of the suite makes a run not conformant',
    makeSoundJournal(),
    { errors: [makeFault('out of order\nat a place', 'A scenario')] },
    3,
    ['The suite itself broke in “A scenario”: out of order'],
  ],
  [
    'An error line of a journal counts as a fault of the suite',
    [...makeSoundJournal(), ...makeLines({ line: 'error', scenario: 's', message: 'm' })],
    {},
    3,
    ['The suite itself broke in “s”: m'],
  ],
  [
    'An interruption makes a run not conformant',
    makeSoundJournal(),
    { interrupted: 'its time was up.' },
    2,
    ['The run ended early: its time was up.'],
  ],
  [
    'Only the faults of the configuration are reported, each once',
    [],
    { configuration: ['SEED is no number.', 'RUNS is no number.'] },
    2,
    ['Nothing was judged, because the configuration is wrong: SEED is no number.', 'RUNS is no number.'],
  ],
  [
    'A fault of the configuration during the run keeps all judgements, and the broken scenarios are no fault of the suite',
    [...makeSoundJournal(), ...makeLines({ line: 'scenario', scenario: 't', title: 'Torn' })],
    { configuration: ['ACCESS_TOKEN_COMMAND failed.'] },
    2,
    ['Not all was judged, because the configuration is wrong: ACCESS_TOKEN_COMMAND failed.'],
  ],
  [
    'An operation that never succeeded is reported with its answers',
    makeAnswerJournal('createPaymentLink', 200, 'declined', { body: '{"data":{}}' }),
    {},
    2,
    [
      'createPaymentLink never succeeded: both requests got 200; each answer said that the outcome was false, for example {"data":{}}.',
      '1 clause could not be tested for that reason.',
      'If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.',
    ],
  ],
  [
    'Requests that a run did not reach before its end say nothing about the bank',
    journalWithoutLinks,
    { interrupted: 'the bank is gone.' },
    2,
    ['The run ended early: the bank is gone.', '1 clause could not be tested for that reason.'],
  ],
  [
    'A run with missing parts is inconclusive',
    makeSoundJournal(),
    { incomplete: ['Of 3 shards, 2 is missing.'] },
    2,
    ['Of 3 shards, 2 is missing.'],
  ],
  [
    'The report gives the reason that the scenario gave',
    [
      ...makeJournalOfTested((id) => id !== 'loans.rate'),
      ...makeUnexercised('loans.rate', 'The target offers no accounts.'),
    ],
    {},
    2,
    ['1 clause of Revolving Loans was not tested (loans.rate): The target offers no accounts.'],
  ],
  [
    'Many untested promises give one sentence per area, not a hundred',
    makeJournalOfTested(() => false),
    {},
    2,
    [
      '2 clauses of Revolving Loans were not tested (loans.rate and loans.order-id): No answer in this run put this to the test.',
      '1 clause of Pay-by-Link was not tested (links.token-in-link): No answer in this run put this to the test.',
      '1 clause of ATM Locator was not tested (atms.distance): No answer in this run put this to the test.',
    ],
  ],
];

for (const [title, journal, facts, exitStatus, reasons] of runsWithReasons)
  test(title, () => {
    const report = foldJournal(journal, facts);
    expect(report).toMatchObject({ verdict: 'inconclusive', gate: { pass: false, exitStatus } });
    expect(report.reasons).toEqual(reasons);
  });

test('A failure outweighs every gap', () => {
  const report = foldJournal([...makeAnswerJournal('findAtms', 404, 'refused'), ...breakClause('loans.rate')], {
    interrupted: 'it was interrupted.',
    errors: [makeFault('out of order')],
  });
  expect(report).toMatchObject({ verdict: 'non-conformant', gate: { exitStatus: 1 } });
  expect(report.reasons[0]).toBe('1 clause of the document is broken: loans.rate.');
  expect(report.reasons.join(' ')).toMatch(/it was interrupted.*out of order/);
});

test('Cases that one cause reduced are reported together', () => {
  const cases = ['checks', 'links'].map((label) => ({ label, asked: 0, of: 25, why: 'the run ended early' }));
  const scenario = { id: 's', title: 's', proves: [], durationMs: 1, cases };
  expect(describeFewerCases({ scenarios: [scenario], interrupted: null })).toEqual([
    'checks: 0 of 25 and links: 0 of 25, the run ended early',
  ]);
});

test('If only some areas are selected, the verdict names them and requires nothing else', () => {
  const of = (some: RunFacts['target']['areas'], journal = makeSoundJournal()) =>
    foldJournal(journal, { target: { ...RUN_FACTS.target, areas: some } });
  const report = of(
    ['atms'],
    makeJournalOfCalls((operation) => operation === 'findAtms'),
  );
  expect(report).toMatchObject({ verdict: 'conformant', headline: 'conformant (ATM locator only)' });
  expect(report.operations.map(({ id }) => id)).toEqual(['findAtms']);
  expect(findClause(report, 'loans.rate')).toMatchObject({
    verdict: 'not-applicable',
    why: 'The area “revolving loans” was not selected.',
  });
  expect(of(['loans', 'payment-links']).headline).toBe('conformant (revolving loans and payment links only)');
  expect(of(areas).headline).toBe('conformant');
});

test('Warnings fail the gate only with STRICT, and never change the verdict', () => {
  const journal = [...makeSoundJournal(), ...breakClause('service.content-type')];
  expect(foldJournal(journal).gate).toMatchObject({ pass: true, exitStatus: 0 });
  expect(foldJournal(journal, strictSettings)).toMatchObject({
    verdict: 'conformant',
    gate: { pass: false, exitStatus: 1, reasons: ['1 warning, and STRICT=1 is set'] },
  });
});

for (const [title, journal, facts, exitStatus] of [
  [
    'a broken suite over a failure',
    [...makeSoundJournal(), ...breakClause('loans.rate')],
    { errors: [makeFault('m')] },
    1,
  ],
  [
    'strict warnings over a gap',
    [...makeSoundJournal(), ...breakClause('service.content-type')],
    { ...strictSettings, interrupted: 'its time was up.' },
    1,
  ],
  ['a leaked secret over all', [...makeSoundJournal(), ...breakClause('loans.rate')], { leaks: ['junit.xml'] }, 3],
] satisfies [string, JournalLine[], Partial<RunFacts>, number][])
  test(`The exit status of ${title} is ${exitStatus}`, () => {
    const { gate } = foldJournal(journal, facts);
    expect(gate).toMatchObject({ pass: exitStatus === 0, exitStatus });
    expect(gate.reasons.length).toBeGreaterThan(0);
  });

test('A run that judged nothing has an error in JUnit', () => {
  for (const report of [
    foldJournal([]),
    foldJournal([], { configuration: ['SEED is no number.'] }),
    foldJournal(makeSoundJournal(), { interrupted: 'its time was up.' }),
  ])
    expect(toJunit(report)).toMatch(/<testsuites [^>]* errors="1"/);
  expect(toJunit(soundReport)).toMatch(/<testsuites [^>]* errors="0"/);
});
