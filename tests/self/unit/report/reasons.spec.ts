/** Tests why an operation did not succeed, or was not called, and what a user can do. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { changeResponses, refuseRequests } from '../../../../fixtures/banks/lib/serving.ts';
import { refusal } from '../../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import {
  makeAnswerJournal,
  makeJournalOfCalls,
  makeEntryLine,
  makeFindingLine,
  foldJournal,
  makeLines,
  makeSoundJournal,
} from '../../support/reports/sample-report.ts';
import { examineBank } from '../../support/examine.ts';
import { closeAllServers } from '../../support/servers.ts';

test.afterEach(closeAllServers);

const breakClause = (clause: string): JournalLine[] =>
  makeLines(makeFindingLine({ clause, pointer: '/data', kind: 'type' }));
const journalWithoutLinks = makeJournalOfCalls((operation) => operation !== 'createPaymentLink');

const leaveOutAdvice = 'If the bank does not offer this area, leave it out with AREAS.';
for (const [status, outcome, cure] of [
  [null, 'lost', ' Nothing answers at this address.'],
  [401, 'refused', ' The same credentials are accepted elsewhere: check what they may be used for.'],
  [302, 'refused', ' Redirects are never followed: set BASE_URL to the address they lead to.'],
  [500, 'refused', ' The bank answers with server errors.'],
  [402, 'refused', ''],
  [404, 'refused', ` Check the path in BASE_URL, which ends before /api. ${leaveOutAdvice}`],
] as const)
  test(`An area that never succeeded and answers ${status ?? 'nothing'} gives one sentence with its cause`, () => {
    const { reasons } = foldJournal(makeAnswerJournal('findAtms', status, outcome));
    expect(reasons[0]).toBe(`findAtms never succeeded: both requests got ${status ?? 'no answer'}.${cure}`);
  });

test('A quoted answer that ends with a full stop ends its sentence once', () => {
  const answered = makeAnswerJournal('createPaymentLink', 200, 'declined', { body: '<p>Done.' });
  expect(foldJournal(answered).reasons[0]).toMatch(/, for example <p>Done\.$/);
});

test('An area with unreadable answers is not reported as an area without answers', () => {
  const message = 'The body is not what its Content-Encoding (gzip) says.';
  const failure = { kind: 'malformed', message };
  const { reasons } = foldJournal(makeAnswerJournal('findAtms', null, 'lost', { failure, response: {} }));
  expect(reasons[0]).toContain(`both requests got no answer. Its answers cannot be read: ${message}`);
});

test('An operation that lost most of its documented requests makes the run inconclusive', () => {
  const ended = (status: number | null, outcome: string) =>
    makeLines(...[1, 2, 3].map((nth) => makeEntryLine(`lost-${nth}`, 'findAtms', { status, outcome })));
  const report = foldJournal([...makeSoundJournal(), ...ended(null, 'lost')]);
  expect(report).toMatchObject({ verdict: 'inconclusive', gate: { exitStatus: 2 } });
  expect(report.reasons.join()).toMatch(/^findAtms gave no answer, or a 5xx, to 3 of 5 documented.*RATE_LIMIT/);
  expect(foldJournal([...makeSoundJournal(), ...ended(500, 'crashed')]).reasons.join()).not.toContain('RATE_LIMIT');
});

test('A clause says how many of its requests got no answer', () => {
  const lost = makeEntryLine('lost', 'findAtms', { status: 503, outcome: 'crashed' });
  const { clauses } = foldJournal([...makeSoundJournal(), ...makeLines(lost)]);
  const places = clauses.flatMap((clause) => clause.places).filter(({ operation }) => operation?.endsWith('/atms'));
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) expect(place.unanswered).toEqual({ count: 1, requests: 3 });
});

const caps = { applications: 1, disbursements: 1, links: 0, amount: 1 };
const listOperations = ['listMerchants', 'listBranches', 'listCurrencies'];
const makeJournalCallingOnly = (most: number) =>
  makeJournalOfCalls((operation) => listOperations.slice(0, most).includes(operation));
const NOT_FOUND_SENTENCE = 'no request was sent, because the ids for it were not found in what';
for (const [id, journal, facts, why] of [
  ['createPaymentLink', journalWithoutLinks, { caps }, 'no request was sent, because MAX_LINKS is 0'],
  [
    'createPaymentLink',
    journalWithoutLinks,
    { interrupted: 'the bank is gone.' },
    'no request was sent before the run ended',
  ],
  ['createPaymentLink', journalWithoutLinks, {}, `${NOT_FOUND_SENTENCE} listInstallments answered`],
  ['listInstallments', makeJournalCallingOnly(3), {}, `${NOT_FOUND_SENTENCE} listBranches and listCurrencies answered`],
  ['listInstallments', makeJournalCallingOnly(1), {}, `${NOT_FOUND_SENTENCE} listMerchants answered`],
  ['createPaymentLink', makeJournalCallingOnly(1), {}, `${NOT_FOUND_SENTENCE} listMerchants answered`],
] as const)
  test(`${id} was never requested, and the report says why: ${why} (${journal.length} lines)`, () => {
    expect(foldJournal(journal, facts).notExercised.operations.find((operation) => operation.id === id)?.why).toBe(why);
  });

test('An operation that refuses everything, or was never reached, explains its clauses before any scenario does', () => {
  const refused = [
    ...makeAnswerJournal('createPaymentLink', 422, 'refused'),
    ...makeLines({ line: 'unexercised', clause: 'links.token-in-link', why: 'The target offers no merchants.' }),
  ];
  const whyOf = ({ clauses }: Report) => clauses.find(({ id }) => id === 'links.token-in-link')?.why;
  const ended = foldJournal(journalWithoutLinks, { interrupted: 'the bank is gone.' });
  expect(whyOf(foldJournal(refused))).toBe('createPaymentLink never succeeded.');
  expect(whyOf(ended)).toBe('The run ended before this was tested.');
});

test('If no scenario of the run called an area, no other reason is given', () => {
  expect(foldJournal(makeJournalOfCalls((operation) => operation === 'findAtms')).reasons).toContain(
    'No operation of Pay-by-Link ever succeeded (no scenario that ran calls it).',
  );
});

test('A broken clause in an area that never succeeded is the cause: no other advice is given', () => {
  const reasons = foldJournal([
    ...makeAnswerJournal('requestLoan', 401, 'refused'),
    ...breakClause('loans.rate'),
  ]).reasons.join(' ');
  expect(reasons).toMatch(/requestLoan/);
  expect(reasons).not.toMatch(/Check CLIENT_ID|leave it out/);
});

test('Refused lists, and not missing data, explain why there are no ids', async () => {
  const bank = refuseRequests(createBank(), ['listInstallments'], () => refusal(403, 'Blocked'));
  const reasons = (await examineBank(bank, { env: { AREAS: 'payment-links' } })).reasons.join(' ');
  expect(reasons).toContain('because listInstallments never succeeded, where its ids come from');
  expect(reasons).not.toContain('not found');
});

test('Unreadable answers are not blamed on load', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const bank = changeResponses(createBank(), async (response, nth) => {
    const whole = gzipSync(new Uint8Array(await response.arrayBuffer()));
    return new Response(nth % 4 === 0 ? whole : whole.subarray(0, whole.length / 2), { headers });
  });
  const reasons = (await examineBank(bank, { env: { AREAS: 'atms', RUNS: '5' } })).reasons.join(' ');
  expect(reasons).toContain('cannot be read');
  expect(reasons).not.toContain('RATE_LIMIT');
});

test('A cap of zero is not reported as used up', async () => {
  const report = await examineBank(createBank(), { env: { AREAS: 'loans', MAX_APPLICATIONS: '0' } });
  const said = [...report.reasons, ...report.clauses.map(({ why }) => why)].join(' ');
  expect(said).toContain('MAX_APPLICATIONS is 0');
  expect(said).not.toContain('(0) was used up');
});
