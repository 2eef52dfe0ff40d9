/** Writes a number (with at most two decimals) with a comma before each three digits: 12,345. */
export function groupDigits(n: number | string): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Writes a number with its noun: `1 request`, `2 requests`. */
export function countOf(n: number, singular: string, plural = `${singular}s`): string {
  return `${groupDigits(n)} ${n === 1 ? singular : plural}`;
}

export const countDecimals = (value: unknown): number => (String(value).split('.')[1] ?? '').length;
