/**
 * Makes the behaviour profile of a bank: how it answers the open points of the document. `dialect.json` contains the profile, and
 * `dialect.schema.json` describes its format.
 */
import { groupBy } from '../../openapi/util/group-by.ts';
import type { ReportedAnswer, Report, ClauseReport, Suite, JudgedBank } from '../model/report.ts';
import { omitUndefined } from '../text/given.ts';
import type { Section } from '../../openapi/clauses/clause.ts';

export const makeQuestionKey = ({
  point,
  operation,
  about,
}: Pick<ReportedAnswer, 'point' | 'operation' | 'about'>): string => `${point}\n${operation}\n${about ?? ''}`;

export const groupQuestions = (
  observations: readonly ReportedAnswer[],
): ReadonlyMap<string, readonly ReportedAnswer[]> => groupBy(observations, makeQuestionKey);

export function makeBehaviourProfile({ target, suite, startedAt, clauses, observations }: Report): BehaviourProfile {
  const questions = groupBy([...groupQuestions(observations).values()], ([first]) => first!.point);
  const { name, build, baseUrl, embedded, areas } = target;
  return {
    format: PROFILE_FORMAT,
    target: { name, build, baseUrl, embedded, areas },
    suite: { version: suite.version, contractDigest: suite.contractDigest, seed: suite.seed },
    startedAt,
    points: clauses
      // An open point that became a requirement is still part of the profile.
      .filter(({ id, level }) => level === 'open' || questions.has(id))
      .filter(({ verdict }) => verdict !== 'not-applicable')
      .map(({ id, area, source, statement, why }) => ({
        point: id,
        area,
        section: source.section,
        statement,
        why,
        questions: (questions.get(id) ?? []).map(makeProfileQuestion),
      })),
  };
}

function makeProfileQuestion(same: readonly ReportedAnswer[]): ProfileQuestion {
  const { operation, about, distinct } = same[0]!;
  return {
    operation,
    about,
    pinned: false,
    varies: distinct > 1,
    answers: same.map(({ value, answer, count, exchange, control }) => ({
      value,
      ...omitUndefined({ answer }),
      count,
      exchange,
      control,
    })),
  };
}

/** The name of the format. The number increases if older programs can no longer read the format. */
export const PROFILE_FORMAT = 'bank-open-api-dialect/1';

/** Open points whose answers normally differ between runs. */
export const VOLATILE_POINTS: ReadonlySet<string> = new Set([
  'service.latency',
  'service.over-time',
  'loans.refusals',
  'links.refusals',
]);

export type ProfileAnswer = Pick<ReportedAnswer, 'value' | 'answer' | 'count' | 'exchange' | 'control'>;

export interface ProfileQuestion extends Pick<ReportedAnswer, 'operation' | 'about'> {
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
  readonly target: Pick<JudgedBank, 'name' | 'build' | 'baseUrl' | 'embedded' | 'areas'>;
  readonly suite: Pick<Suite, 'version' | 'contractDigest' | 'seed'>;
  readonly startedAt: string;
  readonly points: readonly ProfilePoint[];
}
