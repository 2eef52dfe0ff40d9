/**
 * Checks that the same request in the same state gets the same success status; new ids do not matter. If it is unclear whether two
 * requests or states are the same, they count as different.
 */
import type { Check } from '../../model/check.ts';
import type { FactRecord, AnswerFact } from '../../model/facts.ts';
import { isAnswered } from '../../model/outcome.ts';
import { operationIds, getScenario, type OperationId } from '../../model/exchange.ts';
import { groupBy } from '../../util/group-by.ts';
import { noteCheck } from '../../notes/generators.ts';

/** An accepted answer with its request and state. */
export interface AcceptedAnswer {
  readonly record: FactRecord<AnswerFact>;
  readonly status: string;
  /** A text that is equal for two equal requests in the same state. */
  readonly key: string;
}

const CHANGING_OPERATIONS: ReadonlySet<OperationId> = new Set<OperationId>([
  'requestLoan',
  'approveContract',
  'disburse',
]);

/** Returns the accepted answers with their keys. For a request that changes an application, only the first answer counts. */
export function listStatuses(answers: readonly FactRecord<AnswerFact>[]): readonly AcceptedAnswer[] {
  const history = new Map<string, ReadonlySet<OperationId>>();
  return answers.flatMap((record): AcceptedAnswer[] => {
    const { operation, outcome, what, asked, subject = '', state = '' } = record.fact;
    if (!isAnswered(record.fact)) return [];
    const before = history.get(subject) ?? new Set();
    if (subject !== '') history.set(subject, new Set([...before, operation]));
    if (CHANGING_OPERATIONS.has(operation) && before.has(operation)) return [];
    const past = operation === 'requestLoan' ? '' : [...before].sort().join(' ');
    const key = JSON.stringify([operation, Object.entries(asked).sort(), outcome, state, past]);
    return [{ record, status: what, key }];
  });
}

export const statusChecks: readonly Check[] = operationIds.map((operation) =>
  noteCheck('service.status.consistent', operation, function* ({ notes }, tested) {
    // The state of an application depends on earlier requests to other operations.
    const own = listStatuses(notes('answer')).filter(({ record }) => record.fact.operation === operation);
    for (const same of groupBy(own, ({ key }) => key).values()) {
      if (same.length < 2) continue;
      tested(same[0].record, { count: same.length - 1 });
      const [one, other] = findDifferentStatuses(same) ?? [];
      if (one === undefined || other === undefined) continue;
      yield {
        by: other.record,
        contrast: one.record,
        expected: `${one.status}, as for the same request before`,
        received: other.status,
        count: same.filter(({ status }) => status !== one.status).length,
      };
    }
  }),
);

/** Finds two answers with different statuses, if possible in one scenario: then the report keeps both exchanges. */
function findDifferentStatuses(same: readonly AcceptedAnswer[]): readonly [AcceptedAnswer, AcceptedAnswer] | null {
  for (const some of [...groupBy(same, ({ record }) => getScenario(record.exchange)).values(), same]) {
    const [first] = some;
    const other = some.find(({ status }) => status !== first?.status);
    if (first !== undefined && other !== undefined) return [first, other];
  }
  return null;
}

/** Returns the inputs whose value alone decides which success status the bank sends. */
export function findDecidingInputs(answers: readonly AcceptedAnswer[]): readonly string[] {
  const names = new Set(answers.flatMap(({ record }) => Object.keys(record.fact.asked)));
  const candidates: [name: string, of: (fact: AnswerFact) => string][] = [
    ['what the answer says of itself', ({ outcome }) => outcome],
    ['the outcome given', ({ state = '' }) => state],
    ...[...names].map((name): [string, (fact: AnswerFact) => string] => [name, ({ asked }) => asked[name] ?? '']),
  ];
  return candidates.flatMap(([name, of]) => {
    const groups = [...groupBy(answers, ({ record }) => of(record.fact)).values()];
    const decides = groups.length > 1 && groups.length * 2 <= answers.length;
    return decides && groups.every((group) => new Set(group.map(({ status }) => status)).size === 1) ? [name] : [];
  });
}
