/** Judges that requests without the same field are all accepted, or all refused. */
import { type Clause, defineLevels, requiredFieldsGap } from '../../../clauses/clause.ts';
import { operations } from '../../../contract/operations.ts';
import { toObservedAnswer } from '../../../history/answers.ts';
import type { RequestResult } from '../../../model/history.ts';
import { renderAnswer } from '../../../model/observation.ts';
import { isAnswered } from '../../../model/outcome.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { optional, reply, word } from '../../../behaviours/evidence.ts';

/** Returns whether the bank accepts a request without a field; null if the answer proves nothing about the field. */
export function acceptsMissingField(answer: Pick<RequestResult, 'outcome'>): boolean | null {
  if (isAnswered(answer)) return true;
  return answer.outcome === 'refused' ? false : null;
}

/** `before`, `probe`: two requests without the field `name`. `whole`: the complete request after the two. */
const defineConsistency = <const Id extends string>(id: Id, clause: Clause) =>
  compared({
    id,
    clause,
    control: 'Another request without the same field is answered.',
    evidence: { before: reply(), probe: reply(), whole: optional(reply()), name: word },
    judge({ before: answerBefore, probe: answer, whole: answerToComplete, name: fieldName }) {
      const wasAcceptedBefore = acceptsMissingField(answerBefore);
      const isAccepted = acceptsMissingField(answer);
      if (wasAcceptedBefore === null || isAccepted === null)
        return notTested('the reason for an answer was not the missing field');
      if (wasAcceptedBefore === isAccepted) return kept(answer, { contrast: answerBefore });
      // A used-up application or a lower limit may be the reason for the refusal.
      const mayHaveOtherReason = isAccepted
        ? operations[answer.operation].usesUp !== null
        : answerToComplete?.accepted !== true;
      if (mayHaveOtherReason) return notTested('the bank did not accept the complete request afterwards');
      return broken(answer, {
        pointer: `request/${answer.exchange.request.method === 'GET' ? 'query' : 'body'}/${fieldName}`,
        expected: `${renderAnswer(toObservedAnswer(answerBefore))}, as before`,
        received: renderAnswer(toObservedAnswer(answer)),
        contrast: answerBefore,
      });
    },
  });

// prettier-ignore
export const missingFields = {
  loans: defineConsistency('loans.required-fields.consistent', defineLevels('loans').expected(requiredFieldsGap, 'The bank accepts all loan requests in which the same field is missing, or refuses all of them.')),
  'payment-links': defineConsistency('links.required-fields.consistent', defineLevels('payment-links').expected(requiredFieldsGap, 'The bank accepts all pay-by-link requests in which the same field or parameter is missing, or refuses all of them.')),
  atms: defineConsistency('atms.required-parameters.consistent', defineLevels('atms').expected(requiredFieldsGap, 'The bank accepts all ATM queries in which the same parameter is missing, or refuses all of them.')),
};
