/** What was masked changes no verdict: the exchange is judged as it was, and its record says what it cannot show. */
import { expect, test } from '@playwright/test';
import { judgeMasked, withTakenFromRun } from '../../../../fixtures/session/evidence/judge-masked.ts';
import { redactor } from '../../../../fixtures/redaction/redactor.ts';
import { judge, prepare } from '../../../../openapi/judge.ts';
import { exchangeOf } from '../../../../openapi/model/evidence.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { rejudge } from '../../../../reports/verify/rejudge.ts';
import { exchange, json, strong } from './secret-samples.ts';

test.beforeAll(prepare);

const [id, secret] = strong.map(({ value }) => value);
const mask = redactor(strong);
const link = {
  order_id: '0b6f0c2e-5a0e-4d6b-9f57-2c8f3f0f9a11',
  payment_link: 'https://pay.example/p?t=Ab12xyz90',
  payment_token: 'Ab12xyz90',
  is_success: true,
  end_date: '31.12.2099 23:59:59',
};
const answered = (data: object, more: object = {}): Exchange => ({
  ...exchange(json({ data, ...more }), { asked: { amount: 10 } }),
  operation: 'createPaymentLink',
});

/** The judgement of the run, the record, and what `verify` says of a report with both. */
function recorded(sent: Exchange) {
  const { judgement, body } = judgeMasked(sent, mask.inspect(sent).masked, mask);
  const record = withTakenFromRun(sent, mask.record(sent, 'https://bank.example/x'));
  const broken = judgement.breaks.map(({ clause, pointer, kind }) => ({ clause, pointer, kind }));
  const judged = { outcome: judgement.outcome, way: 'scenario', clauses: 0, broken };
  const report = {
    exchanges: { [record.id]: record },
    judged: { [record.id]: judged },
    clauseSets: [[...judgement.exercised]],
    interrupted: null,
  } as unknown as Report;
  return { judgement, body, record, again: rejudge(report) };
}

for (const [what, sent] of [
  ['as an order id, which has a format', answered({ ...link, order_id: id })],
  ['as a list of bytes', answered(link, { trace: [...Buffer.from(secret ?? '')] })],
  ['as the names of members', answered({ ...link, [secret ?? '']: { [secret ?? '']: 1 } }, { [`a${secret}`]: 1 })],
  ['in pieces over names and values', answered(link, { trace: { 'a3f1c2d4-1111': '4abc-9def', '0123456789ab': 1 } })],
] as const)
  test(`A right answer that holds a secret ${what} breaks nothing, and verify agrees`, () => {
    const { judgement, body, record, again } = recorded(sent);
    expect(judge(sent).breaks).toEqual([]);
    expect(judgement).toMatchObject({ outcome: 'succeeded', breaks: [] });
    expect(body).toEqual(JSON.parse(Buffer.from(sent.answer?.bytes ?? []).toString()));
    expect(record.redacted).toBeGreaterThan(0);
    expect(mask.finds(JSON.stringify(record))).toBe(false);
    expect(() => JSON.parse(record.response?.body ?? '') as unknown).not.toThrow();
    expect(again.differences).toEqual([]);
    expect(again.violations).toEqual([]);
    expect(again.taken).toEqual(record.takenFromRun ?? []);
  });

test('What a record cannot show is named in it, and an answer of which it shows all has nothing named', () => {
  const ofFormat = recorded(answered({ ...link, order_id: id })).record;
  expect(ofFormat.takenFromRun).toContainEqual({ clause: 'links.link.order-id.uuid', pointer: '/data/order_id' });
  expect(judge(exchangeOf(ofFormat)).breaks).not.toEqual([]);
  const shown = recorded(answered({ ...link, note: secret })).record;
  expect(shown).not.toHaveProperty('takenFromRun');
  expect(shown.redacted).toBeGreaterThan(0);
});

test('A wrong answer stays wrong, and quotes no secret', () => {
  const { judgement, again } = recorded(answered({ ...link, end_date: `${secret} or later`, is_success: id }));
  expect(judgement.breaks.map(({ pointer }) => pointer).sort()).toEqual(['/data/end_date', '/data/is_success']);
  expect(mask.finds(JSON.stringify(judgement.breaks))).toBe(false);
  expect(again.differences).toEqual([]);
  expect(again.violations.map(({ pointer }) => pointer).sort()).toEqual(['/data/end_date', '/data/is_success']);
});
