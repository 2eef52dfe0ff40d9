/**
 * The success status of each operation: the same request in the same state, fresh ids aside, gets the same one. What makes
 * two requests different, and what makes two states different, is read in favour of the target.
 */
import type { FactRecord, AnswerFact } from '../model/facts.ts';
import type { RunRuleResult } from '../model/finding.ts';
import { isAnswered } from '../model/outcome.ts';
import { scenarioOf, type OperationId } from '../model/exchange.ts';
import { groupBy } from '../util/group-by.ts';
import { ResultCollector, recordsOf } from './result-collector.ts';

/** An accepted answer with all that may rightly decide on its status. */
export interface StatusRule {
  readonly record: FactRecord<AnswerFact>;
  readonly status: string;
  /** The same for the same request in the same state. */
  readonly key: string;
}

const changes: Partial<Record<OperationId, true>> = { requestLoan: true, approveContract: true, disburse: true };

/** Accepted answers, each with its key; a request that changes a subject counts the first time only. */
export function statusesOf(records: readonly FactRecord[]): readonly StatusRule[] {
  const history = new Map<string, Set<OperationId>>();
  return recordsOf(records, 'answer').flatMap((record): StatusRule[] => {
    const { operation, outcome, what, asked, subject = '', state = '' } = record.fact;
    if (!isAnswered(record.fact)) return [];
    const before = history.get(subject) ?? new Set<OperationId>();
    const again = changes[operation] === true && before.has(operation);
    const past = [...before].sort().join(' ');
    if (subject !== '') history.set(subject, new Set([...before, operation]));
    const key = JSON.stringify([
      operation,
      Object.entries(asked).sort(),
      outcome,
      state,
      operation === 'requestLoan' ? '' : past,
    ]);
    return again ? [] : [{ record, status: what, key }];
  });
}

export function evaluateStatuses(statuses: readonly StatusRule[]): RunRuleResult {
  const results = new ResultCollector();
  const clause = 'service.status.consistent';
  for (const same of groupBy(statuses, ({ key }) => key).values()) {
    const [first] = same;
    if (first === undefined || same.length < 2) continue;
    const { operation } = first.record.fact;
    results.exercise(clause, operation, same.length - 1, first.record.exchange);
    const pair = differing(same);
    if (pair === null) continue;
    const [one, other] = pair;
    results.break({
      clause,
      operation,
      pointer: 'response/status',
      expected: `${one.status}, as for the same request before`,
      received: other.status,
      exchange: other.record.exchange,
      contrast: one.record.exchange,
      count: same.filter(({ status }) => status !== one.status).length,
    });
  }
  return results.result();
}

/** Two of different status, at best from one scenario, so that both are kept as evidence. */
function differing(same: readonly StatusRule[]): readonly [StatusRule, StatusRule] | null {
  for (const some of [...groupBy(same, ({ record }) => scenarioOf(record.exchange)).values(), same]) {
    const [first] = some;
    const other = some.find(({ status }) => status !== first?.status);
    if (first !== undefined && other !== undefined) return [first, other];
  }
  return null;
}

/** The inputs whose value alone decides on the status; empty where none does. */
export function decidedBy(answers: readonly StatusRule[]): readonly string[] {
  const names = new Set(answers.flatMap(({ record }) => Object.keys(record.fact.asked)));
  const candidates: [name: string, of: (one: StatusRule) => string][] = [
    ['what the answer says of itself', ({ record }) => record.fact.outcome],
    ['the outcome given', ({ record }) => record.fact.state ?? ''],
    ...[...names].map((name): [string, (one: StatusRule) => string] => [
      name,
      ({ record }) => record.fact.asked[name] ?? '',
    ]),
  ];
  return candidates.flatMap(([name, of]) => {
    const groups = groupBy(answers, of);
    const decides = groups.size > 1 && groups.size * 2 <= answers.length;
    return decides && [...groups.values()].every((group) => new Set(group.map(({ status }) => status)).size === 1)
      ? [name]
      : [];
  });
}
