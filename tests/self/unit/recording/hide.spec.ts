/** Values of real clients are private: they are hidden everywhere, and hiding changes no verdict. */
import { expect, test } from '@playwright/test';
import { openHiding } from '../../../../fixtures/recording/hide.ts';
import { classifyName } from '../../../../fixtures/recording/hidden-names.ts';
import { matchRequest, type RecordedRequest } from '../../../../fixtures/recording/match-request.ts';
import { openPseudonyms } from '../../../../fixtures/redaction/pseudonyms.ts';
import type { Answer } from '../../../../openapi/model/exchange.ts';

const base = 'https://bank.example/gw';
const loans = `${base}/api/bank/revolving-loans/v1/loans`;
type Pairs = readonly (readonly [string, string])[];

interface Given {
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
}: Given) => ({
  request: { method: url === loans ? 'POST' : 'GET', url, headers, body } satisfies RecordedRequest,
  answer: {
    status,
    headers: [['content-type', 'application/json'], ...answered],
    bytes: Buffer.from(answer),
  } as Answer,
});

/** Returns everything that is shown of one client's exchanges, one after the other. */
function listShown(...given: readonly Given[]): string {
  const hiding = openHiding('key');
  return given
    .map((entry) => {
      const { shown } = hiding.hide(
        recordExchanges(entry),
        matchRequest(recordExchanges(entry).request)!.operation,
        base,
      );
      return JSON.stringify([shown.request, shown.answer.headers, Buffer.from(shown.answer.bytes).toString()]);
    })
    .join('\n');
}

const secret = 'Rk81aVp3-UXg_77q';
const atms = `${base}/api/v1/atms?latitude=1&longitude=2`;
const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64');

test.describe('A credential is never shown', () => {
  const places: Readonly<Record<string, Given>> = {
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
    'words of an answer': { answer: `<html>at X.java: sessionToken=${secret}; next` },
    'a form in parts, in other quotes': {
      body: `--b\r\nContent-Disposition: form-data; name='pin'\r\n\r\n1\r\n${secret}`,
    },
    'XML with attributes': { body: `<w:Password Type="#Text"><![CDATA[${secret}]]></w:Password>` },
    'a form with a nested name': { body: `user%5Bpassword%5D=${secret}&b=1` },
    'a form in base64': { body: encodeBase64(`new_password=${secret}`) },
    'a key of an object': { body: JSON.stringify({ tokens: { [secret]: { ok: true } } }) },
    'a list of pairs': { answer: JSON.stringify([{ name: 'X-Auth-Token', value: secret }]) },
    'a name in another language': { body: JSON.stringify({ Şifre: secret, kennwort: secret }) },
    'a field of HTML': { answer: `<input value="${secret}" type=hidden name=csrf>` },
    'a dump of PHP': { answer: `Array ( [password] => ${secret} )` },
    'an address in words': { answer: `{"message":"GET https://db:${secret}@db.internal failed"}` },
    'a query without a name': { url: `${atms}&${secret}` },
    'the name of a header': { body: JSON.stringify({ pass: secret }), answered: [[`x-${secret}`, '1']] },
    'cookies in one field': {
      answered: [['set-cookie', `a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=${secret}; Path=/`]],
    },
  };
  for (const [place, given] of Object.entries(places))
    test(`from ${place}`, () => {
      for (const text of [secret, encodeBase64(`me:${secret}`), encodeBase64(`new_password=${secret}`)])
        expect(listShown(given)).not.toContain(text);
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
    test(`repeated ${how}, in the same answer and in later ones`, () => {
      const given: Given = { body: JSON.stringify({ pass: secret }), answer: `{"message":"no ${echo} here"}` };
      const shown = listShown(given, { answer: `{"data":{"result":"about ${echo}"}}` }, { url: `${atms}&q=${echo}` });
      expect(shown).not.toContain(echo.replaceAll('\\', '\\\\'));
      expect(shown).not.toContain(echo);
    });

  for (const [name, value] of [
    ['X-Forwarded-For', '185.9.71.33, 10.0.0.1'],
    ['Forwarded', 'for=185.9.71.33;proto=https'],
  ] as const)
    test(`from ${name}, one of several, and repeated in the answer`, () => {
      expect(listShown({ headers: [[name, value]], answer: '{"m":"you are 185.9.71.33"}' })).not.toContain(
        '185.9.71.33',
      );
    });

  test('A short credential is hidden at its place, and as a word of its exchange', () => {
    const shown = listShown({
      body: '{"pin":"4821","amount":48210}',
      answer: '{"error":"pin 4821 is wrong for 48210"}',
    });
    expect(shown).not.toMatch(/\b4821\b/);
    expect(shown).toContain('48210');
  });
});

test('Names are recognized in any case and with any separators, and similar names are not', () => {
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

test('Ordinary values stay: headers of a browser, names of merchants, branches and ATMs', () => {
  const headers: Pairs = [
    ['Origin', 'https://bank.example'],
    ['Referer', 'https://bank.example/app/loans'],
    ['X-Requested-With', 'XMLHttpRequest'],
    ['Sec-Fetch-Mode', 'cors'],
    ['Accept-Language', 'tr-TR,tr;q=0.9'],
  ];
  const answer = JSON.stringify({
    data: { merchants: [{ merchant_name: 'Mavi Kitap 1968', branch_name: 'Kadiköy 12' }] },
  });
  const shown = listShown({ headers, answer, status: 200 });
  for (const [, value] of headers) expect(shown).toContain(value);
  expect(shown).toContain(JSON.stringify(answer).slice(1, -1));
});

test('A value that was shown once is shown in the same way later, even if another place proves that it is personal', () => {
  const names = (body: string | null): Given => ({
    status: 200,
    body,
    answer: '{"data":{"atm_name":"Liman Yolu 19"}}',
  });
  const [first, , third] = listShown(names(null), names('{"personal_description":"Liman Yolu 19"}'), names(null)).split(
    '\n',
  );
  expect(third).toBe(first);
});

test.describe('A pseudonym', () => {
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
    test(`has the form of ${value}`, () => {
      expect(pseudonymOf(value)).toMatch(form);
      expect(pseudonymOf(value)).not.toBe(value);
      expect(pseudonymOf(value)).toBe(pseudonymOf(value));
    });

  test('differs for another value, also for a short one', () => {
    const values = Array.from({ length: 90 }, (_, at) => String(at + 10));
    expect(new Set(values.map(pseudonymOf)).size).toBe(values.length);
  });

  test('of a number is a number, even if the number is a credential', () => {
    const headers = [['Authorization', 'Bearer 471108150023']] as const;
    const shown = listShown({ headers, status: 200, answer: '{"data":{"infos":[{"interest_rate":"471108150023"}]}}' });
    expect(shown).toMatch(/interest_rate\\":\\"(?!471108150023)\d{12}\\"/);
  });

  test('of an account replaces its id, as text and as a number without leading zeros', () => {
    const offer = '{"data":{"infos":[{"account_id":"0047118152","account":"0047118152"}]}}';
    const [first = '', second = ''] = listShown(
      { status: 200, answer: offer },
      { body: '{"account_id":47118152,"customer_ip":"81.213.44.7"}' },
    ).split('\n');
    const [, account = ''] =
      /account\\\\\\?":\\\\\\?"00(\d{8})/.exec(first) ?? /account[^_].{1,8}?00(\d{8})/.exec(first) ?? [];
    expect(account).not.toBe('47118152');
    expect(first).toContain(`00${account}`);
    expect(second).toMatch(new RegExp(`account_id.{1,4}:${account},`));
  });
});
