/**
 * Compares several banks by their reports: the verdicts on clauses, the answers to open points, and questions for the owner of the
 * document. The question with the most different answers comes first.
 */
import { groupBy } from '../../openapi/util/group-by.ts';
import { groupQuestions, VOLATILE_POINTS } from '../baseline/behaviour-profile.ts';
import type { Report } from '../model/report.ts';
import { addCounts, formatTargetName } from '../text/phrases.ts';

/** The name of the format. The number increases if older programs can no longer read the format. */
const COMPARISON_FORMAT = 'bank-open-api-comparison/1';

/** A clause with its verdict in each report, in their order; null if a report does not have it. */
export type ClauseRow = ReturnType<typeof listVerdicts>[number];
/** An open point with its answers in each report, in their order; empty if a run did not ask the question. */
export type AnswerRow = ReturnType<typeof listAnswerRows>[number];
export type OwnerQuestion = ReturnType<typeof makeOwnerQuestions>[number];
export type BankComparison = ReturnType<typeof compareReports>;

function listVerdicts(reports: readonly Report[]) {
  const clausesById = new Map(reports.flatMap(({ clauses }) => clauses.map((clause) => [clause.id, clause] as const)));
  const verdictsByReport = reports.map(({ clauses }) => new Map(clauses.map(({ id, verdict }) => [id, verdict])));
  return [...clausesById.values()].map(({ id, level, statement }) => ({
    clause: id,
    level,
    statement,
    verdicts: verdictsByReport.map((verdicts) => verdicts.get(id) ?? null),
  }));
}

function makeReportNames(reports: readonly Report[]): readonly string[] {
  const names = reports.map(({ target }) => formatTargetName(target));
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${index + 1})`,
  );
}

/** Returns the answers of the banks that answered, one text for each bank. */
const listGivenAnswers = (answers: readonly (readonly string[])[]): string[] =>
  answers.flatMap((values) => (values.length === 0 ? [] : values.join('; ')));

/** Returns the share of pairs of banks that answer differently: 2/3 for the answers a, a, b. */
function measureDivergence({ answers }: AnswerRow): number {
  const givenAnswers = listGivenAnswers(answers);
  const pairs = givenAnswers.flatMap((answerA, index) =>
    givenAnswers.slice(index + 1).map((answerB) => Number(answerA !== answerB)),
  );
  return pairs.length === 0 ? 0 : addCounts(pairs, (isDifferent) => isDifferent) / pairs.length;
}

function listAnswerRows(reports: readonly Report[]) {
  const questionsByReport = reports.map(({ observations }) => groupQuestions(observations));
  return [...new Set(questionsByReport.flatMap((questions) => [...questions.keys()]))].flatMap((key) => {
    const answersByReport = questionsByReport.map((questions) => questions.get(key) ?? []);
    const { point, operation, about } = answersByReport.flat()[0]!;
    if (VOLATILE_POINTS.has(point)) return [];
    const answers = answersByReport.map((reported) => reported.map(({ value }) => value).toSorted());
    return { point, operation, about, answers, different: new Set(listGivenAnswers(answers)).size };
  });
}

function makeOwnerQuestions(reports: readonly Report[], rows: readonly AnswerRow[]) {
  const names = makeReportNames(reports);
  const statements = new Map(listVerdicts(reports).map(({ clause, statement }) => [clause, statement]));
  return [...groupBy(rows, ({ point }) => point)]
    .flatMap(([point, rowsOfPoint]) => {
      const [mostDivergent] = rowsOfPoint.toSorted((a, b) => measureDivergence(b) - measureDivergence(a));
      if (mostDivergent === undefined || mostDivergent.different < 2) return [];
      const namedAnswers = mostDivergent.answers.flatMap((values, position) =>
        values.length === 0 ? [] : { answer: values.join('; '), name: names[position] ?? '' },
      );
      const where = `${mostDivergent.operation}${mostDivergent.about === null ? '' : `, ${mostDivergent.about}`}`;
      return {
        point,
        question: `${statements.get(point) ?? point} The banks differ, for example at ${where}. Which of these answers is right, or may each bank choose?`,
        divergence: Math.round((addCounts(rowsOfPoint, measureDivergence) / rowsOfPoint.length) * 1000) / 1000,
        answers: [...groupBy(namedAnswers, ({ answer }) => answer)].map(([answer, group]) => ({
          answer,
          implementations: group.map(({ name }) => name),
        })),
      };
    })
    .toSorted((a, b) => b.divergence - a.divergence || (a.point < b.point ? -1 : 1));
}

export function compareReports(reports: readonly Report[]) {
  const names = makeReportNames(reports);
  const rows = listAnswerRows(reports);
  // Clauses with different verdicts come first. Among them, and among the others, the worst verdict comes first.
  const rankVerdict = ({ verdicts }: ClauseRow): number => {
    if (verdicts.includes('fail')) return 0;
    return verdicts.includes('warning') ? 1 : 2;
  };
  const rankRow = (row: ClauseRow): number => (new Set(row.verdicts).size > 1 ? 0 : 3) + rankVerdict(row);
  return {
    format: COMPARISON_FORMAT,
    implementations: reports.map(
      ({ target, verdict, startedAt, requests, suite, counts: { must, should } }, index) => ({
        name: names[index] ?? '',
        build: target.build,
        verdict,
        counts: {
          broken: must.fail,
          warned: should.warning,
          untested: must.inconclusive + should.inconclusive,
          kept: must.pass + should.pass,
        },
        startedAt,
        requests,
        contractDigest: suite.contractDigest,
        seed: suite.seed,
      }),
    ),
    clauses: listVerdicts(reports)
      .filter(({ level }) => level !== 'open')
      .toSorted((a, b) => rankRow(a) - rankRow(b)),
    dialects: rows.toSorted((a, b) => b.different - a.different),
    questions: makeOwnerQuestions(reports, rows),
  } as const;
}
