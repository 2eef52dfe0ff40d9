/** Checks what no JSON Schema keyword expresses: text formats, dates that exist, and lists without equal entries. */
import type { FormatDefinition } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { writeCanonicalJson } from '../util/hash.ts';

/** An RFC 3986 reference: scheme, authority, path, query and fragment, each with its permitted characters. */
const URI_REFERENCE =
  /^(?:[A-Za-z][A-Za-z0-9+.-]*:|(?![^/?#]*:))(?:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:\[[0-9A-Fa-f:.]+\]|\[v[0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?(?=[/?#]|$)|(?!\/\/))(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$/;

/** True for a URI reference (RFC 3986) that may also have characters beyond ASCII (RFC 3987). */
export function isUriReference(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  const asciiText = text.replace(/[\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]|[\ud800-\udbff][\udc00-\udfff]/g, '%00');
  return URI_REFERENCE.test(asciiText);
}

const DATE_AND_TIME = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}):(\d{2}):(\d{2})$/;

type Moment = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Reads a date and time in the format DD.MM.YYYY HH:MM:SS; null if the text has another format. */
export function parseDateTime(text: string): Moment | null {
  const parts = DATE_AND_TIME.exec(text);
  if (parts === null) return null;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  return [year, month, day, hour, minute, second];
}

function countDaysInMonth(year: number, month: number): number {
  const isLeapYear = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
  if (month === 2) return isLeapYear ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * False for a date and time that do not exist in the calendar. 24:00:00 is the end of a day (ISO 8601). Second 60 is a leap second
 * at the end of minute 14, 29, 44 or 59 (time zones differ by quarter hours). True for a text in another format: another clause
 * judges the format.
 */
export function isExistingDateTime(text: string): boolean {
  const moment = parseDateTime(text);
  if (moment === null) return true;
  const [year, month, day, hour, minute, second] = moment;
  if (month < 1 || month > 12 || day < 1 || day > countDaysInMonth(year, month)) return false;
  if (hour === 24) return minute === 0 && second === 0;
  if (second === 60) return hour < 24 && minute % 15 === 14;
  return hour < 24 && minute < 60 && second < 60;
}

/** True if no two entries are equal. Needs time in proportion to their size; Ajv would compare each entry with all others. */
export function areEntriesUnique(entries: readonly unknown[]): boolean {
  const texts = new Set(entries.map(writeCanonicalJson));
  return texts.size === entries.length;
}

/** All formats that the contract and an overlay may use, by name. Ajv compiles schemas with them, and the generated code calls them. */
export const formats = {
  'date-time': fullFormats['date-time'] as FormatDefinition<string>,
  'iri-reference': { type: 'string', validate: isUriReference },
  'calendar-moment': { type: 'string', validate: isExistingDateTime },
} satisfies Readonly<Record<string, FormatDefinition<string>>>;
