/** Defines rules, and reads parts of answers safely: their structure may be wrong. */
import type { ClauseId } from '../clauses/index.ts';
import type { Operation } from '../contract/operations.ts';
import { isJsonObject, type JsonObject } from '../contract/references.ts';
import type { Exchange } from '../model/exchange.ts';
import { truncate } from '../util/truncate.ts';

export interface RuleContext {
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly form: number;
  /** The body of the answer and its `data`, with integers beyond 2^53 as bigint. */
  readonly body: unknown;
  readonly data: unknown;
  readonly succeeded: boolean;
  /** Records that a clause was tested, and a violation if `holds` is false. */
  check(clause: ClauseId, pointer: string, holds: boolean, expected: string, received: () => string): void;
}

export type Rule = (context: RuleContext) => void;

/** Returns the objects in the array `value`; an empty list if `value` is not an array. */
export const getEntries = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
}

export const combineRules =
  (...rules: readonly Rule[]): Rule =>
  (context) =>
    rules.forEach((rule) => rule(context));

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
