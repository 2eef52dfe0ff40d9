/** Secrets for the redaction specs, and exchanges that contain them. */
import type { Answer, Exchange } from '../../../../openapi/model/exchange.ts';
import { redactor, type Secret } from '../../../../fixtures/redaction/redactor.ts';

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
export const encodeQuotedPrintable = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte === 61 || byte < 32 || byte > 126
        ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
/** Encodes by RFC 4648, bit by bit. */
export const encodeBase32 = (text: string) =>
  (
    [...Buffer.from(text)]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{1,5}/g) ?? []
  )
    .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('');
export const encodeBase64 = (text: string) => Buffer.from(text).toString('base64');

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
export function recordBody(mask: ReturnType<typeof redactor>, body: unknown): string {
  return mask.record(makeExchange(makeJsonAnswer(body)), 'https://bank.example/x').response?.body ?? '';
}
