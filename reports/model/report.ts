/**
 * Defines the report document: the content of `conformance.json`. All other report files are made from this document. A test checks
 * that `conformance.schema.json` describes the same members.
 */
import type { Created } from '../../openapi/api.ts';
import { clauseClasses, type Clause, type ClauseClass, type Level } from '../../openapi/clauses/clause.ts';
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type {
  Creation,
  Classification,
  ConcurrencyRecord,
  Counterexample,
  ExchangeRecord,
  JournalLine,
} from '../../openapi/model/journal.ts';
import type { ObservedAnswer, Question } from '../../openapi/model/observation.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';

/** The name of the format. The number increases if older programs can no longer read the format. */
export const REPORT_FORMAT = 'bank-open-api-conformance/2';

export type RunVerdict = 'conformant' | 'non-conformant' | 'inconclusive';

export type ClauseVerdict = 'pass' | 'fail' | 'warning' | 'inconclusive' | 'not-applicable' | 'observed';

/** 0: passed, 1: findings, 2: inconclusive or wrong configuration, 3: the suite failed. */
export type ExitStatus = 0 | 1 | 2 | 3;

export interface GateResult {
  readonly pass: boolean;
  readonly exitStatus: ExitStatus;
  readonly reasons: readonly string[];
}

/** The suite that judged, and its settings. */
export interface Suite {
  readonly version: string;
  readonly digest: string;
  readonly contractDigest: string;
  /** The SHA-256 of the clauses of the document, as this version of the suite states them. */
  readonly catalogueDigest: string;
  readonly seed: number;
  readonly runs: number;
  readonly strict: boolean;
  /** The classes of warnings that fail the gate. */
  readonly failOn: readonly ClauseClass[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly repositoryFile?: string;
  readonly weakSecrets?: readonly string[];
  /** The overlay that changed the contract before the run. */
  readonly overlay?: {
    readonly title: string;
    readonly digest: string;
    readonly contractDigest: string;
    readonly actions: number;
  };
}

/** The bank that was judged, and the part of the API that was selected. */
export interface JudgedBank {
  readonly name: string | null;
  readonly build: string | null;
  readonly baseUrl: string;
  readonly embedded: boolean;
  readonly areas: readonly Area[];
  readonly operations?: readonly OperationId[];
  readonly readOnly?: true;
}

export interface OperationReport {
  readonly id: OperationId;
  readonly area: Area;
  readonly method: string;
  /** The path template, including the path prefix. */
  readonly path: string;
  readonly requests: number;
  /** Documented requests. */
  readonly positives: number;
  /** Requests that differ from the document. */
  readonly probes: number;
  readonly successes: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly unanswered: number;
  readonly ways: Readonly<Record<RequestOrigin, { readonly requests: number; readonly exchange: string | null }>>;
  /** Latencies of the answered requests; null if there were none. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly max: number } | null;
}

/** A place to which a clause applies: an operation, and JSON pointers into its requests or answers. */
export interface ClausePlace {
  readonly operation: string | null;
  readonly pointers: readonly string[];
  readonly exercised: number;
  readonly broken: number;
  readonly unanswered?: { readonly count: number; readonly requests: number };
}

/** A clause in the report. `class` says what a broken clause puts at risk. */
export interface ClauseReport extends Required<
  Pick<Clause, 'area' | 'level' | 'exercise' | 'statement' | 'source' | 'class'>
> {
  readonly id: string;
  readonly operation: string | null;
  readonly pointer: string | null;
  readonly verdict: ClauseVerdict;
  readonly exercised: number;
  readonly broken: number;
  readonly why: string | null;
  readonly exchange: string | null;
  readonly places: readonly ClausePlace[];
}

/** A value that the bank sent in place of the expected one. */
export interface ReceivedValue {
  readonly value: string;
  readonly exchange: string;
  readonly count: number;
  readonly answers: number;
  /** What the requests of these answers have in common, and no other request that tested the clause; a part of a sentence. */
  readonly only?: string;
}

export interface Finding
  extends
    Required<Pick<Clause, 'level' | 'statement' | 'source' | 'class'>>,
    Pick<Violation, 'pointer' | 'instance' | 'kind' | 'expected' | 'received' | 'exchange' | 'concurrent' | 'unit'> {
  /** The id is the same in all runs: clause, operation, pointer and kind. */
  readonly id: string;
  readonly clause: string;
  readonly verdict: 'fail' | 'warning';
  readonly operation: string;
  readonly count: number;
  readonly answers: number;
  readonly exercised: number;
  readonly exercisedValues?: number;
  readonly values: readonly ReceivedValue[];
  /** What all requests with the finding have in common, and no other request that tested the clause; a part of a sentence. */
  readonly only?: string;
  readonly alone?: true;
  readonly consequenceOf?: string;
  /** The id of the reference exchange: an exchange that keeps the clause. */
  readonly contrast: string | null;
  readonly curl: string | null;
  /** When the finding occurred while its request was repeated; null if it was not repeated. */
  readonly classification: Classification | null;
  readonly replay: string;
  readonly counterexample: Counterexample | null;
  /** Set for a tolerated finding, which does not fail the gate. */
  readonly known?: Pick<KnownEntry, 'reason' | 'owner' | 'expires'>;
}

/** An answer of the bank to a question about an open point. */
export interface ReportedAnswer {
  readonly point: string;
  readonly operation: string;
  readonly about: string | null;
  readonly value: string;
  readonly question?: Exclude<Question, string>;
  readonly answer?: Exclude<ObservedAnswer, string>;
  readonly count: number;
  readonly consistent: boolean;
  /** The number of different answers to the question. Only the first are listed. */
  readonly distinct: number;
  readonly exchange: string;
  readonly control: string | null;
}

export interface ScenarioReport {
  readonly id: string;
  readonly title: string;
  readonly proves: readonly string[];
  readonly durationMs: number | null;
  readonly cases?: readonly Omit<Line<'cases'>, 'line'>[];
}

export interface NotExercised {
  readonly operations: readonly { readonly id: OperationId; readonly operation: string; readonly why: string }[];
  readonly clauses: readonly { readonly clause: string; readonly level: Level; readonly why: string }[];
}

/** A fault of the suite itself; `scenario` is its title. */
export interface SuiteError {
  readonly scenario: string | null;
  readonly message: string;
}

export type LevelCounts = Readonly<Record<Level, Readonly<Record<ClauseVerdict, number>>>>;

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly verdict: RunVerdict;
  readonly headline: string;
  readonly reasons: readonly string[];
  readonly gate: GateResult;
  readonly suite: Suite;
  readonly target: JudgedBank;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  /** How many requests were in flight at the same time; left out if no request was sent. */
  readonly concurrency?: ConcurrencyRecord;
  readonly interrupted: string | null;
  /** Faults of the configuration. If there are any, no request was sent. */
  readonly configuration: readonly string[];
  readonly counts: LevelCounts;
  readonly securityWarnings: number;
  readonly notExercised: NotExercised;
  readonly operations: readonly OperationReport[];
  readonly clauses: readonly ClauseReport[];
  readonly findings: readonly Finding[];
  readonly observations: readonly ReportedAnswer[];
  readonly createdResources: CreatedResources;
  readonly scenarios: readonly ScenarioReport[];
  readonly exchanges: Readonly<Record<string, ExchangeRecord>>;
  readonly history?: string;
  readonly errors: readonly SuiteError[];
  /** The results of comparing the run with known findings and an earlier run. */
  readonly against?: ComparisonResult;
  /** Set for recorded traffic: the suite sent no request. */
  readonly recording?: RecordingReport;
}

export type Line<Kind extends JournalLine['line']> = Extract<JournalLine, { line: Kind }>;

/** A request of a flow, a case of a property, or a request that differs from the document. */
export type RequestOrigin = 'flow' | 'property' | 'probe';

export const getOrigin = ({ kind, property }: Pick<ExchangeRecord, 'kind' | 'property'>): RequestOrigin =>
  kind === 'probe' ? 'probe' : property === undefined ? 'flow' : 'property';

export type CreatedKind = Creation['what'];

export interface RequestedItem extends Pick<Creation, 'what' | 'id' | 'exchange'> {
  readonly amount: number | null;
  readonly currency: string | null;
}

export interface CreatedItem extends RequestedItem {
  /** True if nobody knows whether the bank created the resource. Then `id` is from the request. */
  readonly perhaps: boolean;
}

export interface ReportedCaps extends Readonly<Record<Created, number>> {
  readonly amount: number;
}

export interface CreatedResources {
  /** The counts, without resources that the bank perhaps created. */
  readonly counts: Readonly<Record<CreatedKind, number>>;
  readonly caps: ReportedCaps | null;
  readonly amounts: readonly { readonly what: CreatedKind; readonly currency: string; readonly total: number }[];
  readonly items: readonly CreatedItem[];
  /** Requests to create something that the bank refused. The bank may have created something anyway: look here last when you clean up. */
  readonly refused?: readonly RequestedItem[];
}

/** What is known of recorded traffic. */
export interface RecordingReport {
  readonly source: string;
  readonly judged: number;
  /** The number of exchanges that call no documented operation. */
  readonly others: number;
  readonly incomplete: number;
  /** How requests differed from the document, the most frequent first. Answers to such requests break no `must` clause. */
  readonly deviations: readonly { readonly why: string; readonly count: number }[];
  /** Further limits of the judgement. Each entry is a few words. */
  readonly notes: readonly string[];
}

/** How a run differs from an earlier run. */
export interface Changes {
  readonly before: Readonly<Record<'startedAt' | 'verdict', string> & Record<'name' | 'build', string | null>>;
  readonly verdict: readonly [before: string, now: string] | null;
  readonly clauses: readonly { readonly clause: string; readonly before: string; readonly now: string }[];
  readonly findings: Readonly<Record<'fresh' | 'gone', readonly string[]>>;
  /** Places where other values come than before, or in other answers; null: no finding. Parts of sentences. */
  readonly places?: readonly {
    readonly clause: string;
    readonly operation: string;
    readonly pointer: string;
    readonly before: string | null;
    readonly now: string | null;
  }[];
  readonly answers: readonly {
    readonly point: string;
    readonly operation: string;
    readonly about: string | null;
    readonly before: readonly string[];
    readonly now: readonly string[];
  }[];
  readonly latency: readonly { readonly operation: string; readonly before: number; readonly now: number }[];
  /** A median latency is listed if it grew by this factor. */
  readonly factor: number;
}

/** A finding that the user tolerates until a day. */
export interface KnownEntry {
  readonly clause: string;
  /** The operation as `METHOD path-template`. */
  readonly operation: string;
  readonly pointer: string;
  /** The form of the received values, such as `null`. Without it, the entry is for all values. */
  readonly form?: string;
  /** Where the finding occurs: what the requests have in common; a part of a sentence. */
  readonly only?: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which the finding is tolerated: YYYY-MM-DD. */
  readonly expires: string;
  /** The first and the last line of the entry in its file. */
  readonly lines?: readonly [first: number, last: number];
}

export interface JudgedEntry extends KnownEntry {
  readonly state: 'tolerated' | 'expired' | 'stale' | 'not tested';
  /** True if the finding also occurs where the condition of the entry does not hold. */
  readonly wider?: true;
}

/** The results of comparing the run with known findings and an earlier run. */
export interface ComparisonResult {
  readonly known?: readonly JudgedEntry[];
  readonly changes?: Changes;
}

/** Returns the members that are not undefined. A report has no undefined member. */
export const omitUndefined = <T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** The classes of warnings that fail the gate. */
export const listFailingClasses = ({ strict, failOn }: Suite): readonly ClauseClass[] =>
  strict ? clauseClasses : failOn;

/** True for a failure, and for a warning of a class that fails the gate, unless it is tolerated. */
export const failsGate = ({ verdict, class: endangered, known }: Finding, suite: Suite): boolean =>
  known === undefined && (verdict === 'fail' || listFailingClasses(suite).includes(endangered));
