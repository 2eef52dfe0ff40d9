/** The list of everything that a run created or perhaps created at the target, so that the bank can clean up. */
import type { Created, Report } from '../model/report.ts';

/** A field of CSV (RFC 4180). What a spreadsheet would take for a formula is made text. */
function field(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const row = ({ what, id, amount, currency, exchange, perhaps }: Created): string =>
  [what, id, amount, currency, exchange, perhaps ? 'perhaps' : 'yes'].map(field).join(',');

/** The list as CSV with a head line. */
export function createdCsv({ createdResources }: Report): string {
  return ['what,id,amount,currency,exchange,created', ...createdResources.items.map(row)]
    .map((line) => `${line}\r\n`)
    .join('');
}
