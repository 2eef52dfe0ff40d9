/** Isolation: what a request is answered does not hang on what else is asked at the same moment. */
import { stringify } from 'lossless-json';
import type { ClauseId } from '../clauses/index.ts';
import type { Answered, Check } from '../model/check.ts';
import { isAnswered } from '../model/outcome.ts';
import { featuresOf } from '../notes/answers.ts';
import { listFacts } from '../notes/lists.ts';
import { ruled } from './check.ts';

/** An answer of another request by chance, as while a list changes, is not seen twice. */
const MIN_MIXED = 2;

/** What is asked, without fresh ids. */
const questionOf = ({ exchange }: Answered): string =>
  JSON.stringify(Object.entries(featuresOf(exchange.request)).sort());

/** What an answer says: a list in whatever order, any other data as it stands. Null of a refusal. */
const saidBy = (one: Answered): string | null =>
  isAnswered(one) ? (listFacts(one.exchange, one.data)[0]?.list ?? stringify(one.data) ?? null) : null;

/**
 * Each question was asked alone, then with the others at once in several rounds, then alone again. Broken by answers that say
 * what another question brings alone, while their own brought something else before and after. Refusals do not count.
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
