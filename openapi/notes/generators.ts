/** Helpers for checks over the notes of exchanges. */
import type { OperationId } from '../clauses/areas.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Broken, Check, Evidence, Tested } from '../model/check.ts';
import type { Fact, FactName, FactRecord } from '../model/facts.ts';
import { groupBy } from '../util/group-by.ts';

/** Returns the notes of one kind. */
export const selectNotes = <Name extends FactName>(
  records: readonly FactRecord[],
  name: Name,
): FactRecord<Fact<Name>>[] => records.filter((record): record is FactRecord<Fact<Name>> => record.fact.rule === name);

/** Makes a check over notes about one operation. Its findings count comparisons. */
export const noteCheck = (clause: ClauseId, operation: OperationId, of: Check['of']): Check => ({
  clause,
  operation,
  unit: 'comparisons',
  of,
});

/** Combines several findings into one: the first finding, with the number of all. */
export const mergeFindings = <B extends Broken>(found: readonly B[]): readonly B[] =>
  found.slice(0, 1).map((first) => ({ ...first, count: found.length }));

interface Contradiction<T extends Evidence> extends Broken {
  readonly by: T;
  readonly contrast: T;
}

type Words<T> = (
  first: T,
  by: T,
  all: readonly T[],
) => Pick<Broken, 'pointer' | 'expected' | 'received'> | null | undefined;

/** Compares all notes with the same key with the first of them. Yields one finding for each key with a contradiction. */
export function* findContradictions<T extends Evidence>(
  all: readonly T[],
  keyOf: (entry: T) => string,
  isAlike: (a: T, b: T) => boolean,
  words: Words<T>,
  tested?: Tested,
): Generator<Contradiction<T>> {
  for (const [first, ...others] of groupBy(all, keyOf).values()) {
    if (others.length === 0) continue;
    tested?.(first, { count: others.length });
    const contradicting = others.filter((other) => !isAlike(first, other));
    const [by] = contradicting;
    const found = by === undefined ? null : words(first, by, [first, ...others]);
    if (by !== undefined && found) yield { by, contrast: first, ...found, count: contradicting.length };
  }
}

/** Finds equal values in several notes. `valueOf` returns the value of a note, or null. */
export function* findDuplicates<T extends Evidence>(
  all: readonly T[],
  valueOf: (entry: T) => string | null,
  words: Words<T>,
  tested: Tested,
): Iterable<Broken> {
  const valued = all.filter((entry) => valueOf(entry) !== null);
  const [first, ...others] = valued;
  if (first === undefined || others.length === 0) return;
  tested(first, { count: others.length });
  yield* findContradictions(
    valued,
    (entry) => String(valueOf(entry)),
    () => false,
    words,
  );
}
