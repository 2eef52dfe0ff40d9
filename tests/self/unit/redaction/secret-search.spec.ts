/** The search finds secrets in each usual encoding and at each place, and finds nothing else. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { Redactor } from '../../../../fixtures/run/redaction/redactor.ts';
import { isRecognisableSecret } from '../../../../fixtures/run/redaction/secrets.ts';
import { seededRandom, type Random } from '../../../../fixtures/reference-bank/values/random.ts';
import {
  encodeBase64,
  encodedLookingSecrets,
  escapeForHtml,
  findLongestRemainder,
  layerByName,
  recordBody,
  STRONG_SECRETS,
} from './secret-samples.ts';

const formByName: Readonly<Record<string, (value: string) => string>> = {
  'as it stands': (value) => value,
  'in capitals': (value) => value.toUpperCase(),
  ...layerByName,
  'percent-encoded in lower case': (value) => encodeURIComponent(value).toLowerCase(),
  'in JSON in JSON': (value) => JSON.stringify(JSON.stringify(value)),
  'in HTML in a query, twice encoded': (value) => encodeURIComponent(encodeURIComponent(escapeForHtml(value))),
  'in Basic credentials': (value) => `Basic ${encodeBase64(`user:${value}`)}`,
  'in base64 after other digits': (value) => `12${encodeBase64(value)}`,
  'in base64, percent-encoded': (value) => encodeURIComponent(encodeBase64(`??${value}>>`)),
  'in base64 of its percent-encoding': (value) => encodeBase64(encodeURIComponent(value)),
  'in base64 of JSON': (value) => encodeBase64(JSON.stringify({ state: value })),
  'in UTF-16 in base64': (value) => Buffer.from(value, 'utf16le').toString('base64'),
  'in UTF-16 in hexadecimal digits': (value) => Buffer.from(value, 'utf16le').swap16().toString('hex'),
  'in Latin-1 in base64': (value) => Buffer.from(value, 'latin1').toString('base64'),
};

const placeByName: Readonly<Record<string, (value: string) => string>> = {
  'a JSON value': (value) => JSON.stringify({ before: 1, note: `see ${value}, after` }),
  'a header field': (value) => `set-cookie: session=${value}; Path=/; HttpOnly`,
  'the path of a URL': (value) => `https://bank.example/gateway/callback/${value}/next`,
  'a query': (value) => `/callback?state=${value}&lang=tr`,
  'a page': (value) => `<p title="${escapeForHtml(value)}">The key ${escapeForHtml(value)}</p>`,
  'a table cell': (value) => `1;${value};2\r\n`,
  'JUnit XML': (value) => `<failure message="received ${escapeForHtml(value)}&#10;"></failure>`,
  'a line of the terminal': (value) => `\u001B[31m✗\u001B[39m received ${value}`,
};

for (const [what, write] of Object.entries(formByName))
  test(`A secret ${what} is found and replaced in JSON, header fields, URLs, pages and tables`, () => {
    const secrets = [...STRONG_SECRETS, ...encodedLookingSecrets];
    const mask = new Redactor(secrets);
    for (const { name, value } of secrets) {
      for (const [where, put] of Object.entries(placeByName)) {
        const text = put(write(value));
        const masked = mask.maskText(text);
        expect([where, mask.hasSecret(text), masked], text).toEqual([where, true, expect.stringContaining(`$${name}`)]);
        expect([where, mask.hasSecret(masked)], masked).toEqual([where, false]);
        expect(findLongestRemainder(masked, value), masked).toBeLessThan(8);
      }
      // A body that is no JSON, and one that breaks off.
      for (const body of [`before ${write(value)} after`, `{"a":"${write(value)}", oops`])
        expect(mask.hasSecret(recordBody(mask, body))).toBe(false);
    }
  });

const RANDOM_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789-_.~+/=!*$,:;@ "&<>%#\\\'é';

// A header field has no blank at its ends.
const makeRandomSecret = (random: Random): string => `k7${random.letters(RANDOM_SIGNS, random.between(9, 50))}Z`;

const ENCODINGS = Object.entries(layerByName) as [[string, (value: string) => string]];
const PLACES = Object.entries(placeByName) as [[string, (value: string) => string]];

test('1,500 random secrets are found, each in a random combination of up to three encodings', () => {
  const seed = randomBytes(4).readUInt32BE();
  const random = seededRandom(seed, 'encodings');
  const missedSecrets: string[] = [];
  for (let count = 0; count < 1500; count += 1) {
    const value = makeRandomSecret(random);
    const mask = new Redactor([{ name: 'CLIENT_SECRET', value }]);
    const layers = Array.from({ length: random.between(1, 3) }, () => random.pick(ENCODINGS));
    const [where, put] = random.pick(PLACES);
    const text = put(layers.reduce((inner, [, encode]) => encode(inner), value));
    const what = `seed ${seed}: ${value}, ${layers.map(([name]) => name).join(', then ')}, ${where}: ${text}`;
    if (!mask.hasSecret(text) || mask.hasSecret(mask.maskText(text))) missedSecrets.push(what);
  }
  expect(missedSecrets).toEqual([]);
});

test('40,000 random payment links, dates and coordinates are not taken for secrets', () => {
  const seed = randomBytes(4).readUInt32BE();
  const random = seededRandom(seed, 'links');
  const secrets = Array.from({ length: 5 }, (_, at) => ({ name: `SECRET_${at}`, value: makeRandomSecret(random) }));
  const mask = new Redactor([...STRONG_SECRETS, ...secrets]);
  const changed: string[] = [];
  const digits = (count: number): string => random.letters('0123456789', count);
  for (let count = 0; count < 40_000; count += 1) {
    const token = random.letters('abcdefghijklmnopqrstuvwxyz0123456789', 24);
    const text = JSON.stringify({
      payment_link: `https://pay.bank.example/links/${token}?order=${digits(12)}`,
      end_date: `${digits(2)}.${digits(2)}.20${digits(2)} ${digits(2)}:${digits(2)}:${digits(2)}`,
      atm_latitude: Number(`${digits(2)}.${digits(6)}`),
    });
    if (mask.maskText(text) !== text) changed.push(text);
  }
  expect(changed, `seed ${seed}`).toEqual([]);
});

for (const [what, value, text] of [
  ['an address', 'https://api.bank.example', 'https://api.bank.example/api/bank/v1/atms'],
  ['the beginning of an address', 'https://api.bank.example/cb/Uw8s7Qm2Zx5Tb', 'https://api.bank.example/cb/atms'],
  ['a host with a port', 'edge-2.partner.example:8443', 'see edge-2.partner.example:8443'],
  ['an IP address', '198.51.100.7', 'from 198.51.100.7'],
  ['a media type', 'application/vnd.partner.v2+json', 'content-type: application/vnd.partner.v2+json; charset=utf-8'],
  ['a word', 'conformance', 'the conformance of a bank'],
  ['words', 'retail banking', 'all of retail banking'],
  ['words before a random part', 'payment-gateway-9Xk2', 'payment-gateway-status and the gateway'],
  ['a short number', '20240917', 'on 20240917, at 20240917120000'],
  ['a number with one digit', '000000000000', 'account 000000000000'],
  ['a path of the document', '/api/bank/revolving-loans/v1/validations', '/api/bank/revolving-loans/v1/validations'],
  ['a name of the document', 'avaliable_limit', '{"avaliable_limit":"12.50"}'],
  ['the header of a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3MTEifQ.c2ln', 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJh'],
  ['eleven characters of a secret', 'w7Kd2-mPz9/XqT4v+Rb8n=Lc3y', 'w7Kd2-mPz9/ and v+Rb8n=Lc3y'],
  ['the middle of a secret', 'w7Kd2-mPz9/XqT4v+Rb8n=Lc3y', '7Kd2-mPz9/XqT4v+Rb8n=Lc3'],
] as const)
  test(`Text with ${what} is not replaced`, () => {
    const vocabulary = ['https://api.bank.example/cb/atms'];
    const mask = new Redactor([{ name: 'EXTRA_HEADERS', value }], { vocabulary });
    expect(mask.maskText(text)).toBe(text);
    expect(mask.withhold({ text })).toEqual({ document: { text }, withheld: [] });
    expect(recordBody(mask, text)).toBe(text);
  });

test('A beginning or an end of a secret is found if it has at least twelve characters', () => {
  const mask = new Redactor([{ name: 'CLIENT_SECRET', value: 'w7Kd2-mPz9/XqT4v+Rb8n=Lc3y' }]);
  expect(mask.maskText('x w7Kd2-mPz9/X… x')).toBe('x $CLIENT_SECRET… x');
  expect(mask.maskText('x …4v+Rb8n=Lc3y x')).toBe('x …$CLIENT_SECRET x');
  expect(mask.maskText('x …T4v+Rb8n=Lc3y x')).toBe('x …$CLIENT_SECRET x');
  expect(mask.hasSecret(encodeBase64('w7Kd2-mPz9/X').slice(0, 16))).toBe(true);
  expect(mask.hasSecret(encodeBase64('w7Kd2-mPz9/').slice(0, 14))).toBe(false);
});

test('A secret that is learnt during the run is replaced from then on', () => {
  const mask = new Redactor([]);
  expect(mask.maskText('tok3n-of-later')).toBe('tok3n-of-later');
  mask.learn({ name: 'ACCESS_TOKEN', value: 'tok3n-of-later' });
  expect(mask.maskText('x tok3n-of-later')).toBe('x $ACCESS_TOKEN');
});

test('A secret of 8,000 characters is found, and half a surrogate pair in a body is no error', () => {
  const letters = Array.from({ length: 4000 }, (_, n) => 'Aa0_'[(n * 7) % 4] ?? '').join('');
  const random = randomBytes(6000).toString('base64url');
  const longSecret = { name: 'LONG', value: `${letters}x` };
  const mask = new Redactor([...STRONG_SECRETS, longSecret, { name: 'RANDOM', value: random }]);
  expect(findLongestRemainder(mask.maskText(`a${letters}x`), letters)).toBeLessThan(5);
  expect(mask.maskText(`- ${random} -`)).toBe('- $RANDOM -');
  expect(mask.maskText(`${'- '.repeat(32_000)}${random} -`)).toBe(`${'- '.repeat(32_000)}$RANDOM -`);
  for (const text of [
    '{"payment_token":"\\ud800xy","payment_link":"\\ud800xy%"}',
    '{"payment_token":"\\ud800x","payment_link":"\\ud800x%"}',
    'ABC\u0130\u0130 S3cr%22t',
  ])
    expect(recordBody(mask, text).length).toBeGreaterThan(0);
});

test('Random values and long numbers count as recognizable secrets; words and short numbers do not', () => {
  const strong = ['S3cret-x', 'aB3dE5gH', '0123456789ab', 'correct-horse-battery-staple', '471108150023'];
  const weak = 'sse|none|short7!|password|Conformance|sandbox-client|my client|12345678|--------'.split('|');
  expect([...strong, ...weak].filter(isRecognisableSecret)).toEqual(strong);
});
