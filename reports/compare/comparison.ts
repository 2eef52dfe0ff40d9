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
export interface OwnerQuestion {
  readonly point: string;
  readonly question: string;
  /** The share of pairs of banks that answer differently: from 0 to 1, three decimals. */
  readonly divergence: number;
  readonly answers: readonly { readonly answer: string; readonly implementations: readonly string[] }[];
}
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
const joinGivenAnswers = (answers: readonly (readonly string[])[]): string[] =>
  answers.flatMap((values) => (values.length === 0 ? [] : values.join('; ')));

/** Returns the share of pairs of banks that answer differently: 2/3 for the answers a, a, b. */
function measureDivergence({ answers }: AnswerRow): number {
  const givenAnswers = joinGivenAnswers(answers);
  const differencesOfPairs = givenAnswers.flatMap((answerA, index) =>
    givenAnswers.slice(index + 1).map((answerB) => Number(answerA !== answerB)),
  );
  return differencesOfPairs.length === 0
    ? 0
    : addCounts(differencesOfPairs, (isDifferent) => isDifferent) / differencesOfPairs.length;
}

function listAnswerRows(reports: readonly Report[]) {
  const questionsByReport = reports.map(({ observations }) => groupQuestions(observations));
  return [...new Set(questionsByReport.flatMap((questions) => [...questions.keys()]))].flatMap((key) => {
    const answersByReport = questionsByReport.map((questions) => questions.get(key) ?? []);
    const { point, operation, about } = answersByReport.flat()[0]!;
    if (VOLATILE_POINTS.has(point)) return [];
    const answers = answersByReport.map((reportedAnswers) => reportedAnswers.map(({ value }) => value).toSorted());
    return { point, operation, about, answers, different: new Set(joinGivenAnswers(answers)).size };
  });
}

function makeOwnerQuestions(reports: readonly Report[], rows: readonly AnswerRow[]): OwnerQuestion[] {
  const names = makeReportNames(reports);
  const statements = new Map(listVerdicts(reports).map(({ clause, statement }) => [clause, statement]));
  return [...groupBy(rows, ({ point }) => point)]
    .flatMap(([pointId, rowsOfPoint]): OwnerQuestion | [] => {
      const [mostDivergent] = rowsOfPoint.toSorted((a, b) => measureDivergence(b) - measureDivergence(a));
      if (mostDivergent === undefined || mostDivergent.different < 2) return [];
      const namedAnswers = mostDivergent.answers.flatMap((values, position) =>
        values.length === 0 ? [] : { answer: values.join('; '), name: names[position] ?? '' },
      );
      const placeText = `${mostDivergent.operation}${mostDivergent.about === null ? '' : `, ${mostDivergent.about}`}`;
      return {
        point: pointId,
        question: `${statements.get(pointId) ?? pointId} The banks differ, for example at ${placeText}. Which of these answers is right, or may each bank choose?`,
        divergence: Math.round((addCounts(rowsOfPoint, measureDivergence) / rowsOfPoint.length) * 1000) / 1000,
        answers: [...groupBy(namedAnswers, ({ answer }) => answer)].map(([answer, group]) => ({
          answer,
          implementations: group.map(({ name }) => name),
        })),
      };
    })
    .toSorted(compareQuestions);
}

/** Sorts the questions: the largest divergence first, then by the id of the open point. */
function compareQuestions(questionA: OwnerQuestion, questionB: OwnerQuestion): number {
  if (questionA.divergence !== questionB.divergence) return questionB.divergence - questionA.divergence;
  return questionA.point < questionB.point ? -1 : 1;
}

export function compareReports(reports: readonly Report[]) {
  const names = makeReportNames(reports);
  const answerRows = listAnswerRows(reports);
  // Rank 0 to 2: the verdicts differ, and the worst is a failure, a warning or none. Rank 3 to 5: the verdicts are the same.
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
    dialects: answerRows.toSorted((a, b) => b.different - a.different),
    questions: makeOwnerQuestions(reports, answerRows),
  } as const;
}
