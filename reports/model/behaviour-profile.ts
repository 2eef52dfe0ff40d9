/** The behaviour profile of a target: what `dialect.json` holds. Its published form is `dialect.schema.json`. */
import type { Section } from '../../openapi/clauses/clause.ts';
import type { ObservedAnswer } from '../../openapi/model/observation.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import type { Target } from './report.ts';

/** The name of the format; a change that breaks readers raises the number. */
export const profileFormat = 'bank-open-api-dialect/1';

/** Points of which the answers differ from run to run by nature. */
export const VOLATILE_POINTS: ReadonlySet<string> = new Set([
  'service.latency',
  'service.over-time',
  'loans.refusals',
  'links.refusals',
]);

export interface ProfileAnswer {
  readonly value: string;
  /** The same as data, where it is more than words. */
  readonly answer?: Exclude<ObservedAnswer, string>;
  /** On how many exchanges it rests. */
  readonly count: number;
  /** The exchange that shows it, and of a probe the control request that was accepted just before; keys of the report. */
  readonly exchange: string;
  readonly control: string | null;
}

export interface ProfileQuestion {
  /** `METHOD path-template`. */
  readonly operation: string;
  readonly about: string | null;
  /** True where the answer is to be a requirement; for people to set. */
  readonly pinned: boolean;
  readonly varies: boolean;
  readonly answers: readonly ProfileAnswer[];
}

export interface ProfilePoint {
  readonly point: string;
  readonly area: Area | 'service';
  readonly section: Section;
  /** What the document leaves open. */
  readonly statement: string;
  /** Why nothing was observed, or null. */
  readonly why: string | null;
  readonly questions: readonly ProfileQuestion[];
}

export interface BehaviourProfile {
  readonly format: typeof profileFormat;
  readonly target: Pick<Target, 'name' | 'build' | 'baseUrl' | 'embedded' | 'areas'>;
  readonly suite: { readonly version: string; readonly contractDigest: string; readonly seed: number };
  readonly startedAt: string;
  readonly points: readonly ProfilePoint[];
}
