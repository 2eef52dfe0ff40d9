/** An entry preserves its exchange: it adds facts if a secret was in a judged place, or if the body was cut. */
import { expect, test } from '@playwright/test';
import { redactor } from '../../../../fixtures/redaction/redactor.ts';
import { judgeMasked } from '../../../../fixtures/session/judge-masked.ts';
import { listDifferingParts, readEntry, sealEntry } from '../../../../openapi/history/reading.ts';
import { operationIds, type Exchange } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import { observe } from '../../../../openapi/observer/index.ts';
import { readFacts } from '../../../../openapi/notes/index.ts';
import { body, ASKED_BY_PLACE, exchange } from '../../support/judge-harness.ts';

const secret = 'q7Rt2mZ9xK4vB8nW';
const token = 'Zk39fLw02mQx';

/** Returns the entry of an exchange, as read from a journal. */
function recordEntry(original: Exchange): ExchangeRecord {
  const mask = redactor([{ name: 'CLIENT_SECRET', value: secret }]);
  const { masked } = mask.inspect(original);
  const entry = mask.record(original, 'https://bank.example/x');
  const taken = listDifferingParts(entry, { original, shown: masked }, judgeMasked(original, masked, mask).judgement);
  return JSON.parse(JSON.stringify(sealEntry(taken === undefined ? entry : { ...entry, takenFromRun: taken })));
}

/** Returns a judgement without the texts of its violations. */
function readJudgement(exchange: Exchange) {
  const mask = redactor([{ name: 'CLIENT_SECRET', value: secret }]);
  const { masked } = mask.inspect(exchange);
  const { judgement } = judgeMasked(exchange, masked, mask);
  const { outcome, exercised, undecided, breaks, entries, share, value } = judgement;
  const facts = readFacts(masked, outcome, value);
  return {
    outcome,
    exercised: [...exercised].sort(),
    breaks: breaks.map(removeWords),
    entries,
    undecided: [...undecided],
    share,
    facts,
    seen: observe(masked, judgement),
  };
}

const removeWords = ({
  expected: _,
  received: __,
  ...found
}: {
  readonly expected: string;
  readonly received: string;
}) => found;

function readAgain(entry: ExchangeRecord) {
  const { exercised, breaks, value: _, ...rest } = readEntry(entry);
  return { ...rest, exercised: exercised.toSorted(), breaks: breaks.map(removeWords) };
}

const link = body('createPaymentLink', '/data/payment_token', token);
const makeAtms = (count: number, name: string) => ({
  data: Array.from({ length: count }, (_, at) => ({
    atm_no: `${at}`,
    atm_name: name,
    atm_latitude: 41 + at / 1e4,
    atm_longitude: 29,
  })),
});

/** Exchanges with special properties, and the parts that their entries have to keep. */
const exchanges: readonly (readonly [title: string, exchange: Exchange, carried: readonly string[]])[] = [
  ...operationIds
    .filter((operation) => operation !== 'createPaymentLink')
    .map((operation) => [`a right answer to ${operation}`, exchange(operation), []] as const),
  ['a payment token', exchange('createPaymentLink', link), ['facts']],
  ['a secret in a text', exchange('findAtms', makeAtms(2, `ATM ${secret}`), { asked: ASKED_BY_PLACE }), []],
  ['a secret in what was asked', exchange('requestLoan', undefined, { asked: { amount: 5, order_id: secret } }), []],
  [
    'a body that is cut',
    exchange('findAtms', makeAtms(900, 'x'.repeat(90)), { asked: ASKED_BY_PLACE }),
    ['outcome', 'exercised', 'breaks', 'entries', 'facts', 'seen'],
  ],
  [
    'a long text in what was asked',
    exchange('validateLoan', undefined, { asked: { currency: 'n'.repeat(5000) } }),
    ['facts'],
  ],
  ['bytes that are not UTF-8', exchange('findAtms', Uint8Array.of(0x7b, 0xff, 0x7d)), []],
  ['a text in UTF-16', exchange('findAtms', new Uint8Array(Buffer.from('\ufeff{"data":[]}', 'utf16le'))), []],
  [
    'integers beyond a double',
    exchange('requestLoan', '{"data":{"application_id":"12345678901234567890","infos":[{"x":12345678901234567890}]}}'),
    [],
  ],
  ['a refusal', exchange('disburse', { message: 'no' }, { status: 409 }), []],
  ['no answer', exchange('listMerchants', null), []],
  ['a probe', exchange('approveContract', undefined, { kind: 'probe' }), []],
];

for (const [title, original, carried] of exchanges)
  test(`An entry is judged like its exchange: ${title}`, () => {
    const entry = recordEntry(original);
    expect(readAgain(entry)).toEqual(readJudgement(original));
    expect(Object.keys(entry.takenFromRun ?? {})).toEqual(carried);
    expect(JSON.stringify(entry)).not.toContain(secret);
    expect(JSON.stringify(entry)).not.toContain(token);
  });

test('An exchange that proves nothing is blamed on no one, and a returned credential is', () => {
  const entry = recordEntry(exchange('findAtms', makeAtms(1, ''), { asked: ASKED_BY_PLACE }));
  expect(readEntry(entry).breaks).not.toEqual([]);
  const { breaks, facts, exercised } = readEntry({ ...entry, provesNothing: true, reflected: ['response/body'] });
  expect(breaks.map(({ clause }) => clause)).toEqual(['service.credentials-not-reflected']);
  expect([facts, exercised]).toEqual([[], readEntry(entry).exercised]);
});
