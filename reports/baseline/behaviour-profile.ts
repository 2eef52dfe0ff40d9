/**
 * The behaviour profile of a target: what the document leaves open, and what this target does there. It is `dialect.json`; its
 * published form is `dialect.schema.json`. Some of it can be pinned, and what is pinned is a requirement of later runs.
 */
import { groupBy } from '../../openapi/util/group-by.ts';
import {
  profileFormat,
  type BehaviourProfile,
  type ProfilePoint,
  type ProfileQuestion,
} from '../model/behaviour-profile.ts';
import type { ClauseReport, Observation, Report } from '../model/report.ts';

/** The key of a question, the same in every run. */
export function questionKey(one: {
  readonly point: string;
  readonly operation: string;
  readonly about: string | null;
}): string {
  return `${one.point}\n${one.operation}\n${one.about ?? ''}`;
}

/** The observations of a report, question by question. */
export function questionsOf(observations: readonly Observation[]): ReadonlyMap<string, readonly Observation[]> {
  return groupBy(observations, questionKey);
}

/** The dialect that a report shows. Pure. */
export function behaviourProfileOf(report: Report): BehaviourProfile {
  const { target, suite } = report;
  const questions = [...questionsOf(report.observations).values()];
  const points = report.clauses
    .filter((clause) => isOpenPoint(clause, report) && clause.verdict !== 'not-applicable')
    .map((clause): ProfilePoint => ({
      point: clause.id,
      area: clause.area,
      section: clause.source.section,
      statement: clause.statement,
      why: clause.why,
      questions: questions.filter(([first]) => first?.point === clause.id).map(question),
    }));
  return {
    format: profileFormat,
    target: {
      name: target.name,
      build: target.build,
      baseUrl: target.baseUrl,
      embedded: target.embedded,
      areas: target.areas,
    },
    suite: { version: suite.version, contractDigest: suite.contractDigest, seed: suite.seed },
    startedAt: report.startedAt,
    points,
  };
}

/** True of an open point, also where it was promoted to a promise. */
function isOpenPoint(clause: Pick<ClauseReport, 'id' | 'level' | 'outside'>, { observations }: Report): boolean {
  return (clause.level === 'open' && clause.outside !== true) || observations.some(({ point }) => point === clause.id);
}

function question(same: readonly Observation[]): ProfileQuestion {
  const [{ operation, about, distinct }] = same as readonly [Observation];
  return {
    operation,
    about,
    pinned: false,
    varies: distinct > 1,
    answers: same.map(({ value, answer, count, exchange, control }) => ({
      value,
      ...(answer === undefined ? {} : { answer }),
      count,
      exchange,
      control,
    })),
  };
}
