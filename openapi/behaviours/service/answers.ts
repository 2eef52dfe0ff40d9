/** An operation that accepted one request answers all its documented requests. */
import type { Clause } from '../../clauses/clause.ts';
import type { BehaviourId } from '../../clauses/index.ts';
import { defineLevels } from '../../clauses/levels.ts';
import { refusalsSource } from '../../clauses/service.ts';
import { isAnswered, type Outcome } from '../../model/outcome.ts';
import { groupBy } from '../../util/group-by.ts';
import { mergeBroken } from '../agreement.ts';
import { kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import type { RunRecord } from '../../model/record.ts';

type Answer = RunRecord<'answers'>;

export const listWorkingOperations = (answers: readonly Answer[]) =>
  [...groupBy(answers, ({ operation }) => operation).values()].flatMap((requests) => {
    const accepted = requests.find(isAnswered);
    return accepted === undefined ? [] : [{ requests, accepted }];
  });

/** An operation never has `outcome` after it accepted a request. */
const never = <const Id extends BehaviourId>(id: Id, clause: Clause, outcome: Outcome) =>
  ofRun({
    id,
    clause,
    unit: 'requests',
    judge({ answers }) {
      const working = listWorkingOperations(answers);
      if (working.length === 0) return [notTested('the bank accepted no documented request')];
      return working.flatMap(({ requests, accepted: contrast }): readonly Verdict[] => {
        const failed = requests.filter((one) => one.outcome === outcome && one.isRetryable !== true);
        return [
          kept(contrast, { count: requests.length }),
          ...mergeBroken(
            failed.map((by) => ({ by, contrast })),
            ({ by: { what } }) => ({
              expected: 'an answer like the ones to other requests of this kind',
              received: `${what.replace(/\.$/, '')}, on ${failed.length} of ${requests.length} requests`,
            }),
          ),
        ];
      });
    },
  });

const { robust } = defineLevels('service');

// prettier-ignore
export const requestsAnswered = never('service.answers', robust(refusalsSource, 'If the bank accepts a request, it also answers similar requests: without a broken connection, a redirect or a time-out.'), 'lost');
// prettier-ignore
export const noServerError = never('service.no-server-error', robust(refusalsSource, 'If the bank accepts a request, it does not answer similar requests with 5xx.'), 'crashed');
