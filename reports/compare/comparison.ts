/**
 * Compares several implementations by their reports: the clauses and the answers to open points of each implementation, and the
 * questions for the owner of the document. The question with the most different answers comes first.
 */
import { groupBy } from '../../openapi/util/group-by.ts';
import { groupQuestions } from '../baseline/behaviour-profile.ts';
import { VOLATILE_POINTS } from '../model/behaviour-profile.ts';
import type { ClauseReport, ClauseVerdict, Observation, Report, Suite } from '../model/report.ts';
import { addCounts, nameTarget } from '../text/phrases.ts';

/** The name of the format. A change that breaks readers raises the number. */
const COMPARISON_FORMAT = 'bank-open-api-comparison/1';

interface Implementation
  extends Pick<Report, 'verdict' | 'startedAt' | 'requests'>, Pick<Suite, 'contractDigest' | 'seed'> {
  readonly name: string;
  readonly build: string | null;
}

export interface ClauseRow extends Pick<ClauseReport, 'level' | 'statement'> {
  readonly clause: string;
  /** In the order of the implementations; null if a report does not know the clause. */
  readonly verdicts: readonly (ClauseVerdict | null)[];
}

export interface AnswerRow extends Pick<Observation, 'point' | 'operation' | 'about'> {
  /** In the order of the implementations; empty if the question was not asked. */
  readonly answers: readonly (readonly string[])[];
  /** How many different answers the implementations gave. */
  readonly different: number;
}

export interface Question {
  readonly point: string;
  /** The question for the owner of the document. */
  readonly question: string;
  /** The chance that two random implementations answer differently, as the mean over the questions of the point. */
  readonly divergence: number;
  readonly answers: readonly { readonly answer: string; readonly implementations: readonly string[] }[];
}

export interface Comparison {
  readonly format: typeof COMPARISON_FORMAT;
  readonly implementations: readonly Implementation[];
  readonly clauses: readonly ClauseRow[];
  readonly dialects: readonly AnswerRow[];
  readonly questions: readonly Question[];
}

/** Returns a different name for each implementation. */
function nameReports(reports: readonly Report[]): readonly string[] {
  const names = reports.map(({ target }) => nameTarget(target));
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${index + 1})`,
  );
}

function makeClauseRows(reports: readonly Report[]): readonly ClauseRow[] {
  const known = new Map(reports.flatMap(({ clauses }) => clauses.map((clause) => [clause.id, clause] as const)));
  const isDivided = ({ verdicts }: ClauseRow): number => Number(new Set(verdicts).size > 1);
  return [...known.values()]
    .filter(({ level }) => level !== 'open')
    .map(({ id, level, statement }) => ({
      clause: id,
      level,
      statement,
      verdicts: reports.map(({ clauses }) => clauses.find((clause) => clause.id === id)?.verdict ?? null),
    }))
    .toSorted((a, b) => isDivided(b) - isDivided(a));
}

/** Returns the given answers, each as one text. */
const listGiven = (answers: AnswerRow['answers']): string[] =>
  answers.flatMap((values) => (values.length === 0 ? [] : values.join('; ')));

/** Returns the chance that two random answers differ. */
function measureDivergence({ answers }: AnswerRow): number {
  const given = listGiven(answers);
  const pairs = given.flatMap((one, index) => given.slice(index + 1).map((other) => Number(one !== other)));
  return pairs.length === 0 ? 0 : addCounts(pairs, (differs) => differs) / pairs.length;
}

function answerRows(reports: readonly Report[]): readonly AnswerRow[] {
  const asked = reports.map(({ observations }) => groupQuestions(observations));
  return [...new Set(asked.flatMap((questions) => [...questions.keys()]))].flatMap((key) => {
    const all = asked.map((questions) => questions.get(key) ?? []);
    const { point, operation, about } = all.flat()[0]!;
    if (VOLATILE_POINTS.has(point)) return [];
    const answers = all.map((same) => same.map(({ value }) => value).toSorted());
    return { point, operation, about, answers, different: new Set(listGiven(answers)).size };
  });
}

function makeQuestions(reports: readonly Report[], rows: readonly AnswerRow[]): readonly Question[] {
  const names = nameReports(reports);
  const statements = new Map(
    reports.flatMap(({ clauses }) => clauses.map(({ id, statement }) => [id, statement] as const)),
  );
  return [...groupBy(rows, ({ point }) => point)]
    .flatMap(([point, ofPoint]) => {
      const [widest] = ofPoint.toSorted((a, b) => measureDivergence(b) - measureDivergence(a));
      if (widest === undefined || widest.different < 2) return [];
      const stated = widest.answers.map((values, at) => ({ answer: values.join('; '), name: names[at] ?? '' }));
      const groups = groupBy(
        stated.filter((_, at) => widest.answers[at]!.length > 0),
        ({ answer }) => answer,
      );
      const where = `${widest.operation}${widest.about === null ? '' : `, ${widest.about}`}`;
      return {
        point,
        question: `The document leaves open: ${statements.get(point) ?? point} Implementations differ, at ${where} for instance. Which of these answers is meant, or may each choose?`,
        divergence: Math.round((addCounts(ofPoint, measureDivergence) / ofPoint.length) * 1000) / 1000,
        answers: [...groups].map(([answer, same]) => ({ answer, implementations: same.map(({ name }) => name) })),
      };
    })
    .toSorted((a, b) => b.divergence - a.divergence || (a.point < b.point ? -1 : 1));
}

export function compareReports(reports: readonly Report[]): Comparison {
  const names = nameReports(reports);
  const rows = answerRows(reports);
  return {
    format: COMPARISON_FORMAT,
    implementations: reports.map(({ target, verdict, startedAt, requests, suite }, index) => ({
      name: names[index] ?? '',
      build: target.build,
      verdict,
      startedAt,
      requests,
      contractDigest: suite.contractDigest,
      seed: suite.seed,
    })),
    clauses: makeClauseRows(reports),
    dialects: rows.toSorted((a, b) => b.different - a.different),
    questions: makeQuestions(reports, rows),
  };
}
