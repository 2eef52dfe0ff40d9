/** Tests that an entry of the exchange log, whose secrets are masked, is judged like its original exchange. */
import { expect, test } from '@playwright/test';
import { Redactor } from '../../../../fixtures/run/redaction/redactor.ts';
import { makeEntry } from '../../../../fixtures/run/session/scenario-run.ts';
import { listRunViolations, rereadEntry, readEntry } from '../../../../openapi/history/reading.ts';
import { judge } from '../../../../openapi/judge.ts';
import { loadAllValidators } from '../../../../openapi/validation/validators.ts';
import { operationIds } from '../../../../openapi/api.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { getFindingKey } from '../../../../openapi/model/finding.ts';
import type { ExchangeRecord, Reading } from '../../../../openapi/model/journal.ts';
import { body, ASKED_BY_PLACE, exchange } from '../../support/judge-harness.ts';
import { STRONG_SECRETS } from './secret-samples.ts';

test.beforeAll(loadAllValidators);

const [id = '', secret = ''] = STRONG_SECRETS.map(({ value }) => value);
const customerNumber = '471108150023';
const secrets = [...STRONG_SECRETS, { name: 'CLIENT_ID', value: customerNumber }];
const token = 'Zk39fLw02mQx';

/** Returns the entry of an exchange, as read from a journal, what the run read in it, and the judgement of the original. */
function recordExchange(original: Exchange) {
  const mask = new Redactor(secrets);
  const judgement = judge(original);
  const sending = { exchange: original, url: 'https://bank.example/x', attempts: [] };
  const { entry, reading } = makeEntry(mask, sending, judgement, mask.inspect(original).hasSecret);
  return { entry: JSON.parse(JSON.stringify(entry)) as ExchangeRecord, reading, judgement, mask };
}

/** Compares two readings without the texts of their violations. */
function listDifferences(shown: Reading, reading: Reading): string[] {
  const read = ({ exercised, breaks, ...parts }: Reading): Readonly<Record<string, unknown>> => ({
    ...parts,
    exercised: exercised.toSorted(),
    breaks: breaks.map(({ expected: _, received: __, ...found }) => found),
  });
  const [first, second] = [read(shown), read(reading)];
  return Object.keys(reading).filter((part) => JSON.stringify(first[part]) !== JSON.stringify(second[part]));
}

const answerLink = (changes: object, membersBesideData: object = {}): Exchange => {
  const { data } = body('createPaymentLink', '/data/payment_token', token) as { readonly data: object };
  const link = { payment_link: `https://pay.example/p?t=${token}`, order_id: '0b6f0c2e-5a0e-4d6b-9f57-2c8f3f0f9a11' };
  return exchange('createPaymentLink', { data: { ...data, ...link, ...changes }, ...membersBesideData });
};
const makeAtms = (count: number, name: string) => ({
  data: Array.from({ length: count }, (_, at) => ({
    atm_no: `${at}`,
    atm_name: name,
    atm_latitude: 41 + at / 1e4,
    atm_longitude: 29,
  })),
});
const offer = {
  account_id: `${customerNumber}01`,
  account: `TR${customerNumber}01`,
  avaliable_limit: `${customerNumber}.50`,
  interest_rate: '1.00000',
  interest_term: '1M',
  commission_rate: '0.00000',
};

/** Exchanges with special properties, and the parts of a reading that masking changes: the entry keeps these parts. */
const exchanges: readonly (readonly [title: string, exchange: Exchange, kept: readonly string[]])[] = [
  ...operationIds
    .filter((operation) => operation !== 'createPaymentLink')
    .map((operation) => [`a right answer to ${operation}`, exchange(operation), []] as const),
  ['a payment token', answerLink({}), ['facts']],
  ['a link with another token', answerLink({ payment_link: 'https://pay.example/p?t=other' }), ['facts']],
  ['a link with an empty token', answerLink({ payment_token: '', payment_link: 'https://pay.example' }), []],
  [
    'a payment token that is a number',
    answerLink({ payment_token: 5512345678, payment_link: 'https://pay.example' }),
    [],
  ],
  ['a secret beside the documented members', answerLink({ note: secret }), []],
  ['a secret as an order id, which has a format', answerLink({ order_id: id }), ['breaks']],
  ['a secret as the names of members', answerLink({ [secret]: { [secret]: 1 } }, { [`a${secret}`]: 1 }), []],
  ['secrets in wrong values', answerLink({ end_date: `${secret} or later`, is_success: id }), []],
  ['data as a text with a secret', exchange('createPaymentLink', { data: JSON.stringify({ note: secret }) }), []],
  ['a secret in a text', exchange('findAtms', makeAtms(2, `ATM ${secret}`), { asked: ASKED_BY_PLACE }), []],
  [
    'a secret in the inputs of the request',
    exchange('requestLoan', undefined, { asked: { amount: 5, order_id: secret } }),
    [],
  ],
  [
    'numbers that begin with a secret',
    exchange('requestLoan', { data: { application_id: customerNumber, result: 'true', infos: [offer] } }),
    [],
  ],
  [
    'a body that is cut',
    exchange('findAtms', makeAtms(900, 'x'.repeat(90)), { asked: ASKED_BY_PLACE }),
    ['outcome', 'exercised', 'breaks', 'entries', 'facts', 'seen'],
  ],
  [
    'a long text in the inputs of the request',
    exchange('validateLoan', undefined, { asked: { currency: 'n'.repeat(5000) } }),
    [],
  ],
  ['bytes that are not UTF-8', exchange('findAtms', Uint8Array.of(0x7b, 0xff, 0x7d)), []],
  ['a text in UTF-16', exchange('findAtms', new Uint8Array(Buffer.from('\ufeff{"data":[]}', 'utf16le'))), []],
  [
    'integers beyond a double',
    exchange('requestLoan', '{"data":{"application_id":"12345678901234567890","infos":[{"x":12345678901234567890}]}}'),
    [],
  ],
  ['a refusal', exchange('disburse', { message: 'no' }, { status: 409 }), []],
  ['a request without an answer', exchange('listMerchants', null), []],
  ['an invalid request', exchange('approveContract', undefined, { kind: 'probe' }), []],
];

for (const [title, original, changedParts] of exchanges)
  test(`The masked entry of ${title} is judged like its exchange`, () => {
    const { entry, reading, judgement, mask } = recordExchange(original);
    const { takenFromRun, ...shown } = entry;
    expect(rereadEntry(entry)).toEqual(reading);
    expect(listDifferences(rereadEntry(shown), reading)).toEqual(changedParts);
    if (changedParts.length > 0) expect(takenFromRun).toEqual(reading);
    expect([reading.outcome, reading.exercised]).toEqual([judgement.outcome, judgement.exercised]);
    expect(reading.breaks.map(getFindingKey)).toEqual(judgement.breaks.map(getFindingKey));
    expect(mask.hasSecret(JSON.stringify([entry, reading]))).toBe(false);
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${token}|47110815|5512345678`));
    if (title.includes('secret')) {
      expect(entry.redacted).toBeGreaterThan(0);
      expect(() => JSON.parse(entry.response?.body ?? '') as unknown).not.toThrow();
    }
  });

test('An entry names the violation at a masked value, and names none if masking hides no violation', () => {
  const [changedParts, shown] = [{ order_id: id }, { note: secret }].map(
    (more) => recordExchange(answerLink(more)).entry,
  );
  expect(listRunViolations(changedParts!)).toContainEqual({
    clause: 'links.link.order-id.uuid',
    pointer: '/data/order_id',
  });
  expect(listRunViolations(shown!)).toEqual([]);
});

test('An entry marked as proving nothing has no violation, except that it repeats a credential', () => {
  const { entry } = recordExchange(exchange('findAtms', makeAtms(1, ''), { asked: ASKED_BY_PLACE }));
  expect(readEntry(entry).breaks).not.toEqual([]);
  const { breaks, facts, exercised } = readEntry({ ...entry, provesNothing: true, reflected: ['response/body'] });
  expect(breaks.map(({ clause }) => clause)).toEqual(['service.credentials-not-reflected']);
  expect([facts, exercised]).toEqual([[], readEntry(entry).exercised]);
});
