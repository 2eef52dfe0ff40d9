/** Infers which input decides the success status of an operation. */
import type { Inference } from '../model/finding.ts';
import { groupBy } from '../util/group-by.ts';
import { findDecidingInputs, type AcceptedAnswer } from '../checks/service/statuses.ts';

export function inferStatuses(statuses: readonly AcceptedAnswer[]): readonly Inference[] {
  return [...groupBy(statuses, ({ record }) => record.fact.operation)].flatMap(([operation, answers]): Inference[] => {
    const byStatus = [...groupBy(answers, ({ status }) => status).values()];
    if (byStatus.length < 2) return [];
    const by = findDecidingInputs(answers);
    const answer = by.length === 0 ? 'nothing that one input of the requests decides' : by.slice(0, 4).join(', or ');
    const about = { point: 'service.success-status', operation, question: 'what it varies by', answer } as const;
    return [{ ...about, count: answers.length, exchanges: byStatus.map(([first]) => first.record.exchange) }];
  });
}
