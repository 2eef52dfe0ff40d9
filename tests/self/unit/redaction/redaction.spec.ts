/** Secrets leave no trace in what is shown, and what is shown still proves what it proved. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { Answer, Exchange } from '../../../../openapi/model/exchange.ts';
import { sha256Of } from '../../../../openapi/util/hash.ts';
import { judge, prepare } from '../../../../openapi/judge.ts';
import { MAX_RECORDED_BODY, redactor, scan, secretsOf, type Secret } from '../../../../fixtures/redaction/redactor.ts';
import { distinctiveParts } from '../../../../fixtures/redaction/secrets.ts';
import { targetAt, tlsFile } from '../../support/servers.ts';

const strong: readonly Secret[] = [
  { name: 'CLIENT_ID', value: 'a3f1c2d4-1111-4abc-9def-0123456789ab' },
  { name: 'CLIENT_SECRET', value: 'S3cr"t/+&=Zq9 <end>' },
  { name: 'ACCESS_TOKEN', value: `eyJhbGciOiJIUzI1NiJ9.${'QWxhZGRpbjpvcGVuIHNlc2FtZQ'.repeat(20)}` },
];

const percentAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicodeAll = (text: string) =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const forms: Record<string, (value: string) => string> = {
  'in clear': (value) => value,
  'in capitals': (value) => value.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (value) => encodeURIComponent(value).toLowerCase(),
  'percent-encoded throughout': percentAll,
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'in a form': (value) => new URLSearchParams({ a: value }).toString().slice(2),
  'in JSON': (value) => JSON.stringify(value),
  'in JSON in JSON': (value) => JSON.stringify(JSON.stringify(value)),
  'in JSON with escaped slashes': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  'in JSON, all escaped': unicodeAll,
  'in HTML': html,
  'in HTML by numbers': (value) => [...value].map((c) => `&#${c.charCodeAt(0)};`).join(''),
  'in base64': base64,
  'in base64 after one byte': (value) => base64(`x${value}`),
  'in base64 after two bytes': (value) => base64(`xy${value}`),
  'in base64url': (value) => Buffer.from(`??${value}>>`).toString('base64url'),
  'in base64, percent-encoded': (value) => encodeURIComponent(base64(`??${value}>>`)),
  'in Basic credentials': (value) => `Basic ${base64(`user:${value}`)}`,
  'within words': (value) => `token=${value};path=/`,
};

/** The longest run of characters of `value` in `text`, in any case. */
function remains(text: string, value: string): number {
  let longest = 0;
  for (let from = 0; from < value.length; from += 1) {
    for (let length = longest + 1; from + length <= value.length; length += 1) {
      if (!text.toLowerCase().includes(value.slice(from, from + length).toLowerCase())) break;
      longest = length;
    }
  }
  return longest;
}

for (const [what, write] of Object.entries(forms)) {
  test(`A secret ${what} is found and replaced`, () => {
    const veil = redactor(strong);
    for (const { name, value } of strong) {
      const text = `before ${write(value)} after`;
      expect(veil.finds(text)).toBe(true);
      expect(veil.text(text)).toContain(`$${name}`);
      expect(veil.finds(veil.text(text))).toBe(false);
      expect(remains(veil.text(text).replaceAll(/before|after|\$[A-Z_]+/g, ''), value)).toBeLessThan(5);
    }
  });
}

test('Text without a secret comes back as it is, and quickly', () => {
  const veil = redactor(strong);
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, n) => ({ n, street: `Straße "${n}"`, city: 'Ankara' })),
  );
  const from = performance.now();
  for (let more = 0; more < 5; more += 1) expect(veil.text(text) === text).toBe(true);
  // About a megabyte each: tens of megabytes a second on a slow machine.
  expect(performance.now() - from).toBeLessThan(1000);
});

test('A secret learnt later is replaced too', () => {
  const veil = redactor([]);
  expect(veil.text('tok3n-of-later')).toBe('tok3n-of-later');
  veil.learn({ name: 'ACCESS_TOKEN', value: 'tok3n-of-later' });
  expect(veil.text('x tok3n-of-later')).toBe('x $ACCESS_TOKEN');
});

test('Long secrets and hostile texts cost little time', () => {
  const long = Array.from({ length: 16_000 }, (_, n) => 'Aa0_'[(n * 7) % 4] ?? '').join('');
  const veil = redactor([...strong, { name: 'LONG', value: `${long}x` }]);
  const n = 70_000;
  const half = n / 2;
  const tokens = '{"payment_token":"aB3'.padEnd(n, 'x%41') + '","payment_link":"';
  const texts = [
    `${long}x`,
    `"${'\\'.repeat(n)}`,
    `${' '.repeat(half)}x${' '.repeat(half)}x`,
    '%'.repeat(n),
    '&#0'.repeat(n / 3),
    '"'.repeat(n),
    '{"'.repeat(half),
    '['.repeat(n),
    tokens + '%25'.repeat(1000),
    `${'{"payment_token":"aB3d'.padEnd(5_000, 'x%')}","payment_link":"${'x%'.repeat(half)}"}`,
    Array.from({ length: 3000 }, (_, at) => `{"payment_token":"token-${at}"}`).join(),
    '{"payment_token":"\\ud800x","payment_link":"\\ud800x%"}',
    'ABC\u0130\u0130 S3cr%22t',
  ];
  for (const text of texts) {
    const times: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const from = performance.now();
      const record = veil.record(exchange({ status: 200, headers: [['x', text]], bytes: Buffer.from(text) }), text);
      expect(record.response?.body.length).toBeLessThanOrEqual(MAX_RECORDED_BODY);
      times.push(performance.now() - from);
    }
    expect(Math.min(...times)).toBeLessThan(500);
  }
  expect(veil.text(`a${long}x`)).toBe('a$LONG');
});

test('What is unmistakable and what is not', () => {
  for (const value of ['S3cret-x', 'aB3dE5gH', '0123456789ab', 'correct-horse-battery-staple', '471108150023']) {
    expect([value, distinctiveParts(value)]).toEqual([value, true]);
  }
  for (const value of [
    'sse',
    'none',
    'short7!',
    'password',
    'Conformance',
    'sandbox-client',
    'my client',
    '12345678',
    '--------',
  ]) {
    expect([value, distinctiveParts(value)]).toEqual([value, false]);
  }
});

const json = (value: unknown): Answer => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});

function exchange(answer: Answer | null, request: Partial<Exchange['request']> = {}): Exchange {
  return {
    id: 'x1',
    operation: 'requestLoan',
    kind: 'positive',
    request: { method: 'POST', path: '/x', headers: {}, body: '{}', asked: {}, ...request },
    answer,
    failure: answer ? null : { kind: 'reset', message: 'The connection was reset.' },
    startedAt: 0,
    durationMs: 1.5,
  };
}

/** The body of the record of an answer with that body. */
function shown(veil: ReturnType<typeof redactor>, body: unknown): string {
  return veil.record(exchange(json(body)), 'https://bank.example/x').response?.body ?? '';
}

test('A word that is a secret does not eat the report, but is replaced where it stands alone', () => {
  const veil = redactor([
    { name: 'CLIENT_ID', value: 'sse' },
    { name: 'CLIENT_SECRET', value: 'password' },
  ]);
  expect(veil.text('passed: the password, sse')).toBe('passed: the password, sse');
  const record = veil.record(
    exchange(json('{"a":"sse","b":"passed","sse":"Bearer password","c":["password"],"d":"the password"}'), {
      headers: { 'X-GW-client-id': 'sse', 'X-GW-client-secret': 'password', Accept: 'passed' },
      asked: { currency: 'sse', n: 1 },
    }),
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

test('Redacted JSON is JSON of the same types, and all else in it stays byte for byte', () => {
  const [, secret] = strong;
  const value = secret?.value ?? '';
  const veil = redactor([...strong, { name: 'PIN', value: '471108150023' }, { name: 'CODE', value: '4711' }]);
  const quoted = JSON.stringify(value);
  const body = `{ "x" :${quoted}, "x":1e400,\n${quoted}:"n\\/${quoted.slice(1, -1)}\\u00e9","big":12345678901234567890,"pin":471108150023,"neg":-4711,"code":4711,"codes":["4711","47110"],"in":"${unicodeAll(value)}" }`;
  expect(shown(veil, body)).toBe(
    '{ "x" :"$CLIENT_SECRET", "x":1e400,\n"$CLIENT_SECRET":"n/$CLIENT_SECRETé","big":12345678901234567890,"pin":999999999999,"neg":-4711,"code":9999,"codes":["9999","47110"],"in":"$CLIENT_SECRET" }',
  );
});

test('A secret that begins with what a backslash may escape leaves good JSON', () => {
  const veil = redactor([{ name: 'CLIENT_SECRET', value: 'nabc"D3f\\x' }]);
  const body = JSON.stringify({ a: 'line\n$CLIENT_SECRET', b: '\nabc"D3f', c: 'x\\nabc"D3f\\x' });
  const record = JSON.parse(shown(veil, body)) as Record<string, string>;
  // Of `a`, nine characters of the secret's end are left.
  expect(record).toEqual({ a: 'line\n$CLIENT_SECRET', b: '\nabc"D3f', c: 'x\\$CLIENT_SECRET' });
});

test('What is no JSON is redacted all the same', () => {
  const veil = redactor(strong);
  const value = strong[1]?.value ?? '';
  for (const body of [
    `<p title="${html(value)}">${value}`,
    `{"a":"${value}", oops`,
    `"${value}`,
    `a=${encodeURIComponent(value)}`,
  ]) {
    expect(shown(veil, body)).toContain('$CLIENT_SECRET');
    expect(veil.finds(shown(veil, body))).toBe(false);
  }
});

test('Secrets go from every part of an exchange', () => {
  const veil = redactor(strong);
  const [id = '', secret = '', token = ''] = strong.map(({ value }) => value);
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
  const record = veil.record(
    { ...exchange(answer, request) },
    `https://bank.example/x?s=${encodeURIComponent(secret)}`,
  );
  expect(veil.finds(JSON.stringify(record))).toBe(false);
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

test('A record bears its own digest', () => {
  const { sha256, ...rest } = redactor(strong).record(exchange(json({ b: 1, a: 2 })), 'https://bank.example/x');
  expect(sha256).toBe(sha256Of(JSON.parse(JSON.stringify(rest))));
  expect(sha256Of({ b: [1, { d: 'ü', c: null }], a: true })).toBe(
    createHash('sha256').update('{"a":true,"b":[1,{"c":null,"d":"ü"}]}').digest('hex'),
  );
});

test('A body is kept to 64 KiB, and a secret across the cut leaves nothing', () => {
  const veil = redactor(strong);
  const value = strong[2]?.value ?? '';
  for (const before of [MAX_RECORDED_BODY - 100, MAX_RECORDED_BODY - value.length + 1, MAX_RECORDED_BODY - 3]) {
    const body = `${'x'.repeat(before)}${value}${'y'.repeat(100)}`;
    const record = veil.record(exchange(json(body)), 'https://bank.example/x');
    // Where all fits once the secret is replaced, nothing is cut.
    expect(record.truncated).toBe(record.response?.body.length === MAX_RECORDED_BODY);
    expect(record.response?.body.length).toBeLessThanOrEqual(MAX_RECORDED_BODY);
    expect(remains(record.response?.body ?? '', value)).toBeLessThan(3);
  }
  const wide = veil.record(
    exchange({ status: 200, headers: [], bytes: Buffer.alloc(60_000, 255) }),
    'https://bank.example/x',
  );
  expect([wide.truncated, wide.response?.body.length]).toEqual([true, MAX_RECORDED_BODY]);
  const umlauts = veil.record(exchange(json('ü'.repeat(MAX_RECORDED_BODY))), 'https://bank.example/x');
  expect(umlauts.response).toMatchObject({ encoding: 'utf-8', body: expect.stringMatching(/^ü+$/) });
});

test('What came of a broken answer is shown beside the failure, without the half of a secret at its end', () => {
  const veil = redactor(strong);
  const half = `{"a":"${strong[2]?.value.slice(0, 30)}`;
  const partial = { status: 200, headers: [['x-a', 'b']] as const, bytes: Buffer.from(half) };
  const record = veil.record(exchange(null), 'https://bank.example/x', partial);
  expect(record).toMatchObject({ failure: { kind: 'reset' }, truncated: true, redacted: 1 });
  expect(record.response).toEqual({
    status: 200,
    headers: [['x-a', 'b']],
    body: '{"a":"$ACCESS_TOKEN',
    encoding: 'utf-8',
  });
  const alien = veil.record(exchange(null), 'https://bank.example/x', {
    status: null,
    headers: [],
    bytes: Buffer.from('SSH'),
  });
  expect(alien.response).toMatchObject({ status: 0, body: 'SSH' });
  expect(veil.record(exchange(null), 'https://bank.example/x').response).toBeNull();
});

test('Bytes that are no UTF-8 are base64, without secrets', () => {
  const veil = redactor(strong);
  const value = strong[1]?.value ?? '';
  const text = `{"a":${JSON.stringify(value)},"b":"ü"}`;
  const encoded: Record<string, Buffer> = {
    latin1: Buffer.from(text, 'latin1'),
    utf16le: Buffer.from(`\ufeff${text}`, 'utf16le'),
    utf16be: Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    'utf16le without mark': Buffer.from(text, 'utf16le'),
  };
  for (const [what, bytes] of Object.entries(encoded)) {
    const { response } = veil.record(exchange({ status: 200, headers: [], bytes }), 'https://bank.example/x');
    const kept = Buffer.from(response?.body ?? '', response?.encoding === 'base64' ? 'base64' : 'utf8');
    const readable = kept.toString('latin1').replaceAll('\0', '');
    expect([what, readable.includes('$CLIENT_SECRET'), remains(readable, value) < 4]).toEqual([what, true, true]);
  }
  const marked = veil.record(exchange(json('\ufeff{"a":1}')), 'https://bank.example/x');
  expect(marked.response).toMatchObject({ body: '\ufeff{"a":1}', encoding: 'utf-8' });
});

test.describe('Payment tokens', () => {
  const link = (token: string, payment_link: string) => ({
    data: { order_id: 'o-1', payment_link, payment_token: token },
  });
  const parsed = (text: string) => (JSON.parse(text) as ReturnType<typeof link>).data;

  for (const [what, token, write] of [
    ['as it stands', 'Ab3dE6_-xyz', (t: string) => t],
    ['percent-encoded', 'Ab+12/xyz==', encodeURIComponent],
    ['percent-encoded throughout', 'Ab3dE6xyz', percentAll],
    ['short', '7391', (t: string) => t],
  ] as const) {
    test(`A token ${what} is replaced alike in token and link`, () => {
      const body = shown(redactor([]), link(token, `https://pay.example/p/${write(token)}?x=1`));
      const { payment_token, payment_link, order_id } = parsed(body);
      expect(payment_token).not.toBe(token);
      expect(payment_token).toMatch(new RegExp(`^[0-9A-Za-z]{${token.length}}$`));
      expect(payment_link).toBe(`https://pay.example/p/${payment_token}?x=1`);
      expect(body).not.toContain(token);
      expect(order_id).toBe('o-1');
    });
  }

  test('Distinct tokens stay distinct, and the same stays the same', () => {
    const veil = redactor([]);
    const standIn = (token: string) => parsed(shown(veil, link(token, 'https://pay.example'))).payment_token;
    const tokens = Array.from({ length: 70 }, (_, n) => String(n + 10)).filter((token) => token[0] !== token[1]);
    expect(new Set(tokens.map(standIn)).size).toBe(tokens.length);
    expect(standIn('42')).toBe(standIn('42'));
    const keyed = () => parsed(shown(redactor([], { key: 'k' }), link('abcd1234', 'x'))).payment_token;
    expect(keyed()).toBe(keyed());
  });

  test('A number stays a number, and a link without the token is left', () => {
    const veil = redactor([]);
    expect(shown(veil, '{"data":{"payment_token":8123456789}}')).toMatch(/^{"data":{"payment_token":[1-9]\d{9}}}$/);
    expect(shown(veil, '{"data":{"payment_token":8123456789}}')).not.toContain('8123456789');
    expect(parsed(shown(veil, link('abcd1234', 'https://pay.example/p?x=1'))).payment_link).toBe(
      'https://pay.example/p?x=1',
    );
  });

  test('A token in data that is a text, or in an answer cut short, is replaced too', () => {
    const veil = redactor([]);
    const doubled = JSON.stringify({
      data: JSON.stringify(link('abcd1234', 'https://pay.example/abcd1234')),
    });
    expect(shown(veil, doubled)).not.toContain('abcd1234');
    expect(Object.keys(JSON.parse((JSON.parse(shown(veil, doubled)) as { data: string }).data) as object)).toEqual([
      'data',
    ]);
    expect(
      shown(veil, '{"data":{"payment_link":"https://pay.example/abcd1234","payment_token":"abcd1234","is_su'),
    ).toMatch(
      /^{"data":{"payment_link":"https:\/\/pay\.example\/[0-9A-Za-z]{8}","payment_token":"[0-9A-Za-z]{8}","is_su$/,
    );
  });

  test('An empty token, and one of one repeated character, are left for the judge', () => {
    for (const token of ['', '0000', '---']) {
      expect(shown(redactor([]), link(token, 'https://pay.example'))).toBe(
        JSON.stringify(link(token, 'https://pay.example')),
      );
    }
  });

  test('They stay where they are to be shown', () => {
    const veil = redactor([], { showPaymentTokens: true });
    const body = JSON.stringify(link('abcd1234', 'https://pay.example/abcd1234'));
    expect(shown(veil, body)).toBe(body);
  });
});

test('What a record shows is judged as the exchange was', () => {
  prepare();
  const veil = redactor([...strong, { name: 'CLIENT_ID', value: '471108150023' }]);
  const good = {
    order_id: '0b6f0c2e-5a0e-4d6b-9f57-2c8f3f0f9a11',
    payment_link: 'https://pay.example/p?t=Ab%2B12%2Fxyz',
    payment_token: 'Ab+12/xyz',
    is_success: true,
    end_date: '31.12.2099 23:59:59',
    note: strong[1]?.value,
  };
  const bodies = [
    { data: good },
    { data: { ...good, payment_link: 'https://pay.example/p?t=other' } },
    { data: { ...good, payment_token: '' } },
    { data: { ...good, payment_token: 5512345678 } },
    { data: { ...good, is_success: strong[1]?.value } },
    { data: { ...good, order_id: 471108150023 } },
    { data: JSON.stringify(good) },
    good,
  ];
  for (const body of bodies) {
    const sent: Exchange = { ...exchange(json(body)), operation: 'createPaymentLink' };
    const { response } = veil.record(sent, 'https://bank.example/x');
    const again: Exchange = {
      ...sent,
      answer: response && {
        ...response,
        bytes: Buffer.from(response.body, response.encoding === 'base64' ? 'base64' : 'utf8'),
      },
    };
    const broken = (of: Exchange) =>
      judge(of).breaks.map(({ clause, pointer, kind }) => `${clause} ${pointer} ${kind}`);
    expect(response?.body).not.toMatch(/S3cr|4711|5512345678/);
    expect(broken(again)).toEqual(broken(sent));
  }
});

test('Every secret of a target is known, the lines of its key too', () => {
  const target = targetAt('https://bank.example', {
    CLIENT_ID: 'an-id-1',
    CLIENT_SECRET: 's3cret',
    ACCESS_TOKEN: 't0ken',
    EXTRA_HEADERS: 'X-Key: k3y',
    HTTPS_PROXY: 'http://user:p%40ss@proxy.example:3128',
    TLS_CERT: tlsFile('client.crt'),
    TLS_KEY: tlsFile('client-locked.key'),
    TLS_PASSPHRASE: 'open-sesame',
  });
  const secrets = secretsOf(target);
  expect(secrets.filter(({ name }) => name !== 'TLS_KEY').map(({ name, value }) => `${name}=${value}`)).toEqual([
    'CLIENT_ID=an-id-1',
    'CLIENT_SECRET=s3cret',
    'ACCESS_TOKEN=t0ken',
    'TLS_PASSPHRASE=open-sesame',
    'EXTRA_HEADERS=k3y',
    'PROXY_USER=user',
    'PROXY_PASSWORD=p@ss',
    `PROXY_AUTHORIZATION=${base64('user:p@ss')}`,
  ]);
  expect(secrets.filter(({ name }) => name === 'TLS_KEY')).toHaveLength(3);
});

test('A scan names each file in which a secret stands, in any form, packed or not', () => {
  const folder = test.info().outputPath('report');
  mkdirSync(join(folder, 'deep'), { recursive: true });
  const veil = redactor(strong);
  const value = strong[1]?.value ?? '';
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  write('clean.html', '<p>$CLIENT_SECRET</p>');
  write('clear.txt', `a ${value}`);
  write('deep/base64.json', JSON.stringify({ a: base64(`user:${value}`) }));
  write('deep/escaped.json', JSON.stringify({ a: JSON.stringify(value) }));
  write('edge.jsonl', `${'x'.repeat((1 << 20) - 5)}${encodeURIComponent(value)}`);
  write('far.jsonl', `${'x'.repeat(3_000_000)}${value}`);
  write('page.html', `<td>${html(value)}`);
  write('packed.gz', gzipSync(value));
  write('report.zip', zip('inner.txt', value));
  write('clean.zip', zip('inner.txt', 'nothing'));
  expect(scan(folder, veil)).toEqual([
    'clear.txt',
    'deep/base64.json',
    'deep/escaped.json',
    'edge.jsonl',
    'far.jsonl',
    'packed.gz',
    'page.html',
    'report.zip',
  ]);
});

/** A zip archive with one file. */
function zip(name: string, content: string): Buffer {
  // A gzip stream without its head of ten bytes and tail of eight is bare deflate.
  const packed = gzipSync(content).subarray(10, -8);
  const local = Buffer.alloc(30);
  local.write('PK\u0003\u0004', 'latin1');
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.write('PK\u0001\u0002', 'latin1');
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt16LE(name.length, 28);
  const start = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}
