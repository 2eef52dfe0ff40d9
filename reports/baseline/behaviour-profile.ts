/**
 * Makes the behaviour profile of a bank (its dialect): how the bank answers the open points of the document. The file `dialect.json`
 * contains the profile, and `dialect.schema.json` describes its format.
 */
import { groupBy } from '../../openapi/util/group-by.ts';
import { omitUndefined, type ClauseReport, type ReportedAnswer, type Report } from '../model/report.ts';
import { PROFILE_FORMAT, type BehaviourProfile, type ProfileQuestion } from '../model/description.ts';

export const makeQuestionKey = ({
  point,
  operation,
  about,
}: Pick<ReportedAnswer, 'point' | 'operation' | 'about'>): string => `${point}\n${operation}\n${about ?? ''}`;

export const groupQuestions = (
  observations: readonly ReportedAnswer[],
): ReadonlyMap<string, readonly ReportedAnswer[]> => groupBy(observations, makeQuestionKey);

export function makeBehaviourProfile({ target, suite, startedAt, clauses, observations }: Report): BehaviourProfile {
  const questionsByPoint = groupBy([...groupQuestions(observations).values()], ([answer]) => answer!.point);
  const { name, build, baseUrl, embedded, areas } = target;
  // An open point that became a requirement is still part of the profile.
  const isInProfile = ({ id, level, verdict }: ClauseReport): boolean =>
    verdict !== 'not-applicable' && (level === 'open' || questionsByPoint.has(id));
  return {
    format: PROFILE_FORMAT,
    target: { name, build, baseUrl, embedded, areas },
    suite: { version: suite.version, contractDigest: suite.contractDigest, seed: suite.seed },
    startedAt,
    points: clauses.filter(isInProfile).map(({ id, area, source, statement, why }) => ({
      point: id,
      area,
      section: source.section,
      statement,
      why,
      questions: (questionsByPoint.get(id) ?? []).map(makeProfileQuestion),
    })),
  };
}

function makeProfileQuestion(answersToQuestion: readonly ReportedAnswer[]): ProfileQuestion {
  const { operation, about, distinct } = answersToQuestion[0]!;
  return {
    operation,
    about,
    varies: distinct > 1,
    answers: answersToQuestion.map(({ value, answer, count, exchange, control }) => ({
      value,
      ...omitUndefined({ answer }),
      count,
      exchange,
      control,
    })),
  };
}

/** Open points whose answers normally change from run to run. Comparisons ignore these points. */
export const VOLATILE_POINTS: ReadonlySet<string> = new Set([
  'service.latency',
  'service.over-time',
  'loans.refusals',
  'links.refusals',
]);
