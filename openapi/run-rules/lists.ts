/** Lists are the same whenever the same is asked. */
import type { AnswerFact, FactRecord, PaymentFact, ListFact } from '../model/facts.ts';
import type { RunRuleResult } from '../model/finding.ts';
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
import { ResultCollector, recordsOf } from './result-collector.ts';

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
function sameQuestions(records: readonly FactRecord[]): readonly (readonly Answered[])[] {
  const payments = recordsOf(records, 'payment').map(({ fact }) => fact);
  const answers = recordsOf(records, 'list').flatMap((record): Answered[] => {
    const { operation, asked, list, beside } = record.fact;
    const question = `${operation} ${asked}`;
    const since = beside === undefined ? null : paymentsBefore(beside, payments);
    return [
      { question, list, record },
      ...(beside === undefined || since === null
        ? []
        : [{ question: `${question} after ${since} payments`, list: beside.list, record, isUsedUp: since > 0 }]),
    ];
  });
  const inTime = answers.toSorted((a, b) => a.record.fact.at - b.record.fact.at);
  return [...groupBy(inTime, ({ question }) => question).values()];
}

export function evaluateLists(records: readonly FactRecord[]): RunRuleResult {
  const results = new ResultCollector();
  for (const same of sameQuestions(records)) {
    const [first] = same;
    const clause = first === undefined ? undefined : clauseOf[first.record.fact.operation];
    if (first === undefined || clause === undefined || same.length < 2) continue;
    const { operation } = first.record.fact;
    results.exercise(clause, operation, same.length - 1, first.record.exchange);
    const alike = ({ list, record }: Answered): boolean =>
      list === first.list || (record.fact.alike ?? list) === (first.record.fact.alike ?? first.list);
    const others = same.filter((one) => !alike(one));
    const [other, ...more] = others;
    if (other === undefined) continue;
    const sentAt = (answers: readonly Answered[]): readonly number[] => answers.map(({ record }) => record.fact.at);
    const unchanged = sentAt(same.filter(alike));
    const [since, until] = [Math.min(...sentAt(others)), Math.max(...unchanged)];
    if (first.isUsedUp === true && since > until && new Set(others.map(({ list }) => list)).size === 1) continue;
    results.break({
      clause,
      operation,
      pointer: '/data',
      expected: 'what the same request brought before',
      received:
        since > until
          ? 'another list, and never the first one again: others may have changed it meanwhile'
          : 'another list at times',
      exchange: other.record.exchange,
      contrast: first.record.exchange,
      count: 1 + more.length,
    });
  }
  refusedBetween(results, records);
  return results.result();
}

/** Fewer refusals of lists that are given otherwise may be an accident of the network between. */
const MIN_REFUSALS = 2;

/** True of a refusal by its status: what is no list in an answer of success is judged by its body. */
const isRefused = ({ outcome, status }: AnswerFact): boolean => outcome === 'refused' && (status ?? 0) >= 400;

/**
 * Lists that are refused to a request and given to the same request later. What is refused to the end may have been used up, as
 * a daily share is.
 */
function refusedBetween(results: ResultCollector, records: readonly FactRecord[]): void {
  const answers = recordsOf(records, 'answer').filter(({ fact }) => fact.operation in clauseOf);
  for (const [operation, same] of groupBy(answers, ({ fact }) => fact.operation)) {
    const clause = clauseOf[operation] as ClauseId;
    const questions = [...groupBy(same, ({ fact }) => JSON.stringify(Object.entries(fact.asked).sort())).values()];
    const pairs = questions.flatMap((question) => {
      const last = question
        .filter(({ fact }) => isAnswered(fact))
        .toSorted((a, b) => a.fact.at - b.fact.at)
        .at(-1);
      if (last === undefined) return [];
      return question
        .filter(({ fact }) => isRefused(fact) && fact.at < last.fact.at)
        .map((refused) => ({ refused, given: last }));
    });
    const [first] = pairs;
    if (first === undefined || pairs.length < MIN_REFUSALS) continue;
    results.exercise(clause, operation, pairs.length, first.given.exchange);
    results.break({
      clause,
      operation,
      pointer: 'response/status',
      kind: 'at-times',
      expected: 'the list that the same request brought another time',
      received: `${first.refused.fact.what}, ${pairs.length} times`,
      exchange: first.refused.exchange,
      contrast: first.given.exchange,
      count: pairs.length,
    });
  }
}
