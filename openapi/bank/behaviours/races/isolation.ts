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
 * Compares each query in three answers: sent alone (`before`), concurrently with the other queries (`atOnce`), and alone again
 * (`after`). Refusals do not count.
 */
const defineIsolation = <const Id extends string>(id: Id, clause: Clause) =>
  compared({
    id,
    clause,
    control: 'The queries have different answers when they are sent alone.',
    evidence: { before: list(reply()), atOnce: list(reply()), after: list(reply()) },
    judge({ before, atOnce, after }) {
      const contentAfter = new Map(after.map((answer) => [describeInputs(answer), renderSortedData(answer)]));
      const isSteady = (answer: Answer): boolean =>
        renderSortedData(answer) !== null && renderSortedData(answer) === contentAfter.get(describeInputs(answer));
      const alone = new Map(before.filter(isSteady).map((answer) => [describeInputs(answer), answer]));
      const contents = new Set([...alone.values()].map(renderSortedData));
      if (contents.size < 2) return notTested('no two of the queries have different answers when they are sent alone');
      const comparable = atOnce.filter((answer) => isAnswered(answer) && alone.has(describeInputs(answer)));
      const overlapping = comparable.filter((answer) =>
        atOnce.some(
          (other) =>
            describeInputs(answer) !== describeInputs(other) && wereInFlightTogether(answer.exchange, other.exchange),
        ),
      );
      const [first] = overlapping;
      if (first === undefined) return notTested('no two different queries were in flight at the same time');
      const mixed = overlapping.filter((answer) => {
        const [content, answerAlone] = [renderSortedData(answer), alone.get(describeInputs(answer))];
        if (!answer.accepted || answerAlone === undefined) return false;
        return content !== renderSortedData(answerAlone) && contents.has(content);
      });
      const [by = first] = mixed;
      const contrast = alone.get(describeInputs(by));
      if (mixed.length < MIN_MIXED_ANSWERS) return kept(by, { contrast });
      return broken(by, {
        contrast,
        pointer: '/data',
        expected: 'the answer to the same request alone',
        received: 'the answer to another request in flight at the same time',
        count: mixed.length,
      });
    },
  });

// prettier-ignore
export const isolatedByArea = {
  loans: defineIsolation('loans.isolation', defineLevels('loans').expected(statesSource, 'Validation requests at the same time get the same answers as one after the other.')),
  'payment-links': defineIsolation('links.isolation', defineLevels('payment-links').expected(endpointRow(), 'List requests at the same time get the same lists as one after the other.')),
  atms: defineIsolation('atms.isolation', defineLevels('atms').expected(atmEndpointRow(), 'ATM queries at the same time get the same ATMs as one after the other.')),
};
