/** Lists all resources that a run created or perhaps created at the bank, so that the bank can remove them. */
import { toOneLine } from '../text/sanitize.ts';
import type { Created, Report } from '../model/report.ts';

/** Matches the beginning of a formula in a spreadsheet cell, for any separator, also with full-width signs. */
const FORMULA_START = /(^|[,;|"'])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Writes a field of a CSV file (RFC 4180). Changes formulas to plain text, and shows harmful characters as escapes. */
function writeField(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = toOneLine(value).replace(FORMULA_START, "$1'$2");
  return /[",;|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const writeRow = ({ what, id, amount, currency, exchange, perhaps }: Created): string =>
  [what, id, amount, currency, exchange, perhaps ? 'perhaps' : 'yes'].map(writeField).join(',');

export function writeCreatedCsv({ createdResources }: Report): string {
  return ['what,id,amount,currency,exchange,created', ...createdResources.items.map(writeRow)]
    .map((line) => `${line}\r\n`)
    .join('');
}
