/** Tests how values of real clients are hidden in recorded traffic: by the names of their members, and credentials at any place. */
import { expect, test } from '@playwright/test';
import { openHiding, SlowBody } from '../../../../fixtures/recording/hide.ts';
import { classifyName } from '../../../../fixtures/recording/hidden-names.ts';
import { matchRequest, type RecordedRequest } from '../../../../fixtures/recording/match-request.ts';
import { openPseudonyms } from '../../../../fixtures/run/redaction/hidden-values.ts';
import type { Answer } from '../../../../openapi/model/exchange.ts';
import { expectLinear } from '../linear-time.ts';

const base = 'https://bank.example/gw';
const loans = `${base}/api/bank/revolving-loans/v1/loans`;
type Pairs = readonly (readonly [string, string])[];

interface RecordedParts {
  readonly url?: string;
  readonly headers?: Pairs;
  readonly body?: string | null;
  readonly status?: number;
  readonly answered?: Pairs;
  readonly answer?: string;
}

const recordExchanges = ({
  url = loans,
  headers = [],
  body = null,
  status = 500,
  answered = [],
  answer = '{}',
}: RecordedParts) => ({
  request: { method: url === loans ? 'POST' : 'GET', url, headers, body } satisfies RecordedRequest,
  answer: {
    status,
    headers: [['content-type', 'application/json'], ...answered],
    bytes: Buffer.from(answer),
  } as Answer,
});

function renderHidden(...parts: readonly RecordedParts[]): string {
  const hiding = openHiding('key');
  const exchanges = parts.map(recordExchanges);
  const getOperation = ({ request }: { readonly request: RecordedRequest }) => matchRequest(request)!.operation;
  for (const exchange of exchanges) hiding.learn(exchange, getOperation(exchange), base);
  return exchanges
    .map((exchange) => {
      const { request, answer } = hiding.hide(exchange, getOperation(exchange), base).shown;
      return JSON.stringify([request, answer.headers, Buffer.from(answer.bytes).toString()]);
    })
    .join('\n');
}

const secret = 'Rk81aVp3-UXg_77q';
const atms = `${base}/api/v1/atms?latitude=1&longitude=2`;
const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64');

const places: Readonly<Record<string, RecordedParts>> = {
  'an authenticating header': { headers: [['X-Corp-Api-Key', secret]] },
  'an unknown header': { headers: [['X-Corp-Ref', secret]] },
  'the token of a refused request': { headers: [['Authorization', `Bearer ${secret}`]], status: 401 },
  'the user of Basic': { headers: [['Proxy-Authorization', `Basic ${encodeBase64(`me:${secret}`)}`]] },
  'a cookie': { headers: [['Cookie', `theme=dark; app_session=${secret}`]] },
  'a new cookie': { answered: [['set-cookie', `id=${secret}; Path=/; HttpOnly`]] },
  'a query parameter': { url: `${atms}&ticket=${secret}` },
  'the query of a referer': { headers: [['Referer', `https://shop.example/?a=1&refresh_token=${secret}`]] },
  'the address of a user': { url: atms.replace('://', `://me:${secret}@`) },
  'a matrix parameter': {
    url: atms.replace('/atms', `/atms;jsessionid=${secret}`).replace(/;[^?]*/, '') + `#token=${secret}`,
  },
  'a member of JSON': { body: JSON.stringify({ amount: 1, newPassCode: secret }) },
  'a nested member': { body: JSON.stringify({ credentials: { list: [{ v: secret }] } }) },
  'JSON in a text of JSON': { body: JSON.stringify({ raw: JSON.stringify({ 'card-pin': secret }) }) },
  'a form': { body: `grant=x&client.secret=${secret}&b=1` },
  'a form in parts': { body: `--b\r\nContent-Disposition: form-data; name="cvv2"\r\n\r\n${secret}\r\n--b--` },
  XML: { body: `<a><ns:Password>${secret}</ns:Password></a>` },
  'a header of an answer': { answered: [['x-refresh-token', secret]] },
  'a member of an answer': { status: 200, answer: JSON.stringify({ data: {}, otp: secret }) },
  'a form in parts, in other quotes': {
    body: `--b\r\nContent-Disposition: form-data; name='pin'\r\n\r\n1\r\n${secret}`,
  },
  'XML with attributes': { body: `<w:Password Type="#Text"><![CDATA[${secret}]]></w:Password>` },
  'a form with a nested name': { body: `user%5Bpassword%5D=${secret}&b=1` },
  'a form in base64': { body: encodeBase64(`new_password=${secret}`) },
  'a name in another language': { body: JSON.stringify({ Şifre: secret, kennwort: secret }) },
  'a query without a name': { url: `${atms}&${secret}` },
  'the name of a header': { body: JSON.stringify({ pass: secret }), answered: [[`x-${secret}`, '1']] },
  'cookies in one field': {
    answered: [['set-cookie', `a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=${secret}; Path=/`]],
  },
};
for (const [place, parts] of Object.entries(places))
  test(`A credential in ${place} is hidden`, () => {
    for (const text of [secret, encodeBase64(`me:${secret}`), encodeBase64(`new_password=${secret}`)])
      expect(renderHidden(parts)).not.toContain(text);
  });

const echoes: Readonly<Record<string, string>> = {
  'as it stands': secret,
  'in other case': secret.toUpperCase(),
  'percent-encoded': [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(''),
  'escaped in JSON': [...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''),
  'in base64': encodeBase64(`x${secret}y`),
  hexadecimal: Buffer.from(secret).toString('hex'),
  'cut at its end': secret.slice(0, 13),
};
for (const [how, echo] of Object.entries(echoes))
  test(`A credential that an answer repeats ${how} is hidden there, and in later exchanges`, () => {
    const parts: RecordedParts = { body: JSON.stringify({ pass: secret }), answer: `{"message":"no ${echo} here"}` };
    const shown = renderHidden(parts, { answer: `{"data":{"result":"about ${echo}"}}` }, { url: `${atms}&q=${echo}` });
    expect(shown).not.toContain(echo.replaceAll('\\', '\\\\'));
    expect(shown).not.toContain(echo);
  });

test('A payment token gets the same pseudonym in token and link; a link with another token is hidden as a whole', () => {
  const answer = (token: string, link: string) => ({
    status: 200,
    answer: JSON.stringify({ data: { payment_token: token, payment_link: `https://pay.example/${link}` } }),
  });
  for (const token of [secret, '4711', 'a/b+c=d e'])
    for (const link of [token, encodeURIComponent(token)]) {
      const shown = renderHidden(answer(token, `p?t=${link}&b=1`));
      const [, pseudonym = '', inLink = ''] =
        /payment_token\\":\\"(.*?)\\".*pay\.example\/p\?t=(.*?)&b=1/.exec(shown) ?? [];
      expect(shown).not.toContain(link);
      expect([decodeURIComponent(inLink), pseudonym.length]).toEqual([pseudonym, token.length]);
    }
  const shownOfOtherLink = renderHidden(answer('one-Kx72Lm', `two-Qv55Zt9/b?c=Rs77Wx`));
  expect(shownOfOtherLink).toMatch(/https:\/\/pay\.example\/[a-z]{3}-[A-Z][a-z]\d\d[A-Z][a-z]\d\/[a-z]\?[a-z]=/);
  expect(shownOfOtherLink).not.toMatch(/Qv55Zt9|Rs77Wx/);
});

test('A short credential is hidden only where it is a whole value of a member that the document does not name', () => {
  const shown = renderHidden({
    body: '{"pin":"4821","amount":4821}',
    answer: '{"echo":"4821","number":4821,"text":"no 4821"}',
  });
  expect(shown).toMatch(/amount\\":4821.*"no 4821/);
  expect(shown.match(/4821/g)).toHaveLength(2);
});

test('A request body that is no JSON is hidden as a whole', () => {
  expect(renderHidden({ body: 'iban=TR330006100519786457841326' })).not.toContain('TR33');
});

test('Names of credentials and personal members are found in any case and with any separators; similar names are not', () => {
  for (const name of 'password NEW_PASSWORD userPassCode card.pin CVV2 cvc otp-code access_token clientSecret X-API-Key JSESSIONID authToken csrf'.split(
    ' ',
  ))
    expect([name, classifyName(name)]).toEqual([name, 'credential']);
  for (const name of 'customer_ip customerIp account ACCOUNT-NO accountNumber personalDescription IBAN'.split(' '))
    expect([name, classifyName(name)]).toEqual([name, 'personal']);
  for (const name of 'shipping account_id merchant_name branch_name atm_name order_id token_type expires_in spin amount result'.split(
    ' ',
  ))
    expect([name, classifyName(name)]).toEqual([name, null]);
});

test('Headers of a browser and names of merchants and branches are not hidden', () => {
  const headers: Pairs = [
    ['Origin', 'https://bank.example'],
    ['X-Requested-With', 'XMLHttpRequest'],
    ['Sec-Fetch-Mode', 'cors'],
    ['Accept-Language', 'tr-TR,tr;q=0.9'],
  ];
  const answer = JSON.stringify({
    data: { merchants: [{ merchant_name: 'Mavi Kitap 1968', branch_name: 'Kadiköy 12' }] },
  });
  const shown = renderHidden({ headers, answer, status: 200 });
  for (const [, value] of headers) expect(shown).toContain(value);
  expect(shown).toContain(JSON.stringify(answer).slice(1, -1));
});

test('A hidden name hides all values inside its member, and no value after the member', () => {
  const body = JSON.stringify({
    pin: { a: [['v-one-11']] },
    b: [{ c: 'v-two-22' }, { token: ['v-three-33', { d: { e: 'v-four-44' } }], f: 'v-five-55' }, ['v-six-66']],
    account: { no: 'v-seven-77', secret: { g: 'v-eight-88' } },
    otp: ['{"h":{"i":1}}', 'v-nine-99'],
  });
  const shown = renderHidden({ body });
  for (const hidden of ['v-one', 'v-three', 'v-four', 'v-seven', 'v-eight', 'v-nine'])
    expect(shown).not.toContain(hidden);
  for (const kept of ['v-two-22', 'v-five-55', 'v-six-66']) expect(shown).toContain(kept);
});

const nestedBodies: Readonly<Record<string, (length: number) => string>> = {
  'one member in another': (length) => `${'{"data":'.repeat(length / 9)}1${'}'.repeat(length / 9)}`,
  'lists and members, two hundred deep, one after the other': (length) =>
    `[${Array(Math.ceil(length / 1400))
      .fill(`${'[{"ab":'.repeat(200)}1${'}]'.repeat(200)}`)
      .join()}]`,
  'many members inside two hundred others': (length) =>
    `${'{"pin":'.repeat(200)}{${'"x":1,'.repeat(length / 6)}"y":2}${'}'.repeat(200)}`,
  'many names, all different': (length) =>
    `{${Array.from({ length: length / 20 }, (_, at) => `"session${at}":{"b":1}`).join()}}`,
  'names without an end': (length) => '{"a'.repeat(length / 3),
  'JSON in strings of JSON': (length) =>
    JSON.stringify({ a: Array(Math.ceil(length / 300)).fill(JSON.stringify({ b: JSON.stringify({ c: { d: 1 } }) })) }),
};
for (const [what, body] of Object.entries(nestedBodies))
  test(`The cost of hiding is proportional to the length of a body with ${what}`, () => {
    const work = (text: string): void => {
      const hiding = openHiding('key');
      const exchange = recordExchanges({ body: text, answer: text });
      hiding.learn(exchange, 'requestLoan', base);
      hiding.hide(exchange, 'requestLoan', base);
    };
    expectLinear(what, work, body, 200_000);
  });

test('Hiding gives up a body that takes too long with the error SlowBody', () => {
  let now = 0;
  const hiding = openHiding('key', () => (now += 1));
  const exchangeWith = (count: number) => recordExchanges({ answer: `[${'1,'.repeat(count)}1]` });
  expect(() => hiding.hide(exchangeWith(9_000), 'requestLoan', base)).not.toThrow();
  expect(() => hiding.hide(exchangeWith(11_000), 'requestLoan', base)).toThrow(SlowBody);
  expect(() => hiding.learn(exchangeWith(11_000), 'requestLoan', base)).toThrow(SlowBody);
});

const pseudonymOf = openPseudonyms('key');
for (const [value, form] of [
  ['81.213.44.7', /^[1-9]\d\.[12]\d\d\.[1-9]\d\.\d$/],
  ['2a02:e0:9c1::5', /^[1-9a-f][\da-f]{3}:[1-9a-f][\da-f]:[1-9a-f][\da-f]{2}::[1-9a-f]$/],
  ['TR55 0006-1005', /^[A-Z]{2}[1-9]\d 000[1-9]-\d{4}$|^[A-Z]{2}[1-9]\d \d{4}-\d{4}$/],
  ['000123450', /^000[1-9]\d{5}$/],
  ['Şükran Öz, ŞİŞLİ', /^\p{Lu}\p{Ll}{5} \p{Lu}\p{Ll}, \p{Lu}{5}$/u],
  ['Ολγα 7', /^\p{Script=Greek}{4} [1-9]$/u],
  ['1e5', /^[1-9][a-z][1-9]$|^[1-9][a-f]\d$|^[1-9][a-z]\d$/],
] as const)
  test(`The pseudonym of ${value} has the same form, and is the same each time`, () => {
    expect(pseudonymOf(value)).toMatch(form);
    expect(pseudonymOf(value)).not.toBe(value);
    expect(pseudonymOf(value)).toBe(pseudonymOf(value));
  });

test('The pseudonym of a credential of digits has as many digits', () => {
  const headers = [['Authorization', 'Bearer 471108150023']] as const;
  const shown = renderHidden({ headers, status: 200, answer: '{"data":{"infos":[{"interest_rate":"471108150023"}]}}' });
  expect(shown).toMatch(/interest_rate\\":\\"(?!471108150023)\d{12}\\"/);
});
