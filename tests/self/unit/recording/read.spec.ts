/** Recordings of tools: read correctly, left out, or refused in one sentence that says what to do. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
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
/** Returns the HAR of one answer with this content. */
const renderAnswer = (content: object, coding?: string, more: object = {}): string =>
  renderHar(makeEntry({ ...(coding === undefined ? {} : labelEncoding(coding)), content }, more));
const wholeFile = renderAnswer({ text: json });
const wrongCharset = [{ name: 'content-type', value: 'application/json; charset=utf-16le' }];

for (const [what, content] of [
  ['UTF-8', wholeFile],
  ['UTF-8 with a byte order mark', `\ufeff${wholeFile}`],
  ['UTF-16', Buffer.from(`\ufeff${wholeFile}`, 'utf16le')],
  ['UTF-16 without a byte order mark', Buffer.from(wholeFile, 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\ufeff${wholeFile}`, 'utf16le').swap16()],
  ['gzip', gzipSync(wholeFile)],
  ['the compressed form of mitmproxy', deflateSync(wholeFile)],
  ['base64', renderAnswer(base64(json))],
  ['text that is marked as base64', renderAnswer({ text: json, encoding: 'base64' })],
  ['a packed body', renderAnswer(base64(brotliCompressSync(json)), 'br')],
  ['a compressed body with one character per byte', renderAnswer({ text: gzipSync(json).toString('latin1') }, 'gzip')],
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
  test(`A recording in ${what} is read`, async () => {
    const { exchanges } = await readHar(makeTempFile('traffic.har', content));
    expect(exchanges.map(({ answer }) => Buffer.from(answer?.bytes ?? []).toString())).toEqual([json]);
  });

for (const [what, one] of [
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
  test(`An answer ${what} is left out`, async () => {
    const { exchanges, incomplete } = await readHar(makeTempFile('traffic.har', renderHar(one)));
    expect([exchanges.length, [...incomplete]]).toEqual([0, [['https://bank.example/gw', 1]]]);
  });

test('A base64 body is read as the bytes that the client sent', async () => {
  const request = {
    method: 'POST',
    url: 'https://bank.example/api/bank/revolving-loans/v1/contracts',
    headers: [],
    postData: { text: Buffer.from('{"account_id":1}').toString('base64') },
  };
  const { exchanges } = await readHar(
    makeTempFile('traffic.har', renderHar({ ...makeEntry({ content: { text: json } }), request })),
  );
  expect(exchanges[0]?.request.body).toBe('{"account_id":1}');
});

for (const [what, content, says] of [
  ['nothing', '', /is empty\.$/],
  ['a zip archive', Buffer.from('PK\x03\x04rest'), /is a zip archive: unpack it/],
  ['flows of mitmproxy', '1234:8:response;', /mitmdump -nr <file> --set hardump=traffic\.har/],
  ['a JSON session of Charles', '[{"status":"COMPLETE"}]', /export it as HTTP Archive/],
  ['a collection of Postman', '{"info":{},"item":[{"log":{"entries":[]}}]}', /run the collection with newman/],
  ['an export of Insomnia', '{"_type":"export","resources":[]}', /export the requests as HAR/],
  ['damaged gzip', gzipSync(wholeFile).subarray(0, 40), /cannot be unpacked/],
  ['no JSON', '<html>', /is no HAR: it is no JSON object/],
  ['an entry that is no JSON', '{"log":{"entries":[{"a":tru}]}}', /is no HAR: its entry 1 is no JSON/],
  ['half a HAR', wholeFile.slice(0, -9), /is no HAR: it ends within or after entry/],
] as const)
  test(`A file of ${what} is refused in one sentence`, async () => {
    await expect(readHar(makeTempFile('traffic.har', content))).rejects.toThrow(says);
  });

test('A folder is refused, and so is a missing file', async () => {
  await expect(readHar(makeTempDir())).rejects.toThrow(/is a folder: give the HAR file in it\.$/);
  await expect(readHar('none.har')).rejects.toThrow(/^There is no file none\.har\.$/);
});

test('Bodies too large for memory are left out, and too many exchanges with a bank are refused', async () => {
  const deep = `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}`;
  const hostile = wholeFile.replace(
    '"entries":[',
    `"entries":[{"request":${deep}},{"a":[${'0,'.repeat(2_500_000)}0]},`,
  );
  expect((await readHar(makeTempFile('traffic.har', hostile))).exchanges.length).toBe(1);
  const long = JSON.stringify(makeEntry({ content: { text: 'x'.repeat(30_000_000) } }));
  const large = `{"log":{"entries":[${long},${long},${long},${long}]}}`;
  await expect(readHar(makeTempFile('traffic.har', large))).rejects.toThrow(
    /holds more than 96 MiB of exchanges with the bank: cut it into parts/,
  );
});

test('Blanks before a body cost no time', async () => {
  const blank = { method: 'GET', url, headers: [], postData: { text: `${' '.repeat(500_001)}{}` } };
  const file = makeTempFile('traffic.har', renderHar(makeEntry({ content: { text: json } }, { request: blank })));
  expect((await readHar(file)).exchanges).toHaveLength(1);
});
