/**
 * The report document: what `conformance.json` holds. Page, JUnit, terminal and all other files are renderings of it.
 * Its published form is `conformance.schema.json`; a test keeps the two alike.
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

/** The name of the format; a change that breaks readers raises the number. */
export const format = 'bank-open-api-conformance/2';

/** The verdict on the target as a whole. */
export type RunVerdict = 'conformant' | 'non-conformant' | 'inconclusive';

export type ClauseVerdict = 'pass' | 'fail' | 'warning' | 'inconclusive' | 'not-applicable' | 'observed';

/** 0 passed, 1 findings, 2 inconclusive or configuration, 3 the suite broke. */
export type ExitStatus = 0 | 1 | 2 | 3;

export interface Gate {
  readonly pass: boolean;
  readonly exitStatus: ExitStatus;
  readonly reasons: readonly string[];
}

export interface Suite {
  readonly version: string;
  /** Digest of the suite's own sources. */
  readonly digest: string;
  /** Digest of the contract and the catalogue. */
  readonly contractDigest: string;
  readonly seed: number;
  /** Cases per property. */
  readonly runs: number;
  /** True if warnings fail the gate. */
  readonly strict: boolean;
  /** Classes of warnings that fail the gate without `strict`. */
  readonly failOn?: readonly ClauseClass[];
  /** The requirement set of the run. */
  readonly requirements?: RequirementFacts;
  /** The variables that decide what is asked, as the user set them; no secret is among them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables whose secrets were masked only where they were all of a value. */
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
  /** SHA-256 of the build, where the user knows it. */
  readonly digest?: string;
  readonly baseUrl: string;
  /** True for the reference bank that comes with the suite. */
  readonly embedded: boolean;
  readonly areas: readonly Area[];
  /** Where only some operations of these areas were judged. */
  readonly operations?: readonly OperationId[];
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
  /** Positive requests that were answered as the document says. */
  readonly successes: number;
  /** What came of its positive requests. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without an answer that could be judged. */
  readonly unanswered: number;
  /** How its requests came about; an exchange of each that is kept as evidence, or null. */
  readonly ways: Readonly<Record<RequestOrigin, { readonly requests: number; readonly exchange: string | null }>>;
  /** The latencies at evenly spaced ranks, rising: 101 at most. */
  readonly spread: readonly number[];
  /** Of the answered requests; null if there were none. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly max: number } | null;
}

export interface ClausePlace {
  /** `METHOD path-template`, or null if the clause is judged over several operations. */
  readonly operation: string | null;
  readonly pointers: readonly string[];
  readonly exercised: number;
  readonly broken: number;
  /** Documented requests here without an answer or with a 5xx, where there were any. */
  readonly unanswered?: { readonly count: number; readonly requests: number };
}

/** `class`: what breaking it endangers; reports before there were classes have none. */
export interface ClauseReport extends Pick<Clause, 'area' | 'level' | 'exercise' | 'statement' | 'source' | 'class'> {
  readonly id: string;
  /** Where there is exactly one; `places` has all of them. */
  readonly operation: string | null;
  readonly pointer: string | null;
  /** True if the requirement set of the run does not hold it: it is observed and does not count. */
  readonly outside?: true;
  readonly verdict: ClauseVerdict;
  /** Answers that put this clause to the test, and those of them that broke it. */
  readonly exercised: number;
  readonly broken: number;
  /** Of an inconclusive or not applicable clause: why. */
  readonly why: string | null;
  /** An exchange that exercised it and is kept as evidence. */
  readonly exchange: string | null;
  readonly places: readonly ClausePlace[];
}

export interface Finding
  extends
    Pick<Clause, 'level' | 'statement' | 'source' | 'class'>,
    Pick<Violation, 'pointer' | 'instance' | 'kind' | 'expected' | 'received' | 'exchange' | 'unit'> {
  /** Stable over runs: clause, operation, pointer and kind. */
  readonly id: string;
  readonly clause: string;
  readonly verdict: 'fail' | 'warning';
  /** `METHOD path-template`. */
  readonly operation: string;
  /** Values that showed it; one answer may hold many. */
  readonly count: number;
  /** Answers that showed it; of a rule over the run, what `unit` says. */
  readonly answers: number;
  /** Answers that put the clause to the test at this operation, or what `unit` says. */
  readonly exercised: number;
  /** Values that put the promise to the test at this place, where the answers held more than one each. */
  readonly values?: number;
  /** True if its exchange shows it without any other. */
  readonly alone?: true;
  /** The nearest exchange that kept the clause. */
  readonly contrast: string | null;
  readonly curl: string | null;
  /** How it behaved when it was asked again, or null if it was not. */
  readonly classification: Classification | null;
  /** The value of REPLAY that asks it again: scenarios, or one case of a property of a scenario. */
  readonly replay: string;
  readonly counterexample: Counterexample | null;
  /** Of a tolerated finding: it does not fail the gate. */
  readonly known?: Pick<KnownEntry, 'reason' | 'owner' | 'expires'>;
}

export interface Observation {
  readonly point: string;
  readonly operation: string;
  /** What tells the question apart from others on the same point, in words. */
  readonly about: string | null;
  /** The answer in words. */
  readonly value: string;
  /** The question and the answer as data, where they are more than words. */
  readonly question?: Exclude<Question, string>;
  readonly answer?: Exclude<ObservedAnswer, string>;
  readonly count: number;
  /** False if the same question got different answers. */
  readonly consistent: boolean;
  /** How many different answers the question got; only the first are listed. */
  readonly distinct: number;
  readonly exchange: string;
  /** Of a probe: its control request, the same request unmodified, which was accepted just before. */
  readonly control: string | null;
}

export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  /** The behaviour clauses that it checked. */
  readonly proves: readonly string[];
  /** Null if it did not come to its end. */
  readonly durationMs: number | null;
  /** Properties with fewer cases than RUNS says. */
  readonly cases?: readonly Omit<Line<'cases'>, 'line'>[];
}

/** What was selected and not put to the test. */
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
  readonly format: typeof format;
  readonly verdict: RunVerdict;
  /** The verdict in words, with the areas where not all were judged. */
  readonly headline: string;
  readonly reasons: readonly string[];
  readonly gate: Gate;
  readonly suite: Suite;
  readonly target: Target;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** How many requests were under way at once; left out if none was sent. */
  readonly concurrency?: ConcurrencyRecord;
  /** Why the run ended early, or null. */
  readonly interrupted: string | null;
  /** Faults of the configuration; where there are any nothing was asked. */
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
  /** SHA-256 of the lines of the history beside the report: all exchanges, whole and without secrets. */
  readonly history?: string;
  readonly errors: readonly SuiteError[];
  /** What the run was compared with besides the document. */
  readonly against?: ComparisonResult;
  /** Of recorded traffic, for which the suite sent nothing. */
  readonly recording?: RecordingReport;
}
