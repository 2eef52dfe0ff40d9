/** Tests the order ids and numbers that the suite makes: no two shards make the same, and used ids are replaced. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import {
  makeOrderId,
  orderForms,
  nextUniqueNumber,
  type RunIds,
} from '../../../../fixtures/bank/arbitraries/order-ids.ts';
import { refuseRequests } from '../../../../fixtures/banks/lib/serving.ts';
import { refusal } from '../../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';

function openIds(nonce: string, current = 1, total = 1): RunIds {
  let number = 0;
  return { nonce, shard: { current, total }, nextNumber: () => (number += 1) };
}

test('Shards with the same nonce make no common order id and no common number', () => {
  for (const total of [2, 3, 7]) {
    const shards = Array.from({ length: total }, (_, nth) => openIds('5fccwl1e', nth + 1, total));
    for (const form of orderForms) {
      const ids = shards.flatMap((ids) => Array.from({ length: 300 }, () => String(makeOrderId(form, ids))));
      expect([form, total, new Set(ids).size]).toEqual([form, total, ids.length]);
    }
    const numbers = shards.flatMap((ids) => Array.from({ length: 50 }, () => nextUniqueNumber(ids)));
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

test('A bank that refuses one in three order ids as already used gets no finding', async () => {
  const bank = refuseRequests('requestLoan', ({ sent }) =>
    isTaken(sent['order_id']) ? refusal(422, 'The order exists') : undefined,
  )(createBank());
  const { findings, verdict } = await examineBank(bank, { env: { AREAS: 'loans', RUNS: '5' } });
  expect(findings.map(({ clause, received }) => `${clause}: ${received}`)).toEqual([]);
  expect(verdict).toBe('conformant');
});
