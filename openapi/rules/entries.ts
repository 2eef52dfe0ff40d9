/** Reads parts of answers safely, as their shape may be wrong. */
import type { Rule, RuleContext } from './context.ts';
import type { ClauseId } from '../clauses/index.ts';
import { truncate } from '../util/truncate.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** Returns the objects in the array `value`; an empty list if `value` is no array. */
export function getEntries(value: unknown): readonly Entry[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry): entry is Entry => typeof entry === 'object' && entry !== null && !Array.isArray(entry));
}

/** Returns the member `name` of `value`, or undefined. */
export function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Entry)[name] : undefined;
}

/** Joins several rules into one. */
export const combineRules =
  (...rules: readonly Rule[]): Rule =>
  (context) =>
    rules.forEach((rule) => rule(context));

/** Records that an exchange exercised a clause and kept it. */
export const acceptPromise = ({ check }: RuleContext, clause: ClauseId, pointer: string): void =>
  check(clause, pointer, true, '', () => '');

/** Makes a rule that no two entries of one answer have the same key. Ignores entries with the key null. */
export const checkDistinct =
  (
    clause: ClauseId,
    pointer: string,
    entriesIn: (data: unknown) => readonly Entry[],
    keyOf: (entry: Entry) => string | null,
  ): Rule =>
  ({ data, check }) => {
    const keys = new Set<string>();
    let twice: string | null = null;
    for (const entry of entriesIn(data)) {
      const key = keyOf(entry);
      if (key === null) continue;
      if (keys.has(key)) twice ??= key;
      keys.add(key);
    }
    if (keys.size === 0) return;
    const received = (): string => `${truncate(String(twice))} twice in one answer`;
    check(clause, pointer, twice === null, 'entries that differ', received);
  };
