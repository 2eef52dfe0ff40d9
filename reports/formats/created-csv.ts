/** Lists everything that a run created or perhaps created at the target, so that the bank can clean up. */
import { oneLine } from '../text/sanitize.ts';
import type { Created } from '../model/contents.ts';
import type { Report } from '../model/report.ts';

/** Matches the beginning of a formula in a spreadsheet cell, for any separator, also with full-width signs. */
const FORMULA = /(^|[,;|"'])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Writes a field of CSV (RFC 4180). Makes formulas plain text, and shows harmful characters as escapes. */
function field(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = oneLine(value).replace(FORMULA, "$1'$2");
  return /[",;|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const row = ({ what, id, amount, currency, exchange, perhaps }: Created): string =>
  [what, id, amount, currency, exchange, perhaps ? 'perhaps' : 'yes'].map(field).join(',');

/** Writes the list as CSV with a header line. */
export function createdCsv({ createdResources }: Report): string {
  return ['what,id,amount,currency,exchange,created', ...createdResources.items.map(row)]
    .map((line) => `${line}\r\n`)
    .join('');
}
