/** Groups the refused documented requests of a run by their most likely explanation. Requests without an explanation come first. */
import type { ClauseId } from '../clauses/index.ts';
import type { Run, RunRecord } from '../model/record.ts';
import { makeInference, type Inference } from '../model/finding.ts';
import type { OperationId } from '../model/exchange.ts';
import { operations } from '../contract/operations.ts';
import { groupBy } from '../util/group-by.ts';
import { isRejection } from '../model/outcome.ts';
import { max, min } from '../util/min-max.ts';

type Answer = RunRecord<'answers'>;

const refusalPointByArea = { loans: 'loans.refusals', 'payment-links': 'links.refusals' } as const satisfies Record<
  string,
  ClauseId
>;
const nameByInput = { currency: 'currency', currency_code: 'currency', language_code: 'language' } as const;
const REASON_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'credentials',
  402: 'a payment that is due',
  403: 'missing rights',
  404: 'something that was not found',
  407: 'credentials',
  409: 'a conflict with the current state',
  423: 'a conflict with the current state',
  429: 'too many requests',
  451: 'legal reasons',
};

const NOT_EXPLAINED_TEXT = 'no explanation found';

const isRefused = (answer: Answer): boolean =>
  answer.outcome === 'declined' || (isRejection(answer) && answer.isRetryable !== true);

/** Returns a function that explains a refusal: by a value that no accepted request has, or else by its status. */
function makeRefusalExplainer(accepted: readonly Answer[]): (answer: Answer) => string {
  const readAmount = ({ asked }: Answer): number => Number(asked['amount']);
  const amounts = accepted.map(readAmount).filter((amount) => amount > 0);
  const [lowest, highest] = [min(amounts), max(amounts)];
  return (answer) => {
    const { asked, status } = answer;
    const amount = readAmount(answer);
    if (amount <= 0) return 'amounts of zero and below';
    if (amounts.length > 0 && amount < lowest) return `amounts below ${lowest}`;
    if (amounts.length > 0 && amount > highest) return `amounts above ${highest}`;
    const isAccepted = (name: string): boolean => accepted.some((other) => other.asked[name] === asked[name]);
    for (const [name, called] of Object.entries(nameByInput))
      if (asked[name] !== undefined && !isAccepted(name)) return `the ${called} ${asked[name]}`;
    if (asked['contract_approved'] === 'false' && !isAccepted('contract_approved')) return 'contract_approved false';
    return REASON_BY_STATUS[status ?? 0] ?? NOT_EXPLAINED_TEXT;
  };
}

function inferForOperation(operation: OperationId, answers: readonly Answer[]): readonly Inference[] {
  const { area } = operations[operation];
  // The answer to a disbursement query depends on the state of the application, not on the inputs.
  if (area === 'atms' || operation === 'queryDisbursement') return [];
  const alike = groupBy(answers, makeRefusalExplainer(answers.filter(({ outcome }) => outcome === 'accepted')));
  return [...alike].flatMap(([question, all]) => {
    const refused = all.filter(isRefused);
    const answer = `refused: ${refused.length} of ${question === NOT_EXPLAINED_TEXT ? answers.length : all.length}`;
    return refused.length === 0
      ? []
      : [makeInference({ point: refusalPointByArea[area], operation, question, answer }, refused)];
  });
}

export function inferRefusals({ answers: all }: Run): readonly Inference[] {
  const inferences = [...groupBy(all, ({ operation }) => operation)].flatMap(([operation, answers]) =>
    inferForOperation(operation, answers),
  );
  return inferences.toSorted(
    (a, b) => Number(b.question === NOT_EXPLAINED_TEXT) - Number(a.question === NOT_EXPLAINED_TEXT),
  );
}
