/** `text` in one line of at most `limit` characters, for a finding. */
export function truncate(text: string | undefined, limit = 160): string {
  const line = (text ?? 'undefined').slice(0, 8 * limit).replaceAll(/\s+/g, ' ');
  // Not half a character: JSON with one is refused by some readers.
  return line.length <= limit ? line : `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;
/** A run of letters and digits that is no word: a number, or hexadecimal digits. */
const NUMBER = /\p{Nd}|^[a-f]{4,}$|^[A-F]{4,}$/u;
/** A code with a number, as `R036`: its letters are a word. */
const CODE = /^[A-Z]{1,3}(?=\p{Nd}+$)/u;
const WORD = /[A-Z]?[a-z]+/g;

/** True where letters of both cases are mixed, and not as in words written together: `InProgress`. */
const isMixed = (run: string): boolean => /[a-z][A-Z]/.test(run) && run.replaceAll(WORD, '') !== '';

function withoutReference(run: string): string {
  const [letters] = CODE.exec(run) ?? [];
  if (letters !== undefined) return `${letters}#`;
  return NUMBER.test(run) || isMixed(run) ? '#' : run;
}

/**
 * A text without its numbers and references: texts that differ in these alone may name the time, an entity, a place in a queue
 * or the answer itself. Letters outside ASCII stay: some languages set no blank before a number.
 */
export const withoutNumbers = (text: string): string =>
  text.replace(UUID, '#').replace(/[A-Za-z\p{Nd}]+/gu, withoutReference);

/** A name that a target invented, for a list of names: a long one is cut, and what was cut is counted. */
export function shortName(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}… (and ${name.length - MAX_NAME} more characters)`;
}

const MAX_NAME = 80;

/** The first of many names, with the number of the others: "a, b and 297 more". */
export function firstNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).join(', ');
  return names.length > MAX_LISTED ? `${shown} and ${names.length - MAX_LISTED} more` : shown;
}

const MAX_LISTED = 12;
