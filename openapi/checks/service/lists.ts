/** Checks that the same list request always returns the same list. */
import type { Check, History } from '../../model/check.ts';
import type { AnswerFact, FactRecord, PaymentFact, ListFact } from '../../model/facts.ts';
import type { ClauseId } from '../../clauses/index.ts';
import type { OperationId } from '../../model/exchange.ts';
import { isAnswered } from '../../model/outcome.ts';
import { groupBy } from '../../util/group-by.ts';
import { max, min } from '../../util/min-max.ts';
import { mergeFindings, noteCheck } from '../../notes/generators.ts';

/** Two readings of the same clock may differ by this many milliseconds. */
const CLOCK_TOLERANCE_MS = 5;
/** After a payment, lists may show the old values for this many milliseconds. */
const MAX_UPDATE_DELAY_MS = 1000;

/** Counts the payments before an answer; null if a payment was in flight then, or ended just before. */
function countPayments({ from, at }: { from: number; at: number }, payments: readonly PaymentFact[]): number | null {
  if (payments.some((one) => one.from <= at + CLOCK_TOLERANCE_MS && one.at >= from - MAX_UPDATE_DELAY_MS)) return null;
  return payments.filter((one) => one.at < from).length;
}

interface ListAnswer {
  readonly request: string;
  readonly list: string;
  readonly record: FactRecord<ListFact>;
  /** True if earlier payments may have changed the list. If the bank has a cache, the list changes once, later. */
  readonly isAfterPayments?: boolean;
}

/**
 * Groups the lists of an operation by request, in order of time. A payment may change the values beside the merchants, such as the
 * highest QR amount: these values are compared only between two payments.
 */
function groupLists({ notes }: History, operation: OperationId) {
  const payments = notes('payment').map(({ fact }) => fact);
  const own = notes('list').filter(({ fact }) => fact.operation === operation);
  const answers = own.flatMap((record): ListAnswer[] => {
    const { asked, list, beside } = record.fact;
    const answer = { request: asked, list, record };
    const paid = beside === undefined ? null : countPayments(beside, payments);
    if (beside === undefined || paid === null) return [answer];
    return [
      answer,
      { request: `${asked} after ${paid} payments`, list: beside.list, record, isAfterPayments: paid > 0 },
    ];
  });
  const inTime = answers.toSorted((a, b) => a.record.fact.at - b.record.fact.at);
  return groupBy(inTime, ({ request }) => request).values();
}

const makeListCheck = (operation: OperationId, clause: ClauseId): Check =>
  noteCheck(clause, operation, function* (history, tested) {
    for (const same of groupLists(history, operation)) {
      const [first] = same;
      if (same.length < 2) continue;
      tested(first.record, { count: same.length - 1 });
      const isAlike = ({ list, record }: ListAnswer): boolean =>
        list === first.list || (record.fact.alike ?? list) === (first.record.fact.alike ?? first.list);
      const others = same.filter((one) => !isAlike(one));
      const timesOf = (answers: readonly ListAnswer[]) => answers.map(({ record }) => record.fact.at);
      const isGone = min(timesOf(others)) > max(timesOf(same.filter(isAlike)));
      if (isGone && first.isAfterPayments === true && new Set(others.map(({ list }) => list)).size === 1) continue;
      const words = {
        expected: 'what the same request brought before',
        received: isGone
          ? 'another list, and never the first one again: others may have changed it meanwhile'
          : 'another list at times',
      };
      yield* mergeFindings(
        others.map(({ record }) => ({ by: record, contrast: first.record, pointer: '/data', ...words })),
      );
    }
  });

/** At least this many list requests must be refused: one refusal may be an accident of the network. */
const MIN_REFUSALS = 2;

/** True for a refusal with status 4xx or 5xx. Refusals with status 2xx are judged elsewhere. */
const isRefused = ({ outcome, status }: AnswerFact): boolean => outcome === 'refused' && (status ?? 0) >= 400;

/**
 * Makes a check for list requests that the bank first refused and later answered. If it never answers again, a daily limit may be
 * the reason.
 */
const makeRefusalCheck = (operation: OperationId, clause: ClauseId): Check =>
  noteCheck(clause, operation, function* ({ notes }, tested) {
    const own = notes('answer').filter(({ fact }) => fact.operation === operation);
    const requests = groupBy(own, ({ fact }) => JSON.stringify(Object.entries(fact.asked).sort()));
    const refused = [...requests.values()].flatMap((same) => {
      const inTime = same.toSorted((a, b) => a.fact.at - b.fact.at);
      const given = inTime.findLast(({ fact }) => isAnswered(fact));
      if (given === undefined) return [];
      return same
        .filter(({ fact }) => isRefused(fact) && fact.at < given.fact.at)
        .map((by) => ({ by, contrast: given, what: by.fact.what }));
    });
    const [first] = refused;
    if (first === undefined || refused.length < MIN_REFUSALS) return;
    tested(first.contrast, { count: refused.length });
    yield* mergeFindings(
      refused.map(({ what, ...found }) => ({
        ...found,
        kind: 'at-times',
        expected: 'the list that the same request brought another time',
        received: `${what}, ${refused.length} times`,
      })),
    );
  });

const listClauses: readonly (readonly [OperationId, ClauseId])[] = [
  ['listMerchants', 'links.lists-repeat'],
  ['listCurrencies', 'links.lists-repeat'],
  ['listBranches', 'links.lists-repeat'],
  ['listInstallments', 'links.lists-repeat'],
  ['findAtms', 'atms.lists-repeat'],
];

export const listChecks: readonly Check[] = listClauses.flatMap((list) => [
  makeListCheck(...list),
  makeRefusalCheck(...list),
]);
