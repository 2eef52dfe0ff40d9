/** Writes a number with at most two decimals and a comma every three digits. */
export function groupDigits(n: number | string): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function countOf(n: number, singular: string, many = `${singular}s`): string {
  return `${groupDigits(n)} ${n === 1 ? singular : many}`;
}

export const countDecimals = (value: unknown): number => (String(value).split('.')[1] ?? '').length;
