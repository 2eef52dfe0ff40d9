/**
 * The report document: what `conformance.json` holds. Everything else (page, JUnit, terminal) is a rendering of it.
 * Its published form is `conformance.schema.json`; the two are kept together by test.
 */
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { Level, Source } from '../../openapi/clauses/clause.ts';
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import type { Classification, ConcurrencyRecord, Counterexample, ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Cover, Flow, RequestOrigin } from './view-model.ts';
import type { ComparisonResult } from './comparison.ts';
import type { CreatedResources } from './created-resources.ts';
import type { RecordingReport } from './recording.ts';

export type { Caps, Created, CreatedKind, CreatedResources } from './created-resources.ts';
export type { Cover, Flow, Step } from './view-model.ts';

/** The name of the format; a change that breaks readers raises the number. */
export const format = 'bank-open-api-conformance/2';

/** What is said of the target as a whole. */
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
  /** Digest over the suite's own sources. */
  readonly digest: string;
  /** Digest of the contract and the catalogue. */
  readonly contractDigest: string;
  readonly seed: number;
  /** Cases per property. */
  readonly runs: number;
  /** True where warnings fail the gate. */
  readonly strict: boolean;
  /** Classes of warnings that fail the gate though it is not strict. */
  readonly failOn?: readonly 'security'[];
  /** The requirement set that the run was judged by. */
  readonly requirements?: RequirementFacts;
  /** The variables on which depends what is asked, as the user set them; no secret is among them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Secrets that were masked only where they were all of a value: their variables. */
  readonly weakSecrets?: readonly string[];
  /** The overlay that was applied to the contract before the run, where there was one. */
  readonly overlay?: OverlayFacts;
}

export interface RequirementFacts {
  readonly set: string;
  /** SHA-256 over the clauses of the set, their levels and their statements. */
  readonly digest: string;
  /** False of a set that is still being made. */
  readonly frozen: boolean;
}

interface OverlayFacts {
  readonly title: string;
  /** SHA-256 of the overlay, and of the contract with the overlay applied. */
  readonly digest: string;
  readonly contractDigest: string;
  readonly actions: number;
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
  /** Requests that brought no answer that could be judged. */
  readonly unanswered: number;
  /** How its requests came about; an exchange of each that is kept as evidence, or null. */
  readonly ways: Readonly<Record<RequestOrigin, { readonly requests: number; readonly exchange: string | null }>>;
  /** The latencies at evenly spaced ranks, rising: 101 at most. */
  readonly spread: readonly number[];
  /** Of the answered requests; null where there were none. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly max: number } | null;
}

export interface ClausePlace {
  /** `METHOD path-template`, or null where the clause is judged over several operations. */
  readonly operation: string | null;
  readonly pointers: readonly string[];
  readonly exercised: number;
  readonly broken: number;
  /** Documented requests here without an answer or with a 5xx, where there were any. */
  readonly unanswered?: { readonly count: number; readonly requests: number };
}

export interface ClauseReport {
  readonly id: string;
  readonly area: Area | 'service';
  /** Where there is exactly one; `places` has all of them. */
  readonly operation: string | null;
  readonly pointer: string | null;
  readonly level: Level;
  readonly exercise: 'always' | 'conditional';
  readonly statement: string;
  /** Where the document says it. */
  readonly source: Source;
  /** `security`: breaking it endangers money or data of customers. */
  readonly class?: 'security';
  /** True where the requirement set of the run does not hold it: it is observed and does not count. */
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

export interface Finding {
  /** Stable over runs: clause, operation, pointer and kind. */
  readonly id: string;
  readonly clause: string;
  readonly level: Level;
  readonly verdict: 'fail' | 'warning';
  /** `METHOD path-template`. */
  readonly operation: string;
  readonly pointer: string;
  /** The pointer with the real indices of `exchange`, where it has any. */
  readonly instance?: string;
  readonly kind: string;
  readonly statement: string;
  /** Where the document says it. */
  readonly source: Source;
  readonly class?: 'security';
  readonly expected: string;
  readonly received: string;
  /** Values that showed it; one answer may hold many. */
  readonly count: number;
  /** Answers that showed it; of a rule over the run, what `unit` says. */
  readonly answers: number;
  /** Answers that put the clause to the test at this operation, or what `unit` says. */
  readonly exercised: number;
  /** Of a rule over the run: what it compared. */
  readonly unit?: 'comparisons' | 'requests';
  /** Values that put the promise to the test at this place, where the answers held more than one each. */
  readonly values?: number;
  readonly exchange: string;
  /** True where that exchange alone shows it: whoever judges it again finds it. */
  readonly alone?: true;
  /** The nearest exchange that was judged fine. */
  readonly contrast: string | null;
  readonly curl: string | null;
  /** How it behaved when it was asked again, or null where that was not looked at. */
  readonly classification: Classification | null;
  /** What asks it again, as the value of REPLAY: scenarios, or one case of a property of a scenario. */
  readonly replay: string;
  readonly counterexample: Counterexample | null;
  /** Of a finding that somebody answers for: it does not fail the gate. */
  readonly known?: { readonly reason: string; readonly owner: string; readonly expires: string };
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
  /** False where the same question brought different answers. */
  readonly consistent: boolean;
  /** How many different answers the question brought; only the first of very many are listed. */
  readonly distinct: number;
  readonly exchange: string;
  /** Of a probe: its control request, the same request unspoilt, which was accepted just before. */
  readonly control: string | null;
}

export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  /** The behaviour clauses that it checked. */
  readonly proves: readonly string[];
  /** Null where it did not come to its end. */
  readonly durationMs: number | null;
  /** Its properties of which fewer cases came to an end than there were to be; `why` is the end of a sentence. */
  readonly cases?: readonly {
    readonly label: string;
    readonly asked: number;
    readonly of: number;
    readonly why: string;
  }[];
}

/** What was selected and yet not put to the test. */
export interface NotExercised {
  readonly operations: readonly {
    readonly id: OperationId;
    readonly operation: string;
    readonly why: string;
  }[];
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
  /** How many requests were under way at once; left out where none was sent. */
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
  /** SHA-256 over the lines of the history that lies beside the report: all exchanges, whole and without secrets. */
  readonly history?: string;
  readonly errors: readonly SuiteError[];
  /** What the run was held against besides the document, where there was anything. */
  readonly against?: ComparisonResult;
  /** Of a report on recorded traffic, for which the suite sent nothing: what was recorded. */
  readonly recording?: RecordingReport;
}
