/** A bank of another stack, written by hand from the document: plain Node.js, other texts, numbers, orders and limits. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';

interface Call {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Each handler returns the members of the answer to a request. */
type Handlers = Readonly<Record<string, (call: Call) => object>>;

/** Thrown by a handler to refuse a request. */
class Refused extends Error {}

type Types = { string: string; number: number; boolean: boolean };
function readField<Type extends keyof Types>({ body }: Call, name: string, type: Type): Types[Type] {
  const value = body[name];
  if (typeof value !== type) throw new Refused(`${name} must be a ${type}`);
  return value as Types[Type];
}

/** Returns an amount in whole cents. */
function readAmount(call: Call): number {
  const amount = readField(call, 'amount', 'number');
  if (amount <= 0) throw new Refused('amount must be positive');
  const cents = amount * 100;
  if (Math.abs(cents - Math.round(cents)) >= 1e-3) throw new Refused('amount has fractions of a cent');
  return amount;
}

const ROAD_DETOUR_FACTOR = 1.25;
const ATMS_PER_ANSWER = 4;

const makeAtm = (atm_no: string, name: string, place: [string, string], at: [number, number], codes: string) => ({
  ...{ atm_no, atm_name: name, atm_address: `${name} No 1`, atm_city: place[0], atm_district: place[1] },
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

/** Returns the great-circle distance in metres between two positions in degrees. */
function measureMetres([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [rise, turn] = [Math.sin(radians(a - c) / 2) ** 2, Math.sin(radians(b - d) / 2) ** 2];
  const chord = rise + Math.cos(radians(a)) * Math.cos(radians(c)) * turn;
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Makes the ATM locator. Distances are metres by road (the straight line plus a quarter), in the order of the list. */
function makeAtmHandlers(): Handlers {
  const show = ({ at: [atm_latitude, atm_longitude], codes: _codes, ...rest }: (typeof ATM_NETWORK)[number]) => {
    return { ...rest, atm_latitude, atm_longitude };
  };
  const metres = (here: [number, number], at: [number, number]): number =>
    Math.round(measureMetres(here, at) * ROAD_DETOUR_FACTOR);

  return {
    'GET atms'({ query }) {
      const [province, district] = [query.get('province_code'), query.get('district_code')];
      const [latitude, longitude] = [query.get('latitude') ?? '', query.get('longitude') ?? ''];
      if (latitude === '' && longitude === '' && province !== null && district !== null) {
        return { data: ATM_NETWORK.filter(({ codes }) => codes === `${province}/${district}`).map(show) };
      }
      const here: [number, number] = [Number(latitude), Number(longitude)];
      const numbers = latitude.trim() !== '' && longitude.trim() !== '';
      if (!numbers || !(Math.abs(here[0]) <= 90) || !(Math.abs(here[1]) <= 180)) throw new Refused('no position');
      const closest = ATM_NETWORK.toSorted((a, b) => metres(here, a.at) - metres(here, b.at)).slice(0, ATMS_PER_ANSWER);
      const list = closest.sort((a, b) => (a.atm_no < b.atm_no ? -1 : 1));
      return { data: list.map((each) => ({ ...show(each), atm_distance: metres(here, each.at) })) };
    },
  };
}

const makeMerchant = (merchant_no: number, merchant_name: string, branch_code: number, branch_name: string) => ({
  ...{ merchant_no, merchant_name, branch_code, branch_name },
  account_no: `TR33 0006 ${branch_code} ${merchant_no}`,
});
const SERVED_MERCHANTS = [
  makeMerchant(77001, 'Gül Çiçekçilik', 301, 'Şişli'),
  makeMerchant(77002, 'Deniz Dalış', 455, 'Kaş'),
];
const CURRENCIES_BY_CARD = { true: ['TRY'], false: ['USD', 'EUR', 'TRY'] };
const TIME_ZONE_OFFSET_MS = -5 * 3600 * 1000;
const LINK_LIFETIME_MS = 15 * 60 * 1000;

function formatEndDate(): string {
  const end = new Date(Date.now() + LINK_LIFETIME_MS + TIME_ZONE_OFFSET_MS);
  const [date = '', time = ''] = end.toISOString().split(/[T.]/);
  return `${date.split('-').reverse().join('.')} ${time}`;
}

function makeLinkHandlers(): Handlers {
  const merchantOf = (no: unknown): (typeof SERVED_MERCHANTS)[number] => {
    const merchant = SERVED_MERCHANTS.find(({ merchant_no }) => String(merchant_no) === String(no));
    if (merchant === undefined) throw new Refused('merchant is unknown');
    return merchant;
  };
  const domesticOf = (query: URLSearchParams): 'true' | 'false' => {
    const value = query.get('is_domestic');
    if (value !== 'true' && value !== 'false') throw new Refused('is_domestic must be true or false');
    return value;
  };
  const installmentsOf = (merchantNo: unknown, branchNo: unknown, currency: unknown, domestic: 'true' | 'false') => {
    if (String(merchantOf(merchantNo).branch_code) !== String(branchNo)) throw new Refused('branch is unknown');
    if (!CURRENCIES_BY_CARD[domestic].includes(String(currency))) throw new Refused('currency is not taken');
    return domestic === 'true' ? [1, 2, 3, 4, 5, 6] : currency === 'TRY' ? [1, 2] : [1];
  };

  return {
    'GET merchants': () => {
      const limit = { qr_max_amount: 5000, qr_max_amount_limit_message: 'Üst sınır günlüktür.' };
      return { data: { merchants: SERVED_MERCHANTS, ...limit, editable: true, edit_message: '' } };
    },

    'GET merchants/*/available-currency-codes'({ path: [, no], query }) {
      merchantOf(no);
      return { data: { currencies: CURRENCIES_BY_CARD[domesticOf(query)].map((code) => ({ code })) } };
    },

    'GET merchants/*/branches'({ path: [, no] }) {
      const { branch_code, branch_name } = merchantOf(no);
      return { data: { branches: [{ no: branch_code, name: branch_name }] } };
    },

    'GET merchants/*/Installments'({ path: [, no], query }) {
      const domestic = domesticOf(query);
      const values = installmentsOf(no, query.get('branch_no'), query.get('currency_code'), domestic);
      return { data: { installments: values.map((value) => ({ value, text: `${value} taksit` })) } };
    },

    'POST payment-links'(call) {
      const domestic = readField(call, 'is_domestic', 'boolean') ? 'true' : 'false';
      const merchantNo = readField(call, 'merchant_no', 'number');
      const branchNo = readField(call, 'branch_no', 'number');
      const values = installmentsOf(merchantNo, branchNo, readField(call, 'currency_code', 'string'), domestic);
      if (!values.includes(readField(call, 'installment', 'number'))) throw new Refused('installment is not on offer');
      readField(call, 'personal_description', 'string');
      readAmount(call);
      if (readField(call, 'language_code', 'string').length !== 2) throw new Refused('language_code has two letters');
      const token = randomBytes(16).toString('hex');
      return {
        data: {
          order_id: randomUUID().toUpperCase(),
          payment_link: `http://link.gulbank.example:8443/?token=${token}#pay`,
          payment_token: token,
          is_success: true,
          end_date: formatEndDate(),
        },
      };
    },
  };
}

interface Application {
  id: string;
  currency: string;
  outcome?: { done: boolean; code: string; reads: number };
}

const FIRST_LIMIT = 120_000;
const LARGEST_AMOUNT = 1_000_000;
const computeLimit = (nth: number): number => FIRST_LIMIT + nth * 30_000.25;
/** The outcome is still pending in the answer to the first query. */
const READS_UNTIL_FINAL = 1;

function makeLoanHandlers(): Handlers {
  const applications = new Map<number, Application>();
  let sequence = 104_710;

  const asked = (call: Call) => {
    const order = call.body['order_id'];
    readField(call, 'commercial_disbursement', 'boolean');
    readField(call, 'disbursement_purpose', 'boolean');
    const currency = readField(call, 'currency', 'string');
    if (currency !== 'TRY') throw new Refused('currency must be TRY');
    if (!(typeof order === 'string' && order.trim() !== '') && !Number.isInteger(order)) {
      throw new Refused('order_id must be a text or an integer');
    }
    return { currency, granted: readAmount(call) <= LARGEST_AMOUNT };
  };

  const accountsOf = (application: Application): number[] => {
    const first = 8_000_000_000 + Number(application.id) * 2;
    return [first, first + 1];
  };

  const find = (call: Call): Application => {
    const application = applications.get(readField(call, 'application_id', 'number'));
    if (application === undefined) throw new Refused('application is unknown');
    const account = readField(call, 'account_id', 'number');
    if (!accountsOf(application).includes(account)) throw new Refused('account is not on offer');
    return application;
  };

  return {
    'POST validations': (call) => ({ data: { result: String(asked(call).granted) } }),

    'POST loans'(call) {
      const { currency, granted } = asked(call);
      sequence += 11;
      const application: Application = { id: String(sequence).padStart(10, '0'), currency };
      applications.set(sequence, application);
      const infos = accountsOf(application).map((account, nth) => ({
        account_id: String(account),
        account: `KMH ${nth + 1}`,
        avaliable_limit: computeLimit(nth).toFixed(2),
        interest_rate: (4.25 - nth * 0.5).toFixed(5),
        interest_term: nth === 0 ? '1D' : '9M',
        commission_rate: (0.1).toFixed(5),
        campaign: null,
      }));
      return { data: { application_id: application.id, result: String(granted), infos: granted ? infos : [] } };
    },

    'POST contracts': (call) => ({ data: { application_id: find(call).id } }),

    'POST disbursements'(call) {
      const application = find(call);
      const amount = readAmount(call);
      const approved = readField(call, 'contract_approved', 'boolean');
      const address = readField(call, 'customer_ip', 'string');
      if (isIP(address) === 0) throw new Refused('customer_ip must be an IP address');
      if (readField(call, 'currency', 'string') !== application.currency) throw new Refused('currency differs');
      const nth = accountsOf(application).indexOf(Number(call.body['account_id']));
      const done = approved && amount <= computeLimit(nth);
      // A second disbursement gets the same answer, and changes nothing.
      application.outcome ??= { done, code: approved ? 'R036;' : 'R041;', reads: 0 };
      return { data: { application_id: application.id } };
    },

    'GET disbursements/*'({ path: [, wanted = ''] }) {
      const application = /^\d{1,12}$/.test(wanted) ? applications.get(Number(wanted)) : undefined;
      if (application?.outcome === undefined) throw new Refused('disbursement is unknown');
      const { outcome, id } = application;
      if (outcome.reads++ < READS_UNTIL_FINAL) {
        return { data: { application_id: id, result: 'Islem suruyor' } };
      }
      if (outcome.done) return { data: { application_id: id, result: 'Para hesaba gecti' } };
      // The text depends on the reason, so that each text always has the same error code.
      const result = outcome.code === 'R036;' ? 'Kullandirim yapilamadi' : 'Sozlesme onayi yok, kullandirim yapilamadi';
      return { data: { application_id: id, result }, errors: [{ message: outcome.code }] };
    },
  };
}

const SERVER_CREDENTIALS = { clientId: '4411', clientSecret: 'gul bank secret', accessToken: 'Zm9vOmJhcg==' };
const PATH_PREFIXES = ['/api/bank/revolving-loans/v1/', '/api/bank/card/paybylink/v1/', '/api/v1/'] as const;

function findHandler(handlers: Handlers, method: string, path: readonly string[]): Handlers[string] | undefined {
  for (const [route, handler] of Object.entries(handlers)) {
    const [wanted, ...parts] = route.split(/[ /]/);
    const same = parts.length === path.length && parts.every((part, nth) => part === '*' || part === path[nth]);
    if (wanted === method && same) return handler;
  }
}

const mayEnter = ({ headers }: IncomingMessage, prefix: string): boolean =>
  headers['x-gw-client-id'] === SERVER_CREDENTIALS.clientId &&
  headers['x-gw-client-secret'] === SERVER_CREDENTIALS.clientSecret &&
  (prefix === '/api/v1/' || headers.authorization === `Bearer ${SERVER_CREDENTIALS.accessToken}`);

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.method !== 'POST') return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {}
  throw new Refused('body must be a JSON object');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': 'application/json;charset=UTF-8', 'Content-Length': length }).end(text);
}

/** Starts a bank that is written by hand and uses only Node.js. */
export async function startPlainHttp() {
  const areas: Record<(typeof PATH_PREFIXES)[number], Handlers> = {
    '/api/bank/revolving-loans/v1/': makeLoanHandlers(),
    '/api/bank/card/paybylink/v1/': makeLinkHandlers(),
    '/api/v1/': makeAtmHandlers(),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const prefix = PATH_PREFIXES.find((each) => url.pathname.startsWith(each));
    if (prefix === undefined) return sendJson(response, 404, { hata: 'not found' });
    if (!mayEnter(request, prefix)) return sendJson(response, 401, { hata: 'who are you?' });
    const path = url.pathname.slice(prefix.length).split('/');
    const handler = findHandler(areas[prefix], request.method ?? '', path);
    if (handler === undefined) return sendJson(response, 404, { hata: 'not found' });
    const members = handler({ path, query: url.searchParams, body: await readBody(request) });
    sendJson(response, 200, { status: 'OK', ...members });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const isRefused = error instanceof Refused;
      sendJson(response, isRefused ? 400 : 500, { status: 'ERROR', hata: isRefused ? error.message : undefined });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...SERVER_CREDENTIALS,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
