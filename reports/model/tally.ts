/** What one walk over the journal counts. */
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Asked, OperationId } from '../../openapi/model/exchange.ts';
import type { Classification, Counterexample, ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Created, ScenarioReport, SuiteError } from './report.ts';
import type { RequestOrigin } from './view-model.ts';

/** How often something was put to the test, and the first exchange that did it. */
export interface Exercise {
  count: number;
  readonly exchange: string;
  /** Of a clause: the entries of arrays in these answers, by the pointer of the entries. */
  readonly entries: Map<string, number>;
}

/** A documented request that succeeded, as far as the flow that it is a step of can be found. */
export interface FlowStep {
  readonly id: string;
  readonly operation: OperationId;
  readonly asked: Asked;
  readonly startedAt: string;
  /** Of an application: the id that it was given. */
  readonly application: unknown;
}

export interface OperationTally {
  positives: number;
  probes: number;
  unanswered: number;
  readonly outcomes: Map<Outcome, number>;
  readonly statuses: Map<number, number>;
  readonly latencies: number[];
  /** How it was asked: how often, and an exchange that shows it. */
  readonly ways: Map<RequestOrigin, Exercise>;
}

/** How often an installment was offered in a currency, and how often a link was made with it. */
export interface CoverTally {
  offered: number;
  links: number;
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
  /** The answers, by their words. */
  readonly answers: Map<string, Exercise>;
  /** The same as data, and the control request of the first probe that brought it. */
  readonly details: Map<string, { readonly answer: ObservedAnswer; control: string | null }>;
}

export interface RunTallies {
  readonly operations: Map<OperationId, OperationTally>;
  /** By clause, then by operation. */
  readonly exercised: Map<string, Map<OperationId, Exercise>>;
  readonly breaks: Map<string, ViolationTally>;
  readonly counterexamples: Map<string, { counterexample: Counterexample; replay: string }>;
  readonly observations: Map<string, ObservationTally>;
  readonly whys: Map<string, Set<string>>;
  /** Clauses of which no answer can show that they are kept, as one of them could not be decided. */
  readonly undecided: Set<string>;
  /** What was looked at in part: answers, entries that were judged or compared, and entries that they had. */
  readonly shares: Record<'judged' | 'compared', { answers: number; seen: number; of: number }>;
  readonly created: Created[];
  readonly scenarios: ScenarioReport[];
  readonly errors: SuiteError[];
  /** The exchanges that the report shows. */
  readonly records: Map<string, ExchangeRecord>;
  /** About how many characters each exchange takes. */
  readonly sizes: Map<string, number>;
  readonly steps: FlowStep[];
  /** The clauses that the judge tested, by exchange. */
  readonly exercisedBy: Map<string, readonly ClauseId[]>;
  /** The breaks that the judge found, by exchange. */
  readonly judgedBreaks: Map<string, Violation[]>;
  /** By currency, then by installment value. */
  readonly covers: Map<string, Map<number, CoverTally>>;
  /** The first exchange of each operation, kind, status and outcome. */
  readonly firsts: Set<string>;
  requests: number;
  /** What was found out last of concurrency, by run: each shard is one. */
  readonly concurrency: Map<string, Extract<JournalLine, { line: 'concurrency' }>>;
  /** Why the run ended early, or null. */
  interrupted: string | null;
  /** How findings behaved when they were asked again, by the key of `breaks`. */
  readonly classifications: Map<string, Classification>;
}

/** Nothing counted yet. */
export function emptyTallies(): RunTallies {
  return {
    operations: new Map(),
    exercised: new Map(),
    breaks: new Map(),
    counterexamples: new Map(),
    observations: new Map(),
    whys: new Map(),
    undecided: new Set(),
    shares: { judged: { answers: 0, seen: 0, of: 0 }, compared: { answers: 0, seen: 0, of: 0 } },
    created: [],
    scenarios: [],
    errors: [],
    records: new Map(),
    sizes: new Map(),
    steps: [],
    exercisedBy: new Map(),
    judgedBreaks: new Map(),
    covers: new Map(),
    firsts: new Set(),
    requests: 0,
    concurrency: new Map(),
    interrupted: null,
    classifications: new Map(),
  };
}
