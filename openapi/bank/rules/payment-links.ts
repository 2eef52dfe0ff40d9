/** Checks what the schema cannot express in an answer about payment links. */
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
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** True if the link contains the token as it is, percent-encoded, or after decoding. */
function containsToken(link: string, token: string): boolean {
  if (link.includes(token)) return true;
  try {
    const url = upperCasePercentEncodings(link);
    const encodedTokens = [encodeURI(token), encodeURIComponent(token), percentEncodeAll(token)];
    if (encodedTokens.some((encodedToken) => url.includes(encodedToken))) return true;
    const decodedLinks = [decodeURIComponent(link), decodeURIComponent(link.replaceAll('+', ' '))];
    return decodedLinks.some((decodedLink) => decodedLink.includes(token));
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

/** The expiry time has no time zone. It is latest in the westernmost zone, which is this many hours behind UTC. */
const WESTERNMOST_HOURS = 12;

export const checkEndDateInFuture: Rule = ({ exchange, data, succeeded, check }) => {
  const endDate = readMember(data, 'end_date');
  const dateTime = typeof endDate === 'string' && isExistingDateTime(endDate) ? parseDateTime(endDate) : null;
  if (!succeeded || dateTime === null) return;
  const [year, month, day, hour, minute, second] = dateTime;
  const latestMoment = new Date(0);
  latestMoment.setUTCFullYear(year, month - 1, day);
  latestMoment.setUTCHours(hour + WESTERNMOST_HOURS, minute, second);
  const isInFuture = latestMoment.getTime() > exchange.startedAt;
  const expected = `a moment after ${new Date(exchange.startedAt).toISOString()} in at least one time zone`;
  check('links.link.end-date.future', '/data/end_date', isInFuture, expected, () => String(endDate));
};

/** Makes a rule that no two entries of `listField` have the same values of the fields `fieldNames`. */
export const makeUniquenessRuleForList = (
  listField: string,
  clause: ClauseId,
  pointer: string,
  ...fieldNames: readonly string[]
): Rule =>
  makeUniquenessRule(
    clause,
    `/data/${listField}/*${pointer}`,
    (data) => getEntries(readMember(data, listField)),
    (entry) =>
      fieldNames.every((fieldName) => entry[fieldName] !== undefined)
        ? fieldNames.map((fieldName) => `${typeof entry[fieldName]} ${String(entry[fieldName])}`).join(' and ')
        : null,
  );

const readInstallments = (data: unknown): readonly JsonObject[] => getEntries(readMember(data, 'installments'));
const LABEL_CLAUSE = ['links.installment.text.own-number', '/data/installments/*/text'] as const;

/** Labels are judged only if an answer has at least this many installment options. */
const MIN_LABELS_PER_LIST = 3;

/**
 * Checks that no label names the number of another option: `6 installments` for the value 3 is wrong if 6 is a value too.
 * Checks only if each label has one number, and each of these numbers is a value of the list. Ignores single payments.
 */
export const checkLabelNumbers: Rule = ({ data, check }) => {
  const options = readInstallments(data).flatMap(({ value, text }) => {
    const [numberInText, ...otherNumbers] = typeof text === 'string' ? (text.match(/\d+/g) ?? []) : [];
    if (typeof value !== 'number' || value <= 1) return [];
    return [
      { value, labelNumber: otherNumbers.length === 0 && numberInText !== undefined ? Number(numberInText) : null },
    ];
  });
  const values = new Set(options.map(({ value }) => value));
  const labels = new Set(options.map(({ labelNumber: label }) => label));
  const areLabelsValues = [...labels].every((label) => label === null || values.has(label));
  if (options.length < MIN_LABELS_PER_LIST || labels.size < options.length || !areLabelsValues) return;
  const wrongOption = options.find(({ value, labelNumber: label }) => label !== null && label !== value);
  const received = (): string => `a label with ${wrongOption?.labelNumber} for ${wrongOption?.value} installments`;
  check(...LABEL_CLAUSE, wrongOption === undefined, 'a label that names the number of its own option', received);
};

/** Checks that several options, one of them a single payment, do not all have the same label. Other equal labels are allowed. */
export const checkSinglePaymentLabel: Rule = ({ data, check }) => {
  const options = readInstallments(data);
  const [text, ...otherTexts] = new Set(options.map((option) => option['text']));
  const hasOneLabel = typeof text === 'string' && text.trim() !== '' && otherTexts.length === 0;
  if (options.length < MIN_LABELS_PER_LIST || !options.some(({ value }) => value === 1)) return;
  const expected = 'different labels for a single payment and for several installments';
  check(...LABEL_CLAUSE, !hasOneLabel, expected, () => `${JSON.stringify(text)} for each of ${options.length} options`);
};

/** Matches decimals from rounding errors of doubles: 1234.5600000000001, 20001.699999999997. */
const BINARY_ROUNDING_ERROR = /\.\d*(?:0{5}|9{5})\d+$/;

export const checkNoRoundingError: Rule = ({ data, check }) => {
  const maxAmount = String(readMember(data, 'qr_max_amount'));
  if (typeof readMember(data, 'qr_max_amount') !== 'number') return;
  const expected = 'an amount without a rounding error';
  const clause = 'links.merchants.qr-max-amount.no-residue';
  check(clause, '/data/qr_max_amount', !BINARY_ROUNDING_ERROR.test(maxAmount), expected, () => maxAmount);
};
