/** Tests that the end of a run holds inside one answer too: for an answer that does not come, and for one that is long to read. */
import { expect, test } from '@playwright/test';
import { explainNotAsked } from '../../../../reports/fold/untested.ts';
import { openCircuitBreaker, RunEnd } from '../../../../fixtures/run/session/run-end.ts';
import type { Exchange, OperationId } from '../../../../openapi/model/exchange.ts';
import type { Reply } from '../../../../fixtures/run/client/reply.ts';
import { Availability } from '../../../../fixtures/run/http/availability.ts';
import { runScenario, type ScenarioBody } from '../../../../fixtures/runner/run-scenario.ts';
import { openMemoryJournal } from '../../../../fixtures/run/session/journal-writer.ts';
import { Session } from '../../../../fixtures/run/session/session.ts';
import { createFakeClock } from '../../support/examine.ts';
import { exchange } from '../../support/judge-harness.ts';
import { LOAN_REQUEST } from '../../support/scenario-harness.ts';
import { closeAllServers, makeTarget, startHttpServer } from '../../support/servers.ts';

test.afterEach(closeAllServers);

test('A bank that does not answer prolongs no run, and what it may have created is listed', async () => {
  let asked = 0;
  const clock = createFakeClock(0);
  const port = await startHttpServer(() => {
    asked += 1;
    clock.turn(3000);
  });
  // The test would end before this time-out.
  const target = makeTarget(`http://127.0.0.1:${port}`, { MAX_DURATION: '2', TIMEOUT_MS: '600000' });
  const session = new Session({ target, clock, seed: 1, nonce: 'a', startedAt: 0 });
  const journal = openMemoryJournal();
  const replies: Reply[] = [];
  const body: ScenarioBody = async ({ bank }) => {
    replies.push(await bank.requestLoan(LOAN_REQUEST), await bank.requestLoan(LOAN_REQUEST));
  };
  const details = { area: 'loans', creates: { applications: 2 } } as const;
  await runScenario({ id: 'a-scenario', title: 'A scenario', details, body }, session, journal);
  await session.close();
  expect(replies.map(({ why }) => why)).toEqual(replies.map(() => 'the time of the run was up'));
  expect(asked).toBe(1);
  const lines = journal.lines.flatMap(({ line }) => (line.startsWith('creat') ? line : []));
  expect(lines).toEqual(['creation-sent']);
  expect(journal.lines.filter(({ line }) => line === 'entry' || line === 'findings')).toEqual([]);
  expect(session.end.interrupted()).toContain('MAX_DURATION');
});

test('Near the end no answer is read that takes longer, and time is kept for the report of many answers', () => {
  const clock = createFakeClock(0);
  const target = makeTarget('http://127.0.0.1:9', { MAX_DURATION: '60' });
  const open = () =>
    new RunEnd({
      ...{ target, clock, startedAt: 0, availability: new Availability(1000), breaker: openCircuitBreaker(1000) },
      transport: { nextTurn: () => 0 },
      measureSlowness: () => 1,
    });
  const [long, many] = [open(), open()];
  const megabytes = 2 ** 23;
  clock.turn(50_000);
  expect([long.reasonNotToRead('findAtms', megabytes), long.reasonNotToSend('findAtms')]).toEqual([null, null]);
  long.noteReading(megabytes, 30_000);
  expect([long.reasonNotToRead('findAtms', 100), long.reasonNotToSend('findAtms')]).toEqual([null, null]);
  expect(long.reasonNotToRead('findAtms', megabytes)).toBe('the time of the run was up');
  expect(long.reasonNotToSend('findAtms')).toBe('the time of the run was up');
  expect(many.reasonNotToSend('findAtms')).toBe(null);
  for (let count = 0; count < 100_000; count += 1) many.noteReading(1000, 1);
  expect(many.reasonNotToSend('findAtms')).toBe('the time of the run was up');
});

test('An operation that is stopped because its answers were not read is told from one with large answers', () => {
  const breaker = openCircuitBreaker(1000);
  const answer = { status: 200, headers: [], bytes: new Uint8Array(2 ** 20 + 1) };
  const failure = (kind: 'too-large' | 'timeout') => ({ answer: null, failure: { kind, message: '' } });
  const send = (operation: OperationId, times: number, more: Partial<Exchange>): void => {
    breaker.note(exchange(operation));
    for (let count = 0; count < times; count += 1) breaker.note({ ...exchange(operation), ...more });
  };
  send('findAtms', 24, { answer });
  send('listMerchants', 24, failure('too-large'));
  send('validateLoan', 5, { ...failure('timeout'), durationMs: 1000 });
  send('listBranches', 3, { ...failure('timeout'), durationMs: 1000 });
  const why = 'the answers of this operation are too large';
  expect(breaker.stopped('findAtms')).toEqual({ why });
  expect(breaker.stopped('listMerchants')).toEqual({ why, unread: true });
  expect(breaker.stopped('validateLoan')).toMatchObject({ unread: true });
  expect([breaker.stopped('listBranches'), breaker.stopped('disburse')]).toEqual([null, null]);
});

test('Heavy answers of all operations together have a limit; an operation with small answers goes on', () => {
  const { note, givenUp } = openCircuitBreaker(1000);
  const send = (operation: OperationId, bytes: number): void =>
    note({ ...exchange(operation), answer: { status: 200, headers: [], bytes: new Uint8Array(bytes) } });
  send('listBranches', 100);
  for (let count = 0; count < 8; count += 1) send(count % 2 === 0 ? 'findAtms' : 'listMerchants', 7 * 2 ** 20);
  const why = 'the answers of the bank are too large together';
  expect([givenUp('findAtms'), givenUp('listMerchants'), givenUp('listBranches')]).toEqual([why, why, null]);
  const given = [
    { id: 'listCurrencies' },
    { facts: {}, operations: [], interrupted: null, tallies: { givenUp: new Map([['listMerchants', { why }]]) } },
  ];
  expect(explainNotAsked(...(given as unknown as Parameters<typeof explainNotAsked>))).toContain(why);
});
