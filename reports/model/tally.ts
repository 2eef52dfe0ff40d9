/** All counts from reading the journal once. */
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Asked, OperationId } from '../../openapi/model/exchange.ts';
import type { Classification, ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Created, Line, RequestOrigin } from './contents.ts';
import type { ScenarioReport, SuiteError } from './report.ts';

/** How often something was tested, and the first exchange that tested it. */
export interface Exercise {
  count: number;
  readonly exchange: string;
  /** For a clause: the number of array entries in these answers, by the pointer to the entries. */
  readonly entries: Map<string, number>;
}

/** A successful documented request. Flows consist of such requests. */
export interface FlowStep {
  readonly id: string;
  readonly operation: OperationId;
  readonly asked: Asked;
  readonly startedAt: string;
  readonly application: unknown;
}

export interface OperationTally {
  positives: number;
  probes: number;
  unanswered: number;
  /** Documented requests whose failure would be one of the bank, and those of them without an answer or with 502, 503 or 504. */
  countable: number;
  unserved: number;
  readonly outcomes: Map<Outcome, number>;
  readonly statuses: Map<number, number>;
  /** The answers to documented requests: a status, or `no answer`. */
  readonly answers: Map<string, number>;
  readonly latencies: number[];
  readonly ways: Map<RequestOrigin, Exercise>;
}

export interface ViolationTally {
  readonly first: Violation;
  /** The number of values that broke the clause, or of comparisons for a check over several exchanges. */
  count: number;
  readonly answers: Set<string>;
  /** What the comparisons expected, if it differs: each may have sent another wrong credential. */
  readonly expected: Set<string>;
  readonly forms: Map<string, ReceivedTally>;
}

export interface ReceivedTally {
  readonly first: Violation;
  count: number;
  readonly answers: Set<string>;
}

/** The name of an input that contains the JSON type of order_id. */
export const TYPE_OF_ORDER_ID = 'JSON type of order_id';

interface PositiveRequest {
  readonly operation: OperationId;
  readonly outcome: Outcome;
  readonly inputs: Asked;
}

interface ObservationTally {
  readonly point: string;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** For each text of an answer: the answer as data, and the control of the first probe with this answer. */
  readonly answers: Map<string, Exercise & { readonly answer: ObservedAnswer; control: string | null }>;
}

export const makeEmptyTallies = () => ({
  operations: new Map<OperationId, OperationTally>(),
  exercised: new Map<string, Map<OperationId, Exercise>>(),
  breaks: new Map<string, ViolationTally>(),
  classifications: new Map<string, Classification>(),
  counterexamples: new Map<string, Line<'counterexample'>>(),
  observations: new Map<string, ObservationTally>(),
  whys: new Map<string, Set<string>>(),
  /** Why the evidence of a clause did not test it. */
  untested: new Map<string, Set<string>>(),
  /** Clauses without a result because of one answer. No other answer can then show that the bank keeps them. */
  undecided: new Set<string>(),
  /** Answers that were judged or compared only in part: how many, how many entries were seen, and how many there were. */
  shares: { judged: { answers: 0, seen: 0, of: 0 }, compared: { answers: 0, seen: 0, of: 0 } },
  created: [] as Created[],
  scenarios: [] as ScenarioReport[],
  errors: [] as SuiteError[],
  records: new Map<string, ExchangeRecord>(),
  sizes: new Map<string, number>(),
  steps: [] as FlowStep[],
  positives: new Map<string, PositiveRequest>(),
  /** For each exchange: the clauses that it tested, and its violations. */
  exercisedBy: new Map<string, readonly ClauseId[]>(),
  judgedBreaks: new Map<string, Violation[]>(),
  firsts: new Set<string>(),
  requests: 0,
  /** How far the clock of the bank is ahead, in milliseconds: the smallest difference of all answers. */
  clockOffsetMs: null as number | null,
  /** The last record of each run. Each shard is one run. */
  concurrency: new Map<string, Line<'concurrency'>>(),
  interrupted: null as string | null,
});

export type RunTallies = ReturnType<typeof makeEmptyTallies>;
