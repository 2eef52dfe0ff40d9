/** What a report says of what the run was compared with besides the document. */

export interface Changes {
  readonly before: {
    readonly startedAt: string;
    readonly name: string | null;
    readonly build: string | null;
    readonly verdict: string;
  };
  /** The verdict of the run before and now, or null where it is the same. */
  readonly verdict: readonly [before: string, now: string] | null;
  readonly clauses: readonly { readonly clause: string; readonly before: string; readonly now: string }[];
  readonly findings: { readonly fresh: readonly string[]; readonly gone: readonly string[] };
  readonly answers: readonly {
    readonly point: string;
    readonly operation: string;
    readonly about: string | null;
    readonly before: readonly string[];
    readonly now: readonly string[];
  }[];
  readonly latency: readonly { readonly operation: string; readonly before: number; readonly now: number }[];
  /** By which factor the median latency must have risen to be named. */
  readonly factor: number;
}

/** One entry of the file, as a user writes it. */
export interface KnownEntry {
  readonly clause: string;
  /** `METHOD path-template`. */
  readonly operation: string;
  readonly pointer: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it is tolerated: YYYY-MM-DD. */
  readonly expires: string;
}

export type KnownState = 'tolerated' | 'expired' | 'stale' | 'not tested';

export interface JudgedEntry extends KnownEntry {
  readonly state: KnownState;
}

/** What the report says of them. */
export interface ComparisonResult {
  readonly pins?: { readonly target: string | null; readonly startedAt: string; readonly points: readonly string[] };
  readonly known?: readonly JudgedEntry[];
  readonly changes?: Changes;
}
