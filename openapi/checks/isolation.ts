/** Isolation: an answer does not depend on other requests in flight. */
import { stringify } from 'lossless-json';
import type { ClauseId } from '../clauses/index.ts';
import type { Answered, Check } from '../model/check.ts';
import { isAnswered } from '../model/outcome.ts';
import { featuresOf } from '../notes/answers.ts';
import { listFacts } from '../notes/lists.ts';
import { ruled } from './check.ts';

/** One answer of another request may be an accident, as while a list changes. */
const MIN_MIXED = 2;

/** The inputs of a request without fresh ids. */
const questionOf = ({ exchange }: Answered): string =>
  JSON.stringify(Object.entries(featuresOf(exchange.request)).sort());

/** The content of an answer: a list in any order, other data as they are. Null for a refusal. */
const saidBy = (one: Answered): string | null =>
  isAnswered(one) ? (listFacts(one.exchange, one.data)[0]?.list ?? stringify(one.data) ?? null) : null;

/**
 * Each query was sent alone, then at once with the others, then alone again. Broken by an answer with the content of another query,
 * where its own had the same other content before and after. Refusals do not count.
 */
const isolated = (clause: ClauseId): Check =>
  ruled(clause, ({ all }) => {
    const [first] = all('at-once');
    if (first === undefined) return null;
    const after = new Map(all('after').map((one) => [questionOf(one), saidBy(one)]));
    const alone = new Map(
      all('before')
        .filter((one) => saidBy(one) !== null && saidBy(one) === after.get(questionOf(one)))
        .map((one) => [questionOf(one), one]),
    );
    const isOfAnother = (one: Answered): boolean => {
      const own = alone.get(questionOf(one));
      const said = saidBy(one);
      return own !== undefined && said !== saidBy(own) && [...alone.values()].some((other) => saidBy(other) === said);
    };
    const mixed = all('at-once').filter((one) => one.accepted && isOfAnother(one));
    const [by = first] = mixed;
    return {
      by,
      contrast: alone.get(questionOf(by)),
      holds: mixed.length < MIN_MIXED,
      pointer: '/data',
      expected: 'what the same request brings alone',
      received: 'what a request brings that was under way at the same time',
      count: mixed.length,
    };
  });

export const isolationChecks: readonly Check[] = (
  ['links.lists-repeat', 'atms.lists-repeat', 'loans.independence'] as const
).map(isolated);
