/** Writes a number with at most two decimals and a comma every three digits. */
export function grouped(n: number | string): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 clause`, `1,200 clauses`. */
export function counted(n: number, singular: string, many = `${singular}s`): string {
  return `${grouped(n)} ${n === 1 ? singular : many}`;
}

/** Counts the decimals of a number. */
export const decimalsOf = (value: unknown): number => (String(value).split('.')[1] ?? '').length;
