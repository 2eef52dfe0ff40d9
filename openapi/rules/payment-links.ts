/** Rules of pay-by-link. */
import type { RuleContext, Rule } from './context.ts';
import { readMoment, momentExists } from '../contract/formats.ts';
import { distinct, entriesOf, member } from './entries.ts';

/** Lower-cases the hexadecimal digits of percent-encodings, which mean the same in either case. */
const oneCase = (text: string): string => text.replace(/%[0-9A-Fa-f]{2}/g, (code) => code.toUpperCase());

/** Every character that is not unreserved in RFC 3986 as %XX, as the strictest encoders do. */
const encodeAll = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** True where `link` contains `token` as it stands or percent-encoded, whichever characters the encoder spares. */
function containsToken(link: string, token: string): boolean {
  if (link.includes(token)) return true;
  try {
    const url = oneCase(link);
    if (url.includes(encodeURI(token)) || url.includes(encodeURIComponent(token)) || url.includes(encodeAll(token)))
      return true;
    return decodeURIComponent(link).includes(token) || decodeURIComponent(link.replaceAll('+', ' ')).includes(token);
  } catch {
    return false;
  }
}

function tokenInLink({ data, check }: RuleContext): void {
  const [token, link] = [member(data, 'payment_token'), member(data, 'payment_link')];
  if (typeof token !== 'string' || typeof link !== 'string' || token === '') return;
  check(
    'links.token-in-link',
    '/data/payment_link',
    containsToken(link, token),
    `a URL that contains ${JSON.stringify(token)}`,
    () => JSON.stringify(link),
  );
}

/** Hours that the westernmost zone is behind UTC: the latest instant for which a local time can stand. */
const westernmost = 12;

function inFuture({ exchange, data, check }: RuleContext): void {
  const written = member(data, 'end_date');
  if (typeof written !== 'string' || !momentExists(written)) return;
  const moment = readMoment(written);
  if (moment === null) return;
  const [year, month, day, hour, minute, second] = moment;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour + westernmost, minute, second);
  check(
    'links.link.end-date.future',
    '/data/end_date',
    local.getTime() > exchange.startedAt,
    `a moment after ${new Date(exchange.startedAt).toISOString()} in some zone`,
    () => written,
  );
}

const keyed =
  (...names: readonly string[]) =>
  (entry: Readonly<Record<string, unknown>>): string | null =>
    names.every((name) => entry[name] !== undefined)
      ? names.map((name) => `${typeof entry[name]} ${String(entry[name])}`).join(' and ')
      : null;

const MIN_LABELS = 3;

/**
 * Labels of installment options that name the numbers of one another: each label has one number, and all are numbers of
 * options. Where one of them is the label of a single payment, it has none.
 */
function ownLabels({ data, check }: RuleContext): void {
  const named = entriesOf(member(data, 'installments')).flatMap(({ value, text }) => {
    const [label, ...more] = typeof text === 'string' ? (text.match(/\d+/g) ?? []) : [];
    if (typeof value !== 'number' || value <= 1) return [];
    return [{ value, label: more.length === 0 && label !== undefined ? Number(label) : null }];
  });
  const values = new Set(named.map(({ value }) => value));
  const labels = new Set(named.map(({ label }) => label));
  const isNumbering = [...labels].every((label) => label === null || values.has(label));
  if (named.length < MIN_LABELS || labels.size < named.length || !isNumbering) return;
  const wrong = named.find(({ value, label }) => label !== null && label !== value);
  check(
    'links.installment.text.own-number',
    '/data/installments/*/text',
    wrong === undefined,
    'a label that names the number of its own option',
    () => `a label with ${wrong?.label} for ${wrong?.value} installments`,
  );
}

/** Options that all bear one label, that of a single payment: a label of several of them alone may be the word for any. */
function ownLabelOfSingle({ data, check }: RuleContext): void {
  const options = entriesOf(member(data, 'installments'));
  const [text, ...more] = new Set(options.map((option) => option['text']));
  const isOne = typeof text === 'string' && text.trim() !== '' && more.length === 0;
  if (options.length < MIN_LABELS || !options.some(({ value }) => value === 1)) return;
  check(
    'links.installment.text.own-number',
    '/data/installments/*/text',
    !isOne,
    'a label for several installments other than that of a single payment',
    () => `${JSON.stringify(text)} for each of ${options.length} options`,
  );
}

/** Decimals that a sum of doubles leaves behind: 1234.5600000000001, 20001.699999999997. */
const BINARY_REST = /\.\d*(?:0{5}|9{5})\d+$/;

function withoutRest({ data, check }: RuleContext): void {
  const highest = member(data, 'qr_max_amount');
  if (typeof highest !== 'number') return;
  check(
    'links.merchants.qr-max-amount.no-residue',
    '/data/qr_max_amount',
    !BINARY_REST.test(String(highest)),
    'an amount without the rest of a binary fraction',
    () => String(highest),
  );
}

export const linkRules = {
  listMerchants: (context) => {
    withoutRest(context);
    distinct(
      context,
      'links.merchant.distinct',
      '/data/merchants/*',
      entriesOf(member(context.data, 'merchants')),
      keyed('merchant_no', 'branch_code'),
    );
  },
  listCurrencies: (context) =>
    distinct(
      context,
      'links.currency.distinct',
      '/data/currencies/*/code',
      entriesOf(member(context.data, 'currencies')),
      keyed('code'),
    ),
  listBranches: (context) =>
    distinct(
      context,
      'links.branch.distinct',
      '/data/branches/*/no',
      entriesOf(member(context.data, 'branches')),
      keyed('no'),
    ),
  listInstallments: (context) => {
    ownLabels(context);
    ownLabelOfSingle(context);
    distinct(
      context,
      'links.installment.distinct',
      '/data/installments/*/value',
      entriesOf(member(context.data, 'installments')),
      keyed('value'),
    );
  },
  createPaymentLink: (context) => {
    if (!context.succeeded) return;
    tokenInLink(context);
    inFuture(context);
  },
} as const satisfies Record<string, Rule>;
