/** Tests which HAR files and entries are read, left out, or refused in one sentence that says what to do. */
import { truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { readHar } from '../../../../fixtures/recording/har.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

const url = 'https://bank.example/gw/api/v1/atms?latitude=1&longitude=2';
const json = '{"data":[{"atm_city":"Üsküdar"}]}';

const makeEntry = (response: object, more: object = {}): object => ({
  startedDateTime: '2026-01-05T10:00:00.000Z',
  time: 12.5,
  request: { method: 'GET', url, headers: [] },
  response: { status: 200, headers: [{ name: 'Content-Type', value: 'application/json' }], ...response },
  ...more,
});
const renderHar = (...entries: readonly object[]): string => JSON.stringify({ log: { version: '1.2', entries } });
const labelEncoding = (coding: string) => ({ headers: [{ name: 'content-encoding', value: coding }] });

const base64 = (content: string | Buffer) => ({ text: Buffer.from(content).toString('base64'), encoding: 'base64' });
const renderAnswer = (content: object, coding?: string, more: object = {}): string =>
  renderHar(makeEntry({ ...(coding === undefined ? {} : labelEncoding(coding)), content }, more));
const wholeFile = renderAnswer({ text: json });
const wrongCharset = [{ name: 'content-type', value: 'application/json; charset=utf-16le' }];

for (const [what, content] of [
  ['UTF-8', wholeFile],
  ['UTF-8 with a byte order mark', `\ufeff${wholeFile}`],
  ['gzip', gzipSync(wholeFile)],
  ['base64', renderAnswer(base64(json))],
  ['an uncompressed body with its old Content-Encoding', renderAnswer({ text: json, size: 9999 }, 'deflate, gzip')],
  [
    'UTF-8 under another label',
    renderHar(makeEntry({ headers: wrongCharset, content: { text: json, size: Buffer.byteLength(json) } })),
  ],
  ['no time', renderAnswer({ text: json }, undefined, { time: null, startedDateTime: null })],
  ['no fields but the body', renderHar(makeEntry({ headers: null, content: { text: json } }))],
  [
    'one entry among others',
    renderHar({}, { request: null }, makeEntry({ content: { text: json } }), {
      request: { method: 'GET', url: 'blob:x' },
    }),
  ],
] as const)
  test(`The body in a recording with ${what} is read`, () => {
    const { exchanges } = readHar(makeTempFile('traffic.har', content));
    expect(exchanges.map(({ answer }) => Buffer.from(answer?.bytes ?? []).toString())).toEqual([json]);
  });

for (const [what, entry] of [
  ['from a cache', makeEntry({ content: { text: json } }, { _fromCache: 'memory' })],
  ['of a worker of the page', makeEntry({ content: { text: json }, _fetchedViaServiceWorker: true })],
  ['that was not changed', makeEntry({ status: 304, content: { text: '' } })],
  ['that was blocked', makeEntry({ status: 0, content: {} })],
  ['that broke off', makeEntry({ content: { text: json.slice(0, 9) }, _error: 'net::ERR_CONTENT_LENGTH_MISMATCH' })],
  ['without its body', makeEntry({ content: { size: 0 } })],
  ['whose body was cut by the recorder', makeEntry({ content: { text: json.slice(0, 20), size: json.length } })],
  ['whose empty body has a size', makeEntry({ content: { text: '', size: 40 } })],
  ['with unreadable compression', makeEntry({ ...labelEncoding('gzip'), content: { text: '\x1f\ufffd\b\0\ufffd' } })],
  ['with undeclared compression', makeEntry({ content: base64(gzipSync(json)) })],
] as const)
  test(`A recorded answer ${what} is left out and counted`, () => {
    const { exchanges, incompleteByBaseUrl } = readHar(makeTempFile('traffic.har', renderHar(entry)));
    expect([exchanges.length, [...incompleteByBaseUrl]]).toEqual([0, [['https://bank.example/gw', 1]]]);
  });

for (const [what, content, says] of [
  ['nothing', '', /is no HAR, because it is no JSON: export the traffic as HAR 1\.2, plain or packed by gzip\.$/],
  ['a zip archive', Buffer.from('PK\x03\x04rest'), /is no JSON/],
  ['half a HAR', wholeFile.slice(0, -9), /is no JSON/],
  ['null', 'null', /has no log\.entries/],
  [
    'millions of values',
    `{"log":{"entries":[${'{},'.repeat(2_600_000)}{}]}}`,
    /has more than 5,000,000 values: cut it/,
  ],
  ['a collection of Postman', '{"info":{},"item":[{"log":{"entries":[]}}]}', /has no log\.entries: export/],
  ['damaged gzip', gzipSync(wholeFile).subarray(0, 40), /is damaged: it cannot be unpacked\.$/],
  [
    'more than 256 MB, packed',
    gzipSync(Buffer.alloc(257 * 1024 * 1024, ' '), { level: 1 }),
    /is larger than 256 MiB when it is unpacked: cut it/,
  ],
  [
    'Insomnia',
    JSON.stringify({ log: { creator: { name: 'Insomnia REST Client' }, entries: [] } }),
    /time of the export .*: record with another tool\.$/,
  ],
] as const)
  test(`A file of ${what} is refused in one sentence`, () => {
    expect(() => readHar(makeTempFile('traffic.har', content))).toThrow(says);
  });

test('A folder, a missing file and a file of more than 256 MB are refused', () => {
  expect(() => readHar(makeTempDir())).toThrow(/is a folder: name a file in it\.$/);
  expect(() => readHar('none.har')).toThrow(/^none\.har is not there: correct the path\.$/);
  const large = makeTempFile('large.har', '');
  truncateSync(large, 256 * 1024 * 1024 + 1);
  expect(() => readHar(large)).toThrow(/has more than 256 MiB: give a smaller one, or a part of it\.$/);
});

test('Entries with wrong types at any place are read or left out, without an error', () => {
  const oddValues: unknown[] = [null, 1, 'x', [], { toString: 1 }];
  const request = { method: 'GET', url };
  const whole = { status: 200, content: { text: json } };
  const shapes: readonly ((value: unknown) => unknown)[] = [
    (value) => value,
    (value) => ({ request: value }),
    (value) => ({ request: { method: value, url: value } }),
    (value) => ({ request: { ...request, headers: value, postData: value }, response: value }),
    (value) => ({ request: { ...request, headers: [value], postData: { text: value } }, response: value }),
    (value) => ({ request, startedDateTime: value, time: value, response: { status: value } }),
    (value) => ({ request, response: { status: 200, headers: [value], content: value } }),
    (value) => ({ request, response: { status: 200, content: { text: value, size: value } } }),
    (value) => ({ request, time: value, startedDateTime: value, response: whole }),
  ];
  const entries = shapes.flatMap((shape) => oddValues.map(shape));
  for (const creator of oddValues) {
    const { exchanges } = readHar(makeTempFile('odd.har', JSON.stringify({ log: { creator, entries } })));
    expect(exchanges).toHaveLength(oddValues.length + 1);
  }
});
