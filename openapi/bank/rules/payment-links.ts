/** Rules for payment links that no schema can express. */
import type { ClauseId } from '../../clauses/index.ts';
import { parseDateTime, isExistingDateTime } from '../../contract/formats.ts';
import type { JsonObject } from '../../contract/references.ts';
import type { Rule } from '../../model/rule.ts';
import { makeUniquenessRule, getEntries, readMember } from '../../rules/entries.ts';

/** Writes percent-encodings in upper case: `%2f` and `%2F` are equal. */
const upperCasePercentEncodings = (text: string): string =>
  text.replace(/%[0-9A-Fa-f]{2}/g, (code) => code.toUpperCase());

/** Percent-encodes all characters except those that RFC 3986 calls unreserved. */
const percentEncodeAll = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function containsToken(link: string, token: string): boolean {
  if (link.includes(token)) return true;
  try {
    const url = upperCasePercentEncodings(link);
    if (
      url.includes(encodeURI(token)) ||
      url.includes(encodeURIComponent(token)) ||
      url.includes(percentEncodeAll(token))
    )
      return true;
    return decodeURIComponent(link).includes(token) || decodeURIComponent(link.replaceAll('+', ' ')).includes(token);
  } catch {
    return false;
  }
}

export const checkTokenInLink: Rule = ({ data, succeeded, check }) => {
  const token = readMember(data, 'payment_token');
  const link = readMember(data, 'payment_link');
  if (!succeeded || typeof token !== 'string' || typeof link !== 'string' || token === '') return;
  const expected = `a URL that contains ${JSON.stringify(token)}`;
  check('links.token-in-link', '/data/payment_link', containsToken(link, token), expected, () => JSON.stringify(link));
};

/** The westernmost time zone is this many hours behind UTC. The expiry has no zone: in this zone, it is latest. */
const WESTERNMOST_HOURS = 12;

export const checkEndDateInFuture: Rule = ({ exchange, data, succeeded, check }) => {
  const written = readMember(data, 'end_date');
  const moment = typeof written === 'string' && isExistingDateTime(written) ? parseDateTime(written) : null;
  if (!succeeded || moment === null) return;
  const [year, month, day, hour, minute, second] = moment;
  const latest = new Date(0);
  latest.setUTCFullYear(year, month - 1, day);
  latest.setUTCHours(hour + WESTERNMOST_HOURS, minute, second);
  const isAfter = latest.getTime() > exchange.startedAt;
  const expected = `a moment after ${new Date(exchange.startedAt).toISOString()} in some zone`;
  check('links.link.end-date.future', '/data/end_date', isAfter, expected, () => String(written));
};

export const makeUniquenessRuleForList = (
  list: string,
  clause: ClauseId,
  pointer: string,
  ...names: readonly string[]
): Rule =>
  makeUniquenessRule(
    clause,
    `/data/${list}/*${pointer}`,
    (data) => getEntries(readMember(data, list)),
    (entry) =>
      names.every((name) => entry[name] !== undefined)
        ? names.map((name) => `${typeof entry[name]} ${String(entry[name])}`).join(' and ')
        : null,
  );

const readInstallments = (data: unknown): readonly JsonObject[] => getEntries(readMember(data, 'installments'));
const OWN_NUMBER_CLAUSE = ['links.installment.text.own-number', '/data/installments/*/text'] as const;

/** Labels are judged only if an answer has at least this many installment options. */
const MIN_LABELS_PER_LIST = 3;

/**
 * Checks that no label names the number of another option. Judges only if each label has one number, and each of these is the
 * number of an option. The label of a single payment needs no number.
 */
export const checkOwnLabels: Rule = ({ data, check }) => {
  const named = readInstallments(data).flatMap(({ value, text }) => {
    const [label, ...more] = typeof text === 'string' ? (text.match(/\d+/g) ?? []) : [];
    if (typeof value !== 'number' || value <= 1) return [];
    return [{ value, label: more.length === 0 && label !== undefined ? Number(label) : null }];
  });
  const values = new Set(named.map(({ value }) => value));
  const labels = new Set(named.map(({ label }) => label));
  const isNumbering = [...labels].every((label) => label === null || values.has(label));
  if (named.length < MIN_LABELS_PER_LIST || labels.size < named.length || !isNumbering) return;
  const wrong = named.find(({ value, label }) => label !== null && label !== value);
  const received = (): string => `a label with ${wrong?.label} for ${wrong?.value} installments`;
  check(...OWN_NUMBER_CLAUSE, wrong === undefined, 'a label that names the number of its own option', received);
};

/** Checks that not all options have the label of a single payment. Equal labels are otherwise allowed. */
export const checkSinglePaymentLabel: Rule = ({ data, check }) => {
  const options = readInstallments(data);
  const [text, ...more] = new Set(options.map((option) => option['text']));
  const isOne = typeof text === 'string' && text.trim() !== '' && more.length === 0;
  if (options.length < MIN_LABELS_PER_LIST || !options.some(({ value }) => value === 1)) return;
  const expected = 'a label for several installments other than that of a single payment';
  check(...OWN_NUMBER_CLAUSE, !isOne, expected, () => `${JSON.stringify(text)} for each of ${options.length} options`);
};

/** Matches decimals from rounding errors of doubles: 1234.5600000000001, 20001.699999999997. */
const BINARY_ROUNDING_ERROR = /\.\d*(?:0{5}|9{5})\d+$/;

export const checkNoRoundingError: Rule = ({ data, check }) => {
  const highest = String(readMember(data, 'qr_max_amount'));
  if (typeof readMember(data, 'qr_max_amount') !== 'number') return;
  const expected = 'an amount without the rest of a binary fraction';
  const clause = 'links.merchants.qr-max-amount.no-residue';
  check(clause, '/data/qr_max_amount', !BINARY_ROUNDING_ERROR.test(highest), expected, () => highest);
};
