/** The behaviour profile of a target: the content of `dialect.json`. Its published form is `dialect.schema.json`. */
import type { Section } from '../../openapi/clauses/clause.ts';
import type { ClauseReport, Observation, Suite, Target } from './report.ts';

/** The name of the format. A change that breaks readers raises the number. */
export const PROFILE_FORMAT = 'bank-open-api-dialect/1';

/** Points whose answers naturally differ between runs. */
export const VOLATILE_POINTS: ReadonlySet<string> = new Set([
  'service.latency',
  'service.over-time',
  'loans.refusals',
  'links.refusals',
]);

export type ProfileAnswer = Pick<Observation, 'value' | 'answer' | 'count' | 'exchange' | 'control'>;

export interface ProfileQuestion extends Pick<Observation, 'operation' | 'about'> {
  /** True if the answer is a requirement; people set it. */
  readonly pinned: boolean;
  readonly varies: boolean;
  readonly answers: readonly ProfileAnswer[];
}

export interface ProfilePoint extends Pick<ClauseReport, 'area' | 'statement' | 'why'> {
  readonly point: string;
  readonly section: Section;
  readonly questions: readonly ProfileQuestion[];
}

export interface BehaviourProfile {
  readonly format: typeof PROFILE_FORMAT;
  readonly target: Pick<Target, 'name' | 'build' | 'baseUrl' | 'embedded' | 'areas'>;
  readonly suite: Pick<Suite, 'version' | 'contractDigest' | 'seed'>;
  readonly startedAt: string;
  readonly points: readonly ProfilePoint[];
}
