/** Tests limits on time: MAX_DURATION while an answer is awaited or read, and operations whose answers are too large. */
import { expect, test } from '@playwright/test';
import { explainNotRequested } from '../../../../reports/build/untested.ts';
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

test('A bank that does not answer does not prolong a run beyond MAX_DURATION, and its application is listed as perhaps created', async () => {
  let requestCount = 0;
  const clock = createFakeClock(0);
  const port = await startHttpServer(() => {
    requestCount += 1;
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
  expect(replies.map(({ reasonNotSent }) => reasonNotSent)).toEqual(replies.map(() => 'the time of the run was up'));
  expect(requestCount).toBe(1);
  const lines = journal.lines.flatMap(({ line }) => (line.startsWith('creat') ? line : []));
  expect(lines).toEqual(['creation-sent']);
  expect(journal.lines.filter(({ line }) => line === 'entry' || line === 'findings')).toEqual([]);
  expect(session.end.findWhyInterrupted()).toContain('MAX_DURATION');
});

test('Near MAX_DURATION, the run reads no answer that would end after MAX_DURATION, and keeps time to build a report of many answers', () => {
  const clock = createFakeClock(0);
  const target = makeTarget('http://127.0.0.1:9', { MAX_DURATION: '60' });
  const open = () =>
    new RunEnd({
      ...{ target, clock, startedAt: 0, availability: new Availability(1000), breaker: openCircuitBreaker(1000) },
      transport: { getNextTurn: () => 0 },
      measureSlowness: () => 1,
    });
  const [endWithLongAnswers, endWithManyAnswers] = [open(), open()];
  const megabytes = 2 ** 23;
  clock.turn(50_000);
  expect([
    endWithLongAnswers.reasonNotToRead('findAtms', megabytes),
    endWithLongAnswers.reasonNotToSend('findAtms'),
  ]).toEqual([null, null]);
  endWithLongAnswers.noteReading(megabytes, 30_000);
  expect([endWithLongAnswers.reasonNotToRead('findAtms', 100), endWithLongAnswers.reasonNotToSend('findAtms')]).toEqual(
    [null, null],
  );
  expect(endWithLongAnswers.reasonNotToRead('findAtms', megabytes)).toBe('the time of the run was up');
  expect(endWithLongAnswers.reasonNotToSend('findAtms')).toBe('the time of the run was up');
  expect(endWithManyAnswers.reasonNotToSend('findAtms')).toBe(null);
  for (let count = 0; count < 100_000; count += 1) endWithManyAnswers.noteReading(1000, 1);
  expect(endWithManyAnswers.reasonNotToSend('findAtms')).toBe('the time of the run was up');
});

test('An operation is stopped after many large answers, unread answers or time-outs; unread answers are marked', () => {
  const breaker = openCircuitBreaker(1000);
  const answer = { status: 200, headers: [], bytes: new Uint8Array(2 ** 20 + 1) };
  const failure = (kind: 'too-large' | 'timeout') => ({ answer: null, failure: { kind, message: '' } });
  const send = (operation: OperationId, times: number, more: Partial<Exchange>): void => {
    breaker.noteExchange(exchange(operation));
    for (let count = 0; count < times; count += 1) breaker.noteExchange({ ...exchange(operation), ...more });
  };
  send('findAtms', 24, { answer });
  send('listMerchants', 24, failure('too-large'));
  send('validateLoan', 5, { ...failure('timeout'), durationMs: 1000 });
  send('listBranches', 3, { ...failure('timeout'), durationMs: 1000 });
  const why = 'the answers of this operation are too large';
  expect(breaker.findWhyStopped('findAtms')).toEqual({ why });
  expect(breaker.findWhyStopped('listMerchants')).toEqual({ why, unread: true });
  expect(breaker.findWhyStopped('validateLoan')).toMatchObject({ unread: true });
  expect([breaker.findWhyStopped('listBranches'), breaker.findWhyStopped('disburse')]).toEqual([null, null]);
});

test('If two operations together return too many large answers, the run stops both, but not an operation with small answers', () => {
  const { noteExchange, findWhyGivenUp } = openCircuitBreaker(1000);
  const send = (operation: OperationId, bytes: number): void =>
    noteExchange({ ...exchange(operation), answer: { status: 200, headers: [], bytes: new Uint8Array(bytes) } });
  send('listBranches', 100);
  for (let count = 0; count < 8; count += 1) send(count % 2 === 0 ? 'findAtms' : 'listMerchants', 7 * 2 ** 20);
  const why = 'the answers of the bank are too large together';
  expect([findWhyGivenUp('findAtms'), findWhyGivenUp('listMerchants'), findWhyGivenUp('listBranches')]).toEqual([
    why,
    why,
    null,
  ]);
  const untestedArguments = [
    { id: 'listCurrencies' },
    { facts: {}, operations: [], interrupted: null, tallies: { givenUp: new Map([['listMerchants', { why }]]) } },
  ];
  expect(explainNotRequested(...(untestedArguments as unknown as Parameters<typeof explainNotRequested>))).toContain(
    why,
  );
});
