/** Reads what was noted of the exchanges of a run. */
import type { Fact, FactRecord } from '../model/facts.ts';
import { groupBy } from '../util/group-by.ts';

/** The notes of one kind. */
export function recordsOf<R extends Fact['rule']>(
  records: readonly FactRecord[],
  rule: R,
): FactRecord<Extract<Fact, { rule: R }>>[] {
  return records.filter((record): record is FactRecord<Extract<Fact, { rule: R }>> => record.fact.rule === rule);
}

/** What has to be the same whenever it shows: the first of each, the others, and those of them that contradict it. */
export function* contradictions<T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  isAlike: (one: T, other: T) => boolean,
) {
  for (const [first, ...others] of groupBy(all, keyOf).values())
    if (first !== undefined && others.length > 0)
      yield { first, others, contradicting: others.filter((other) => !isAlike(first, other)) };
}
