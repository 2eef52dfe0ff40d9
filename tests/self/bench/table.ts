/** Writes the figures as Markdown into a document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** A row of the table: what was measured, and the measured values. */
export type Row = readonly [what: string, samples: readonly number[], decimals?: number];

const formatNumber = (value: number, decimals: number): string =>
  decimals === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(decimals);

export function computeMedian(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

export const formatMedian = (samples: readonly number[]): string => formatNumber(computeMedian(samples), 0);

function formatRow([what, samples, decimals = 2]: Row): string {
  const figures = [computeMedian(samples), Math.min(...samples), Math.max(...samples)];
  const [usual, least, most] = figures.map((value) => formatNumber(value, decimals));
  return `| ${what} | ${usual} | ${least} – ${most} |`;
}

export const formatTable = (rows: readonly Row[]): string =>
  ['| what | median | spread |', '|---|--:|--:|', ...rows.map(formatRow)].join('\n');

/** Puts `text` between the marks in a document. */
export async function replaceBetweenMarks(file: string, text: string): Promise<void> {
  const [begin, end] = ['<!-- bench -->', '<!-- /bench -->'];
  const whole = readFileSync(file, 'utf8');
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for it: put ${begin} and ${end} where it belongs.`);
  const written = `${whole.slice(0, from + begin.length)}\n\n${text}\n\n${whole.slice(to)}`;
  writeFileSync(file, await format(written, { ...(await resolveConfig(file)), filepath: file }));
}
