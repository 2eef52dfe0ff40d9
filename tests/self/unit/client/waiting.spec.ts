import { expect, test } from '@playwright/test';
import { createFakeClock } from '../../support/examine.ts';
import { openWaiting } from '../../../../fixtures/session/waiting.ts';

const openWaitingAt = ({ deadline = Infinity, isOver = false } = {}) => {
  const clock = createFakeClock(0);
  return { clock, waiting: openWaiting(clock, deadline, () => isOver) };
};

test('No scenario waits beyond the end of the run, or after sending has stopped', async () => {
  const ending = openWaitingAt({ deadline: 500 });
  await ending.waiting.apart();
  expect(ending.clock.now()).toBe(500);
  const over = openWaitingAt({ isOver: true });
  await over.waiting.until(9000);
  expect(over.clock.now()).toBe(0);
});
