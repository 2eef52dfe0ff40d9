/** `text` in one line of at most `limit` characters, for a finding. */
export function truncate(text: string | undefined, limit = 160): string {
  const line = (text ?? 'undefined').slice(0, 8 * limit).replaceAll(/\s+/g, ' ');
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** A text without its numbers: texts that differ in these alone may name the time, an entity or a place in a queue. */
export const withoutNumbers = (text: string): string => text.replace(/\p{Nd}+/gu, '#');

/** A name that a target invented, for a list of names: a long one is cut, and what was cut is counted. */
export function shortName(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}… (and ${name.length - MAX_NAME} more characters)`;
}

const MAX_NAME = 80;

/** The first of many names, with the number of the others: "a, b and 297 more". */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).join(', ');
  return names.length > MAX_LISTED ? `${shown} and ${names.length - MAX_LISTED} more` : shown;
}

const MAX_LISTED = 12;
