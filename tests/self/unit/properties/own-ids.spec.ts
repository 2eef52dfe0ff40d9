/** Tests that ids and texts of the suite look like those of any client, are new in each run, and never belong to another shard. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { makeOrderId, orderForms, nextUniqueNumber, type OwnIds } from '../../../../fixtures/arbitraries/order-ids.ts';
import { refuseRequests } from '../../../../fixtures/banks/lib/serving.ts';
import { refusal } from '../../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';

function openIds(nonce: string, current = 1, total = 1): OwnIds {
  let number = 0;
  return { nonce, shard: { current, total }, next: () => (number += 1) };
}

test('Shards share no order id and no number, though they use the same nonce', () => {
  for (const total of [2, 3, 7]) {
    const shards = Array.from({ length: total }, (_, nth) => openIds('5fccwl1e', nth + 1, total));
    for (const form of orderForms) {
      const ids = shards.flatMap((own) => Array.from({ length: 300 }, () => String(makeOrderId(form, own))));
      expect([form, total, new Set(ids).size]).toEqual([form, total, ids.length]);
    }
    const numbers = shards.flatMap((own) => Array.from({ length: 50 }, () => nextUniqueNumber(own)));
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});

/** True for one in three ids: another order already has the id. */
const isTaken = (id: unknown): boolean =>
  createHash('sha256')
    .update(`taken ${String(id)}`)
    .digest()
    .readUInt8() %
    3 ===
  0;

test('Order ids that are already used are drawn again, and give no finding', async () => {
  const bank = refuseRequests('requestLoan', ({ sent }) =>
    isTaken(sent['order_id']) ? refusal(422, 'The order exists') : undefined,
  )(createBank());
  const { findings, verdict } = await examineBank(bank, { env: { AREAS: 'loans', RUNS: '5' } });
  expect(findings.map(({ clause, received }) => `${clause}: ${received}`)).toEqual([]);
  expect(verdict).toBe('conformant');
});
