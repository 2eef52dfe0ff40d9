/** By which input of its requests the success status of an operation varies. */
import type { Inference } from '../model/finding.ts';
import { groupBy } from '../util/group-by.ts';
import { decidedBy, type StatusRule } from '../run-rules/statuses.ts';

export function inferStatuses(statuses: readonly StatusRule[]): readonly Inference[] {
  return [...groupBy(statuses, ({ record }) => record.fact.operation).values()].flatMap((answers): Inference[] => {
    const [first] = answers;
    const statuses = new Set(answers.map(({ status }) => status));
    if (first === undefined || statuses.size < 2) return [];
    const by = decidedBy(answers);
    return [
      {
        point: 'service.success-status',
        operation: first.record.fact.operation,
        question: 'what it varies by',
        answer: by.length === 0 ? 'nothing that one input of the requests decides' : by.slice(0, 4).join(', or '),
        count: answers.length,
        exchanges: [...statuses].flatMap(
          (status) => answers.find((one) => one.status === status)?.record.exchange ?? [],
        ),
      },
    ];
  });
}
