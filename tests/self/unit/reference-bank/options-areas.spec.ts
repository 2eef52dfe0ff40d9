/** Options of pay-by-link and of the ATM locator. */
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import {
  answer,
  ATMS,
  DISTRICT,
  LINKS,
  linkOf,
  metresBetween,
  option,
  PLAN,
  POSITION,
  statusOf,
  type BankClient,
  type Body,
} from './bank-client.ts';

const MERCHANTS = `${LINKS}/merchants`;
type LinkChange = NonNullable<BehaviourChange['paymentLinks']>;
const catalogue = (change: NonNullable<LinkChange['catalogue']>) => ({ paymentLinks: { catalogue: change } });

answer(catalogue({ merchants: 0 }), MERCHANTS, 200, '"merchants":[]');
answer(catalogue({ branches: 0 }), `${MERCHANTS}/4521/branches`, 200, '"branches":[]');
answer(
  catalogue({ branches: 0 }),
  MERCHANTS,
  200,
  /"branch_code":0,"merchant_name":"[^"]+","merchant_no":4521,"branch_name":""/,
);
answer(catalogue({ installments: 0 }), PLAN, 200, /^\{"data":\{"installments":\[\]\}\}$/);
answer(catalogue({ installments: 1 }), PLAN, 200, '[{"value":1,"text":"Single payment"}]');
const domestic = catalogue({ cards: 'domestic', currencies: 1 });
answer(domestic, `${MERCHANTS}/4521/available-currency-codes?is_domestic=true`, 200, '[{"code":"EUR"}]');
answer(domestic, `${MERCHANTS}/4521/available-currency-codes?is_domestic=false`, 200, '"currencies":[]');
option(domestic, [200, 422], ({ link }) => statusOf(link(), link({ is_domestic: false })));
const rows = catalogue({ rows: 'branch', branchCode: 'bank-branch', accountNo: 'iban' });
option(rows, [0, 5001, 'Old Mill', true], async ({ get, bank }) => {
  const { merchants } = (await get(MERCHANTS)).data;
  const branches = bank.seedData.merchants.flatMap((merchant) => merchant.branches);
  const { branch_code, branch_name, account_no } = merchants[1];
  return [merchants.length - branches.length, branch_code, branch_name, /^XB19\d{20}$/.test(account_no)];
});
const WIDE = '9100000000000004522';
const wide = catalogue({ wideMerchantNo: true, accountNo: 'blank' });
answer(wide, MERCHANTS, 200, `"merchant_no":${WIDE},`);
option(wide, [200, 404, 200], async ({ get, post, bank }) => {
  const link = JSON.stringify({ ...linkOf(bank), merchant_no: 0 }).replace('"merchant_no":0', `"merchant_no":${WIDE}`);
  const branches = (merchant: string) => get(`${MERCHANTS}/${merchant}/branches`);
  return statusOf(branches(WIDE), branches('9100000000000004521'), post(`${LINKS}/payment-links`, link));
});
const merchantList = { qrMaxAmount: 0, qrMaxAmountMessage: 'None today', editable: false, editMessage: 'Locked' };
answer(
  { paymentLinks: { merchantList } },
  MERCHANTS,
  200,
  '"qr_max_amount":0,"qr_max_amount_limit_message":"None today","editable":false,"edit_message":"Locked"',
);

const rules = { minimum: '5', maximum: '10', decimals: 0, languages: ['tr'], longestDescription: 3 };
option({ paymentLinks: { rules } }, [200, 422, 422, 422, 422, 422], ({ link }) => {
  const changes = [{}, { amount: 4 }, { amount: 11 }, { amount: 7.5 }, { language_code: 'en' }];
  const taken = { amount: 7, language_code: 'tr', personal_description: 'x' };
  return statusOf(...[...changes, { personal_description: 'long' }].map((more) => link({ ...taken, ...more })));
});
option({ paymentLinks: { rules: { minimum: '5', outside: 'answered' } } }, [false, true, 1], async ({ link, bank }) => {
  const made = [(await link({ amount: 4 })).data.is_success, (await link({ amount: 5 })).data.is_success];
  return [...made, bank.state.links.length];
});

for (const [tokenPlace, tokenLetters, pattern] of [
  ['query', 'base64', /\/\?lang=en&token=|\/pay\?lang=en&token=/],
  ['fragment', 'unicode', /\/#\/pay\//],
  ['path', 'hex', /\/p\/[\da-f]{50}$/],
  ['path', 'digits', /\/p\/\d{50}$/],
] as const) {
  const link = { tokenPlace, tokenLetters, tokenLength: 50, base: 'https://x.example/a' };
  option({ paymentLinks: { link } }, [true, true, true, 50], async (client) => {
    const { payment_link: url, payment_token: token } = (await client.link()).data;
    const isHere = url.startsWith('https://x.example/a/');
    return [isHere, pattern.test(url), url.includes(encodeURIComponent(token)), [...token].length];
  });
}
const life = { validMinutes: 1, utcOffsetMinutes: 330 };
option({ paymentLinks: { link: life } }, '01.03.2027 05:30:58', async ({ link }) => (await link()).data.end_date);
for (const [letters, form, version, pattern] of [
  ['upper', 'braces', 7, /^\{[\dA-F]{8}-[\dA-F]{4}-7[\dA-F]{3}-[89AB][\dA-F]{3}-[\dA-F]{12}\}$/],
  ['lower', 'bare', 1, /^[\da-f]{12}1[\da-f]{3}[89ab][\da-f]{15}$/],
] as const)
  option({ paymentLinks: { link: { orderId: { letters, form, version } } } }, true, async ({ link }) =>
    pattern.test((await link()).data.order_id),
  );

type AtmChange = NonNullable<BehaviourChange['atms']>;
const atmsOf = async ({ get }: BankClient): Promise<Body[]> => (await get(POSITION)).data;
const metresTo = ({ atm_latitude, atm_longitude }: Body): number =>
  metresBetween([41, 29], [atm_latitude, atm_longitude]);
const isSorted = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number >= Number(numbers[at - 1]));

option({ atms: { network: { atms: 3, numberWidth: 1 } } }, ['1', '2', '3'], async (client) =>
  (await atmsOf(client)).map(({ atm_no }) => atm_no).toSorted(),
);
option({ atms: { network: { coordinateDecimals: 2 } } }, true, async (client) =>
  (await atmsOf(client)).every(({ atm_latitude }) => atm_latitude === Math.round(atm_latitude * 100) / 100),
);
for (const path of [POSITION, DISTRICT]) answer({ atms: { network: { atms: 0 } } }, path, 200, '"data":[]');
const inKilometres: AtmChange = { answer: { unit: 'km', count: 4, order: 'number', rounding: 'up' } };
option({ atms: inKilometres }, [true, true, true, true, true], async (client) => {
  const atms = await atmsOf(client);
  const areTrue = atms.map((atm) => atm['atm_distance'] === Math.ceil(metresTo(atm) / 1000));
  return [isSorted(atms.map(({ atm_no }) => Number(atm_no))), ...areTrue];
});
const inMiles: AtmChange = { answer: { unit: 'mi', detour: 1.5, order: 'farthest-first', rounding: 'down' } };
option({ atms: inMiles }, [true, true], async (client) => {
  const atms = await atmsOf(client);
  const distances = atms.map(({ atm_distance }) => Number(atm_distance));
  const isTrue = distances[0] === Math.floor((1.5 * metresTo(atms[0] ?? {})) / 1609.344);
  return [isSorted(distances.toReversed()), isTrue];
});
const nearby: AtmChange = { answer: { radiusKm: 5, count: 100 } };
answer({ atms: nearby }, `${ATMS}?latitude=0&longitude=-30`, 200, '"data":[]');
option({ atms: nearby }, [true, true], async (client) => {
  const distances = (await atmsOf(client)).map(({ atm_distance }) => Number(atm_distance));
  return [distances.length > 0, Math.max(...distances) <= 5000];
});
const request: AtmChange['request'] = {
  bothForms: 'position',
  noForm: 'any',
  provinceAlone: 'whole',
  codes: 'numeric',
};
option({ atms: { request } }, [true, 10, 10, true, 400], async ({ get }) => {
  const isSame = async (one: string, other: string) => (await get(one)).text === (await get(other)).text;
  return [
    await isSame(`${POSITION}&province_code=02&district_code=001`, POSITION),
    (await get(ATMS)).data.length,
    (await get(`${ATMS}?province_code=1`)).data.length,
    await isSame(`${ATMS}?province_code=1&district_code=1`, DISTRICT),
    (await get(`${ATMS}?district_code=001`)).status,
  ];
});
const byDistrict: AtmChange = { request: { bothForms: 'district', noForm: 'empty', unknownCodes: 'refused' } };
answer({ atms: byDistrict }, ATMS, 200, '"data":[]');
answer({ atms: byDistrict }, `${ATMS}?province_code=99&district_code=001`, 422, '');
option({ atms: byDistrict }, true, async ({ get }) => {
  const { text } = await get(`${POSITION}&province_code=01&district_code=001`);
  return text === (await get(DISTRICT)).text;
});
