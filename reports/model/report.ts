/**
 * The report document: the content of `conformance.json`. Page, JUnit, terminal and all other files are renderings of this document.
 * Its published form is `conformance.schema.json`. A test checks that both agree.
 */
import type { Clause, ClauseClass, Level } from '../../openapi/clauses/clause.ts';
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Classification, ConcurrencyRecord, Counterexample, ExchangeRecord } from '../../openapi/model/journal.ts';
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type {
  ComparisonResult,
  Cover,
  CreatedResources,
  Flow,
  KnownEntry,
  Line,
  RecordingReport,
  RequestOrigin,
} from './contents.ts';

/** The name of the format. A change that breaks readers raises the number. */
export const REPORT_FORMAT = 'bank-open-api-conformance/2';

/** The verdict on the target as a whole. */
export type RunVerdict = 'conformant' | 'non-conformant' | 'inconclusive';

export type ClauseVerdict = 'pass' | 'fail' | 'warning' | 'inconclusive' | 'not-applicable' | 'observed';

/** 0: passed, 1: findings, 2: inconclusive or wrong configuration, 3: the suite failed. */
export type ExitStatus = 0 | 1 | 2 | 3;

export interface Gate {
  readonly pass: boolean;
  readonly exitStatus: ExitStatus;
  readonly reasons: readonly string[];
}

export interface Suite {
  readonly version: string;
  readonly digest: string;
  readonly contractDigest: string;
  readonly seed: number;
  /** Cases per property. */
  readonly runs: number;
  /** True if warnings fail the gate. */
  readonly strict: boolean;
  /** Classes of warnings that fail the gate without `strict`. */
  readonly failOn?: readonly ClauseClass[];
  readonly requirements?: RequirementFacts;
  /** The variables of the user that decide which requests are sent, without secrets. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A file in the user's repository, relative to its root: code scanning shows the findings there. */
  readonly repositoryFile?: string;
  /** Variables whose secrets were masked only if they were a complete value. */
  readonly weakSecrets?: readonly string[];
  /** The overlay that changed the contract before the run. */
  readonly overlay?: {
    readonly title: string;
    /** SHA-256 of the overlay, and of the contract with the overlay applied. */
    readonly digest: string;
    readonly contractDigest: string;
    readonly actions: number;
  };
}

export interface RequirementFacts {
  readonly set: string;
  /** SHA-256 of the clauses of the set, their levels and their statements. */
  readonly digest: string;
  /** False for a draft. */
  readonly frozen: boolean;
}

export interface Target {
  readonly name: string | null;
  readonly build: string | null;
  /** SHA-256 of the build, if the user knows it. */
  readonly digest?: string;
  readonly baseUrl: string;
  /** True for the reference bank that comes with the suite. */
  readonly embedded: boolean;
  readonly areas: readonly Area[];
  /** The judged operations, if only some operations of these areas were judged. */
  readonly operations?: readonly OperationId[];
  /** True if only the operations were judged that GET requests alone reach. */
  readonly readOnly?: true;
}

export interface OperationReport {
  readonly id: OperationId;
  readonly area: Area;
  readonly method: string;
  /** The path template with its full prefix. */
  readonly path: string;
  readonly requests: number;
  readonly positives: number;
  readonly probes: number;
  /** Positive requests with an answer as documented. */
  readonly successes: number;
  /** The outcomes of its positive requests. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** The number of requests without an answer that can be judged. */
  readonly unanswered: number;
  /** The origins of its requests, each with an exchange that is kept as evidence, or null. */
  readonly ways: Readonly<Record<RequestOrigin, { readonly requests: number; readonly exchange: string | null }>>;
  /** The latencies at evenly spaced ranks, rising: 101 at most. */
  readonly spread: readonly number[];
  /** Latencies of the answered requests; null if there were none. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly max: number } | null;
}

export interface ClausePlace {
  /** `METHOD path-template`, or null if the clause is judged over several operations. */
  readonly operation: string | null;
  readonly pointers: readonly string[];
  readonly exercised: number;
  readonly broken: number;
  /** Documented requests without an answer or with a 5xx, if there were any. */
  readonly unanswered?: { readonly count: number; readonly requests: number };
}

/** A clause in the report. `class` says what a break endangers; older reports have no classes. */
export interface ClauseReport extends Pick<Clause, 'area' | 'level' | 'exercise' | 'statement' | 'source' | 'class'> {
  readonly id: string;
  /** The operation, if there is exactly one; `places` has all operations. */
  readonly operation: string | null;
  readonly pointer: string | null;
  /** True if the clause is not in the requirement set of the run. It is observed and does not count. */
  readonly outside?: true;
  readonly verdict: ClauseVerdict;
  /** The number of answers that exercised this clause, and how many of them broke it. */
  readonly exercised: number;
  readonly broken: number;
  /** Why the clause is inconclusive or not applicable, or null. */
  readonly why: string | null;
  /** An exchange that exercised the clause and is kept as evidence. */
  readonly exchange: string | null;
  readonly places: readonly ClausePlace[];
}

/** What came at the place of a finding, in one form. */
export interface ReceivedValue {
  /** The first such value, and the exchange that has it. */
  readonly value: string;
  readonly exchange: string;
  /** How often it came, and in how many answers, or `unit` of the finding. */
  readonly count: number;
  readonly answers: number;
  /** What the requests of these answers have in common, and no other request that tested the clause; part of a sentence. */
  readonly only?: string;
}

export interface Finding
  extends
    Pick<Clause, 'level' | 'statement' | 'source' | 'class'>,
    Pick<Violation, 'pointer' | 'instance' | 'kind' | 'expected' | 'received' | 'exchange' | 'unit'> {
  /** The id is stable over runs: clause, operation, pointer and kind. */
  readonly id: string;
  readonly clause: string;
  readonly verdict: 'fail' | 'warning';
  /** `METHOD path-template`. */
  readonly operation: string;
  /** The number of values that showed the finding. One answer may have many. */
  readonly count: number;
  /** The number of answers that showed the finding, or of `unit` for a rule over the run. */
  readonly answers: number;
  /** The number of answers, or of `unit`, that exercised the clause at this operation. */
  readonly exercised: number;
  /** The number of values that exercised the promise at this place, if answers have several. */
  readonly exercisedValues?: number;
  /** What came, by its form, the most frequent first. Two forms probably have two causes. */
  readonly values: readonly ReceivedValue[];
  /** What all requests that showed it have in common, and no other request that tested the clause; part of a sentence. */
  readonly only?: string;
  /** True if its exchange alone shows the finding. */
  readonly alone?: true;
  /** The id of the finding that this finding probably follows from. */
  readonly consequenceOf?: string;
  /** The nearest exchange that kept the clause. */
  readonly contrast: string | null;
  readonly curl: string | null;
  /** How the finding behaved when its request was repeated, or null if it was not repeated. */
  readonly classification: Classification | null;
  /** The value of REPLAY for this finding: scenarios, or one case of a property of a scenario. */
  readonly replay: string;
  readonly counterexample: Counterexample | null;
  /** Set for a tolerated finding, which does not fail the gate. */
  readonly known?: Pick<KnownEntry, 'reason' | 'owner' | 'expires'>;
}

export interface Observation {
  readonly point: string;
  readonly operation: string;
  /** How the question differs from other questions about the same point, in words. */
  readonly about: string | null;
  /** The answer in words. */
  readonly value: string;
  /** The question and the answer as data, if they are more than words. */
  readonly question?: Exclude<Question, string>;
  readonly answer?: Exclude<ObservedAnswer, string>;
  readonly count: number;
  /** False if the same question got different answers. */
  readonly consistent: boolean;
  /** The number of different answers to the question. Only the first are listed. */
  readonly distinct: number;
  readonly exchange: string;
  /** The control of a probe: the same request unmodified, accepted just before. */
  readonly control: string | null;
}

export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  /** The behaviour clauses that the scenario checked. */
  readonly proves: readonly string[];
  /** Null if the scenario did not finish. */
  readonly durationMs: number | null;
  /** Properties with fewer cases than RUNS says. */
  readonly cases?: readonly Omit<Line<'cases'>, 'line'>[];
}

/** A selected clause that was not tested. */
export interface NotExercised {
  readonly operations: readonly { readonly id: OperationId; readonly operation: string; readonly why: string }[];
  readonly clauses: readonly { readonly clause: string; readonly level: Level; readonly why: string }[];
}

/** A fault of the suite itself. */
export interface SuiteError {
  readonly scenario: string | null;
  readonly message: string;
}

export type LevelCounts = Readonly<Record<Level, Readonly<Record<ClauseVerdict, number>>>>;

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly verdict: RunVerdict;
  /** The verdict in words, with the areas if not all were judged. */
  readonly headline: string;
  readonly reasons: readonly string[];
  readonly gate: Gate;
  readonly suite: Suite;
  readonly target: Target;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** How many requests were in flight at the same time; left out if none was sent. */
  readonly concurrency?: ConcurrencyRecord;
  /** Why the run ended early, or null. */
  readonly interrupted: string | null;
  /** Faults of the configuration. With a fault, no request was sent. */
  readonly configuration: readonly string[];
  /** Clauses by level and verdict. */
  readonly counts: LevelCounts;
  /** Clauses of the class `security` with a warning. */
  readonly securityWarnings: number;
  readonly notExercised: NotExercised;
  readonly operations: readonly OperationReport[];
  readonly clauses: readonly ClauseReport[];
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  readonly createdResources: CreatedResources;
  readonly scenarios: readonly ScenarioReport[];
  readonly flows: readonly Flow[];
  readonly covers: readonly Cover[];
  readonly exchanges: Readonly<Record<string, ExchangeRecord>>;
  /** SHA-256 of the lines of the history beside the report: all exchanges, complete and without secrets. */
  readonly history?: string;
  readonly errors: readonly SuiteError[];
  /** The results of comparing the run with pins, known findings and an earlier run. */
  readonly against?: ComparisonResult;
  /** Set for recorded traffic: the suite sent nothing. */
  readonly recording?: RecordingReport;
}
