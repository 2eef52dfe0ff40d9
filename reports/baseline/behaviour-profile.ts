/**
 * Makes the behaviour profile of a target: how it answers the open points of the document. `dialect.json` holds the profile;
 * `dialect.schema.json` is its published form.
 */
import { groupBy } from '../../openapi/util/group-by.ts';
import { PROFILE_FORMAT, type BehaviourProfile, type ProfileQuestion } from '../model/behaviour-profile.ts';
import type { Observation, Report } from '../model/report.ts';
import { omitUndefined } from '../text/given.ts';

/** Returns the key of a question, which is the same in every run. */
export const getPointKey = ({ point, operation, about }: Pick<Observation, 'point' | 'operation' | 'about'>): string =>
  `${point}\n${operation}\n${about ?? ''}`;

export const groupQuestions = (observations: readonly Observation[]): ReadonlyMap<string, readonly Observation[]> =>
  groupBy(observations, getPointKey);

/** Makes the profile from a report. Pure. */
export function makeBehaviourProfile({ target, suite, startedAt, clauses, observations }: Report): BehaviourProfile {
  const questions = groupBy([...groupQuestions(observations).values()], ([first]) => first!.point);
  const { name, build, baseUrl, embedded, areas } = target;
  return {
    format: PROFILE_FORMAT,
    target: { name, build, baseUrl, embedded, areas },
    suite: { version: suite.version, contractDigest: suite.contractDigest, seed: suite.seed },
    startedAt,
    points: clauses
      // An open point that became a promise still belongs to the profile.
      .filter(({ id, level, outside }) => (level === 'open' && outside !== true) || questions.has(id))
      .filter(({ verdict }) => verdict !== 'not-applicable')
      .map(({ id, area, source, statement, why }) => ({
        point: id,
        area,
        section: source.section,
        statement,
        why,
        questions: (questions.get(id) ?? []).map(makeQuestion),
      })),
  };
}

function makeQuestion(same: readonly Observation[]): ProfileQuestion {
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
