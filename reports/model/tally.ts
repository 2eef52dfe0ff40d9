/** What one walk over the journal counts. */
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Asked, OperationId } from '../../openapi/model/exchange.ts';
import type { Classification, ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Created, Line, RequestOrigin } from './contents.ts';
import type { ScenarioReport, SuiteError } from './report.ts';

/** How often something was put to the test, and the first exchange that did it. */
export interface Exercise {
  count: number;
  readonly exchange: string;
  /** Of a clause: the entries of arrays in these answers, by the pointer of the entries. */
  readonly entries: Map<string, number>;
}

/** A documented request that succeeded; flows are made of these. */
export interface FlowStep {
  readonly id: string;
  readonly operation: OperationId;
  readonly asked: Asked;
  readonly startedAt: string;
  /** Of an application: the id that the bank gave it. */
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
  /** Values that broke it; of a rule over the run, comparisons. */
  count: number;
  /** Exchanges that showed it. */
  readonly answers: Set<string>;
}

interface ObservationTally {
  readonly point: string;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** By the words of the answer; the answer as data, and the control request of the first probe that brought it. */
  readonly answers: Map<string, Exercise & { readonly answer: ObservedAnswer; control: string | null }>;
}

/** Nothing counted yet. */
export const emptyTallies = () => ({
  operations: new Map<OperationId, OperationTally>(),
  /** By clause, then by operation. */
  exercised: new Map<string, Map<OperationId, Exercise>>(),
  /** By the key of the finding. */
  breaks: new Map<string, ViolationTally>(),
  classifications: new Map<string, Classification>(),
  /** By place. */
  counterexamples: new Map<string, Line<'counterexample'>>(),
  observations: new Map<string, ObservationTally>(),
  /** Why a clause was not tested, by clause. */
  whys: new Map<string, Set<string>>(),
  /** Clauses that one answer left undecided: no other answer can show that they are kept. */
  undecided: new Set<string>(),
  /** What was looked at in part: answers, entries that were judged or compared, and entries that the answers had. */
  shares: { judged: { answers: 0, seen: 0, of: 0 }, compared: { answers: 0, seen: 0, of: 0 } },
  created: [] as Created[],
  scenarios: [] as ScenarioReport[],
  errors: [] as SuiteError[],
  /** The exchanges that the report shows. */
  records: new Map<string, ExchangeRecord>(),
  /** About how many characters each exchange takes. */
  sizes: new Map<string, number>(),
  steps: [] as FlowStep[],
  /** The clauses that the judge tested, and the breaks that it found, by exchange. */
  exercisedBy: new Map<string, readonly ClauseId[]>(),
  judgedBreaks: new Map<string, Violation[]>(),
  /** How often an installment was offered, and used in a link: by currency, then by installment. */
  covers: new Map<string, Map<number, { offered: number; links: number }>>(),
  /** The first exchange of each operation, kind, status and outcome. */
  firsts: new Set<string>(),
  requests: 0,
  /** The last record of each run: each shard is one. */
  concurrency: new Map<string, Line<'concurrency'>>(),
  /** Why the run ended early, or null. */
  interrupted: null as string | null,
});

export type RunTallies = ReturnType<typeof emptyTallies>;
