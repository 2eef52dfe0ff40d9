import { expect, test } from '@playwright/test';
import { areas, type OperationId } from '../../../../openapi/model/exchange.ts';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { ctrf } from '../../../../reports/formats/ctrf.ts';
import { junit } from '../../../../reports/formats/junit.ts';
import { fewerCasesInWords } from '../../../../reports/text/phrases.ts';
import { clauseVerdict, severity } from '../../../../reports/fold/verdict/verdict.ts';
import {
  entryLine,
  findingLine,
  folded,
  lines,
  run,
  soundJournal,
  soundReport,
  testing,
} from '../../support/reports/sample-report.ts';
import type { RunFacts } from '../../../../reports/model/description.ts';

const strict: Partial<RunFacts> = { suite: { ...run.suite, strict: true } };
const broken = (clause: string): JournalLine[] => lines(findingLine({ clause, pointer: '/data', kind: 'type' }));

/** The sound journal with another end for one operation. */
const answering = (of: OperationId, status: number | null, outcome: string, more = {}): JournalLine[] =>
  soundJournal().flatMap((line) => {
    const isOf = line.line === 'entry' && line.entry.operation === of;
    return isOf ? lines(entryLine(line.entry.id, of, { status, outcome, body: '', ...more })) : line;
  });

/** The sound journal of a run that called only some operations. */
const calling = (isCalled: (operation: string) => boolean): JournalLine[] =>
  soundJournal().filter((line) => {
    const { operation } = line.line === 'entry' ? line.entry : (line as { readonly operation?: string });
    return operation === undefined || isCalled(operation);
  });

test('Severity comes from the level', () => {
  expect([severity('must'), severity('should'), severity('open')]).toEqual(['fail', 'warning', null]);
});

const none = { applicable: true, exercised: 0, broken: 0, observed: 0 };
for (const [title, tally, verdict] of [
  ['A broken must fails', { ...none, level: 'must', exercised: 5, broken: 1 }, 'fail'],
  ['A broken must fails even where nothing else exercised it', { ...none, level: 'must', broken: 1 }, 'fail'],
  ['An exercised must passes', { ...none, level: 'must', exercised: 1 }, 'pass'],
  ['An unexercised must is inconclusive', { ...none, level: 'must' }, 'inconclusive'],
  ['A broken should warns', { ...none, level: 'should', exercised: 5, broken: 5 }, 'warning'],
  ['An exercised should passes', { ...none, level: 'should', exercised: 1 }, 'pass'],
  ['An unexercised should is inconclusive', { ...none, level: 'should' }, 'inconclusive'],
  ['An open point with an observation is observed', { ...none, level: 'open', observed: 1 }, 'observed'],
  ['An open point without one is inconclusive', { ...none, level: 'open', exercised: 1 }, 'inconclusive'],
  ['An open point is never broken', { ...none, level: 'open', observed: 1, broken: 1 }, 'observed'],
  ['A clause of an area not selected does not apply', { ...none, level: 'must', applicable: false }, 'not-applicable'],
] as const) {
  test(title, () => {
    expect(clauseVerdict(tally)).toBe(verdict);
  });
}

test('A failure beats every gap', () => {
  const report = folded([...answering('findAtms', 404, 'refused'), ...broken('loans.rate')], {
    interrupted: 'it was interrupted.',
    errors: [{ scenario: null, message: 'out of order' }],
  });
  expect(report).toMatchObject({ verdict: 'non-conformant', gate: { exitStatus: 1 } });
  expect(report.reasons[0]).toBe('1 clause of the document is broken: loans.rate.');
  expect(report.reasons.join(' ')).toContain('it was interrupted');
  expect(report.reasons.join(' ')).toContain('out of order');
});

test('A fault of the suite never leaves conformant', () => {
  const report = folded(soundJournal(), { errors: [{ scenario: 'A scenario', message: 'out of order\nat a place' }] });
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { pass: false, exitStatus: 3 } });
  expect(report.reasons).toEqual(['The suite itself broke in “A scenario”: out of order']);
});

test('An error line of a journal counts as a fault of the suite', () => {
  const report = folded([...soundJournal(), ...lines({ line: 'error', scenario: 's', message: 'm' })]);
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { exitStatus: 3 } });
});

test('An interruption never leaves conformant', () => {
  const report = folded(soundJournal(), { interrupted: 'its time was up.' });
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { pass: false, exitStatus: 2 } });
  expect(report.reasons).toEqual(['The run ended early: its time was up.']);
});

test('A fault of the configuration is said once and nothing else', () => {
  const report = folded([], { configuration: ['SEED is no number.'] });
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { pass: false, exitStatus: 2 } });
  expect(report.reasons).toEqual(['Nothing was judged, because the configuration is wrong: SEED is no number.']);
  const two = folded([], { configuration: ['SEED is no number.', 'RUNS is no number.'] });
  expect(two.reasons).toEqual([
    'Nothing was judged, because the configuration is wrong: SEED is no number.',
    'RUNS is no number.',
  ]);
});

test('An operation that never succeeded is said with what it brought', () => {
  const report = folded(answering('createPaymentLink', 200, 'declined', { body: '{"data":{}}' }));
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { exitStatus: 2 } });
  expect(report.reasons).toEqual([
    'createPaymentLink never succeeded: both requests got 200; each answer said that the outcome was false, for example {"data":{}}.',
    '1 clause could not be tested for that reason.',
    'If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.',
  ]);
  expect(report.notExercised.operations).toMatchObject([{ id: 'createPaymentLink' }]);
  expect(report.clauses.find(({ id }) => id === 'links.token-in-link')?.why).toBe('createPaymentLink never succeeded.');
});

for (const [status, cure] of [
  [null, ' Nothing answers at this address.'],
  [401, ' The same credentials are accepted elsewhere: check what they may be used for.'],
  [302, ' Redirects are never followed: set BASE_URL to the address they lead to.'],
  [500, ' The bank answers with server errors.'],
  [402, ''],
  [
    404,
    ' Check the path in BASE_URL, which ends before /api. If the bank does not offer this area, leave it out with AREAS.',
  ],
] as const)
  test(`A silent area that answers ${status ?? 'nothing'} is one sentence with its cause`, () => {
    const { reasons } = folded(answering('findAtms', status, status === null ? 'lost' : 'refused'));
    expect(reasons[0]).toBe(`findAtms never succeeded: both requests got ${status ?? 'no answer'}.${cure}`);
  });

test('A silent area whose answers cannot be read is not said to be without an answer', () => {
  const message = 'The body is not what its Content-Encoding (gzip) says.';
  const { reasons } = folded(
    answering('findAtms', null, 'lost', { failure: { kind: 'malformed', message }, response: {} }),
  );
  expect(reasons[0]).toBe(
    `findAtms never succeeded: both requests got no answer. Its answers cannot be read: ${message}`,
  );
});

test('An operation of which most documented requests were lost leaves the run inconclusive', () => {
  const ended = (status: number | null, outcome: string) =>
    lines(...[1, 2, 3].map((nth) => entryLine(`lost-${nth}`, 'findAtms', { status, outcome })));
  const report = folded([...soundJournal(), ...ended(null, 'lost')]);
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { exitStatus: 2 } });
  expect(report.reasons.join()).toMatch(/^findAtms gave no answer, or a 5xx, to 3 of 5 documented.*RATE_LIMIT/);
  expect(folded([...soundJournal(), ...ended(500, 'crashed')]).reasons.join()).not.toContain('RATE_LIMIT');
});

test('A clause says how many requests that should have tested it brought no answer', () => {
  const lost = entryLine('lost', 'findAtms', { status: 503, outcome: 'crashed' });
  const { clauses } = folded([...soundJournal(), ...lines(lost)]);
  const places = clauses.flatMap(({ places }) => places).filter(({ operation }) => operation?.endsWith('/atms'));
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) expect(place.unanswered).toEqual({ count: 1, requests: 3 });
});

for (const [settings, caps, why] of [
  [{ READ_ONLY: '1' }, undefined, 'no request was sent, because READ_ONLY allows GET requests only'],
  [{}, { applications: 1, disbursements: 1, links: 0, amount: 1 }, 'no request was sent, because MAX_LINKS is 0'],
  [{}, undefined, 'no request was sent, because the ids for it were not found in what listInstallments answered'],
] as const)
  test(`An operation that was never asked says why: ${why}`, () => {
    const report = folded(
      calling((operation) => operation !== 'createPaymentLink'),
      { suite: { ...run.suite, settings }, ...(caps === undefined ? {} : { caps }) },
    );
    const operation = report.notExercised.operations.find(({ id }) => id === 'createPaymentLink');
    expect(operation?.why).toBe(why);
  });

test('An operation that was never asked names the answers in which the ids for it were looked for', () => {
  const asked = ['listMerchants', 'listBranches', 'listCurrencies'];
  for (const [most, id, where] of [
    [3, 'listInstallments', ' in what listBranches and listCurrencies answered'],
    [1, 'listInstallments', ' in what listMerchants answered'],
    [1, 'createPaymentLink', ' in what listMerchants answered'],
  ] as const) {
    const report = folded(calling((operation) => asked.slice(0, most).includes(operation)));
    expect(report.notExercised.operations.find((one) => one.id === id)?.why).toBe(
      `no request was sent, because the ids for it were not found${where}`,
    );
  }
});

test('Cases that one cause kept short are reported together', () => {
  const cases = ['checks', 'links'].map((label) => ({ label, asked: 0, of: 25, why: 'the run ended early' }));
  const scenario = { id: 's', title: 's', proves: [], durationMs: 1, cases };
  expect(fewerCasesInWords({ scenarios: [scenario], interrupted: null })).toEqual([
    'checks: 0 of 25 and links: 0 of 25, the run ended early',
  ]);
});

test('Of an area that no scenario of the run called nothing else is said', () => {
  expect(folded(calling((operation) => operation === 'findAtms')).reasons).toContain(
    'No operation of Pay-by-Link ever succeeded (no scenario that ran calls it).',
  );
});

test('An operation that a run did not come to before its end says so, and its clauses with it', () => {
  const journal = calling((operation) => operation !== 'createPaymentLink');
  const { notExercised, clauses, reasons } = folded(journal, { interrupted: 'the bank is gone.' });
  expect(notExercised.operations).toMatchObject([
    { id: 'createPaymentLink', why: 'no request was sent before the run ended' },
  ]);
  expect(clauses.find(({ id }) => id === 'links.token-in-link')?.why).toBe('The run ended before this was tested.');
  expect(reasons).toEqual(['The run ended early: the bank is gone.', '1 clause could not be tested for that reason.']);
});

test('What an operation refuses to everything explains its clauses, whatever scenarios say of its data', () => {
  const unexercised = lines({
    line: 'unexercised',
    clause: 'links.token-in-link',
    why: 'The target offers no merchants.',
  });
  const { clauses } = folded([...answering('createPaymentLink', 422, 'refused'), ...unexercised]);
  expect(clauses.find(({ id }) => id === 'links.token-in-link')?.why).toBe('createPaymentLink never succeeded.');
});

test('A broken clause of a silent area is the cause: nothing else is advised', () => {
  const report = folded([...answering('requestLoan', 401, 'refused'), ...broken('loans.rate')]);
  expect(report.reasons.join(' ')).toMatch(/requestLoan/);
  expect(report.reasons.join(' ')).not.toMatch(/Check CLIENT_ID|leave it out/);
});

test('What is missing of the run itself leaves it inconclusive', () => {
  const report = folded(soundJournal(), { incomplete: ['Of 3 shards, 2 is missing.'] });
  expect(report).toMatchObject({ verdict: 'inconclusive', reasons: ['Of 3 shards, 2 is missing.'] });
});

test('A promise that always shows and did not leaves the run inconclusive, with the reason that the scenario gave', () => {
  const journal = testing((id) => id !== 'loans.rate');
  expect(folded(journal).reasons).toEqual([
    '1 clause of Revolving Loans was not tested (loans.rate): No answer in this run put this to the test.',
  ]);
  const unexercised = lines({ line: 'unexercised', clause: 'loans.rate', why: 'The target offers no accounts.' });
  expect(folded([...journal, ...unexercised]).reasons).toEqual([
    '1 clause of Revolving Loans was not tested (loans.rate): The target offers no accounts.',
  ]);
});

test('Many promises without a test are one sentence, not a hundred', () => {
  const { reasons } = folded(testing(() => false));
  expect(reasons).toHaveLength(3);
  expect(reasons[0]).toContain('2 clauses of Revolving Loans were not tested (loans.rate and loans.order-id)');
});

test('A promise that need not show may stay unseen', () => {
  expect(soundReport.clauses.find(({ id }) => id === 'loans.errors')?.verdict).toBe('inconclusive');
  expect(soundReport.verdict).toBe('conformant');
});

test('With some areas selected the verdict names them and nothing else is asked', () => {
  const alone = calling((operation) => operation === 'findAtms');
  const report = folded(alone, { target: { ...run.target, areas: ['atms'] } });
  expect(report).toMatchObject({ verdict: 'conformant', headline: 'conformant (ATM locator only)' });
  expect(report.operations.map(({ id }) => id)).toEqual(['findAtms']);
  expect(report.clauses.find(({ id }) => id === 'loans.rate')).toMatchObject({
    verdict: 'not-applicable',
    why: 'The area “revolving loans” was not selected.',
  });
  const two = folded(soundJournal(), { target: { ...run.target, areas: ['loans', 'payment-links'] } });
  expect(two.headline).toBe('conformant (revolving loans and payment links only)');
  expect(folded(soundJournal(), { target: { ...run.target, areas } }).headline).toBe('conformant');
});

test('Warnings fail the gate with STRICT alone, and never the verdict', () => {
  const journal = [...soundJournal(), ...broken('service.content-type')];
  expect(folded(journal).gate).toMatchObject({ pass: true, exitStatus: 0 });
  const report = folded(journal, strict);
  expect(report).toMatchObject({ verdict: 'conformant', gate: { pass: false, exitStatus: 1 } });
  expect(report.gate.reasons).toEqual(['1 warning, and STRICT=1 is set']);
});

const fault = { scenario: null, message: 'out of order' };
for (const [title, journal, more, exitStatus] of [
  ['conformant', soundJournal(), {}, 0],
  ['non-conformant', [...soundJournal(), ...broken('loans.rate')], {}, 1],
  ['inconclusive', soundJournal(), { interrupted: 'its time was up.' }, 2],
  ['a configuration at fault', [], { configuration: ['SEED is no number.'] }, 2],
  ['a broken suite', soundJournal(), { errors: [fault] }, 3],
  ['a broken suite over a failure', [...soundJournal(), ...broken('loans.rate')], { errors: [fault] }, 1],
  [
    'strict warnings over a gap',
    [...soundJournal(), ...broken('service.content-type')],
    { ...strict, interrupted: 'its time was up.' },
    1,
  ],
  ['a leaked secret over all', [...soundJournal(), ...broken('loans.rate')], { leaks: ['junit.xml'] }, 3],
] satisfies [string, JournalLine[], Partial<RunFacts>, number][])
  test(`The exit status of ${title} is ${exitStatus}`, () => {
    const { gate } = folded(journal, more);
    expect(gate).toMatchObject({ pass: exitStatus === 0, exitStatus });
    expect(gate.reasons.length).toBeGreaterThan(0);
  });

test('A run that judged nothing is not green where only test cases are counted', () => {
  for (const report of [
    folded([]),
    folded([], { configuration: ['SEED is no number.'] }),
    folded(soundJournal(), { interrupted: 'its time was up.' }),
  ]) {
    expect(junit(report)).toMatch(/<testsuites [^>]* errors="1"/);
    expect(JSON.parse(ctrf(report))).toMatchObject({ results: { summary: { failed: 1 } } });
  }
  expect(junit(soundReport)).toMatch(/<testsuites [^>]* errors="0"/);
});
