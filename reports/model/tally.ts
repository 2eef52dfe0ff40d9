/** The counts from reading the journal once. */
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Asked, OperationId } from '../../openapi/model/exchange.ts';
import type { Classification, ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Created, Line, RequestOrigin } from './contents.ts';
import type { ScenarioReport, SuiteError } from './report.ts';

/** How often something was exercised, and the first exchange that did so. */
export interface Exercise {
  count: number;
  readonly exchange: string;
  /** For a clause: the number of array entries in these answers, by the pointer of the entries. */
  readonly entries: Map<string, number>;
}

/** A documented request that succeeded. Flows consist of such steps. */
export interface FlowStep {
  readonly id: string;
  readonly operation: OperationId;
  readonly asked: Asked;
  readonly startedAt: string;
  /** The id that the bank gave an application. */
  readonly application: unknown;
}

export interface OperationTally {
  positives: number;
  probes: number;
  unanswered: number;
  readonly outcomes: Map<Outcome, number>;
  readonly statuses: Map<number, number>;
  readonly latencies: number[];
  readonly ways: Map<RequestOrigin, Exercise>;
}

/** All breaks of one kind at one place. */
export interface ViolationTally {
  readonly first: Violation;
  /** The number of values that broke the clause, or of comparisons for a rule over the run. */
  count: number;
  /** The exchanges that showed the break. */
  readonly answers: Set<string>;
  /** Received values by their form. */
  readonly forms: Map<string, ReceivedTally>;
}

/** What came in one form: the first such value, and where it came. */
export interface ReceivedTally {
  readonly first: Violation;
  count: number;
  readonly answers: Set<string>;
}

/** The input that holds the JSON type of an order id. */
export const TYPE_OF_ORDER_ID = 'JSON type of order_id';

/** A positive request for the comparison with others. */
interface PositiveRequest {
  readonly operation: OperationId;
  readonly outcome: Outcome;
  readonly inputs: Asked;
}

interface ObservationTally {
  readonly point: string;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** By the words of the answer: the answer as data, and the control of the first probe that got this answer. */
  readonly answers: Map<string, Exercise & { readonly answer: ObservedAnswer; control: string | null }>;
}

/** Makes tallies without any counts. */
export const makeEmptyTallies = () => ({
  operations: new Map<OperationId, OperationTally>(),
  /** Exercises by clause, then by operation. */
  exercised: new Map<string, Map<OperationId, Exercise>>(),
  /** Violations by the key of their finding. */
  breaks: new Map<string, ViolationTally>(),
  classifications: new Map<string, Classification>(),
  /** Failed cases by place. */
  counterexamples: new Map<string, Line<'counterexample'>>(),
  observations: new Map<string, ObservationTally>(),
  /** Why a clause was not tested, by clause. */
  whys: new Map<string, Set<string>>(),
  /** Clauses that one answer left undecided. Then no other answer can show that they are kept. */
  undecided: new Set<string>(),
  /** Answers that were judged or compared in part: their number, the entries seen, and all entries. */
  shares: { judged: { answers: 0, seen: 0, of: 0 }, compared: { answers: 0, seen: 0, of: 0 } },
  created: [] as Created[],
  scenarios: [] as ScenarioReport[],
  errors: [] as SuiteError[],
  /** The exchanges that the report shows. */
  records: new Map<string, ExchangeRecord>(),
  /** The approximate number of characters of each exchange. */
  sizes: new Map<string, number>(),
  steps: [] as FlowStep[],
  /** The positive requests, by exchange. */
  positives: new Map<string, PositiveRequest>(),
  /** By exchange: the clauses that the judge exercised, and the breaks that it found. */
  exercisedBy: new Map<string, readonly ClauseId[]>(),
  judgedBreaks: new Map<string, Violation[]>(),
  /** How often an installment was offered, and used in a link: by currency, then by installment. */
  covers: new Map<string, Map<number, { offered: number; links: number }>>(),
  /** The first exchange of each operation, kind, status and outcome. */
  firsts: new Set<string>(),
  requests: 0,
  /** The last record of each run. Each shard is one run. */
  concurrency: new Map<string, Line<'concurrency'>>(),
  /** Why the run ended early, or null. */
  interrupted: null as string | null,
});

export type RunTallies = ReturnType<typeof makeEmptyTallies>;
