/** The list of everything that a run created or perhaps created at the target, so that the bank can clean up. */
import { oneLine } from '../text/sanitize.ts';
import type { Created } from '../model/contents.ts';
import type { Report } from '../model/report.ts';

/** What a spreadsheet takes for the beginning of a formula, full-width signs too, where a cell begins for any separator. */
const FORMULA = /(^|[,;|"'])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A field of CSV (RFC 4180). What would be a formula is text, and what could act on an eye or a terminal an escape. */
function field(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = oneLine(value).replace(FORMULA, "$1'$2");
  return /[",;|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const row = ({ what, id, amount, currency, exchange, perhaps }: Created): string =>
  [what, id, amount, currency, exchange, perhaps ? 'perhaps' : 'yes'].map(field).join(',');

/** The list as CSV with a head line. */
export function createdCsv({ createdResources }: Report): string {
  return ['what,id,amount,currency,exchange,created', ...createdResources.items.map(row)]
    .map((line) => `${line}\r\n`)
    .join('');
}
