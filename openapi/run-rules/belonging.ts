/** Answers belong to their question: ids, accounts and outcomes of a run are those of the application that was asked about. */
import type { Broken, Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../clauses/areas.ts';
import type { Exchange } from '../model/exchange.ts';
import type { LoanFact } from '../model/facts.ts';
import { isAnswered, isRejection, type Outcome } from '../model/outcome.ts';
import { entriesOf, member } from '../rules/entries.ts';
import { groupBy } from '../util/group-by.ts';
import { digest } from '../util/hash.ts';
import { idText, sameId } from '../util/ids.ts';
import { contradictions } from './notes.ts';

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
const answersOfOthers = Object.entries(clauseOf).map(([operation, clause]): Check => ({
  clause,
  operation: operation as OperationId,
  *of({ notes }) {
    const applications = new Map(notes('application').map((one) => [one.fact.id, one]));
    const accounts = new Map(notes('account').map((one) => [one.fact.id, one]));
    for (const by of notes('other-application')) {
      const { asked, answered } = by.fact;
      const contrast = applications.get(answered) ?? accounts.get(answered);
      if (by.fact.operation !== operation || contrast === undefined || !applications.has(asked)) continue;
      yield {
        by,
        contrast,
        pointer: '/data/application_id',
        kind: 'run',
        expected: `"${asked}", the application that was asked about`,
        received: `"${answered}", ${applications.has(answered) ? 'another application' : 'an account'} of this run`,
      };
    }
  },
}));

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
const outcomesStay: Check = {
  clause: 'loans.outcome.found-again',
  operation: 'queryDisbursement',
  unit: 'comparisons',
  *of({ notes }, tested) {
    for (const [application, outcomes] of groupBy(notes('outcome'), ({ fact }) => fact.application)) {
      const [first] = outcomes.toSorted((one, other) => one.fact.at - other.fact.at);
      if (first === undefined) continue;
      tested(first, { count: outcomes.length });
      const isOf = ({ fact }: { readonly fact: { readonly application: string } }): boolean =>
        fact.application === application;
      if (notes('changed').some((one) => isOf(one) && one.fact.at > first.fact.from)) continue;
      const [by, ...more] = notes('outcome-missing').filter((one) => isOf(one) && one.fact.from > first.fact.at);
      if (by === undefined) continue;
      const said = { expected: 'the outcome that was given before', received: 'a refusal' };
      yield { by, contrast: first, ...said, count: 1 + more.length };
    }
  },
};

/** Errors stand beside data once there was a disbursement; before that they are a refusal with the status of a success. */
const errorsBesideData = (isMade: boolean): Check => ({
  clause: isMade ? 'loans.outcome.data' : 'service.refusal-status',
  operation: 'queryDisbursement',
  *of({ notes }) {
    for (const by of notes('outcome-without-data')) {
      const { application, from } = by.fact;
      const contrast = notes('disbursed').find(({ fact }) => fact.application === application && fact.at < from);
      if ((contrast !== undefined) !== isMade) continue;
      const broken = isMade
        ? { pointer: '/data', expected: 'a field that is there', kind: 'missing', contrast }
        : { expected: 'a status of 4xx for a refusal', kind: 'disguised' };
      yield { by, ...broken, received: 'errors, and no data' };
    }
  },
});

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
const disbursementsAreFound: Check = {
  clause: 'loans.outcome.reached',
  operation: 'queryDisbursement',
  *of({ notes }) {
    const taken = notes('answer').filter(({ fact }) => fact.operation === 'disburse' && isAnswered(fact));
    const answers = new Map(taken.map(({ fact, exchange }) => [exchange, fact.asked]));
    const outcomes = groupBy(notes('outcome'), ({ fact }) => fact.application);
    const missed = groupBy(notes('outcome-missing'), ({ fact }) => fact.application);
    const made = notes('disbursed').flatMap(({ fact, exchange }) => {
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
    yield {
      by: first.last,
      contrast: outcomes.get(first.like.application)?.[0] ?? first.last,
      expected: 'the outcome of a disbursement that was taken on, as of one before it with the same values',
      received: 'a refusal',
      count: lost.length,
    };
  },
};

const sameReferences: Check = {
  clause: 'loans.offer.account.same-reference',
  operation: 'requestLoan',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const seen = contradictions(
      notes('account'),
      ({ fact }) => fact.id,
      (one, other) => one.fact.reference === other.fact.reference,
    );
    for (const { first, others, contradicting } of seen) {
      tested(first, { count: others.length });
      const [by] = contradicting;
      if (by === undefined) continue;
      const said = { expected: 'one reference for one account', received: 'another reference than before' };
      yield { by, contrast: first, pointer: '/data/infos/*/account', ...said, count: contradicting.length };
    }
  },
};

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
const ratesStay: Check = {
  clause: 'loans.offer.rates-stay',
  operation: 'requestLoan',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const rated = notes('account').flatMap(({ exchange, fact: { id, rates } }) =>
      rates === null ? [] : [{ exchange, id, rates }],
    );
    const confused: Broken[] = [];
    const rates = new Set<string>();
    for (const { first, others, contradicting } of contradictions(
      rated,
      ({ id }) => id,
      (one, other) => confusionOf(one.rates, other.rates) === null,
    )) {
      tested(first, { count: others.length });
      const [by] = contradicting;
      if (by === undefined) continue;
      rates.add(String(first.rates));
      const received = String(confusionOf(first.rates, by.rates));
      const expected = 'rates in the columns and the unit of another answer on the same account';
      confused.push({ by, contrast: first, pointer: '/data/infos/*', expected, received });
    }
    const [one] = confused;
    if (one !== undefined && rates.size >= MIN_ACCOUNTS) yield { ...one, count: confused.length };
  },
};

export const belongingChecks: readonly Check[] = [
  ...answersOfOthers,
  outcomesStay,
  errorsBesideData(true),
  errorsBesideData(false),
  disbursementsAreFound,
  sameReferences,
  ratesStay,
];
