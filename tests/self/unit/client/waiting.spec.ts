import { expect, test } from '@playwright/test';
import { createFakeClock } from '../../support/examine.ts';
import { openWaiting, OUTCOME_QUERIES } from '../../../../fixtures/session/waiting.ts';

const openWaitingAt = ({ deadline = Infinity, isOver = false } = {}) => {
  const clock = createFakeClock(0);
  return { clock, waiting: openWaiting(clock, deadline, () => isOver) };
};

test('An outcome is queried at once, then after pauses, and once more when it is final', async () => {
  const { clock, waiting } = openWaitingAt();
  const asked: number[] = [];
  const ask = async () => asked.push(clock.now());
  expect(await waiting.untilFinal((nth) => nth === 6, ask)).toBe(6);
  expect(asked).toEqual([0, 0, 0, 0, 100, 300, 300]);
  expect(await waiting.untilFinal(() => false, ask, OUTCOME_QUERIES.atOnce)).toBe(11);
  await waiting.untilFinal(() => false, ask);
  expect(clock.now() - 300).toBeGreaterThan(4400);
  expect(asked).toHaveLength(11 + OUTCOME_QUERIES.all);
});

test('A refusal that may pass is repeated after growing pauses; a success is not repeated', async () => {
  const { clock, waiting } = openWaitingAt();
  let asked = 0;
  const ask = async () => (asked += 1);
  expect(await waiting.askUntil((got) => got === 3, ask)).toBe(3);
  expect(clock.now()).toBe(1500);
  expect(await waiting.askUntil((got) => got === 7, ask, 7)).toBe(7);
  expect(asked).toBe(3);
});

test('Written data gets as much time as the slowest step of a loan needed', async () => {
  const { clock, waiting } = openWaitingAt();
  await waiting.visible();
  expect(clock.now()).toBe(3000);
  waiting.learnt.set('disburse', Promise.resolve(5000)).set('approveContract', Promise.resolve(0));
  await waiting.visible();
  expect(clock.now()).toBe(8000);
});

test('No scenario waits beyond the end of the run, or after sending has stopped', async () => {
  const ending = openWaitingAt({ deadline: 500 });
  await ending.waiting.apart();
  expect(ending.clock.now()).toBe(500);
  const over = openWaitingAt({ isOver: true });
  await over.waiting.until(9000);
  expect(over.clock.now()).toBe(0);
});
