/** Tests that the end of a run holds inside one answer too: for an answer that does not come, and for one that is long to read. */
import { expect, test } from '@playwright/test';
import type { Reply } from '../../../../fixtures/client/reply.ts';
import { systemClock } from '../../../../fixtures/http/clock.ts';
import { runScenario } from '../../../../fixtures/runner/run-scenario.ts';
import type { Body } from '../../../../fixtures/runner/scenario.ts';
import { openMemoryJournal } from '../../../../fixtures/session/journal-writer.ts';
import { openSession } from '../../../../fixtures/session/session.ts';
import { createFakeClock } from '../../support/examine.ts';
import { LOAN_REQUEST } from '../../support/scenario-harness.ts';
import { closeAllServers, makeTarget, startHttpServer } from '../../support/servers.ts';

test.afterEach(closeAllServers);

test('A bank that does not answer prolongs no run, and what it may have created is listed', async () => {
  let asked = 0;
  const port = await startHttpServer(() => void (asked += 1));
  // The test would end before this time-out.
  const target = makeTarget(`http://127.0.0.1:${port}`, { MAX_DURATION: '2', TIMEOUT_MS: '600000' });
  // Loading the validators takes a while.
  const startedAt = Date.now() + 3000;
  const session = openSession({ target, clock: systemClock, seed: 1, nonce: 'a', startedAt });
  const journal = openMemoryJournal();
  const replies: Reply[] = [];
  const body: Body = async ({ bank }) => {
    replies.push(await bank.requestLoan(LOAN_REQUEST), await bank.requestLoan(LOAN_REQUEST));
  };
  const details = { area: 'loans', creates: { applications: 2 } } as const;
  await runScenario({ id: 'a-scenario', title: 'A scenario', details, body }, session, journal);
  await session.close();
  expect(replies.map(({ why }) => why)).toEqual(replies.map(() => 'the time of the run was up'));
  expect(asked).toBe(1);
  expect(journal.lines.filter(({ line }) => line === 'created')).toEqual([expect.objectContaining({ perhaps: true })]);
  expect(journal.lines.filter(({ line }) => line === 'entry' || line === 'findings')).toEqual([]);
  expect(session.interrupted()).toContain('MAX_DURATION');
});

test('Near the end no answer is read that takes longer, and time is kept for the report of many answers', () => {
  const clock = createFakeClock(0);
  const open = () =>
    openSession({
      target: makeTarget('http://127.0.0.1:9', { MAX_DURATION: '60' }),
      clock,
      seed: 1,
      nonce: 'a',
      startedAt: 0,
    });
  const [long, many] = [open(), open()];
  const megabytes = 2 ** 23;
  clock.turn(50_000);
  expect([long.isTooLongToRead(megabytes), long.reasonNotToSend('findAtms')]).toEqual([false, null]);
  long.noteReading(megabytes, 20_000);
  expect([long.isTooLongToRead(100), long.reasonNotToSend('findAtms')]).toEqual([false, null]);
  expect(long.isTooLongToRead(megabytes)).toBe(true);
  expect(long.reasonNotToSend('findAtms')).toBe('the time of the run was up');
  for (let count = 0; count < 1000; count += 1) many.noteReading(1000, 5);
  expect(many.reasonNotToSend('findAtms')).toBe(null);
  for (let count = 0; count < 2000; count += 1) many.noteReading(1000, 5);
  expect(many.reasonNotToSend('findAtms')).toBe('the time of the run was up');
});
