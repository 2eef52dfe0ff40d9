/** The behaviour profile of a bank: the content of `dialect.json`, whose format is `dialect.schema.json`. */
import type { Section } from '../../openapi/clauses/clause.ts';
import type { ClauseReport, Observation, Suite, Target } from './report.ts';

/** The name of the format. The number increases if older programs can no longer read the format. */
export const PROFILE_FORMAT = 'bank-open-api-dialect/1';

/** Open points whose answers normally differ between runs. */
export const VOLATILE_POINTS: ReadonlySet<string> = new Set([
  'service.latency',
  'service.over-time',
  'loans.refusals',
  'links.refusals',
]);

export type ProfileAnswer = Pick<Observation, 'value' | 'answer' | 'count' | 'exchange' | 'control'>;

export interface ProfileQuestion extends Pick<Observation, 'operation' | 'about'> {
  /** True if the user turned the answer into a requirement. */
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
