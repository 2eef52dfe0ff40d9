/** Judges whether records agree with one another: values that must be distinct, and values that must be equal. */
import type { Broken, Evidence } from '../model/history.ts';
import { groupBy } from '../util/group-by.ts';
import { broken, kept, notTested, type Verdict } from './behaviour.ts';

export interface Contradiction<T extends Evidence> {
  readonly by: T;
  readonly contrast: T;
}

type Words = Omit<Broken, 'by' | 'contrast' | 'count'>;

export const keptTimes = (by: Evidence, count: number): readonly Verdict[] => (count > 0 ? [kept(by, { count })] : []);

export function mergeBroken<C extends { readonly by: Evidence; readonly contrast?: Evidence | undefined }>(
  found: readonly C[],
  describe: (first: C) => Words,
): readonly Verdict[] {
  const [first] = found;
  if (first === undefined) return [];
  return [broken(first.by, { ...describe(first), contrast: first.contrast, count: found.length })];
}

/** Compares records with the same key. Returns one contradiction for each key, with the number of contradicting records. */
export const findContradictions = <T extends Evidence>(
  all: readonly T[],
  keyOf: (record: T) => string,
  areAlike: (a: T, b: T) => boolean,
): readonly (Contradiction<T> & { readonly count: number; readonly alike: readonly T[] })[] =>
  [...groupBy(all, keyOf).values()].flatMap((alike) => {
    const [contrast, ...others] = alike;
    const differing = others.filter((other) => !areAlike(contrast, other));
    const [by] = differing;
    return by === undefined ? [] : [{ by, contrast, count: differing.length, alike }];
  });

/** A clause about records with the same key is kept only if a key came twice. */
export function keptIfRepeated<T extends Evidence>(
  all: readonly T[],
  keyOf: (record: T) => string,
  tooFew: string,
): readonly Verdict[] {
  const [first, ...more] = [...groupBy(all, keyOf).values()].flatMap(([record, ...again]) => again.map(() => record));
  return first === undefined ? [notTested(tooFew)] : [kept(first, { count: more.length + 1 })];
}

/** Finds equal values of several records; `valueOf` may return null. `tooFew`: why a single value proves nothing. */
export function judgeDuplicates<T extends Evidence>(
  all: readonly T[],
  valueOf: (record: T) => string | null,
  words: Words,
  tooFew: string,
): readonly Verdict[] {
  const valued = all.filter((record) => valueOf(record) !== null);
  const groups = [...groupBy(valued, valueOf).values()];
  const [first] = valued;
  if (first === undefined || valued.length < 2) return [notTested(tooFew)];
  return [
    ...keptTimes(first, groups.length - 1),
    ...groups.flatMap(([contrast, by, ...more]) =>
      by === undefined ? [] : broken(by, { contrast, ...words, count: more.length + 1 }),
    ),
  ];
}

interface Timed {
  /** When the request was sent, and when the answer was complete (milliseconds since the epoch). */
  readonly at: number;
  readonly until?: number;
}

/** Counts how often answers alternate between two groups, in order of time and at least `apartMs` apart: 4 means A-B-A-B. */
export function countTurns<T extends Timed>(first: readonly T[], second: readonly T[], apartMs = 0): number {
  const chain: T[] = [];
  for (const answer of [...first, ...second].toSorted((a, b) => a.at - b.at)) {
    const last = chain.at(-1);
    const isNext = last === undefined || first.includes(answer) !== first.includes(last);
    if (isNext && (last === undefined || answer.at - (last.until ?? last.at) >= apartMs)) chain.push(answer);
  }
  return chain.length;
}
