/**
 * Clauses over several exchanges. The judge notes facts, exchange by exchange; they are settled once, when the run is
 * folded, so that it makes no difference how the exchanges were spread over tests, workers and machines.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange, OperationId } from '../model/exchange.ts';
import type { Violation } from '../model/journal.ts';
import type { Outcome } from '../judge.ts';
import { infer } from '../inference/index.ts';
import { evaluateExpiry } from '../inference/expiry.ts';
import { evaluateStatuses, statusesOf } from './statuses.ts';
import { evaluateAtms, type AtmFact } from './atms.ts';
import { listFacts, evaluateLists, type ListFact } from './lists.ts';
import { evaluateAnswers, type AnswerFact } from './answers.ts';
import { evaluateLoans, type LoanFact } from './loans.ts';
import { evaluateLinks, type HighestFact, type LinkFact, type PaymentFact } from './payment-links.ts';
import { atmFacts } from './atms.ts';
import { answerFacts } from './answers.ts';
import { loanFacts } from './loans.ts';
import { linkFacts, paymentFacts } from './payment-links.ts';

/** What one exchange contributes to a clause over several. Holds no secret and no payment token. */
export type Fact = AnswerFact | LoanFact | LinkFact | PaymentFact | HighestFact | AtmFact | ListFact;

export interface FactRecord<F extends Fact = Fact> {
  /** The exchange that showed the fact. */
  readonly exchange: string;
  readonly fact: F;
}

/** What the exchanges of a run show together about a point that the document leaves open. */
export interface Inference {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly value: string;
  readonly about?: string;
  /** On how many exchanges it rests. */
  readonly count: number;
  /** Some of them. */
  readonly exchanges: readonly string[];
}

export interface RunRuleResult {
  readonly exercised: readonly {
    readonly clause: ClauseId;
    readonly operation: OperationId;
    readonly count: number;
    readonly exchange: string;
  }[];
  readonly broken: readonly Violation[];
}

/** A settlement with what the run shows about open points. */
export interface RunResult extends RunRuleResult {
  readonly observed: readonly Inference[];
}

/** The facts of an exchange; of a probe only that it may have been a payment. `body` is its readable 2xx body, else undefined. */
export function factsOf(exchange: Exchange, outcome: Outcome, body: unknown): readonly Fact[] {
  const paid = paymentFacts(exchange, outcome);
  if (exchange.kind === 'probe') return paid;
  const told = outcome === 'succeeded';
  const data = told ? (body as { data?: unknown }).data : undefined;
  return [
    ...paid,
    ...answerFacts(exchange, outcome, body),
    ...(told ? loanFacts(exchange, data, body) : []),
    ...(told ? linkFacts(exchange, data) : []),
    ...(told ? atmFacts(exchange, data) : []),
    ...(told ? listFacts(exchange, data) : []),
  ];
}

/** Settles the facts of a run. */
export function evaluate(sightings: readonly FactRecord[]): RunResult {
  const statuses = statusesOf(sightings);
  const parts = [
    evaluateAnswers(sightings),
    evaluateStatuses(statuses),
    evaluateLoans(sightings),
    evaluateLinks(sightings),
    evaluateExpiry(sightings),
    evaluateAtms(sightings),
    evaluateLists(sightings),
  ];
  return {
    exercised: parts.flatMap((part) => part.exercised),
    broken: parts.flatMap((part) => part.broken),
    observed: infer(sightings, statuses),
  };
}
