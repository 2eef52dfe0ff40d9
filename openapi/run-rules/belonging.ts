/** Answers belong to their question: ids, accounts and outcomes of a run are those of the application that was asked about. */
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../clauses/areas.ts';
import type { Exchange } from '../model/exchange.ts';
import type { FactRecord, LoanFact } from '../model/facts.ts';
import type { RunRuleResult } from '../model/finding.ts';
import { isAnswered, isRejection, type Outcome } from '../model/outcome.ts';
import { entriesOf, member } from '../rules/entries.ts';
import { groupBy } from '../util/group-by.ts';
import { digest } from '../util/hash.ts';
import { idText, sameId } from '../util/ids.ts';
import { ResultCollector, recordsOf } from './result-collector.ts';

/** The field that names the application in an answer. */
const clauseOf: Partial<Record<OperationId, ClauseId>> = {
  approveContract: 'loans.contract.application-id',
  disburse: 'loans.disbursement.application-id',
  queryDisbursement: 'loans.outcome.application-id',
};

/** Refusals that say that nothing was found, and not that nobody may look. */
const NOT_FOUND = new Set([400, 404, 410, 422]);
/** Offers of one answer that are noted. */
const MAX_OFFERS = 20;

export function belongingFacts(exchange: Exchange, outcome: Outcome, data: unknown): readonly LoanFact[] {
  const { operation, request, answer } = exchange;
  const asked = request.asked['application_id'];
  if (operation === 'queryDisbursement' && outcome === 'refused') {
    const of = { application: idText(asked), from: exchange.ticks?.[0] ?? exchange.startedAt };
    if (answer !== null && answer.status < 300) return [{ rule: 'outcome-without-data', ...of }];
    return NOT_FOUND.has(answer?.status ?? 0) ? [{ rule: 'outcome-missing', ...of }] : [];
  }
  if (outcome !== 'accepted') return [];
  if (operation === 'requestLoan')
    return entriesOf(member(data, 'infos'))
      .slice(0, MAX_OFFERS)
      .flatMap(({ account_id: id, account, interest_rate: interest, commission_rate: commission }): LoanFact[] => {
        if (typeof id !== 'string' || typeof account !== 'string') return [];
        const [first, second] = [Number(interest), Number(commission)];
        const rates = Number.isFinite(first + second) ? ([first, second] as const) : null;
        return [{ rule: 'account', id: idText(id), reference: digest(account), rates }];
      });
  const answered = member(data, 'application_id');
  if (clauseOf[operation] === undefined || typeof answered !== 'string' || sameId(answered, asked)) return [];
  return [{ rule: 'other-application', operation, asked: idText(asked), answered: idText(answered) }];
}

/** The id of another entity of this run in the place of the application asked for: no reading of the document allows it. */
function answersOfOthers(results: ResultCollector, records: readonly FactRecord[]): void {
  const applications = new Map(recordsOf(records, 'application').map(({ fact, exchange }) => [fact.id, exchange]));
  const accounts = new Map(recordsOf(records, 'account').map(({ fact, exchange }) => [fact.id, exchange]));
  for (const { exchange, fact } of recordsOf(records, 'other-application')) {
    const clause = clauseOf[fact.operation];
    const other = applications.get(fact.answered) ?? accounts.get(fact.answered);
    if (clause === undefined || other === undefined || !applications.has(fact.asked)) continue;
    const entity = applications.has(fact.answered) ? 'another application' : 'an account';
    results.break({
      clause,
      operation: fact.operation,
      pointer: '/data/application_id',
      expected: `"${fact.asked}", the application that was asked about`,
      received: `"${fact.answered}", ${entity} of this run`,
      exchange,
      contrast: other,
    });
  }
}

/** What may have changed an application. */
export function changeFacts(
  { operation, request, ticks, ...exchange }: Exchange,
  outcome: Outcome,
): readonly Extract<LoanFact, { rule: 'changed' }>[] {
  if ((operation !== 'approveContract' && operation !== 'disburse') || isRejection({ outcome })) return [];
  const at = ticks?.[1] ?? exchange.startedAt + exchange.durationMs;
  return [{ rule: 'changed', application: idText(request.asked['application_id']), at }];
}

/** An outcome that was given is found again, unless the application may have changed meanwhile. */
function outcomesStay(results: ResultCollector, records: readonly FactRecord[]): void {
  const clause = 'loans.outcome.found-again';
  const changed = recordsOf(records, 'changed');
  const missing = recordsOf(records, 'outcome-missing');
  for (const [application, outcomes] of groupBy(recordsOf(records, 'outcome'), ({ fact }) => fact.application)) {
    const [first] = outcomes.toSorted((one, other) => one.fact.at - other.fact.at);
    if (first === undefined) continue;
    results.exercise(clause, 'queryDisbursement', outcomes.length, first.exchange);
    const [gone, ...more] = missing.filter(
      ({ fact }) =>
        fact.application === application &&
        fact.from > first.fact.at &&
        !changed.some((one) => one.fact.application === application && one.fact.at > first.fact.from),
    );
    if (gone === undefined) continue;
    results.break({
      clause,
      operation: 'queryDisbursement',
      pointer: 'response/status',
      expected: 'the outcome that was given before',
      received: 'a refusal',
      exchange: gone.exchange,
      contrast: first.exchange,
      count: 1 + more.length,
    });
  }
}

/** Errors stand beside data once there was a disbursement; before that they are a refusal with the status of a success. */
function errorsBesideData(results: ResultCollector, records: readonly FactRecord[]): void {
  const disbursed = recordsOf(records, 'disbursed');
  for (const { exchange, fact } of recordsOf(records, 'outcome-without-data')) {
    const made = disbursed.find((one) => one.fact.application === fact.application && one.fact.at < fact.from);
    const received = 'errors, and no data';
    const broken =
      made === undefined
        ? { pointer: 'response/status', expected: 'a status of 4xx for a refusal', kind: 'disguised' }
        : { pointer: '/data', expected: 'a field that is there', kind: 'missing', contrast: made.exchange };
    const clause = made === undefined ? 'service.refusal-status' : 'loans.outcome.data';
    results.break({ clause, operation: 'queryDisbursement', received, exchange, ...broken });
  }
}

/** Queries that a disbursement has to miss its outcome at, and disbursements that have to. */
const MIN_MISSES = 2;
const MIN_LOST = 2;
/** What may differ in two disbursements that are alike: ids, and whose customer asked. */
const apart = new Set(['application_id', 'account_id', 'customer_ip']);

/**
 * A disbursement that was taken on is found. One is lost where a like one before it was found, and so was one of no lesser
 * amount behind it, before it was asked for last: neither its values nor a share of the day that is used up, nor the time that
 * has passed, tells them apart.
 */
function disbursementsAreFound(results: ResultCollector, records: readonly FactRecord[]): void {
  const taken = recordsOf(records, 'answer').filter(({ fact }) => fact.operation === 'disburse' && isAnswered(fact));
  const answers = new Map(taken.map(({ fact, exchange }) => [exchange, fact.asked]));
  const outcomes = groupBy(recordsOf(records, 'outcome'), ({ fact }) => fact.application);
  const missed = groupBy(recordsOf(records, 'outcome-missing'), ({ fact }) => fact.application);
  const made = recordsOf(records, 'disbursed').flatMap(({ fact, exchange }) => {
    const asked = answers.get(exchange);
    if (asked === undefined) return [];
    const like = Object.entries(asked).filter(([name]) => !apart.has(name));
    return [{ ...fact, amount: Number(asked['amount']), like: JSON.stringify(like.sort()) }];
  });
  const found = made.filter(({ application }) => outcomes.has(application));
  const lost = made.flatMap((one) => {
    const misses = missed.get(one.application) ?? [];
    const last = misses.toSorted((a, b) => a.fact.from - b.fact.from).at(-1);
    if (last === undefined || misses.length < MIN_MISSES || outcomes.has(one.application)) return [];
    const like = found.find((other) => other.at < one.at && other.like === one.like);
    const behind = found.some(
      (other) =>
        other.at > one.at &&
        other.amount >= one.amount &&
        outcomes.get(other.application)?.some(({ fact }) => fact.at < last.fact.from),
    );
    return like === undefined || !behind ? [] : [{ last, like }];
  });
  const [first] = lost;
  if (first === undefined || lost.length < MIN_LOST) return;
  results.break({
    clause: 'loans.outcome.reached',
    operation: 'queryDisbursement',
    pointer: 'response/status',
    kind: 'behaviour',
    expected: 'the outcome of a disbursement that was taken on, as of one before it with the same values',
    received: 'a refusal',
    exchange: first.last.exchange,
    contrast: outcomes.get(first.like.application)?.[0]?.exchange ?? first.last.exchange,
    count: lost.length,
  });
}

function sameReferences(results: ResultCollector, records: readonly FactRecord[]): void {
  const clause = 'loans.offer.account.same-reference';
  for (const seen of groupBy(recordsOf(records, 'account'), ({ fact }) => fact.id).values()) {
    const [first] = seen;
    if (first === undefined || seen.length < 2) continue;
    results.exercise(clause, 'requestLoan', seen.length - 1, first.exchange);
    const [other, ...more] = seen.filter(({ fact }) => fact.reference !== first.fact.reference);
    if (other === undefined) continue;
    results.break({
      clause,
      operation: 'requestLoan',
      pointer: '/data/infos/*/account',
      expected: 'one reference for one account',
      received: 'another reference than before',
      exchange: other.exchange,
      contrast: first.exchange,
      count: 1 + more.length,
    });
  }
}

/** Accounts on which it has to show: of one alone, rates may be what they are by chance. */
const MIN_ACCOUNTS = 2;
/** How many hundredths a percentage is. */
const PERCENT = 100;
/** Rates have five decimals. */
const HALF_DIGIT = 0.000_005;

type Rates = readonly [interest: number, commission: number];

/** How the rates of one answer stand to those of another that gave the same account; null where it may be as it is. */
function confusionOf([interest, commission]: Rates, [otherInterest, otherCommission]: Rates): string | null {
  if (interest !== commission && interest === otherCommission && commission === otherInterest)
    return 'the rates of interest and commission, exchanged';
  const isHundredfold = (a: number, b: number): boolean =>
    a > 0 && b > 0 && Math.abs(Math.max(a, b) - PERCENT * Math.min(a, b)) <= PERCENT * HALF_DIGIT;
  return isHundredfold(interest, otherInterest) || isHundredfold(commission, otherCommission)
    ? 'a hundred times the rate, or a hundredth of it'
    : null;
}

/** Rates that are exchanged, or given as fractions and as percentages, on several accounts. */
function ratesStay(results: ResultCollector, records: readonly FactRecord[]): void {
  const clause = 'loans.offer.rates-stay';
  const accounts = groupBy(
    recordsOf(records, 'account').filter(({ fact }) => fact.rates !== null),
    ({ fact }) => fact.id,
  );
  const confused = [...accounts.values()].flatMap((seen) => {
    const [first] = seen;
    if (first === undefined || seen.length < 2) return [];
    results.exercise(clause, 'requestLoan', seen.length - 1, first.exchange);
    for (const other of seen) {
      const what = confusionOf(first.fact.rates as Rates, other.fact.rates as Rates);
      if (what !== null) return [{ first, other, what }];
    }
    return [];
  });
  const [one] = confused;
  if (one === undefined || new Set(confused.map(({ first }) => String(first.fact.rates))).size < MIN_ACCOUNTS) return;
  results.break({
    clause,
    operation: 'requestLoan',
    pointer: '/data/infos/*',
    expected: 'rates in the columns and the unit of another answer on the same account',
    received: one.what,
    exchange: one.other.exchange,
    contrast: one.first.exchange,
    count: confused.length,
  });
}

export function evaluateBelonging(records: readonly FactRecord[]): RunRuleResult {
  const results = new ResultCollector();
  answersOfOthers(results, records);
  outcomesStay(results, records);
  errorsBesideData(results, records);
  disbursementsAreFound(results, records);
  sameReferences(results, records);
  ratesStay(results, records);
  return results.result();
}
