/** What one walk over the journal counts. */
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Violation, Outcome } from '../../openapi/model/finding.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';
import type { Classification, Counterexample, ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Created, ScenarioReport, SuiteError } from './report.ts';
import type { RequestOrigin } from './view-model.ts';

/** How often something was put to the test, and one exchange that did it, at best one that is kept as evidence. */
export interface Exercise {
  count: number;
  exchange: string;
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

/** What the judge said of one exchange. */
export interface RecordedJudgement {
  readonly outcome: Outcome;
  readonly way: RequestOrigin;
  /** The clauses that it exercised. */
  readonly clauses: readonly string[];
}

/** How often an installment was offered in a currency, and how often a link was made with it. */
export interface CoverTally {
  offered: number;
  links: number;
}

/** All breaks of one kind at one place. */
export interface ViolationTally {
  first: Violation;
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
  /** Entries of arrays in the answers that put a clause to the test, by `placeKey` with the pointer of the entries. */
  readonly entries: Map<string, number>;
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
  readonly records: Map<string, ExchangeRecord>;
  /** What the judge said of the exchanges, by id. */
  readonly judged: Map<string, RecordedJudgement>;
  /** The breaks that the judge found, by exchange; only of those that are kept. */
  readonly judgedBreaks: Map<string, Violation[]>;
  /** By currency, then by installment value. */
  readonly covers: Map<string, Map<number, CoverTally>>;
  /** The first record of each operation, kind, status and outcome. */
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
    entries: new Map(),
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
    judged: new Map(),
    judgedBreaks: new Map(),
    covers: new Map(),
    firsts: new Set(),
    requests: 0,
    concurrency: new Map(),
    interrupted: null,
    classifications: new Map(),
  };
}
