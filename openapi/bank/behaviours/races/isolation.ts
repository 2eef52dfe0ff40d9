/** Judges that an answer does not depend on other requests that are in flight at the same time. */
import { stringify } from 'lossless-json';
import { defineLevels, type Clause } from '../../../clauses/clause.ts';
import { atmEndpointRow } from '../../clauses/atms.ts';
import { statesSource } from '../../clauses/loans.ts';
import { endpointRow } from '../../clauses/payment-links.ts';
import type { OperationId } from '../../../model/exchange.ts';
import { isAnswered } from '../../../model/outcome.ts';
import { getRepeatableInputs } from '../../../api.ts';
import { readList } from '../../../history/list-records.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { list, reply, type Judged } from '../../../behaviours/evidence.ts';
import { wereInFlightTogether } from './once.ts';

/** At least this many answers must belong to another request. A single one may be an accident, for example if a list changes. */
const MIN_MIXED_ANSWERS = 2;

type Answer = Judged<OperationId>;

const describeInputs = ({ exchange }: Answer): string =>
  JSON.stringify(Object.entries(getRepeatableInputs(exchange.request)).sort());

const renderSortedData = (answer: Answer): string | null =>
  isAnswered(answer) ? (readList(answer.exchange, answer.data)?.list ?? stringify(answer.data) ?? null) : null;

/**
 * Compares each query in three answers: sent alone (`before`), at the same time as the other queries (`atOnce`), and alone again
 * (`after`). Refusals do not count.
 */
const defineIsolation = <const Id extends string>(id: Id, clause: Clause) =>
  compared({
    id,
    clause,
    control: 'If each query is sent alone, its answer differs from the answers to the other queries.',
    evidence: { before: list(reply()), atOnce: list(reply()), after: list(reply()) },
    judge({ before: answersBefore, atOnce: concurrentAnswers, after: answersAfter }) {
      const contentAfterByInputs = new Map(
        answersAfter.map((answer) => [describeInputs(answer), renderSortedData(answer)]),
      );
      const isSteady = (answer: Answer): boolean =>
        renderSortedData(answer) !== null &&
        renderSortedData(answer) === contentAfterByInputs.get(describeInputs(answer));
      const answerAloneByInputs = new Map(
        answersBefore.filter(isSteady).map((answer) => [describeInputs(answer), answer]),
      );
      const contentsAlone = new Set([...answerAloneByInputs.values()].map(renderSortedData));
      if (contentsAlone.size < 2)
        return notTested('no two of the queries have different answers when they are sent alone');
      const comparableAnswers = concurrentAnswers.filter(
        (answer) => isAnswered(answer) && answerAloneByInputs.has(describeInputs(answer)),
      );
      const areDifferentAndConcurrent = (a: Answer, b: Answer): boolean =>
        describeInputs(a) !== describeInputs(b) && wereInFlightTogether(a.exchange, b.exchange);
      const overlappingAnswers = comparableAnswers.filter((answer) =>
        concurrentAnswers.some((otherAnswer) => areDifferentAndConcurrent(answer, otherAnswer)),
      );
      const [firstOverlapping] = overlappingAnswers;
      if (firstOverlapping === undefined) return notTested('no two different queries were in flight at the same time');
      const mixedAnswers = overlappingAnswers.filter((answer) => {
        const [content, answerAlone] = [renderSortedData(answer), answerAloneByInputs.get(describeInputs(answer))];
        if (!answer.accepted || answerAlone === undefined) return false;
        return content !== renderSortedData(answerAlone) && contentsAlone.has(content);
      });
      const [example = firstOverlapping] = mixedAnswers;
      const contrast = answerAloneByInputs.get(describeInputs(example));
      if (mixedAnswers.length < MIN_MIXED_ANSWERS) return kept(example, { contrast });
      return broken(example, {
        contrast,
        pointer: '/data',
        expected: 'the answer that the same request gets when it is sent alone',
        received: 'the answer to another request in flight at the same time',
        count: mixedAnswers.length,
      });
    },
  });

// prettier-ignore
export const isolatedByArea = {
  loans: defineIsolation('loans.isolation', defineLevels('loans').expected(statesSource, 'Validation requests at the same time get the same answers as one after the other.')),
  'payment-links': defineIsolation('links.isolation', defineLevels('payment-links').expected(endpointRow(), 'List requests at the same time get the same lists as one after the other.')),
  atms: defineIsolation('atms.isolation', defineLevels('atms').expected(atmEndpointRow(), 'ATM queries at the same time get the same ATMs as one after the other.')),
};
