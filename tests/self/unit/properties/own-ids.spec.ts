/** Tests that ids and texts of the suite look like those of any client, are new in each run, and never belong to another shard. */
import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import {
  makeOrderId,
  getOrderForm,
  orderForms,
  nextUniqueNumber,
  type OwnIds,
} from '../../../../fixtures/arbitraries/order-ids.ts';
import { refuseRequests } from '../../../../fixtures/banks/lib/serving.ts';
import { refusal } from '../../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';

/** Makes the ids of one shard. */
function openIds(nonce: string, current = 1, total = 1): OwnIds {
  let number = 0;
  return { nonce, shard: { current, total }, next: () => (number += 1) };
}

const nonces = Array.from({ length: 40 }, (_, nth) =>
  ((nth * 7_368_787_001 + 12_345) % 2 ** 40).toString(36).padStart(8, '0'),
);

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

for (const form of [...orderForms, 'long-text'] as const)
  test(`Order ids of the form ${form} differ from run to run, and share no constant part`, () => {
    const runs = nonces.map((nonce) => {
      const own = openIds(nonce);
      return Array.from({ length: 200 }, () => makeOrderId(form, own));
    });
    const ids = runs.flat();
    // Only the shortest ids of two runs may be equal by chance.
    expect(new Set(ids.map(String)).size).toBeGreaterThanOrEqual(form === 'integer' ? ids.length - 2 : ids.length);
    expect([...new Set(ids.map(getOrderForm))]).toEqual([form]);
    if (form === 'long-integer') expect(ids.every((id) => BigInt(id) > 2n ** 53n)).toBe(true);
    if (form === 'uuid') expect(ids.every((id) => UUID_4.test(String(id)))).toBe(true);
    const counts = new Map<string, number>();
    // Compares the text before the number, because the number begins in the same way in each run.
    for (const [first] of runs)
      for (let at = 0, id = String(first).slice(0, form === 'long-text' ? 36 : -6); at + 3 <= id.length; at += 1)
        counts.set(`${at} ${id.slice(at, at + 3)}`, (counts.get(`${at} ${id.slice(at, at + 3)}`) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > nonces.length / 2)).toEqual([]);
  });

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
  (createHash('sha256')
    .update(`taken ${String(id)}`)
    .digest()[0] ?? 0) %
    3 ===
  0;

test('Order ids that are already used are drawn again, and give no finding', async () => {
  const bank = refuseRequests(createBank(), ['requestLoan'], ({ sent }) =>
    isTaken(sent['order_id']) ? refusal(422, 'The order exists') : undefined,
  );
  const { findings, verdict } = await examineBank(bank, { env: { AREAS: 'loans', RUNS: '5' } });
  expect(findings.map(({ clause, received }) => `${clause}: ${received}`)).toEqual([]);
  expect(verdict).toBe('conformant');
});
