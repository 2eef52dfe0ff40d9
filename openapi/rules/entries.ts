/** What the rules share: looking into answers whose shape may be wrong. */
import type { RuleContext } from './context.ts';
import type { ClauseId } from '../clauses/index.ts';
import { truncate } from '../util/truncate.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** The objects of the array at `value`; none where it is no array. */
export function entriesOf(value: unknown): readonly Entry[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry): entry is Entry => typeof entry === 'object' && entry !== null && !Array.isArray(entry));
}

/** The member `name` of `value`, or undefined. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Entry)[name] : undefined;
}

/** Checks that no two entries of one answer have the same key. Entries whose key is null are left out. */
export function distinct(
  context: RuleContext,
  clause: ClauseId,
  pointer: string,
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string | null,
): void {
  const keys = new Set<string>();
  let twice: string | null = null;
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === null) continue;
    if (keys.has(key)) twice ??= key;
    keys.add(key);
  }
  if (keys.size === 0) return;
  context.check(
    clause,
    pointer,
    twice === null,
    'entries that differ',
    () => `${truncate(String(twice))} twice in one answer`,
  );
}
