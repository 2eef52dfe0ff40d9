/**
 * The success status of each operation: the same request in the same state, fresh ids aside, gets the same one. What makes
 * two requests different, and what makes two states different, is read in favour of the target.
 */
import type { Check } from '../model/check.ts';
import type { FactRecord, AnswerFact } from '../model/facts.ts';
import { isAnswered } from '../model/outcome.ts';
import { operationIds, scenarioOf, type OperationId } from '../model/exchange.ts';
import { groupBy } from '../util/group-by.ts';

/** An accepted answer with all that may rightly decide on its status. */
export interface StatusRule {
  readonly record: FactRecord<AnswerFact>;
  readonly status: string;
  /** The same for the same request in the same state. */
  readonly key: string;
}

const changes: Partial<Record<OperationId, true>> = { requestLoan: true, approveContract: true, disburse: true };

/** Accepted answers, each with its key; a request that changes a subject counts the first time only. */
export function statusesOf(answers: readonly FactRecord<AnswerFact>[]): readonly StatusRule[] {
  const history = new Map<string, Set<OperationId>>();
  return answers.flatMap((record): StatusRule[] => {
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

/** The checks of the success status, one for each operation. */
export const statusChecks: readonly Check[] = operationIds.map((operation) => ({
  clause: 'service.status.consistent',
  operation,
  unit: 'comparisons',
  *of({ notes }, tested) {
    // The state of an application hangs on what was asked of other operations before.
    const own = statusesOf(notes('answer')).filter(({ record }) => record.fact.operation === operation);
    for (const same of groupBy(own, ({ key }) => key).values()) {
      const [first] = same;
      if (first === undefined || same.length < 2) continue;
      tested(first.record, { count: same.length - 1 });
      const pair = differing(same);
      if (pair === null) continue;
      const [one, other] = pair;
      yield {
        by: other.record,
        contrast: one.record,
        expected: `${one.status}, as for the same request before`,
        received: other.status,
        count: same.filter(({ status }) => status !== one.status).length,
      };
    }
  },
}));

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
