/** Lists are the same whenever the same is asked. */
import type { Check, History } from '../model/check.ts';
import type { AnswerFact, FactRecord, PaymentFact, ListFact } from '../model/facts.ts';
import type { ClauseId } from '../clauses/index.ts';
import { operations } from '../contract/operations.ts';
import { locationsIn } from '../contract/schema.ts';
import { digest } from '../util/hash.ts';
import type { Exchange, OperationId } from '../model/exchange.ts';
import { isAnswered } from '../model/outcome.ts';
import { memoizeByObject } from '../util/memoize.ts';
import { entriesOf, type Entry } from '../rules/entries.ts';
import { groupBy } from '../util/group-by.ts';
import { max } from '../util/min-max.ts';

const clauseOf: Partial<Record<OperationId, ClauseId>> = {
  listMerchants: 'links.lists-repeat',
  listCurrencies: 'links.lists-repeat',
  listBranches: 'links.lists-repeat',
  listInstallments: 'links.lists-repeat',
  findAtms: 'atms.lists-repeat',
};

const numberIn = ({ atm_no: no }: Entry): string => `${typeof no} ${String(no)}`;

/** What tells two lists of ATMs apart is which ATMs they hold. */
const atmsIn = (data: unknown): string => entriesOf(data).map(numberIn).sort().join();

/** The same, but that of the ATMs that are farthest any may be left out for others as far. */
function atmsOrAsFar(data: unknown): string {
  const atms = entriesOf(data);
  const farthest = max(atms.map((atm) => Number(atm['atm_distance'] ?? NaN)));
  return atms
    .map((atm) => (Number(atm['atm_distance'] ?? NaN) === farthest ? `${farthest} away` : numberIn(atm)))
    .sort()
    .join();
}

/** The parts of `value` that stand at `places`, as one text, entries and keys in order. */
function canonical(value: unknown, at: string, places: ReturnType<typeof locationsIn>): string {
  if (Array.isArray(value))
    return `[${value
      .map((entry) => canonical(entry, `${at}/*`, places))
      .sort()
      .join()}]`;
  // A message may name the time, or what is left today.
  if (typeof value === 'string' && at.endsWith('_message')) return value.replaceAll(/\p{Nd}+/gu, '#');
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const members = Object.entries(value).filter(([key]) => places.has(`${at}/${key}`));
  return `{${members
    .map(([key, child]) => `${key}:${canonical(child, `${at}/${key}`, places)}`)
    .sort()
    .join()}}`;
}

const digestBy = (of: (data: object) => string) => memoizeByObject((data: object) => digest(of(data)));

/** The digest of what the document names in an answer, of the part of its data that `part` gives. */
function digestOfNamed(operation: OperationId, part = (data: object): object => data): (data: object) => string {
  return digestBy((data) => canonical(part(data), '/data', locationsIn(operations[operation].forms[0]?.answer ?? '')));
}

const besideMerchants = digestOfNamed('listMerchants', (data) => ({ ...data, merchants: null }));

const digestOf: Partial<Record<OperationId, (data: object) => string>> = {
  listMerchants: digestOfNamed('listMerchants', (data) => ({ merchants: (data as Entry)['merchants'] })),
  listCurrencies: digestOfNamed('listCurrencies'),
  listBranches: digestOfNamed('listBranches'),
  listInstallments: digestOfNamed('listInstallments'),
  findAtms: digestBy(atmsIn),
};

const digestOrAsFar = digestBy(atmsOrAsFar);

export function listFacts({ operation, request, startedAt, durationMs }: Exchange, data: unknown): readonly ListFact[] {
  const digestOfList = digestOf[operation];
  if (digestOfList === undefined || typeof data !== 'object' || data === null) return [];
  const asked = Object.entries(request.asked)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  const fact = { rule: 'list', operation, asked, list: digestOfList(data), at: startedAt } as const;
  if (operation === 'findAtms') return [{ ...fact, alike: digestOrAsFar(data) }];
  if (operation !== 'listMerchants') return [fact];
  return [{ ...fact, beside: { list: besideMerchants(data), from: startedAt, at: startedAt + durationMs } }];
}

/** A clock may be read a moment early or late. */
const CLOCK_TOLERANCE_MS = 5;
/** How long after a payment what it used up may still be shown as before. */
const SETTLING_MS = 1000;

/** How many payments were made before an answer came; null where one was under way meanwhile, or just over. */
function paymentsBefore({ from, at }: { from: number; at: number }, payments: readonly PaymentFact[]): number | null {
  if (payments.some((one) => one.from <= at + CLOCK_TOLERANCE_MS && one.at >= from - SETTLING_MS)) return null;
  return payments.filter((one) => one.at < from).length;
}

interface Answered {
  readonly question: string;
  readonly list: string;
  readonly record: FactRecord<ListFact>;
  /** True of what payments before it may have used up: a cache shows that later, and once. */
  readonly isUsedUp?: boolean;
}

/**
 * Lists by what was asked, in the order in which they were asked for; what payments may use up, as the maximum beside the
 * merchants, only between two payments.
 */
function sameQuestions({ notes }: History, operation: OperationId): readonly (readonly Answered[])[] {
  const payments = notes('payment').map(({ fact }) => fact);
  const lists = notes('list').filter(({ fact }) => fact.operation === operation);
  const answers = lists.flatMap((record): Answered[] => {
    const { asked, list, beside } = record.fact;
    const since = beside === undefined ? null : paymentsBefore(beside, payments);
    return [
      { question: asked, list, record },
      ...(beside === undefined || since === null
        ? []
        : [{ question: `${asked} after ${since} payments`, list: beside.list, record, isUsedUp: since > 0 }]),
    ];
  });
  const inTime = answers.toSorted((a, b) => a.record.fact.at - b.record.fact.at);
  return [...groupBy(inTime, ({ question }) => question).values()];
}

const listsRepeat = (operation: OperationId, clause: ClauseId): Check => ({
  clause,
  operation,
  unit: 'comparisons',
  *of(history, tested) {
    for (const same of sameQuestions(history, operation)) {
      const [first] = same;
      if (first === undefined || same.length < 2) continue;
      tested(first.record, { count: same.length - 1 });
      const alike = ({ list, record }: Answered): boolean =>
        list === first.list || (record.fact.alike ?? list) === (first.record.fact.alike ?? first.list);
      const others = same.filter((one) => !alike(one));
      const [other, ...more] = others;
      if (other === undefined) continue;
      const sentAt = (answers: readonly Answered[]): readonly number[] => answers.map(({ record }) => record.fact.at);
      const [since, until] = [Math.min(...sentAt(others)), Math.max(...sentAt(same.filter(alike)))];
      if (first.isUsedUp === true && since > until && new Set(others.map(({ list }) => list)).size === 1) continue;
      yield {
        by: other.record,
        contrast: first.record,
        pointer: '/data',
        expected: 'what the same request brought before',
        received:
          since > until
            ? 'another list, and never the first one again: others may have changed it meanwhile'
            : 'another list at times',
        count: 1 + more.length,
      };
    }
  },
});

/** Fewer refusals of lists that are given otherwise may be an accident of the network between. */
const MIN_REFUSALS = 2;

/** True of a refusal by its status: what is no list in an answer of success is judged by its body. */
const isRefused = ({ outcome, status }: AnswerFact): boolean => outcome === 'refused' && (status ?? 0) >= 400;

/**
 * Lists that are refused to a request and given to the same request later. What is refused to the end may have been used up, as
 * a daily share is.
 */
const refusedBetween = (operation: OperationId, clause: ClauseId): Check => ({
  clause,
  operation,
  unit: 'comparisons',
  *of({ notes }, tested) {
    const own = notes('answer').filter(({ fact }) => fact.operation === operation);
    const questions = groupBy(own, ({ fact }) => JSON.stringify(Object.entries(fact.asked).sort()));
    const pairs = [...questions.values()].flatMap((question) => {
      const given = question
        .filter(({ fact }) => isAnswered(fact))
        .toSorted((a, b) => a.fact.at - b.fact.at)
        .at(-1);
      if (given === undefined) return [];
      return question
        .filter(({ fact }) => isRefused(fact) && fact.at < given.fact.at)
        .map((refused) => ({ refused, given }));
    });
    const [first] = pairs;
    if (first === undefined || pairs.length < MIN_REFUSALS) return;
    tested(first.given, { count: pairs.length });
    yield {
      by: first.refused,
      contrast: first.given,
      kind: 'at-times',
      expected: 'the list that the same request brought another time',
      received: `${first.refused.fact.what}, ${pairs.length} times`,
      count: pairs.length,
    };
  },
});

export const listChecks: readonly Check[] = (Object.entries(clauseOf) as [OperationId, ClauseId][]).flatMap(
  ([operation, clause]) => [listsRepeat(operation, clause), refusedBetween(operation, clause)],
);
