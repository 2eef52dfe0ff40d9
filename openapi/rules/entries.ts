/** Makes rules, and reads parts of answers safely: their structure may be wrong. */
import type { ClauseId } from '../clauses/index.ts';
import { isJsonObject, type JsonObject } from '../contract/references.ts';
import type { Rule, RuleContext } from '../model/rule.ts';
import { truncate } from '../util/truncate.ts';

/** Returns the objects in the array `value`; an empty list if `value` is not an array. */
export const getEntries = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
}

export const recordKeptClause = ({ check }: RuleContext, clause: ClauseId, pointer: string): void =>
  check(clause, pointer, true, '', () => '');

/** Makes a rule that no two entries of one answer have the same key. Ignores entries with the key null. */
export const makeUniquenessRule =
  (
    clause: ClauseId,
    pointer: string,
    entriesIn: (data: unknown) => readonly JsonObject[],
    keyOf: (entry: JsonObject) => string | null,
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
