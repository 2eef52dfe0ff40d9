/** A number of at most two decimals with a comma every three digits. */
export function grouped(n: number | string): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 clause`, `1,200 clauses`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** The decimals with which a number is written. */
export const decimalsOf = (value: unknown): number => (String(value).split('.')[1] ?? '').length;
