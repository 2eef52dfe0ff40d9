/** A client of one reference bank behind HTTP, and tables of what its options change. */
import { expect, test as base } from '@playwright/test';
import {
  createBank,
  sandboxCredentials,
  type Bank,
  type BankOptions,
} from '../../../../fixtures/reference-bank/bank.ts';
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { serve, type Served, type ServeOptions } from '../../../../fixtures/reference-bank/http/serve.ts';

export const LOANS = '/api/bank/revolving-loans/v1';
export const LINKS = '/api/bank/card/paybylink/v1';
export const ATMS = '/api/v1/atms';
export const POSITION = `${ATMS}?latitude=41&longitude=29`;
export const DISTRICT = `${ATMS}?province_code=01&district_code=001`;
export const PLAN = `${LINKS}/merchants/4521/Installments?branch_no=800&currency_code=EUR&is_domestic=true`;
export const TERMS = { amount: 100.5, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: false };
/** The last seconds of a February. */
const NOW = Date.UTC(2027, 1, 28, 23, 59, 58);

export type Body = Record<string, any>;
type Answer = { status: number; headers: Headers; text: string; body: Body; data: any };
/** Headers of null are left out. */
type Sent = { headers?: Record<string, string | null>; body?: unknown; baseUrl?: string };

/** What tests ask of a bank. */
export interface BankClient {
  readonly bank: Bank;
  readonly url: string;
  ask(method: string, path: string, sent?: Sent): Promise<Answer>;
  get(path: string, sent?: Sent): Promise<Answer>;
  post(path: string, body: unknown, sent?: Sent): Promise<Answer>;
  /** Statuses of GET requests to some paths with the same headers. */
  statuses(headers: Record<string, string | null>, ...paths: readonly string[]): Promise<readonly number[]>;
  /** The answer to a loan request; each has an order of its own. */
  requestLoan(terms?: object): Promise<Answer>;
  /** The application and its offers, ids as the bank writes them. */
  loan(terms?: object): Promise<{ application: string; infos: Body[] }>;
  contract(application: string, account: string): Promise<Answer>;
  /** A loan with a contract for its first offer. */
  contracted(): Promise<{ application: string; account: string; limit: string }>;
  disburse(application: string, account: string, more: string): Promise<Answer>;
  outcome(application: string): Promise<Answer>;
  /** A link for the first merchant, its first branch and its first domestic currency. */
  link(more?: object, headers?: Sent['headers']): Promise<Answer>;
}

/** A body with ids as JSON integers: without zeros in front, no digit lost. */
const ids = (application: string, account: string, more = ''): string =>
  `{"application_id":${BigInt(application)},"account_id":${BigInt(account)}${more}}`;

/** The members of a disbursement beside its ids. */
export const payment = (amount: string | number, approved = true, address = '192.0.2.7'): string =>
  `,"amount":${amount},"currency":"EUR","contract_approved":${approved},"customer_ip":"${address}"`;

/** So many cents more or less than a text with two decimals. */
export const cents = (text: string, more: bigint): string =>
  (BigInt(text.replace('.', '')) + more).toString().replace(/(..)$/, '.$1');

/** A request for a link that the bank takes. */
export function linkOf({ seedData }: Bank): Body {
  const merchant = seedData.merchants[0];
  const branch = merchant?.branches[0];
  const [currency, values] = [...(branch?.domestic ?? [])][0] ?? [];
  return {
    language_code: 'en',
    branch_no: branch?.no,
    personal_description: 'A garden bench',
    amount: 19.99,
    merchant_no: Number(merchant?.no),
    installment: values?.at(-1),
    currency_code: currency,
    is_domestic: true,
  };
}

function clientOf(bank: Bank, { url }: Served): BankClient {
  let orders = 0;
  const client: BankClient = {
    bank,
    url,
    async ask(method, path, { headers = {}, body, baseUrl = url } = {}) {
      const isAtms = path.startsWith(ATMS);
      const all: Record<string, string | null> = {
        'X-GW-client-id': sandboxCredentials.clientId,
        'X-GW-client-secret': sandboxCredentials.clientSecret,
        Authorization: isAtms ? null : `Bearer ${sandboxCredentials.accessToken}`,
        'Content-Type': isAtms ? null : 'application/json',
        Accept: 'application/json',
        ...headers,
      };
      const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
      const content = typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body);
      const response = await fetch(baseUrl + path, {
        method,
        headers: kept,
        ...(body === undefined ? {} : { body: content }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
      const parsed = isJson ? (JSON.parse(text) as Body) : {};
      return { status: response.status, headers: response.headers, text, body: parsed, data: parsed['data'] };
    },
    get: (path, sent) => client.ask('GET', path, sent),
    post: (path, body, sent) => client.ask('POST', path, { ...sent, body }),
    async statuses(headers, ...paths) {
      const found: number[] = [];
      for (const path of paths) found.push((await client.get(path, { headers })).status);
      return found;
    },
    requestLoan: (terms = {}) => client.post(`${LOANS}/loans`, { ...TERMS, order_id: `order-${++orders}`, ...terms }),
    async loan(terms = {}) {
      const { data } = await client.requestLoan(terms);
      return { application: data.application_id, infos: data.infos };
    },
    contract: (application, account) => client.post(`${LOANS}/contracts`, ids(application, account)),
    async contracted() {
      const { application, infos } = await client.loan();
      const { account_id: account, avaliable_limit: limit } = infos[0] ?? {};
      await client.contract(application, account);
      return { application, account, limit };
    },
    disburse: (application, account, more) => client.post(`${LOANS}/disbursements`, ids(application, account, more)),
    outcome: (application) => client.get(`${LOANS}/disbursements/${application}`),
    link: (more = {}, headers = {}) => client.post(`${LINKS}/payment-links`, { ...linkOf(bank), ...more }, { headers }),
  };
  return client;
}

/** The statuses of answers; requests whose order counts are awaited one by one. */
export async function statusOf(...answers: readonly (Answer | Promise<Answer>)[]): Promise<readonly number[]> {
  return Promise.all(answers.map(async (one) => (await one).status));
}

/** Opens banks that are closed after the test; their clock stands still. */
export const test = base.extend<{ open: (options?: BankOptions, where?: ServeOptions) => Promise<BankClient> }>({
  // Playwright reads the fixtures that a fixture needs from the pattern of its first argument.
  // eslint-disable-next-line no-empty-pattern
  open: async ({}, use) => {
    const opened: Served[] = [];
    await use(async (options = {}, where = {}) => {
      const bank = createBank({ now: () => NOW, ...options });
      const served = await serve(bank, where);
      opened.push(served);
      return clientOf(bank, served);
    });
    await Promise.all(opened.map((served) => served.close()));
  },
});

const written = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member));

/** A test that a bank with this behaviour shows what is expected. */
export function option(
  behaviour: BehaviourChange,
  expected: unknown,
  shown: (client: BankClient) => Promise<unknown>,
  title = `${written(behaviour)} shows ${written(expected)}`,
): void {
  test(title, async ({ open }) => {
    expect(await shown(await open({ behaviour }))).toEqual(expected);
  });
}

/** A test that the answer to a GET request is so: its status, a part of its text, and its label where one is given. */
export function answer(
  behaviour: BehaviourChange,
  path: string,
  status: number,
  part: string | RegExp,
  label?: string | null,
): void {
  const shown = async ({ get }: BankClient): Promise<unknown> => {
    const { status: found, text, headers } = await get(path);
    const isThere = typeof part === 'string' ? text.includes(part) : part.test(text);
    return [found, isThere, label === undefined ? undefined : headers.get('content-type')];
  };
  option(behaviour, [status, true, label], shown, `${written(behaviour)} shows in ${path}: ${String(part)}`);
}

/** Angle between two places by the spherical law of cosines, in metres: another formula than the bank's. */
export function metresBetween(one: readonly [number, number], other: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [a, b, c, d] = [radians(one[0]), radians(one[1]), radians(other[0]), radians(other[1])];
  const cosine = Math.sin(a) * Math.sin(c) + Math.cos(a) * Math.cos(c) * Math.cos(d - b);
  return 6_371_008.8 * Math.acos(Math.max(-1, Math.min(1, cosine)));
}
