/** Where a rule over several exchanges writes down what it found. */
import type { RunRuleResult, Violation } from '../model/finding.ts';
import type { Fact, FactRecord } from '../model/facts.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../model/exchange.ts';

/** The records of one rule. */
export function recordsOf<R extends Fact['rule']>(
  records: readonly FactRecord[],
  rule: R,
): FactRecord<Extract<Fact, { rule: R }>>[] {
  return records.filter((record): record is FactRecord<Extract<Fact, { rule: R }>> => record.fact.rule === rule);
}

export class ResultCollector {
  readonly #exercised = new Map<string, RunRuleResult['exercised'][number]>();
  readonly #broken: Violation[] = [];

  /** The clause was put to the test `count` times; `exchange` shows one of them. */
  exercise(clause: ClauseId, operation: OperationId, count: number, exchange: string): void {
    if (count <= 0) return;
    const key = `${clause} ${operation}`;
    const before = this.#exercised.get(key)?.count ?? 0;
    this.#exercised.set(key, { clause, operation, count: before + count, exchange });
  }

  /** The clause was broken, `count` times of those that put it to the test. */
  break(found: Omit<Violation, 'kind'> & { readonly kind?: string }): void {
    this.#broken.push({ kind: 'run', ...found });
  }

  result(): RunRuleResult {
    const broken = this.#broken.map((found) =>
      this.#exercised.has(`${found.clause} ${found.operation}`) ? { unit: 'comparisons' as const, ...found } : found,
    );
    return { exercised: [...this.#exercised.values()], broken };
  }
}
