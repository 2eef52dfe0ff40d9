/** Checks isolation: an answer must not depend on other requests that are in flight. */
import { stringify } from 'lossless-json';
import type { ClauseId } from '../clauses/index.ts';
import type { Answered, Check } from '../model/check.ts';
import { isAnswered } from '../model/outcome.ts';
import { getRepeatableInputs } from '../notes/answers.ts';
import { listListFacts } from '../notes/lists.ts';
import { checkComparison } from './check.ts';

/** At least this many answers must belong to another request: a single one may be an accident, for example while a list changes. */
const MIN_MIXED_ANSWERS = 2;

/** Returns the inputs of a request as text, without ids that are new in each request. */
const describeInputs = ({ exchange }: Answered): string =>
  JSON.stringify(Object.entries(getRepeatableInputs(exchange.request)).sort());

/** Returns the data of an answer as text, with sorted lists; null for a refusal. */
const renderSortedData = (answer: Answered): string | null =>
  isAnswered(answer) ? (listListFacts(answer.exchange, answer.data)[0]?.list ?? stringify(answer.data) ?? null) : null;

/**
 * Makes a check: each query was sent alone, then at the same time as the others, then alone again. It breaks the clause if it got
 * the data of another query only while the others were in flight. Refusals do not count.
 */
const checkIsolation = (clause: ClauseId): Check =>
  checkComparison(clause, ({ all }) => {
    const [first] = all('at-once');
    if (first === undefined) return null;
    const after = new Map(all('after').map((answer) => [describeInputs(answer), renderSortedData(answer)]));
    const alone = new Map(
      all('before')
        .filter(
          (answer) =>
            renderSortedData(answer) !== null && renderSortedData(answer) === after.get(describeInputs(answer)),
        )
        .map((answer) => [describeInputs(answer), answer]),
    );
    const hasContentOfAnother = (answer: Answered): boolean => {
      const own = alone.get(describeInputs(answer));
      const content = renderSortedData(answer);
      return (
        own !== undefined &&
        content !== renderSortedData(own) &&
        [...alone.values()].some((another) => renderSortedData(another) === content)
      );
    };
    const mixed = all('at-once').filter((answer) => answer.accepted && hasContentOfAnother(answer));
    const [by = first] = mixed;
    return {
      by,
      contrast: alone.get(describeInputs(by)),
      holds: mixed.length < MIN_MIXED_ANSWERS,
      pointer: '/data',
      expected: 'the answer to the same request alone',
      received: 'the answer to another request in flight at the same time',
      count: mixed.length,
    };
  });

export const isolationChecks: readonly Check[] = (
  ['links.lists-repeat', 'atms.lists-repeat', 'loans.independence'] as const
).map(checkIsolation);
