/** Masking changes no verdict: the original exchange is judged, and its record lists what it cannot show. */
import { expect, test } from '@playwright/test';
import { redactor } from '../../../../fixtures/redaction/redactor.ts';
import { judgeMasked } from '../../../../fixtures/session/judge-masked.ts';
import { listDifferingParts, toExchange, sealEntry, listRunViolations } from '../../../../openapi/history/reading.ts';
import { judge, prepare } from '../../../../openapi/judge.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { rejudgeExchanges } from '../../../../reports/verify/rejudge.ts';
import { makeExchange, makeJsonAnswer, STRONG_SECRETS } from './secret-samples.ts';

test.beforeAll(prepare);

const [id, secret] = STRONG_SECRETS.map(({ value }) => value);
const mask = redactor(STRONG_SECRETS);
const link = {
  order_id: '0b6f0c2e-5a0e-4d6b-9f57-2c8f3f0f9a11',
  payment_link: 'https://pay.example/p?t=Ab12xyz90',
  payment_token: 'Ab12xyz90',
  is_success: true,
  end_date: '31.12.2099 23:59:59',
};
const makeAnswered = (data: object, more: object = {}): Exchange => ({
  ...makeExchange(makeJsonAnswer({ data, ...more }), { asked: { amount: 10 } }),
  operation: 'createPaymentLink',
});

/** Returns the judgement in the run, the entry, and the result of `verify` for a report with the entry. */
function recordExchange(sent: Exchange) {
  const shown = mask.inspect(sent).masked;
  const { judgement, body } = judgeMasked(sent, shown, mask);
  const entry = mask.record(sent, 'https://bank.example/x');
  const taken = listDifferingParts(entry, { original: sent, shown }, judgement);
  const record = sealEntry(taken === undefined ? entry : { ...entry, takenFromRun: taken });
  const report = { exchanges: { [record.id]: record }, findings: [], interrupted: null } as unknown as Report;
  return { judgement, body, record, again: rejudgeExchanges(report) };
}

for (const [what, sent] of [
  ['as an order id, which has a format', makeAnswered({ ...link, order_id: id })],
  ['as a list of bytes', makeAnswered(link, { trace: [...Buffer.from(secret ?? '')] })],
  ['as the names of members', makeAnswered({ ...link, [secret ?? '']: { [secret ?? '']: 1 } }, { [`a${secret}`]: 1 })],
  [
    'in pieces over names and values',
    makeAnswered(link, { trace: { 'a3f1c2d4-1111': '4abc-9def', '0123456789ab': 1 } }),
  ],
] as const)
  test(`A right answer that holds a secret ${what} breaks nothing, and verify agrees`, () => {
    const { judgement, body, record, again } = recordExchange(sent);
    expect(judge(sent).breaks).toEqual([]);
    expect(judgement).toMatchObject({ outcome: 'accepted', breaks: [] });
    expect(body).toEqual(JSON.parse(Buffer.from(sent.answer?.bytes ?? []).toString()));
    expect(record.redacted).toBeGreaterThan(0);
    expect(mask.finds(JSON.stringify(record))).toBe(false);
    expect(() => JSON.parse(record.response?.body ?? '') as unknown).not.toThrow();
    expect(again.differences).toEqual([]);
    expect(again.violations).toEqual([]);
    expect(again.taken).toEqual(listRunViolations(record));
  });

test('A record names the values that it cannot show, and names none if it shows everything', () => {
  const ofFormat = recordExchange(makeAnswered({ ...link, order_id: id })).record;
  expect(listRunViolations(ofFormat)).toContainEqual({ clause: 'links.link.order-id.uuid', pointer: '/data/order_id' });
  expect(judge(toExchange(ofFormat)).breaks).not.toEqual([]);
  const shown = recordExchange(makeAnswered({ ...link, note: secret })).record;
  expect(listRunViolations(shown)).toEqual([]);
  expect(shown.redacted).toBeGreaterThan(0);
});

test('A wrong answer stays wrong, and quotes no secret', () => {
  const { judgement, again } = recordExchange(
    makeAnswered({ ...link, end_date: `${secret} or later`, is_success: id }),
  );
  expect(judgement.breaks.map(({ pointer }) => pointer).sort()).toEqual(['/data/end_date', '/data/is_success']);
  expect(mask.finds(JSON.stringify(judgement.breaks))).toBe(false);
  expect(again.differences).toEqual([]);
  expect(again.violations.map(({ pointer }) => pointer).sort()).toEqual(['/data/end_date', '/data/is_success']);
});
