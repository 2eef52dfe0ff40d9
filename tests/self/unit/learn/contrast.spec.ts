/**
 * Tests the contrast of two requests: the difference decides, or a single answer shows that it does not, and then no more requests
 * are sent.
 */
import { expect, test } from '@playwright/test';
import type { Reply } from '../../../../fixtures/client/reply.ts';
import { contrast, parseTurns, type ContrastQuestion } from '../../../../fixtures/learn/contrast.ts';

const makeReply = (status: number): Reply => {
  const answer = { status, headers: status === 429 ? [['retry-after', '1']] : [], bytes: Buffer.from('') };
  const outcome = status === 429 ? 'throttled' : status < 300 ? 'accepted' : status < 500 ? 'refused' : 'crashed';
  return { outcome, accepted: outcome === 'accepted', status, exchange: { answer } } as unknown as Reply;
};

/** Makes a question whose answers have these statuses; 0: nothing was sent. */
function makeQuestion(turns: string, ...statuses: readonly number[]) {
  const asked: string[] = [];
  const question: ContrastQuestion = {
    turns: parseTurns(turns),
    async ask(side, turn) {
      asked.push(`${side}${turn}`);
      const status = statuses[turn] ?? 0;
      return status === 0 ? null : makeReply(status);
    },
  };
  return { asked, question };
}

test('A difference decides if each of the two requests gets its expected answer each time', async () => {
  const { question } = makeQuestion('ABBA', 422, 200, 200, 404);
  const seen = await contrast(question);
  expect(seen).toMatchObject({ says: 'holds', refused: [{ status: 422 }, { status: 404 }] });
});

for (const [says, turns, statuses, asked] of [
  ['does not hold', 'ABBA', [200], ['A0']],
  ['does not hold', 'ABBA', [422, 422], ['A0', 'B1']],
  ['unsteady', 'ABBA', [422, 200, 200, 200], ['A0', 'B1', 'B2', 'A3']],
  ['could not be asked', 'ABBA', [422, 0], ['A0', 'B1']],
  ['could not be asked', 'ABBA', [429], ['A0']],
] as const)
  test(`Answers ${statuses.join(', ')}: ${says}, after ${asked.length} requests`, async () => {
    const given = makeQuestion(turns, ...statuses);
    expect((await contrast(given.question)).says).toBe(says);
    expect(given.asked).toEqual(asked);
  });

test('A server error is no refusal, unless the question expects one', async () => {
  const { question } = makeQuestion('AB', 500, 200);
  expect((await contrast(question)).says).toBe('does not hold');
  const isExpected: ContrastQuestion['isExpected'] = (side, { status }) => (status === 500) === (side === 'A');
  expect((await contrast({ ...question, isExpected })).says).toBe('holds');
});
