/** Tests that no record holds a payment token: the same pseudonym replaces the token in its field and in the payment link. */
import { expect, test } from '@playwright/test';
import { Redactor } from '../../../../fixtures/run/redaction/redactor.ts';
import { makeExchange, makeJsonAnswer, percentEncodeAll, recordBody } from './secret-samples.ts';

const answerLink = (payment_token: unknown, payment_link = 'https://pay.example') => ({
  data: { order_id: 'o-1', payment_link, payment_token },
});
const readLink = (text: string) =>
  (JSON.parse(text) as { data: Readonly<Record<'order_id' | 'payment_link' | 'payment_token', string>> }).data;

for (const [what, token, encode] of [
  ['as it stands', 'Ab3dE6_-xyz', String],
  ['percent-encoded', 'Ab+12/xyz==', encodeURIComponent],
  ['percent-encoded throughout', 'Ab3dE6xyz', percentEncodeAll],
  ['short', '7391', String],
  ['short, with signs', 'p-1', String],
  ['short, with signs that patterns are made of', '(a.1|', encodeURIComponent],
] as const)
  test(`A payment token ${what} gets the same pseudonym in its field and in the payment link`, () => {
    const body = recordBody(new Redactor([]), answerLink(token, `https://pay.example/p/${encode(token)}?x=1`));
    const { payment_token, payment_link, order_id } = readLink(body);
    expect(payment_token).not.toBe(token);
    const form = (text: string) => text.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '1');
    expect(form(payment_token)).toBe(form(token));
    expect(decodeURIComponent(payment_link)).toBe(`https://pay.example/p/${payment_token}?x=1`);
    expect(body).not.toContain(token);
    expect(order_id).toBe('o-1');
  });

test('Different payment tokens get different pseudonyms, and the same token gets the same pseudonym', () => {
  const mask = new Redactor([], { key: 'k' });
  const replace = (token: string, redactor = mask) => readLink(recordBody(redactor, answerLink(token))).payment_token;
  const tokens = Array.from({ length: 70 }, (_, n) => String(n + 10)).filter((token) => token[0] !== token[1]);
  expect(new Set(tokens.map((token) => replace(token))).size).toBe(tokens.length);
  for (const token of ['42', 'abcd1234']) expect(replace(token, new Redactor([], { key: 'k' }))).toBe(replace(token));
});

for (const [what, body, written] of [
  ['a number', '{"data":{"payment_token":8123456789}}', /^{"data":{"payment_token":(?!8123456789)[1-9]\d{9}}}$/],
  [
    'not in its payment link',
    answerLink('abcd1234', 'https://pay.example/p?x=1'),
    /"https:\/\/pay\.example\/p\?x=1","payment_token":"(?!abcd1234)\w{8}"/,
  ],
  [
    'in data that is a text',
    { data: JSON.stringify(answerLink('abcd1234', 'https://pay.example/abcd1234')) },
    /^{"data":"{\\"data\\":{\\"order_id\\":\\"o-1\\",\\"payment_link\\":\\"https:\/\/pay.example\/(?!abcd1234)\w{8}\\",\\"payment_token\\":\\"(?!abcd1234)\w{8}\\"}}"}$/,
  ],
  [
    'in an answer that was cut',
    '{"data":{"payment_link":"https://pay.example/abcd1234","payment_token":"abcd1234","is_su',
    /^{"data":{"payment_link":"https:\/\/pay\.example\/(?!abcd1234)\w{8}","payment_token":"(?!abcd1234)\w{8}","is_su$/,
  ],
] as const)
  test(`A payment token that is ${what} is replaced by a pseudonym of the same form`, () => {
    expect(recordBody(new Redactor([]), body)).toMatch(written);
  });

test('A payment token in a header field of its answer, or in a later answer, gets the same pseudonym', () => {
  const [mask, token] = [new Redactor([]), '9kQz7Lm2Xv4TtR8wB1nC'];
  const link = `https://pay.example/links/${token}`;
  const { headers, bytes } = makeJsonAnswer(answerLink(token, link));
  const created = makeExchange({ status: 201, headers: [...headers, ['location', link]], bytes });
  const later = makeExchange(makeJsonAnswer(`<p>There is a link already: ${link}</p>`));
  const records = [created, later].map((exchange) => JSON.stringify(mask.record(exchange, 'https://bank.example/x')));
  const shown = readLink(recordBody(mask, answerLink(token, link))).payment_link;
  for (const record of records) expect(record).toContain(shown);
  expect(records.join()).not.toContain(token);
});

test('An empty token, a token of one repeated character, and with showPaymentTokens every token stay visible', () => {
  for (const [token, options] of [
    ['', {}],
    ['0000', {}],
    ['---', {}],
    ['abcd1234', { showPaymentTokens: true }],
  ] as const) {
    const body = JSON.stringify(answerLink(token, `https://pay.example/${token}`));
    expect(recordBody(new Redactor([], options), body)).toBe(body);
  }
});

test('A finding that quotes a short payment token shows the pseudonym of its evidence', () => {
  const mask = new Redactor([]);
  const evidence = recordBody(mask, '{"data":{"payment_token":4711}}');
  const { id } = makeExchange(null);
  const quoted = mask.quote('4711', id);
  expect(quoted).not.toBe('4711');
  expect(evidence).toBe(`{"data":{"payment_token":${quoted}}}`);
  expect(mask.quote('"4711"', id)).toBe(`"${quoted}"`);
  expect(mask.quote('47110 of 4711 links', id)).toBe('47110 of 4711 links');
});
