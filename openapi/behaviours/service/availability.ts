/** Judges that the service keeps answering documented requests, and that its compressed answers are readable. */
import { type Clause, defineLevels, jsonBodySource } from '../../clauses/clause.ts';
import { refusalsSource } from '../../clauses/service.ts';
import { isAnswered, type Outcome } from '../../model/outcome.ts';
import type { RunRecord } from '../../model/record.ts';
import { groupBy } from '../../util/group-by.ts';
import { mergeBroken } from '../agreement.ts';
import { broken, compared, kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import { list, reply } from '../evidence.ts';

const { robust } = defineLevels('service');

/** Returns the requests of each operation that has at least two requests and accepted one of them. */
const listWorkingOperations = (answers: readonly RunRecord<'answers'>[]) =>
  [...groupBy(answers, ({ operation }) => operation).values()].flatMap((requests) => {
    const accepted = requests.find(isAnswered);
    return accepted === undefined || requests.length < 2 ? [] : [{ requests, accepted }];
  });

/** Defines that an operation that accepted a request never answers with `outcome`. Null: another behaviour finds the fault. */
const defineNever = <const Id extends string>(id: Id, clause: Clause, outcome: Outcome | null) =>
  ofRun({
    id,
    clause,
    unit: 'requests',
    control: 'The bank accepts another request of the same operation.',
    judge({ answers }) {
      const workingOperations = listWorkingOperations(answers);
      if (workingOperations.length === 0)
        return [notTested('the bank accepted none of several requests of one operation')];
      return workingOperations.flatMap(({ requests, accepted: contrast }): readonly Verdict[] => {
        const failedRequests = requests.filter(
          (request) => request.outcome === outcome && request.isRetryable !== true,
        );
        return [
          kept(contrast, { count: requests.length }),
          ...mergeBroken(
            failedRequests.map((answer) => ({ answer, contrast })),
            ({ answer: { what } }) => ({
              expected: 'an answer like those to other requests of this kind',
              received: `${what.replace(/\.$/, '')}, on ${failedRequests.length} of ${requests.length} requests`,
            }),
          ),
        ];
      });
    },
  });

// prettier-ignore
export const requestsAnswered = defineNever('service.answers', robust(refusalsSource, 'If the bank accepts a request, it also answers similar requests: no broken connection, no redirect, no time-out.'), 'lost');
// prettier-ignore
export const noServerError = defineNever('service.no-server-error', robust(refusalsSource, 'If the bank accepts a request, it does not answer similar requests with 5xx.'), 'crashed');

/** At least this many compressed answers in a row must be unreadable, because a single one may be an accident. */
export const MIN_UNREADABLE_ANSWERS = 3;

export const compressedAnswersReadable = compared({
  id: 'service.content-coding',
  clause: robust(jsonBodySource, 'If a request accepts gzip, the client can decode the answer to JSON.'),
  /** `probe` accepts gzip, `control` does not. */
  control: 'The same request without gzip is accepted.',
  evidence: { answers: list({ probe: reply(), control: reply() }) },
  judge({ answers }) {
    const last = answers.at(-1);
    if (last === undefined || !answers.every(({ control }) => control.accepted))
      return notTested('the bank did not accept the request without gzip');
    if (last.probe.accepted) return kept(last.probe, { contrast: last.control });
    if (answers.length < MIN_UNREADABLE_ANSWERS) return notTested('the run sent too few requests that accept gzip');
    return broken(last.probe, {
      pointer: 'response/body',
      expected: 'the same content as without Accept-Encoding: gzip',
      received:
        last.probe.exchange.failure?.message ??
        'a body that is not JSON after it is decoded as its Content-Encoding says',
      contrast: last.control,
    });
  },
});

/** The service must stop at least this many times, because a single stop may have another reason. */
export const MIN_SERVICE_STOPS = 2;

const stop = {
  id: 'service.stays-up',
  clause: robust(refusalsSource, 'No request makes the service stop answering.'),
} as const;

/** `alone`: the suspected request, sent without other requests. `fatal`: those of `alone` that stopped the service for a while. */
export const serviceStopped = compared({
  ...stop,
  control: 'The suspected request is sent alone.',
  evidence: { alone: list(reply()), fatal: list(reply()) },
  judge({ alone, fatal }) {
    const answer = fatal.at(-1) ?? alone.at(-1);
    if (answer === undefined) return notTested('no request was sent alone');
    if (fatal.length < MIN_SERVICE_STOPS) return kept(answer);
    return broken(answer, {
      expected: 'the service still answers further requests after this request',
      received:
        'the service did not answer for a while after this request, in the run and both times that it was sent alone',
    });
  },
});

export const serviceAnswers = defineNever(stop.id, stop.clause, null);
