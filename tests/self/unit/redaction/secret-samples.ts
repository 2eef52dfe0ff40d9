/** Gives secrets to the tests of redaction, and makes exchanges that contain them. */
import type { Answer, Exchange } from '../../../../openapi/model/exchange.ts';
import type { Redactor, Secret } from '../../../../fixtures/run/redaction/redactor.ts';

export const STRONG_SECRETS: readonly Secret[] = [
  { name: 'CLIENT_ID', value: 'a3f1c2d4-1111-4abc-9def-0123456789ab' },
  { name: 'CLIENT_SECRET', value: 'S3cr"t/+&=Zq9 <end>' },
  { name: 'ACCESS_TOKEN', value: `eyJhbGciOiJIUzI1NiJ9.${'QWxhZGRpbjpvcGVuIHNlc2FtZQ'.repeat(20)}` },
];

/** Secrets that look encoded, like signatures and query tokens. */
export const encodedLookingSecrets: readonly Secret[] = [
  { name: 'CLIENT_SECRET', value: 'sv=2024&sig=k9%2FTz%3Dp7Qx' },
  { name: 'ACCESS_TOKEN', value: 'Qs7%25kZ9xL3mT5vb' },
  { name: 'EXTRA_HEADERS', value: 'a9&amp;B7&#38;cD3eF5gQ8' },
  { name: 'TLS_PASSPHRASE', value: 'Q7\\u0041z9\\Xk2Lm8Rr3' },
];

export const percentEncodeAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
export const unicodeEscapeAll = (text: string) =>
  [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
export const escapeForHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const encodeBase64 = (text: string) => Buffer.from(text).toString('base64');

/** The encodings that are decoded, each with one layer. */
export const layerByName: Readonly<Record<string, (value: string) => string>> = {
  'percent-encoded': (value) => encodeURIComponent(value),
  'percent-encoded throughout': percentEncodeAll,
  'in a form': (value) => new URLSearchParams({ a: value }).toString().slice(2),
  'in JSON': (value) => JSON.stringify(value),
  'in JSON with escaped slashes': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  'in JSON with every character escaped': unicodeEscapeAll,
  'in a program text': (value) =>
    value.replace(/\W/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
  'in HTML': escapeForHtml,
  'in HTML by numbers': (value) => [...value].map((sign) => `&#${sign.charCodeAt(0)};`).join(''),
  'in HTML by hexadecimal numbers': (value) =>
    [...value].map((sign) => `&#x${sign.charCodeAt(0).toString(16)};`).join(''),
  'in base64': encodeBase64,
  'in base64 after one byte': (value) => encodeBase64(`:${value}`),
  'in base64 after two bytes': (value) => encodeBase64(`::${value}`),
  'in base64 of URLs': (value) => Buffer.from(`?~${value}~?`).toString('base64url'),
  'in hexadecimal digits': (value) => Buffer.from(value).toString('hex'),
  'in UTF-16': (value) => Buffer.from(value, 'utf16le').toString('latin1'),
  'in big-endian UTF-16': (value) => Buffer.from(value, 'utf16le').swap16().toString('latin1'),
};

/** Returns the longest run of characters of `value` in `text`, in any case. */
export function findLongestRemainder(text: string, value: string): number {
  let longest = 0;
  for (let from = 0; from < value.length; from += 1) {
    for (let length = longest + 1; from + length <= value.length; length += 1) {
      if (!text.toLowerCase().includes(value.slice(from, from + length).toLowerCase())) break;
      longest = length;
    }
  }
  return longest;
}

export const makeJsonAnswer = (value: unknown): Answer => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});

export function makeExchange(answer: Answer | null, request: Partial<Exchange['request']> = {}): Exchange {
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

/** Records an answer with this body, and returns the recorded body. */
export function recordBody(mask: Redactor, body: unknown): string {
  return mask.record(makeExchange(makeJsonAnswer(body)), 'https://bank.example/x').response?.body ?? '';
}
