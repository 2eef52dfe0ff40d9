/** A target that loses requests now and then is not said to be ended by one of them; one that falls is. */
import { expect, test } from '@playwright/test';
import { fakeClock } from '../../support/examine.ts';
import { runHarness, shownIn } from '../../support/scenario-harness.ts';
import { closeAll } from '../../support/servers.ts';

test.afterAll(closeAll);

const down = { status: 502, body: '<h1>Bad gateway</h1>' };
/** Requests to a bank of which `isLost` says, by their number from 1, that the gateway before it loses them. */
async function foundOn(isLost: (nth: number, body: string) => boolean): Promise<readonly string[]> {
  let nth = 0;
  const { lines } = await runHarness(
    async ({ bank }) => {
      await bank.listMerchants();
      await bank.validateLoan({ amount: 0 });
      for (const merchant_no of ['1', '2', '3']) await bank.listBranches({ merchant_no });
    },
    { answer: (_, { body }) => (isLost((nth += 1), body) ? down : undefined), clock: fakeClock() },
  );
  return shownIn(lines).broken;
}

test('Losses that come and go after the answers of the control are none of a suspect', async () => {
  // Three lost in a row, five answers to the control, and then every other request lost.
  expect(await foundOn((nth) => [2, 3, 4].includes(nth) || (nth > 9 && nth % 2 === 1))).not.toContain(
    'service.stays-up',
  );
});

test('A request after which nothing is answered for a while, each time, ends the service', async () => {
  let left = 0;
  const falls = (_: number, body: string): boolean => {
    if (left === 0 && body.includes('"amount":0')) left = 10;
    left = Math.max(0, left - 1);
    return left > 0;
  };
  expect(await foundOn(falls)).toContain('service.stays-up');
});
