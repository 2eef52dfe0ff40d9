/** Further contents of a report: flows, created resources, recorded traffic, and comparisons. */
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';

export type Line<Kind extends JournalLine['line']> = Extract<JournalLine, { line: Kind }>;

/** A request of a flow, a case of a property, or a request that differs from the document. */
export type RequestOrigin = 'flow' | 'property' | 'probe';

export const getOrigin = ({ kind, property }: Pick<ExchangeRecord, 'kind' | 'property'>): RequestOrigin =>
  kind === 'probe' ? 'probe' : property === undefined ? 'flow' : 'property';

export type CreatedKind = Line<'created'>['what'];

export interface Created extends Pick<Line<'created'>, 'what' | 'id' | 'exchange'> {
  readonly amount: number | null;
  readonly currency: string | null;
  /** True if it is unknown whether the bank created the resource. Then `id` is from the request. */
  readonly perhaps: boolean;
}

export interface Caps extends Readonly<Record<'applications' | 'disbursements' | 'links', number>> {
  readonly amount: number;
}

export interface CreatedResources {
  /** The counts, without resources that the bank perhaps created. */
  readonly counts: Readonly<Record<CreatedKind, number>>;
  readonly caps: Caps | null;
  readonly amounts: readonly { readonly what: CreatedKind; readonly currency: string; readonly total: number }[];
  readonly items: readonly Created[];
}

export interface RecordingReport {
  readonly source: string;
  readonly judged: number;
  /** The number of exchanges at the base URL that call no documented operation. */
  readonly others: number;
  readonly incomplete: number;
  /** How requests differed from the document, the most frequent first. Answers to such requests break no `must` clause. */
  readonly deviations: readonly { readonly why: string; readonly count: number }[];
  /** What else limits the judgement, a few words each. */
  readonly notes: readonly string[];
}

export interface Changes {
  readonly before: Readonly<Record<'startedAt' | 'verdict', string> & Record<'name' | 'build', string | null>>;
  readonly verdict: readonly [before: string, now: string] | null;
  readonly clauses: readonly { readonly clause: string; readonly before: string; readonly now: string }[];
  readonly findings: Readonly<Record<'fresh' | 'gone', readonly string[]>>;
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

export interface KnownEntry {
  readonly clause: string;
  /** The operation as `METHOD path-template`. */
  readonly operation: string;
  readonly pointer: string;
  /** The form of the values. Without it, the entry is for all values. */
  readonly value?: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which the finding is tolerated: YYYY-MM-DD. */
  readonly expires: string;
}

export interface JudgedEntry extends KnownEntry {
  readonly state: 'tolerated' | 'expired' | 'stale' | 'not tested';
}

/** The results of comparing the run with pins, known findings and an earlier run. */
export interface ComparisonResult {
  readonly pins?: { readonly target: string | null; readonly startedAt: string; readonly points: readonly string[] };
  readonly known?: readonly JudgedEntry[];
  readonly changes?: Changes;
}
