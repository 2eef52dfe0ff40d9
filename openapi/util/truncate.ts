/** Shortens texts, and replaces their variable parts, so that similar texts can be compared. */

/** Shortens a text to one line of at most `maxLength` characters. */
export function truncate(text: string | undefined, maxLength = 160): string {
  const line = (text ?? 'undefined').slice(0, 8 * maxLength).replaceAll(/\s+/g, ' ');
  // Never cuts a surrogate pair: some JSON readers refuse half a pair.
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const UUID_TEXT = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
/** Matches a sequence of letters and digits that is no word: it has a digit, or only hexadecimal letters. */
const NUMBER_PART = /\p{Nd}|^[a-f]{4,}$|^[A-F]{4,}$/u;
/** Matches the letters of a code with a number, such as `R036`. These letters stay. */
const CODE_LETTERS = /^[A-Z]{1,3}(?=\p{Nd}+$)/u;
const WORD_IN_CAMEL_CASE = /[A-Z]?[a-z]+/g;

/** True if upper and lower case are mixed as in a token. False for joined words: `InProgress`. */
const hasMixedCase = (word: string): boolean =>
  /[a-z][A-Z]/.test(word) && word.replaceAll(WORD_IN_CAMEL_CASE, '') !== '';

function replaceReference(word: string): string {
  const [letters] = CODE_LETTERS.exec(word) ?? [];
  if (letters !== undefined) return `${letters}#`;
  return NUMBER_PART.test(word) || hasMixedCase(word) ? '#' : word;
}

/**
 * Replaces numbers, ids and tokens in a text with `#`: they may be a time, an id or a place in a queue.
 * Example: `Paid at 10:15, R036` becomes `Paid at #:#, R#`. Some languages put no blank before a number.
 */
export const maskNumbers = (text: string): string =>
  text.replace(UUID_TEXT, '#').replace(/[A-Za-z\p{Nd}]+/gu, replaceReference);

/** Matches letters, digits and hyphens without a blank. If they are long enough, they are a reference such as a token. */
const REFERENCE_PATTERN = /[\w-]*\d[\w-]*/g;
/** 11 characters are 64 bits in base 64. */
const MIN_REFERENCE_LENGTH = 11;
const DECIMAL_PATTERN = /^"?[-+]?[\d.,]+"?$/;

/**
 * Returns a text that is equal for values of the same form. All references have the same form. Numbers have the same form if they
 * have the same number of decimals: `12.5` and `7.1` become `#.·`. Values of different forms at one place probably have different causes.
 */
export function describeValueForm(text: string): string {
  if (DECIMAL_PATTERN.test(text))
    return text.replace(/(?<=[.,])\d+|\d+/g, (digits, index: number) =>
      /[.,]/.test(text[index - 1] ?? '') ? '·'.repeat(digits.length) : '#',
    );
  return maskNumbers(
    text.replace(REFERENCE_PATTERN, (reference) => (reference.length < MIN_REFERENCE_LENGTH ? reference : '#')),
  );
}

export function shortenName(name: string): string {
  return name.length <= MAX_NAME_LENGTH
    ? name
    : `${name.slice(0, MAX_NAME_LENGTH)}… (and ${name.length - MAX_NAME_LENGTH} more characters)`;
}

const MAX_NAME_LENGTH = 80;

/** Lists the first names and the number of the other names: "a, b and 297 more". */
export function listFirstNames(names: readonly string[]): string {
  const firstNames = names.slice(0, MAX_LISTED_NAMES).join(', ');
  return names.length > MAX_LISTED_NAMES ? `${firstNames} and ${names.length - MAX_LISTED_NAMES} more` : firstNames;
}

const MAX_LISTED_NAMES = 12;
