/** Tests that the record of an exchange contains no trace of a secret, and is otherwise unchanged. */
import { expect, test } from '@playwright/test';
import type { Answer } from '../../../../openapi/model/exchange.ts';
import { MAX_RECORDED_BODY, Redactor } from '../../../../fixtures/run/redaction/redactor.ts';
import {
  makeExchange,
  makeJsonAnswer,
  findLongestRemainder,
  recordBody,
  STRONG_SECRETS,
  unicodeEscapeAll,
} from './secret-samples.ts';

const url = 'https://bank.example/x';
const [clientId = '', clientSecret = '', accessToken = ''] = STRONG_SECRETS.map(({ value }) => value);

/** Records an answer with these bytes, as redacted with the strong secrets. */
const recordBytes = (bytes: Uint8Array) =>
  new Redactor(STRONG_SECRETS).record(makeExchange({ status: 200, headers: [], bytes }), url);

test('A secret that is an ordinary word is replaced only where it is a whole value', () => {
  const mask = new Redactor([
    { name: 'CLIENT_ID', value: 'sse' },
    { name: 'CLIENT_SECRET', value: 'password' },
  ]);
  expect(mask.maskText('passed: the password, sse')).toBe('passed: the password, sse');
  const headers = { 'X-GW-client-id': 'sse', 'X-GW-client-secret': 'password', Accept: 'passed' };
  const body = '{"a":"sse","b":"passed","sse":"Bearer password","c":["password"],"d":"the password"}';
  const exchange = makeExchange(makeJsonAnswer(body), { headers, asked: { currency: 'sse', n: 1 } });
  const { request, response, redacted } = mask.record(exchange, 'https://sse.example/passed');
  expect(request).toMatchObject({
    headers: { 'X-GW-client-id': '$CLIENT_ID', 'X-GW-client-secret': '$CLIENT_SECRET', Accept: 'passed' },
    url: 'https://sse.example/passed',
    asked: { currency: '$CLIENT_ID', n: 1 },
  });
  expect(response?.body).toBe(
    '{"a":"$CLIENT_ID","b":"passed","sse":"Bearer $CLIENT_SECRET","c":["$CLIENT_SECRET"],"d":"the password"}',
  );
  expect(redacted).toBe(6);
});

test('A line of a log is masked in all values and names that contain a secret, and is else unchanged', () => {
  const value = 'Qx7-tab\tand-new\nline-9Zk';
  const mask = new Redactor([...STRONG_SECRETS, { name: 'TABBED', value }]);
  const line = { line: 'finding', count: 3, of: [null, true, 'plain', 'a\nb'] };
  expect(mask.maskDocument(line)).toEqual(line);
  for (const [name, text] of Object.entries({ TABBED: value, CLIENT_SECRET: clientSecret }))
    expect(mask.maskDocument({ at: [{ deep: `x ${text} y` }], [text]: 1 })).toEqual({
      at: [{ deep: `x $${name} y` }],
      [`$${name}`]: 1,
    });
  const long = mask.maskDocument(['z'.repeat(5000)]);
  expect(long).toEqual([expect.stringMatching(/^z{4000}… \(and 1000 more characters\)$/)]);
});

test('After redaction a JSON body has the same types, and all other bytes are unchanged', () => {
  const value = clientSecret;
  const digits = { name: 'PIN', value: '471108150023' };
  const mask = new Redactor([...STRONG_SECRETS, digits, { name: 'CODE', value: '4711' }]);
  const quoted = JSON.stringify(value);
  const body = `{ "x" :${quoted}, "x":1e400,\n${quoted}:"n\\/${quoted.slice(1, -1)}\\u00e9","big":12345678901234567890,"pin":471108150023,"neg":-4711,"code":4711,"codes":["4711","47110"],"in":"${unicodeEscapeAll(value)}" }`;
  expect(recordBody(mask, body)).toBe(
    '{ "x" :"$CLIENT_SECRET", "x":1e400,\n"$CLIENT_SECRET":"n/$CLIENT_SECRETé","big":12345678901234567890,"pin":999999999999,"neg":-4711,"code":9999,"codes":["9999","47110"],"in":"$CLIENT_SECRET" }',
  );
});

test('A secret that begins with an escapable character leaves valid JSON', () => {
  const mask = new Redactor([{ name: 'CLIENT_SECRET', value: 'nabc"D3f\\x' }]);
  const body = JSON.stringify({ a: 'line\n$CLIENT_SECRET', b: '\nabc"D3f', c: 'x\\nabc"D3f\\x' });
  const record = JSON.parse(recordBody(mask, body)) as Record<string, string>;
  // Member `a` keeps nine characters of the secret's end.
  expect(record).toEqual({ a: 'line\n$CLIENT_SECRET', b: '\nabc"D3f', c: 'x\\$CLIENT_SECRET' });
});

test('Secrets in path, header fields and bodies of request and answer are replaced', () => {
  const mask = new Redactor(STRONG_SECRETS);
  const path = `/x?s=${encodeURIComponent(clientSecret)}`;
  const answer: Answer = {
    status: 400,
    headers: [
      ['x-echo', clientId],
      ['set-cookie', `session=${accessToken}; path=/`],
      [`x-${clientId}`, 'a'],
      ['authorization', `Bearer ${accessToken}`],
      ['location', path],
    ],
    bytes: Buffer.from(JSON.stringify({ sent: { clientId, all: [clientSecret, `Bearer ${accessToken}`] } })),
  };
  const credentials = {
    'X-GW-client-id': clientId,
    'X-GW-client-secret': clientSecret,
    Authorization: `Bearer ${accessToken}`,
  };
  const asked = { personal_description: clientSecret };
  const exchange = makeExchange(answer, { path, headers: credentials, body: JSON.stringify(asked), asked });
  const record = mask.record(exchange, `https://bank.example${path}`);
  expect(mask.hasSecret(JSON.stringify(record))).toBe(false);
  expect(record.request.headers).toEqual({
    'X-GW-client-id': '$CLIENT_ID',
    'X-GW-client-secret': '$CLIENT_SECRET',
    Authorization: 'Bearer $ACCESS_TOKEN',
  });
  expect(record.response?.headers.map(([name, value]) => `${name}: ${value}`)).toEqual([
    'x-echo: $CLIENT_ID',
    'set-cookie: session=$ACCESS_TOKEN; path=/',
    'x-$CLIENT_ID: a',
    'authorization: Bearer $ACCESS_TOKEN',
    'location: /x?s=$CLIENT_SECRET',
  ]);
  expect(record.redacted).toBe(15);
});

test('A body is cut at 64 KiB after masking, so that a secret across the cut leaves no trace', () => {
  for (const before of [MAX_RECORDED_BODY - 100, MAX_RECORDED_BODY - accessToken.length + 1, MAX_RECORDED_BODY - 3]) {
    const bytes = Buffer.from(`${'x'.repeat(before)}${accessToken}${'y'.repeat(100)}`);
    const { truncated, response } = recordBytes(bytes);
    // Nothing is cut if the body fits after the secret is replaced.
    expect(truncated).toBe(response?.body.length === MAX_RECORDED_BODY);
    expect(response?.body.length).toBeLessThanOrEqual(MAX_RECORDED_BODY);
    expect(findLongestRemainder(response?.body ?? '', accessToken)).toBeLessThan(3);
  }
  const { truncated, response } = recordBytes(Buffer.alloc(60_000, 255));
  expect([truncated, response?.body.length]).toEqual([true, MAX_RECORDED_BODY]);
  const body = expect.stringMatching(/^ü+$/);
  expect(recordBytes(Buffer.alloc(3 * MAX_RECORDED_BODY, 'ü')).response).toMatchObject({ encoding: 'utf-8', body });
});

test('The record of an answer that broke off shows the received part, without half a secret at its end', () => {
  const { record } = new Redactor(STRONG_SECRETS);
  const recordPart = (status: number | null, text: string) =>
    record(makeExchange(null), url, { status, headers: [['x-a', 'b']], bytes: Buffer.from(text) });
  const broken = recordPart(200, `{"a":"${accessToken.slice(0, 30)}`);
  expect(broken).toMatchObject({ failure: { kind: 'reset' }, truncated: true, redacted: 1 });
  const body = '{"a":"$ACCESS_TOKEN';
  expect(broken.response).toEqual({ status: 200, headers: [['x-a', 'b']], body, encoding: 'utf-8' });
  expect(recordPart(null, 'SSH').response).toMatchObject({ status: 0, body: 'SSH' });
  expect(record(makeExchange(null), url).response).toBeNull();
});

const umlauts = `{"a":${JSON.stringify(clientSecret)},"b":"ü"}`;
for (const [encoding, bytes] of [
  ['Latin-1', Buffer.from(umlauts, 'latin1')],
  ['UTF-16', Buffer.from(`\ufeff${umlauts}`, 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\ufeff${umlauts}`, 'utf16le').swap16()],
  ['UTF-16 without a byte order mark', Buffer.from(umlauts, 'utf16le')],
] as const)
  test(`A body in ${encoding} is recorded as base64, without secrets`, () => {
    const { response } = recordBytes(bytes);
    expect(response?.encoding).toBe('base64');
    const readable = Buffer.from(response?.body ?? '', 'base64')
      .toString('latin1')
      .replaceAll('\0', '');
    expect(readable).toContain('$CLIENT_SECRET');
    expect(findLongestRemainder(readable, clientSecret)).toBeLessThan(4);
  });

test('The record of a body keeps its byte order mark', () => {
  expect(recordBytes(Buffer.from('\ufeff{"a":1}')).response).toMatchObject({
    body: '\ufeff{"a":1}',
    encoding: 'utf-8',
  });
});
