/** Shown records contain no trace of a secret, and still prove what they proved before. */
import { expect, test } from '@playwright/test';
import type { Answer } from '../../../../openapi/model/exchange.ts';
import { MAX_RECORDED_BODY, redactor } from '../../../../fixtures/redaction/redactor.ts';
import {
  makeExchange,
  makeJsonAnswer,
  findLongestRemainder,
  recordBody,
  STRONG_SECRETS,
  unicodeEscapeAll,
} from './secret-samples.ts';

test('A secret that is an ordinary word is replaced only as a whole word, so that the report stays readable', () => {
  const mask = redactor([
    { name: 'CLIENT_ID', value: 'sse' },
    { name: 'CLIENT_SECRET', value: 'password' },
  ]);
  expect(mask.text('passed: the password, sse')).toBe('passed: the password, sse');
  const record = mask.record(
    makeExchange(
      makeJsonAnswer('{"a":"sse","b":"passed","sse":"Bearer password","c":["password"],"d":"the password"}'),
      {
        headers: { 'X-GW-client-id': 'sse', 'X-GW-client-secret': 'password', Accept: 'passed' },
        asked: { currency: 'sse', n: 1 },
      },
    ),
    'https://sse.example/passed',
  );
  expect(record.request.headers).toEqual({
    'X-GW-client-id': '$CLIENT_ID',
    'X-GW-client-secret': '$CLIENT_SECRET',
    Accept: 'passed',
  });
  expect(record.response?.body).toBe(
    '{"a":"$CLIENT_ID","b":"passed","sse":"Bearer $CLIENT_SECRET","c":["$CLIENT_SECRET"],"d":"the password"}',
  );
  expect(record.request).toMatchObject({
    url: 'https://sse.example/passed',
    asked: { currency: '$CLIENT_ID', n: 1 },
  });
  expect(record.redacted).toBe(6);
});

test('A journal line is masked wherever it contains a secret, and is unchanged without one', () => {
  const value = 'Qx7-tab\tand-new\nline-9Zk';
  const mask = redactor([...STRONG_SECRETS, { name: 'TABBED', value }]);
  const line = { line: 'finding', count: 3, of: [null, true, 'plain', 'a\nb'] };
  expect(mask.deep(line)).toEqual(line);
  const [, secret] = STRONG_SECRETS;
  for (const [name, text] of [
    ['TABBED', value],
    ['CLIENT_SECRET', secret?.value ?? ''],
  ] as const)
    expect(mask.deep({ at: [{ deep: `x ${text} y` }], [text]: 1 })).toEqual({
      at: [{ deep: `x $${name} y` }],
      [`$${name}`]: 1,
    });
  const long = mask.deep(['z'.repeat(5000)]);
  expect(long).toEqual([expect.stringMatching(/^z{4000}… \(and 1000 more characters\)$/)]);
});

test('Redacted JSON is JSON of the same types, and everything else in it stays byte for byte', () => {
  const [, secret] = STRONG_SECRETS;
  const value = secret?.value ?? '';
  const mask = redactor([...STRONG_SECRETS, { name: 'PIN', value: '471108150023' }, { name: 'CODE', value: '4711' }]);
  const quoted = JSON.stringify(value);
  const body = `{ "x" :${quoted}, "x":1e400,\n${quoted}:"n\\/${quoted.slice(1, -1)}\\u00e9","big":12345678901234567890,"pin":471108150023,"neg":-4711,"code":4711,"codes":["4711","47110"],"in":"${unicodeEscapeAll(value)}" }`;
  expect(recordBody(mask, body)).toBe(
    '{ "x" :"$CLIENT_SECRET", "x":1e400,\n"$CLIENT_SECRET":"n/$CLIENT_SECRETé","big":12345678901234567890,"pin":999999999999,"neg":-4711,"code":9999,"codes":["9999","47110"],"in":"$CLIENT_SECRET" }',
  );
});

test('A secret that begins with an escapable character leaves valid JSON', () => {
  const mask = redactor([{ name: 'CLIENT_SECRET', value: 'nabc"D3f\\x' }]);
  const body = JSON.stringify({ a: 'line\n$CLIENT_SECRET', b: '\nabc"D3f', c: 'x\\nabc"D3f\\x' });
  const record = JSON.parse(recordBody(mask, body)) as Record<string, string>;
  // Member `a` keeps nine characters of the secret's end.
  expect(record).toEqual({ a: 'line\n$CLIENT_SECRET', b: '\nabc"D3f', c: 'x\\$CLIENT_SECRET' });
});

test('Secrets are removed from every part of an exchange', () => {
  const mask = redactor(STRONG_SECRETS);
  const [id = '', secret = '', token = ''] = STRONG_SECRETS.map(({ value }) => value);
  const answer: Answer = {
    status: 400,
    headers: [
      ['x-echo', id],
      ['set-cookie', `session=${token}; path=/`],
      [`x-${id}`, 'a'],
      ['authorization', `Bearer ${token}`],
      ['location', `/x?s=${encodeURIComponent(secret)}`],
    ],
    bytes: Buffer.from(JSON.stringify({ sent: { id, all: [secret, `Bearer ${token}`] } })),
  };
  const request = {
    path: `/x?s=${encodeURIComponent(secret)}`,
    headers: { 'X-GW-client-id': id, 'X-GW-client-secret': secret, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ personal_description: secret }),
    asked: { personal_description: secret },
  };
  const record = mask.record(
    { ...makeExchange(answer, request) },
    `https://bank.example/x?s=${encodeURIComponent(secret)}`,
  );
  expect(mask.finds(JSON.stringify(record))).toBe(false);
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

test('A body is cut at 64 KiB, and a secret across the cut leaves no trace', () => {
  const mask = redactor(STRONG_SECRETS);
  const value = STRONG_SECRETS[2]?.value ?? '';
  for (const before of [MAX_RECORDED_BODY - 100, MAX_RECORDED_BODY - value.length + 1, MAX_RECORDED_BODY - 3]) {
    const body = `${'x'.repeat(before)}${value}${'y'.repeat(100)}`;
    const record = mask.record(makeExchange(makeJsonAnswer(body)), 'https://bank.example/x');
    // Nothing is cut if the body fits after the secret is replaced.
    expect(record.truncated).toBe(record.response?.body.length === MAX_RECORDED_BODY);
    expect(record.response?.body.length).toBeLessThanOrEqual(MAX_RECORDED_BODY);
    expect(findLongestRemainder(record.response?.body ?? '', value)).toBeLessThan(3);
  }
  const wide = mask.record(
    makeExchange({ status: 200, headers: [], bytes: Buffer.alloc(60_000, 255) }),
    'https://bank.example/x',
  );
  expect([wide.truncated, wide.response?.body.length]).toEqual([true, MAX_RECORDED_BODY]);
  const umlauts = mask.record(makeExchange(makeJsonAnswer('ü'.repeat(MAX_RECORDED_BODY))), 'https://bank.example/x');
  expect(umlauts.response).toMatchObject({ encoding: 'utf-8', body: expect.stringMatching(/^ü+$/) });
});

test('The received part of a broken answer is shown beside the failure, without half a secret at its end', () => {
  const mask = redactor(STRONG_SECRETS);
  const half = `{"a":"${STRONG_SECRETS[2]?.value.slice(0, 30)}`;
  const partial = { status: 200, headers: [['x-a', 'b']] as const, bytes: Buffer.from(half) };
  const record = mask.record(makeExchange(null), 'https://bank.example/x', partial);
  expect(record).toMatchObject({ failure: { kind: 'reset' }, truncated: true, redacted: 1 });
  expect(record.response).toEqual({
    status: 200,
    headers: [['x-a', 'b']],
    body: '{"a":"$ACCESS_TOKEN',
    encoding: 'utf-8',
  });
  const alien = mask.record(makeExchange(null), 'https://bank.example/x', {
    status: null,
    headers: [],
    bytes: Buffer.from('SSH'),
  });
  expect(alien.response).toMatchObject({ status: 0, body: 'SSH' });
  expect(mask.record(makeExchange(null), 'https://bank.example/x').response).toBeNull();
});

test('Bytes that are no UTF-8 are shown as base64, without secrets', () => {
  const mask = redactor(STRONG_SECRETS);
  const value = STRONG_SECRETS[1]?.value ?? '';
  const text = `{"a":${JSON.stringify(value)},"b":"ü"}`;
  const encoded: Record<string, Buffer> = {
    latin1: Buffer.from(text, 'latin1'),
    utf16le: Buffer.from(`\ufeff${text}`, 'utf16le'),
    utf16be: Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    'utf16le without mark': Buffer.from(text, 'utf16le'),
  };
  for (const [what, bytes] of Object.entries(encoded)) {
    const { response } = mask.record(makeExchange({ status: 200, headers: [], bytes }), 'https://bank.example/x');
    const kept = Buffer.from(response?.body ?? '', response?.encoding === 'base64' ? 'base64' : 'utf8');
    const readable = kept.toString('latin1').replaceAll('\0', '');
    expect([what, readable.includes('$CLIENT_SECRET'), findLongestRemainder(readable, value) < 4]).toEqual([
      what,
      true,
      true,
    ]);
  }
  const marked = mask.record(makeExchange(makeJsonAnswer('\ufeff{"a":1}')), 'https://bank.example/x');
  expect(marked.response).toMatchObject({ body: '\ufeff{"a":1}', encoding: 'utf-8' });
});
