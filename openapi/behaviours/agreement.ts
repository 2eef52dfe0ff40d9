/** Judges whether records of a run agree: values that must be distinct, and values that must be equal. */
import type { FaultWords } from '../model/finding.ts';
import type { Evidence } from '../model/history.ts';
import { groupBy } from '../util/group-by.ts';
import { broken, kept, notTested, type Verdict } from './behaviour.ts';

export interface Contradiction<T extends Evidence> {
  readonly answer: T;
  readonly contrast: T;
}

/** Returns a verdict “kept” with a count; nothing if the count is zero. */
export const keptTimes = (answer: Evidence, count: number): readonly Verdict[] =>
  count > 0 ? [kept(answer, { count })] : [];

/** Makes one verdict “broken” of all contradictions. The verdict shows the first one, and counts all. */
export function mergeBroken<C extends { readonly answer: Evidence; readonly contrast?: Evidence | undefined }>(
  contradictions: readonly C[],
  describe: (first: C) => FaultWords,
): readonly Verdict[] {
  const [first] = contradictions;
  if (first === undefined) return [];
  return [broken(first.answer, { ...describe(first), contrast: first.contrast, count: contradictions.length })];
}

/**
 * Compares the first record of each key with all others. Returns one contradiction for each key, with the number of contradicting
 * records. Example: the keys and values a1 a1 a2 b1 b1 give one contradiction of a1 and a2.
 */
export const findContradictions = <T extends Evidence>(
  records: readonly T[],
  getKey: (record: T) => string,
  areAlike: (a: T, b: T) => boolean,
): readonly (Contradiction<T> & { readonly count: number; readonly alike: readonly T[] })[] =>
  [...groupBy(records, getKey).values()].flatMap((alike) => {
    const [contrast, ...otherRecords] = alike;
    const differingRecords = otherRecords.filter((other) => !areAlike(contrast, other));
    const [answer] = differingRecords;
    return answer === undefined ? [] : [{ answer, contrast, count: differingRecords.length, alike }];
  });

/** Returns “kept” if a key came at least twice, and “not tested” with the reason `tooFew` if no key came twice. */
export function keptIfRepeated<T extends Evidence>(
  records: readonly T[],
  getKey: (record: T) => string,
  tooFew: string,
): readonly Verdict[] {
  const [firstRepeated, ...furtherRepeated] = [...groupBy(records, getKey).values()].flatMap(
    ([record, ...repetitions]) => repetitions.map(() => record),
  );
  return firstRepeated === undefined
    ? [notTested(tooFew)]
    : [kept(firstRepeated, { count: furtherRepeated.length + 1 })];
}

/** Finds equal values of several records; `getValue` may return null. `tooFew`: why a single value proves nothing. */
export function judgeDuplicates<T extends Evidence>(
  records: readonly T[],
  getValue: (record: T) => string | null,
  words: FaultWords,
  tooFew: string,
): readonly Verdict[] {
  const recordsWithValue = records.filter((record) => getValue(record) !== null);
  const recordsByValue = [...groupBy(recordsWithValue, getValue).values()];
  const [firstRecord] = recordsWithValue;
  if (firstRecord === undefined || recordsWithValue.length < 2) return [notTested(tooFew)];
  return [
    ...keptTimes(firstRecord, recordsByValue.length - 1),
    ...recordsByValue.flatMap(([contrast, answer, ...more]) =>
      answer === undefined ? [] : broken(answer, { contrast, ...words, count: more.length + 1 }),
    ),
  ];
}

interface TimedAnswer {
  /** When the request was sent, and when the answer was complete (milliseconds since the epoch). */
  readonly at: number;
  readonly until?: number;
}

/** Counts how often answers alternate between two groups, in order of time and at least `apartMs` apart: 4 means A-B-A-B. */
export function countTurns<T extends TimedAnswer>(groupA: readonly T[], groupB: readonly T[], apartMs = 0): number {
  const alternatingAnswers: T[] = [];
  for (const answer of [...groupA, ...groupB].toSorted((a, b) => a.at - b.at)) {
    const lastAnswer = alternatingAnswers.at(-1);
    const isFollowing = (earlier: T): boolean => {
      const isOfOtherGroup = groupA.includes(answer) !== groupA.includes(earlier);
      const pauseMs = answer.at - (earlier.until ?? earlier.at);
      return isOfOtherGroup && pauseMs >= apartMs;
    };
    if (lastAnswer === undefined || isFollowing(lastAnswer)) alternatingAnswers.push(answer);
  }
  return alternatingAnswers.length;
}
