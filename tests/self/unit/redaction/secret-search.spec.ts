/** The search finds secrets in every encoding, and finds nothing else. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { redactor } from '../../../../fixtures/redaction/redactor.ts';
import { isRecognisableSecret } from '../../../../fixtures/redaction/secrets.ts';
import { expectLinear } from '../linear-time.ts';
import {
  encodeBase32,
  encodeBase64,
  recordBody,
  escapeForHtml,
  percentEncodeAll,
  encodeQuotedPrintable,
  encodedLookingSecrets,
  findLongestRemainder,
  STRONG_SECRETS,
  unicodeEscapeAll,
} from './secret-samples.ts';

const encodingByName: Record<string, (value: string) => string> = {
  'in clear': (value) => value,
  'in capitals': (value) => value.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (value) => encodeURIComponent(value).toLowerCase(),
  'percent-encoded throughout': percentEncodeAll,
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'in a form': (value) => new URLSearchParams({ a: value }).toString().slice(2),
  'in JSON': (value) => JSON.stringify(value),
  'in JSON in JSON': (value) => JSON.stringify(JSON.stringify(value)),
  'in JSON with escaped slashes': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  'in JSON with every character escaped': unicodeEscapeAll,
  'in HTML': escapeForHtml,
  'in HTML in a query': (text) => encodeURIComponent(escapeForHtml(text)),
  'in HTML in a query, twice encoded': (text) => encodeURIComponent(encodeURIComponent(escapeForHtml(text))),
  'in HTML by numbers': (value) => [...value].map((c) => `&#${c.charCodeAt(0)};`).join(''),
  'in hexadecimal digits': (value) => Buffer.from(value).toString('hex'),
  'as a dump': (value) => Buffer.from(value).toString('hex').match(/../g)?.join(' ') ?? '',
  'as a list of bytes': (value) => JSON.stringify(Buffer.from(value)),
  'as escaped bytes': (value) => percentEncodeAll(value).replaceAll('%', '\\x'),
  backwards: (value) => [...value].reverse().join(''),
  'in base64': encodeBase64,
  'in base64 after one byte': (value) => encodeBase64(`x${value}`),
  'in base64 after two bytes': (value) => encodeBase64(`xy${value}`),
  'in base64url': (value) => Buffer.from(`??${value}>>`).toString('base64url'),
  'in base64, percent-encoded': (value) => encodeURIComponent(encodeBase64(`??${value}>>`)),
  'in Basic credentials': (value) => `Basic ${encodeBase64(`user:${value}`)}`,
  'within words': (value) => `token=${value};path=/`,
  'in pieces with separators': (value) => value.replaceAll(/.{3}/gsu, '$& | '),
  'in pieces over strings of JSON': (value) => JSON.stringify(value.match(/.{1,5}/gsu)),
  'with zero-width characters between': (value) => [...value].join('\u200b\u2060'),
  'in full-width characters': (value) =>
    value.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'in quoted-printable': (value) => encodeQuotedPrintable(value).replaceAll(/.{30}(?![0-9A-F]{0,1}=)/g, '$&=\r\n'),
  'in HTML by numbers without semicolons': (value) => [...value].map((c) => `&#${c.charCodeAt(0)}`).join(''),
  'in HTML by hexadecimal numbers, escaped again': (value) =>
    escapeForHtml([...value].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join('')),
  'in octal escapes': (value) =>
    [...Buffer.from(value)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  'percent-encoded five times': (value) =>
    [1, 2, 3, 4, 5].reduce((text, time) => (time === 1 ? percentEncodeAll(text) : encodeURIComponent(text)), value),
  'in base64 of base64': (value) => encodeBase64(`ab${encodeBase64(`x${value}`)}`),
  'in base64 in lines': (value) => encodeBase64(value).replaceAll(/.{16}/g, '$&\r\n'),
  'in base64 of its percent-encoding': (value) => encodeBase64(encodeURIComponent(value)),
  'in base32': (value) => encodeBase32(`xyz${value}`),
  'in UTF-16 in base64': (value) => Buffer.from(value, 'utf16le').toString('base64'),
  'in UTF-16 in hexadecimal digits': (value) => Buffer.from(value, 'utf16le').swap16().toString('hex'),
  'as bytes in hexadecimal numbers': (value) =>
    [...Buffer.from(value)].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', '),
  'as a typed array in JSON': (value) => JSON.stringify(new Uint8Array(Buffer.from(value))),
};

for (const [what, write] of Object.entries(encodingByName)) {
  test(`A secret ${what} is found and replaced`, () => {
    const secrets = [...STRONG_SECRETS, ...encodedLookingSecrets];
    const mask = redactor(secrets);
    for (const { name, value } of secrets) {
      const text = `before ${write(value)} after`;
      expect(mask.finds(text)).toBe(true);
      expect(mask.text(text)).toContain(`$${name}`);
      expect(mask.finds(mask.text(text))).toBe(false);
      // A body that is no JSON, and one that breaks off.
      for (const body of [text, `{"a":"${write(value)}", oops`]) expect(mask.finds(recordBody(mask, body))).toBe(false);
      expect(findLongestRemainder(mask.text(text).replaceAll(/before|after|\$[A-Z_]+/g, ''), value)).toBeLessThan(5);
    }
  });
}

test('Twelve characters from the middle of a secret are found, eleven are not', () => {
  const mask = redactor([{ name: 'CLIENT_SECRET', value: 'w7Kd2-mPz9/XqT4v+Rb8n=Lc3y' }]);
  expect(mask.text('x K d2mPz9X-qT4v+R x')).toBe('x $CLIENT_SECRET x');
  expect(mask.text('x d2mPz9X-qT4v x')).toBe('x d2mPz9X-qT4v x');
  expect(mask.finds(encodeBase64('7Kd2-mPz9/XqT4v+Rb8n=Lc3'))).toBe(true);
  expect(mask.text('X-7Kd2-mPz9-XqT4v-Rb8n: 1')).toBe('X-$CLIENT_SECRET: 1');
});

test('Text without a secret is returned unchanged, at a cost in proportion to its length', () => {
  const mask = redactor(STRONG_SECRETS);
  const text = (length: number): string =>
    JSON.stringify(Array.from({ length }, (_, n) => ({ n, street: `Straße "${n}"`, city: 'Ankara' })));
  expect(mask.text(text(20_000)) === text(20_000)).toBe(true);
  expectLinear('addresses', mask.text, text, 5_000);
});

test('A secret that is added later is replaced too', () => {
  const mask = redactor([]);
  expect(mask.text('tok3n-of-later')).toBe('tok3n-of-later');
  mask.learn({ name: 'ACCESS_TOKEN', value: 'tok3n-of-later' });
  expect(mask.text('x tok3n-of-later')).toBe('x $ACCESS_TOKEN');
});

test('A very long secret is found, and halves of surrogate pairs are no error', () => {
  const long = Array.from({ length: 4000 }, (_, n) => 'Aa0_'[(n * 7) % 4] ?? '').join('');
  const random = randomBytes(6000).toString('base64url');
  const mask = redactor([...STRONG_SECRETS, { name: 'LONG', value: `${long}x` }, { name: 'RANDOM', value: random }]);
  expect(findLongestRemainder(mask.text(`a${long}x`), long)).toBeLessThan(5);
  expect(mask.text(`- ${random} -`)).toBe('- $RANDOM -');
  for (const text of [
    '{"payment_token":"\\ud800xy","payment_link":"\\ud800xy%"}',
    '{"payment_token":"\\ud800x","payment_link":"\\ud800x%"}',
    'ABC\u0130\u0130 S3cr%22t',
  ])
    expect(recordBody(mask, text).length).toBeGreaterThan(0);
});

test('Values that can be recognized in any text are distinguished from common words and numbers', () => {
  for (const value of ['S3cret-x', 'aB3dE5gH', '0123456789ab', 'correct-horse-battery-staple', '471108150023']) {
    expect([value, isRecognisableSecret(value)]).toEqual([value, true]);
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
    expect([value, isRecognisableSecret(value)]).toEqual([value, false]);
  }
});
