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

/** Records that a clause was tested and kept. */
export const recordKeptClause = ({ check }: RuleContext, clause: ClauseId, pointer: string): void =>
  check(clause, pointer, true, '', () => '');

/** Makes a rule that no two entries of one answer have the same key. Ignores entries with the key null. */
export const makeUniquenessRule =
  (
    clause: ClauseId,
    pointer: string,
    listEntries: (data: unknown) => readonly JsonObject[],
    getKey: (entry: JsonObject) => string | null,
  ): Rule =>
  ({ data, check }) => {
    const keys = new Set<string>();
    let repeatedKey: string | null = null;
    for (const entry of listEntries(data)) {
      const key = getKey(entry);
      if (key === null) continue;
      if (keys.has(key)) repeatedKey ??= key;
      keys.add(key);
    }
    if (keys.size === 0) return;
    const received = (): string => `${truncate(String(repeatedKey))} twice in one answer`;
    check(clause, pointer, repeatedKey === null, 'entries that differ', received);
  };
