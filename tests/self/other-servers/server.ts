/** Starts a bank that is written by hand from the document, in plain Node.js. Its texts, numbers, orders and limits differ from those of the reference bank. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';

type Values = Readonly<Record<string, unknown>>;
/** Returns the members of the answer to a request: `ids` stand in its path, `values` in its query or body. */
type Handler = (values: Values, ...ids: readonly string[]) => object;
/** Handlers by method and path below the prefix of their area. */
type Handlers = Readonly<Record<string, Handler>>;

/** Thrown by a handler to refuse a request. */
class Refused extends Error {}

function demand(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Refused(why);
}

function demandTypes(values: Values, types: Readonly<Record<string, string>>): void {
  for (const [name, type] of Object.entries(types)) demand(typeof values[name] === type, `${name} must be a ${type}`);
}

/** Returns an amount of at least one cent, in whole cents. */
function readAmount({ amount }: Values): number {
  demand(typeof amount === 'number' && amount > 0, 'amount must be a positive number');
  demand(Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-3, 'amount has fractions of a cent');
  return amount;
}

const ROAD_DETOUR_FACTOR = 1.25;
const ATMS_PER_ANSWER = 4;
type Position = readonly [latitude: number, longitude: number];

const makeAtm = (atm_no: string, name: string, [city, district]: readonly string[], at: Position, codes: string) => ({
  ...{ atm_no, atm_name: name, atm_address: `${name} No 1`, atm_city: city, atm_district: district },
  ...{ at, codes },
});
const ATM_NETWORK = [
  makeAtm('001', 'Şişli Meydan', ['İSTANBUL', 'ŞİŞLİ'], [41.0602, 28.9877], '34/001'),
  makeAtm('002', 'Nişantaşı', ['İSTANBUL', 'ŞİŞLİ'], [41.0522, 28.9932], '34/001'),
  makeAtm('003', 'Üsküdar İskele', ['İSTANBUL', 'ÜSKÜDAR'], [41.0266, 29.0151], '34/002'),
  makeAtm('004', 'Bahçelievler', ['ANKARA', 'ÇANKAYA'], [39.9211, 32.8266], '06/001'),
  makeAtm('005', 'Kaş Marina', ['ANTALYA', 'KAŞ'], [36.2051, 29.6311], '07/003'),
  makeAtm('0056', 'Kaleiçi', ['ANTALYA', 'MURATPAŞA'], [36.8841, 30.7056], '07/001'),
];

/** Returns the distance in metres by road, which is the great circle and a quarter. */
function measureRoad([a, b]: Position, [c, d]: Position): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [rise, turn] = [Math.sin(radians(a - c) / 2) ** 2, Math.sin(radians(b - d) / 2) ** 2];
  const chord = rise + Math.cos(radians(a)) * Math.cos(radians(c)) * turn;
  return Math.round(2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord))) * ROAD_DETOUR_FACTOR);
}

/** The closest ATMs come in the order of their numbers. */
const atmHandlers: Handlers = {
  'GET atms'({ province_code: province, district_code: district, latitude = '', longitude = '' }) {
    const showAtm = ({ at: [atm_latitude, atm_longitude], codes: _, ...atm }: (typeof ATM_NETWORK)[number]) => ({
      ...atm,
      ...{ atm_latitude, atm_longitude },
    });
    if (latitude === '' && longitude === '' && province !== undefined && district !== undefined)
      return {
        data: ATM_NETWORK.filter(({ codes }) => codes === `${String(province)}/${String(district)}`).map(showAtm),
      };
    const [north, east] = [latitude, longitude].map((text) => (String(text).trim() === '' ? NaN : Number(text)));
    demand(Math.abs(north!) <= 90 && Math.abs(east!) <= 180, 'no position');
    const found = ATM_NETWORK.map((atm) => ({ ...showAtm(atm), atm_distance: measureRoad([north!, east!], atm.at) }));
    const closest = found.toSorted((a, b) => a.atm_distance - b.atm_distance).slice(0, ATMS_PER_ANSWER);
    return { data: closest.toSorted((a, b) => (a.atm_no < b.atm_no ? -1 : 1)) };
  },
};

const SERVED_MERCHANTS = [
  [77001, 'Gül Çiçekçilik', 301, 'Şişli'],
  [77002, 'Deniz Dalış', 455, 'Kaş'],
].map(([merchant_no, merchant_name, branch_code, branch_name]) => ({
  ...{ merchant_no, merchant_name, branch_code, branch_name },
  account_no: `TR33 0006 ${branch_code} ${merchant_no}`,
}));
const TIME_ZONE_OFFSET_MS = -5 * 3600 * 1000;
const LINK_LIFETIME_MS = 15 * 60 * 1000;

function formatEndDate(): string {
  const [date = '', time = ''] = new Date(Date.now() + LINK_LIFETIME_MS + TIME_ZONE_OFFSET_MS)
    .toISOString()
    .split(/[T.]/);
  return `${date.split('-').reverse().join('.')} ${time}`;
}

function findMerchant(no: unknown): (typeof SERVED_MERCHANTS)[number] {
  const merchant = SERVED_MERCHANTS.find(({ merchant_no }) => String(merchant_no) === String(no));
  demand(merchant !== undefined, 'merchant is unknown');
  return merchant;
}

function listCurrencies({ is_domestic }: Values): readonly string[] {
  demand(/^(?:true|false)$/.test(String(is_domestic)), 'is_domestic must be true or false');
  return String(is_domestic) === 'true' ? ['TRY'] : ['USD', 'EUR', 'TRY'];
}

function listInstallments(values: Values, merchantNo: unknown): readonly number[] {
  demand(String(findMerchant(merchantNo).branch_code) === String(values['branch_no']), 'branch is unknown');
  const currencies = listCurrencies(values);
  demand(currencies.includes(String(values['currency_code'])), 'currency is not accepted');
  return currencies.length === 1 ? [1, 2, 3, 4, 5, 6] : values['currency_code'] === 'TRY' ? [1, 2] : [1];
}

const linkHandlers: Handlers = {
  'GET merchants': () => {
    const limit = { qr_max_amount: 5000, qr_max_amount_limit_message: 'Üst sınır günlüktür.' };
    return { data: { merchants: SERVED_MERCHANTS, ...limit, editable: true, edit_message: '' } };
  },

  'GET merchants/*/available-currency-codes'(values, no) {
    findMerchant(no);
    return { data: { currencies: listCurrencies(values).map((code) => ({ code })) } };
  },

  'GET merchants/*/branches'(_, no) {
    const { branch_code, branch_name } = findMerchant(no);
    return { data: { branches: [{ no: branch_code, name: branch_name }] } };
  },

  'GET merchants/*/Installments'(values, no) {
    const installments = listInstallments(values, no).map((value) => ({ value, text: `${value} taksit` }));
    return { data: { installments } };
  },

  'POST payment-links'(values) {
    demandTypes(values, { is_domestic: 'boolean', merchant_no: 'number', branch_no: 'number', installment: 'number' });
    demandTypes(values, { currency_code: 'string', personal_description: 'string', language_code: 'string' });
    const installments = listInstallments(values, values['merchant_no']);
    demand(installments.includes(values['installment'] as number), 'installment is not on offer');
    demand(String(values['language_code']).length === 2, 'language_code has two letters');
    readAmount(values);
    const payment_token = randomBytes(16).toString('hex');
    const payment_link = `http://link.gulbank.example:8443/?token=${payment_token}#pay`;
    const order_id = randomUUID().toUpperCase();
    return { data: { order_id, payment_link, payment_token, is_success: true, end_date: formatEndDate() } };
  },
};

interface Application {
  readonly id: string;
  outcome?: { readonly done: boolean; readonly code: string; reads: number };
}

const LARGEST_AMOUNT = 1_000_000;
const computeLimit = (nth: number): number => 120_000 + nth * 30_000.25;
/** The outcome is still pending in the answer to the first query. */
const READS_UNTIL_FINAL = 1;

type Applications = Map<number, Application>;

function isGranted(values: Values): boolean {
  const { order_id: order, currency } = values;
  demandTypes(values, { commercial_disbursement: 'boolean', disbursement_purpose: 'boolean' });
  demand(currency === 'TRY', 'currency must be TRY');
  const isText = typeof order === 'string' && order.trim() !== '';
  demand(isText || Number.isInteger(order), 'order_id must be a text or an integer');
  return readAmount(values) <= LARGEST_AMOUNT;
}

const listAccounts = ({ id }: Application): number[] => [0, 1].map((nth) => 8_000_000_000 + Number(id) * 2 + nth);

function findApplication(applications: Applications, { application_id, account_id }: Values): Application {
  const application = applications.get(application_id as number);
  demand(application !== undefined, 'application is unknown');
  demand(listAccounts(application).includes(account_id as number), 'account is not on offer');
  return application;
}

const makeOfferHandlers = (applications: Applications): Handlers => ({
  'POST validations': (values) => ({ data: { result: String(isGranted(values)) } }),

  'POST loans'(values) {
    const granted = isGranted(values);
    const number = 104_710 + 11 * (applications.size + 1);
    const application: Application = { id: String(number).padStart(10, '0') };
    applications.set(number, application);
    const infos = listAccounts(application).map((account, nth) => ({
      ...{ account_id: String(account), account: `KMH ${nth + 1}`, campaign: null },
      avaliable_limit: computeLimit(nth).toFixed(2),
      interest_rate: (4.25 - nth * 0.5).toFixed(5),
      interest_term: nth === 0 ? '1D' : '9M',
      commission_rate: (0.1).toFixed(5),
    }));
    return { data: { application_id: application.id, result: String(granted), infos: granted ? infos : [] } };
  },
});

const makeDisbursementHandlers = (applications: Applications): Handlers => ({
  'POST contracts': (values) => ({ data: { application_id: findApplication(applications, values).id } }),

  'POST disbursements'(values) {
    const application = findApplication(applications, values);
    const amount = readAmount(values);
    demandTypes(values, { contract_approved: 'boolean', customer_ip: 'string' });
    demand(isIP(String(values['customer_ip'])) !== 0, 'customer_ip must be an IP address');
    demand(values['currency'] === 'TRY', 'currency differs');
    const nth = listAccounts(application).indexOf(Number(values['account_id']));
    const approved = values['contract_approved'] === true;
    // A second disbursement gets the same answer, and changes nothing.
    const done = approved && amount <= computeLimit(nth);
    application.outcome ??= { done, code: approved ? 'R036;' : 'R041;', reads: 0 };
    return { data: { application_id: application.id } };
  },

  'GET disbursements/*'(_, wantedId = '') {
    const { outcome, id } = (/^\d{1,12}$/.test(wantedId) ? applications.get(Number(wantedId)) : undefined) ?? {};
    demand(outcome !== undefined, 'disbursement is unknown');
    if (outcome.reads++ < READS_UNTIL_FINAL) return { data: { application_id: id, result: 'Islem suruyor' } };
    if (outcome.done) return { data: { application_id: id, result: 'Para hesaba gecti' } };
    // The text depends on the reason, so that each text always has the same error code.
    const result = outcome.code === 'R036;' ? 'Kullandirim yapilamadi' : 'Sozlesme onayi yok, kullandirim yapilamadi';
    return { data: { application_id: id, result }, errors: [{ message: outcome.code }] };
  },
});

const SERVER_CREDENTIALS = { clientId: '4411', clientSecret: 'gul bank secret', accessToken: 'Zm9vOmJhcg==' };

function mayEnter({ headers }: IncomingMessage, needsToken: boolean): boolean {
  const { clientId, clientSecret, accessToken } = SERVER_CREDENTIALS;
  const isClient = headers['x-gw-client-id'] === clientId && headers['x-gw-client-secret'] === clientSecret;
  return isClient && (!needsToken || headers.authorization === `Bearer ${accessToken}`);
}

async function readValues(request: IncomingMessage, query: URLSearchParams): Promise<Values> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.method !== 'POST') return Object.fromEntries(query);
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null) return body as Values;
  } catch {}
  throw new Refused('body must be a JSON object');
}

function makeAnswering() {
  const applications: Applications = new Map();
  const areas = Object.entries({
    '/api/bank/revolving-loans/v1/': { ...makeOfferHandlers(applications), ...makeDisbursementHandlers(applications) },
    '/api/bank/card/paybylink/v1/': linkHandlers,
    '/api/v1/': atmHandlers,
  });
  return async (request: IncomingMessage): Promise<readonly [status: number, body: object]> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [prefix = '', handlers = {}] = areas.find(([start]) => pathname.startsWith(start)) ?? [];
    if (!mayEnter(request, prefix !== '/api/v1/')) return [401, { hata: 'who are you?' }];
    const called = `${request.method} ${pathname.slice(prefix.length)}`;
    for (const [route, handle] of Object.entries(handlers)) {
      const [isIt, ...ids] = new RegExp(`^${route.replace('*', '([^/]+)')}$`).exec(called) ?? [];
      if (isIt !== undefined)
        return [200, { status: 'OK', ...handle(await readValues(request, searchParams), ...ids) }];
    }
    return [404, { hata: 'not found' }];
  };
}

/** Starts a bank that is written by hand and uses only Node.js. */
export async function startPlainHttp() {
  const answer = makeAnswering();
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      const text = JSON.stringify(body);
      const length = Buffer.byteLength(text);
      response
        .writeHead(status, { 'Content-Type': 'application/json;charset=UTF-8', 'Content-Length': length })
        .end(text);
    };
    answer(request).then(
      (given) => send(...given),
      (error: unknown) =>
        error instanceof Refused ? send(400, { status: 'ERROR', hata: error.message }) : send(500, { status: 'ERROR' }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...SERVER_CREDENTIALS, close };
}
