/** Infers answers to open points from all exchanges of a run. */
import type { Inference } from '../model/finding.ts';
import type { Run } from '../model/record.ts';
import { findDecidingInputs, listStatuses } from '../behaviours/service/statuses.ts';
import { groupBy } from '../util/group-by.ts';
import { inferAtms } from './atms.ts';
import { inferBounds } from './bounds.ts';
import { inferExpiry } from './expiry.ts';
import { inferRefusals } from './refusals.ts';

function inferStatuses(run: Run): readonly Inference[] {
  const statuses = listStatuses(run.answers);
  return [...groupBy(statuses, ({ answer }) => answer.operation)].flatMap(([operation, answers]): Inference[] => {
    const byStatus = [...groupBy(answers, ({ status }) => status).values()];
    if (byStatus.length < 2) return [];
    const inputs = findDecidingInputs(answers);
    const answer =
      inputs.length === 0 ? 'nothing that one input of the requests decides' : inputs.slice(0, 4).join(', or ');
    const about = { point: 'service.success-status', operation, question: 'what it varies by', answer } as const;
    return [{ ...about, count: answers.length, exchanges: byStatus.map(([first]) => first.answer.exchange) }];
  });
}

export const inferAnswersToOpenPoints = (run: Run): readonly Inference[] => [
  ...inferStatuses(run),
  ...inferBounds(run),
  ...inferExpiry(run),
  ...inferAtms(run),
  ...inferRefusals(run),
];
