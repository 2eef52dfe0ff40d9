/** Options of every area: what they change in answers, refusals, credentials and the reading of requests. */
import { expect } from '@playwright/test';
import { sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import type { RequestOptions } from '../../../../fixtures/reference-bank/options/http.ts';
import {
  answer,
  ATMS,
  DISTRICT,
  LINKS,
  LOANS,
  option,
  payment,
  PLAN,
  POSITION,
  statusOf,
  test,
} from './bank-client.ts';

const MERCHANTS = `${LINKS}/merchants`;
const JSON_LABEL = 'application/json';
const bearer = (word: string) => ({ Authorization: `${word} ${sandboxCredentials.accessToken}` });
const noClient = { 'X-GW-client-id': null };

answer({ answers: { contentType: 'application/vnd.bank+json' } }, DISTRICT, 200, '{', 'application/vnd.bank+json');
answer(
  { json: { indent: 2, finalNewline: true } },
  PLAN,
  200,
  /^\{\n {2}"data": \{\n {4}"installments": \[[^]+\]\n {2}\}\n\}\n$/,
);
answer({ json: { integers: 'decimal' } }, MERCHANTS, 200, '"merchant_no":4521.0');
answer({ json: { integers: 'exponent' } }, POSITION, 200, /"atm_distance":\d+e0/);
answer({ json: { escapeNonAscii: true }, texts: 'unicode' }, MERCHANTS, 200, /^[ -~]+\\u652f[ -~]+$/);
answer({ refusals: { style: 'problem' } }, ATMS, 400, /"title":"Bad Request","status":400/, 'application/problem+json');
answer({ refusals: { style: 'nested' } }, ATMS, 400, '{"error":{"code":"malformed"', JSON_LABEL);
answer({ refusals: { style: 'null-data' } }, ATMS, 400, '{"data":null,"errors":[{', JSON_LABEL);
answer(
  { refusals: { style: 'text' } },
  ATMS,
  400,
  /^A position or a district is missing$/,
  'text/plain; charset=utf-8',
);
answer({ refusals: { style: 'html' } }, '/none', 404, '<!doctype html>', 'text/html; charset=utf-8');
answer({ refusals: { style: 'empty', status: { unknownPath: 410 } } }, '/none', 410, /^$/, null);
answer({ refusals: { wording: 'code' } }, ATMS, 400, /^\{"errors":\[\{"message":"malformed"\}\]\}$/, JSON_LABEL);
answer({ refusals: { wording: 'blank' } }, ATMS, 400, /^\{"errors":\[\{"message":""\}\]\}$/, JSON_LABEL);
answer({ refusals: { wording: 'unicode' } }, ATMS, 400, /[^ -~]/, JSON_LABEL);

option({ answers: { status: { requestLoan: 201, disburse: 202 } } }, [201, 202], async (client) => {
  const { application, account } = await client.contracted();
  return statusOf(client.requestLoan(), client.disburse(application, account, payment(1)));
});
const fields = { envelope: { meta: { n: 1 } }, data: { x: null }, entries: { y: [1n] } };
option(
  { answers: { extraFields: fields } },
  [{ n: 1 }, null, true, [1], 4521, [1], { n: 1 }],
  async ({ get, link }) => {
    const { body, data } = await get(MERCHANTS);
    const [{ y, merchant_no }] = data.merchants;
    const [atm] = (await get(POSITION)).data;
    return [body['meta'], data.x, data.editable, y, merchant_no, atm.y, (await link()).body['meta']];
  },
);
option({ answers: { extraHeaders: { 'x-trace': 't' } } }, 't', async ({ get }) =>
  (await get(PLAN)).headers.get('x-trace'),
);
option({ json: { shuffleMembers: true } }, true, async ({ link }) => {
  const orders = new Set<string>();
  for (let at = 0; at < 8; at++) orders.add(Object.keys((await link()).data).join());
  return orders.size > 1;
});
option({ json: { escapeNonAscii: true, escapeSlashes: true }, texts: 'unicode' }, [true, true], async (client) => {
  const [merchant] = (await client.get(MERCHANTS)).data.merchants;
  const isSame = merchant.merchant_name === client.bank.seedData.merchants[0]?.name;
  return [isSame, (await client.link()).text.includes('https:\\/\\/')];
});
for (const encoding of ['gzip', 'deflate', 'br'] as const)
  option({ delivery: { encoding } }, [encoding, 10, null, 10], async ({ get }) => {
    const accepting = (accepted: string) => get(POSITION, { headers: { 'Accept-Encoding': accepted } });
    const answers = [await accepting('gzip, deflate, br'), await accepting('identity')];
    return answers.flatMap(({ headers, data }) => [headers.get('content-encoding'), data.length]);
  });
for (const encoding of ['gzip', 'identity'] as const) {
  const shown = [200, 10, 'chunked', null, 'close', 400];
  option({ delivery: { encoding, chunked: true, connectionClose: true } }, shown, async ({ get }) => {
    const { status, data, headers } = await get(POSITION);
    const fields = ['transfer-encoding', 'content-length', 'connection'].map((name) => headers.get(name));
    return [status, data.length, ...fields, (await get(ATMS)).status];
  });
}
option({ delivery: { tooManyEvery: 3, retryAfter: '7' } }, [200, 200, 429, 200, '7', 3], async ({ link, bank }) => {
  const answers = [await link(), await link(), await link(), await link()];
  const statuses = answers.map(({ status }) => status);
  return [...statuses, answers[2]?.headers.get('retry-after'), bank.state.links.length];
});

const { credentials, refusals } = {
  credentials: { checked: { loans: false, 'payment-links': false } },
  refusals: { status: { noCredentials: 403 }, challenge: false },
};
option({ credentials, refusals }, [200, 404, 403], ({ statuses }) =>
  statuses(noClient, MERCHANTS, `${LOANS}/disbursements/1`, POSITION),
);
const strict = { credentials: { scheme: 'exact' }, refusals: { status: { wrongCredentials: 403 } } } as const;
option(strict, [[403], [200]], async ({ statuses }) => [
  await statuses(bearer('bearer'), MERCHANTS),
  await statuses(bearer('Bearer'), MERCHANTS),
]);
option({ credentials: { guardUnknownPaths: true } }, [[401], [404]], async ({ statuses }) => [
  await statuses(noClient, '/none'),
  await statuses(bearer('Bearer'), '/none'),
]);

const required: Partial<RequestOptions['required']> = {
  requestLoan: [],
  createPaymentLink: [],
  approveContract: [],
  disburse: [],
  listInstallments: [],
  listCurrencies: [],
};
option({ requests: { required } }, [200, 200, 400, 200, 400, 6, 2], async ({ post, get }) => {
  const { application_id, infos } = (await post(`${LOANS}/loans`, {})).data;
  const ids = `{"application_id":${application_id}}`;
  const statuses = await statusOf(
    await post(`${LOANS}/contracts`, ids),
    await post(`${LOANS}/disbursements`, ids),
    post(`${LOANS}/contracts`, { account_id: Number(infos[0].account_id) }),
    post(`${LINKS}/payment-links`, { amount: 1 }),
    post(`${LINKS}/payment-links`, {}),
  );
  const { installments } = (await get(`${MERCHANTS}/4521/Installments`)).data;
  const { currencies } = (await get(`${MERCHANTS}/4521/available-currency-codes`)).data;
  return [...statuses, installments.length, currencies.length];
});
option({ requests: { unknownFields: 'refused' } }, [400, 400, 200, 200], ({ requestLoan, get, link }) =>
  statusOf(requestLoan({ colour: 'red' }), get(`${POSITION}&colour=red`), get(POSITION), link()),
);
option({ requests: { numberTexts: 'tolerated', booleanTexts: 'tolerated' } }, [200, 400], ({ link }) =>
  statusOf(link({ amount: '19.99', is_domestic: 'True', merchant_no: '4521' }), link({ amount: '19,99' })),
);
const exact = { contentType: 'exact', contentTypeOnGet: 'required', accept: 'required' } as const;
option({ requests: exact }, [200, 415, 415, 200, 200, 406], ({ get, link }) =>
  statusOf(
    link(),
    link({}, { 'Content-Type': 'application/json; charset=utf-8' }),
    get(MERCHANTS, { headers: { 'Content-Type': null } }),
    get(MERCHANTS),
    get(POSITION),
    get(POSITION, { headers: { Accept: '*/*' } }),
  ),
);
option({ requests: { contentType: 'any' } }, [200], ({ link }) => statusOf(link({}, { 'Content-Type': 'text/plain' })));
const lower = { requests: { currencyCase: 'any' }, paymentLinks: { catalogue: { currencyLetters: 'lower' } } } as const;
option(lower, [200, 200, 200, true], async ({ link, loan }) => {
  const statuses = await statusOf(...['eur', 'EUR', 'Eur'].map((currency_code) => link({ currency_code })));
  return [...statuses, (await loan({ currency: 'eur' })).infos.length > 1];
});
option({ requests: { longestText: 20, largestBody: 400 } }, [400, 413, 200], ({ link }) =>
  statusOf(link({ personal_description: 'x'.repeat(21) }), link({ colour: 'x'.repeat(400) }), link()),
);
option({ requests: { paths: 'lenient' } }, [200, 200, 404], ({ statuses }) =>
  statuses({}, `${LINKS.toUpperCase()}/merchants/`, PLAN.replace('Installments', 'installments'), '/none/'),
);

const styles = { markup: /<b>/, unicode: /🏦/u, long: /^.{500,}$/, blank: /^$/ };
for (const texts of ['markup', 'unicode', 'long', 'blank'] as const)
  option({ texts }, [true, true, true, true], async ({ get }) => {
    const [merchant] = (await get(MERCHANTS)).data.merchants;
    const [atm] = (await get(DISTRICT)).data;
    const shown = [merchant.merchant_name, merchant.branch_name, atm.atm_name, atm.atm_address];
    return shown.map((text) => styles[texts].test(text));
  });

test('Each answer takes the time that the behaviour says', async ({ open }) => {
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const { link, get } = await open({ behaviour: { delivery: { latencyMs: { least: 20, most: 40 } } }, sleep });
  expect(await statusOf(link(), get('/none'))).toEqual([200, 404]);
  expect(slept.map((time) => time >= 20 && time <= 40)).toEqual([true, true]);
});
