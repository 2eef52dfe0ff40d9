/**
 * Several implementations side by side, from their reports: clauses by implementation, the answers to open points by
 * implementation, and the questions that the answers raise for the owner of the document, those that divide most first.
 */
import type { Level } from '../../openapi/clauses/clause.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { questionsOf } from '../baseline/behaviour-profile.ts';
import { VOLATILE_POINTS } from '../model/behaviour-profile.ts';
import type { ClauseVerdict, Report, RunVerdict } from '../model/report.ts';
import { targetName } from '../text/phrases.ts';

/** The name of the format; a change that breaks readers raises the number. */
const comparisonFormat = 'bank-open-api-comparison/1';

interface Implementation {
  readonly name: string;
  readonly build: string | null;
  readonly verdict: RunVerdict;
  readonly startedAt: string;
  readonly requests: number;
  readonly contractDigest: string;
  readonly seed: number;
}

export interface ClauseRow {
  readonly clause: string;
  readonly level: Level;
  readonly statement: string;
  /** In the order of the implementations; null where a report does not know the clause. */
  readonly verdicts: readonly (ClauseVerdict | null)[];
}

export interface AnswerRow {
  readonly point: string;
  readonly operation: string;
  readonly about: string | null;
  /** In the order of the implementations; empty where the question was not asked. */
  readonly answers: readonly (readonly string[])[];
  /** How many different answers there are among those that gave one. */
  readonly different: number;
}

export interface Question {
  readonly point: string;
  /** To be put to the owner of the document. */
  readonly question: string;
  /** How far implementations diverge: the chance that two of them, drawn blindly, answer otherwise; mean over its questions. */
  readonly divergence: number;
  readonly answers: readonly { readonly answer: string; readonly implementations: readonly string[] }[];
}

export interface Comparison {
  readonly format: typeof comparisonFormat;
  readonly implementations: readonly Implementation[];
  readonly clauses: readonly ClauseRow[];
  readonly dialects: readonly AnswerRow[];
  readonly questions: readonly Question[];
}

/** Names that tell the implementations apart. */
function namesOf(reports: readonly Report[]): readonly string[] {
  const names = reports.map(({ target }) => targetName(target));
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${index + 1})`,
  );
}

function clauseRows(reports: readonly Report[]): readonly ClauseRow[] {
  const known = new Map(reports.flatMap(({ clauses }) => clauses.map((clause) => [clause.id, clause] as const)));
  const rows = [...known.values()]
    .filter(({ level }) => level !== 'open')
    .map(({ id, level, statement }): ClauseRow => ({
      clause: id,
      level,
      statement,
      verdicts: reports.map(({ clauses }) => clauses.find((clause) => clause.id === id)?.verdict ?? null),
    }));
  return rows.toSorted((a, b) => Number(divides(b.verdicts)) - Number(divides(a.verdicts)));
}

const divides = (verdicts: readonly unknown[]): boolean => new Set(verdicts).size > 1;

/** The chance that two answers drawn blindly differ. */
function divergenceOf(answers: readonly (readonly string[])[]): number {
  const given = answers.filter(({ length }) => length > 0).map((values) => values.join('; '));
  if (given.length < 2) return 0;
  const pairs = given.flatMap((one, index) => given.slice(index + 1).map((other) => Number(one !== other)));
  return pairs.reduce((sum, differs) => sum + differs, 0) / pairs.length;
}

function answerRows(reports: readonly Report[]): readonly AnswerRow[] {
  const asked = reports.map(({ observations }) => questionsOf(observations));
  const keys = [...new Set(asked.flatMap((questions) => [...questions.keys()]))];
  return keys.flatMap((key): AnswerRow[] => {
    const first = asked.map((questions) => questions.get(key)?.[0]).find((one) => one !== undefined);
    if (first === undefined || VOLATILE_POINTS.has(first.point)) return [];
    const answers = asked.map((questions) => (questions.get(key) ?? []).map(({ value }) => value).toSorted());
    const given = new Set(answers.filter(({ length }) => length > 0).map((values) => values.join('; ')));
    return [{ point: first.point, operation: first.operation, about: first.about, answers, different: given.size }];
  });
}

function questions(reports: readonly Report[], rows: readonly AnswerRow[]): readonly Question[] {
  const names = namesOf(reports);
  const statements = new Map(
    reports.flatMap(({ clauses }) => clauses.map(({ id, statement }) => [id, statement] as const)),
  );
  const points = [...new Set(rows.map(({ point }) => point))];
  return points
    .flatMap((point): Question[] => {
      const mine = rows.filter((row) => row.point === point);
      const [widest] = mine.toSorted((a, b) => divergenceOf(b.answers) - divergenceOf(a.answers));
      if (widest === undefined || widest.different < 2) return [];
      const groups = new Map<string, string[]>();
      widest.answers.forEach((values, index) => {
        if (values.length > 0) getOrSet(groups, values.join('; '), () => []).push(names[index] ?? '');
      });
      const where = `${widest.operation}${widest.about === null ? '' : `, ${widest.about}`}`;
      const stated = statements.get(point) ?? point;
      return [
        {
          point,
          question: `The document leaves open: ${stated} Implementations differ, at ${where} for instance. Which of these answers is meant, or may each choose?`,
          divergence:
            Math.round((mine.reduce((sum, row) => sum + divergenceOf(row.answers), 0) / mine.length) * 1000) / 1000,
          answers: [...groups].map(([answer, implementations]) => ({ answer, implementations })),
        },
      ];
    })
    .toSorted((a, b) => b.divergence - a.divergence || (a.point < b.point ? -1 : 1));
}

/** Compares reports. Pure. */
export function compare(reports: readonly Report[]): Comparison {
  const names = namesOf(reports);
  const rows = answerRows(reports);
  return {
    format: comparisonFormat,
    implementations: reports.map(({ target, verdict, startedAt, requests, suite }, index) => ({
      name: names[index] ?? '',
      build: target.build,
      verdict,
      startedAt,
      requests,
      contractDigest: suite.contractDigest,
      seed: suite.seed,
    })),
    clauses: clauseRows(reports),
    dialects: rows.toSorted((a, b) => b.different - a.different),
    questions: questions(reports, rows),
  };
}
