/**
 * Checks a report: judges its history (exchange log) again, and compares verdicts, counts and digests. Without a history, judges the
 * exchanges in the report remade.
 */
import { clauses as catalogue } from '../../openapi/catalogue.ts';
import { getClauseClass, type Clause } from '../../openapi/clauses/clause.ts';
import { operations } from '../../openapi/contract/operations.ts';
import { listRunViolations, readEntry, sealEntry } from '../../openapi/history/reading.ts';
import { getFindingKey } from '../../openapi/model/finding.ts';
import type { ExchangeRecord, RunLines } from '../../openapi/model/journal.ts';
import { addCounts, formatOperationName, formatPlace } from '../text/phrases.ts';
import { buildReport } from '../build/index.ts';
import { isUntestedAlwaysClause } from '../build/reasons.ts';
import { getSeverity } from '../build/verdict.ts';
import { failsGate } from '../model/report.ts';
import type { RunHistory } from '../journal/history.ts';
import { omitUndefined, type ClauseReport, type Finding, type Report } from '../model/report.ts';
import { makeCurlLine } from '../text/curl.ts';

interface Difference {
  /** The id of the exchange, clause or finding; `report` for the whole report. */
  readonly at: string;
  /** The end of a sentence that begins with `at`. */
  readonly what: string;
}

/** Makes a difference from each text. Ignores `false`: so a caller can write `isWrong && 'it is wrong'`. */
const makeDifferences = (at: string, ...texts: readonly (string | false)[]): Difference[] =>
  texts.flatMap((what) => (what === false ? [] : { at, what }));

const hasRightDigest = ({ sha256, ...unsealed }: ExchangeRecord): boolean => sealEntry(unsealed).sha256 === sha256;

/** Checks a report, also against `history` if it is given. The contract must be the same as in the run. */
export function verifyReport(report: Report, history?: RunHistory) {
  const records = Object.values(report.exchanges);
  const readings = records.map((record) => readEntry(record));
  const comparison = history === undefined ? null : compareWithHistory(report, history);
  const testedClauses = new Set<string>(readings.flatMap(({ exercised }) => exercised));
  const judgedClauses = report.clauses.filter(({ verdict }) => ['pass', 'fail', 'warning'].includes(verdict));
  return {
    exchanges: comparison?.exchanges ?? records.length,
    /** Verdicts that are taken from the run: nobody can judge again if a secret is hidden or the body is cut off. */
    violationsTakenFromRun: comparison?.taken ?? records.flatMap(listRunViolations),
    /** The number of verdicts on one clause by one exchange. */
    verdicts: addCounts(readings, ({ exercised }) => exercised.length),
    clauses: report.clauses.length,
    /** The number of clauses that were not judged again: their verdict may need exchanges that only the history has. */
    notRecomputed: comparison === null ? judgedClauses.filter(({ id }) => !testedClauses.has(id)).length : 0,
    findings: report.findings.length,
    differences: [
      ...compareExchanges(report, readings),
      ...(comparison?.differences ?? []),
      ...compareCatalogue(report),
      ...compareVerdicts(report),
      ...compareCurlLines(report),
    ],
  };
}

/** Checks the digests of the exchanges, and compares the findings with the violations that the judge finds in the exchanges. */
function compareExchanges(report: Report, readings: readonly ReturnType<typeof readEntry>[]): Difference[] {
  const { exchanges, findings, clauses } = report;
  const violations = readings.flatMap(({ breaks }) => breaks);
  const violationKeys = new Set(violations.map((violation) => `${violation.exchange} ${getFindingKey(violation)}`));
  const findingsWithoutViolation = findings.filter(
    ({ id, exchange, alone }) => alone === true && !violationKeys.has(`${exchange} ${id}`),
  );
  const levelsByClause = new Map(clauses.map(({ id, level }) => [id, level]));
  const makeKey = ({ clause, pointer, kind }: Pick<Finding, 'clause' | 'pointer' | 'kind'>, operation: string) =>
    [clause, operation, pointer, kind].join('\n');
  const findingKeys = new Set(findings.map((finding) => makeKey(finding, finding.operation)));
  return [
    ...Object.entries(exchanges).flatMap(([id, record]) =>
      makeDifferences(id, !hasRightDigest(record) && 'its SHA-256 is not the one that it was recorded with'),
    ),
    ...findingsWithoutViolation.flatMap(({ exchange, clause, pointer, kind }) => {
      const where = `${clause} at ${formatPlace(pointer)} (${kind})`;
      const isInReport = exchange in exchanges;
      return makeDifferences(
        exchange,
        isInReport ? `${where} is broken in the report and not now` : `it shows ${where}, and is not there`,
      );
    }),
    ...violations.flatMap((violation) => {
      const { exchange, operation, clause, pointer, kind } = violation;
      const level = levelsByClause.get(clause);
      const isReportedAsFinding = findingKeys.has(makeKey(violation, formatOperationName(operations[operation])));
      const needsFinding = level !== undefined && getSeverity(level) !== null;
      const isMissing = needsFinding && !isReportedAsFinding;
      const where = `${clause} at ${formatPlace(pointer)} (${kind})`;
      return makeDifferences(exchange, isMissing && `it violates ${where}, and no finding says so`);
    }),
  ];
}

/** Checks that the report has all clauses of the catalogue, unchanged. Open points may differ: an overlay can make them requirements. */
function compareCatalogue({ clauses }: Report): Difference[] {
  const clausesOfReport = new Map(clauses.map((clause) => [clause.id, clause]));
  return Object.entries<Clause>(catalogue).flatMap(([id, clause]) => {
    const clauseOfReport = clausesOfReport.get(id);
    if (clauseOfReport === undefined) return makeDifferences(id, 'it is in the catalogue, and not in the report');
    const isSame =
      clauseOfReport.level === clause.level &&
      clauseOfReport.exercise === clause.exercise &&
      clauseOfReport.statement === clause.statement &&
      clauseOfReport.class === getClauseClass(clause);
    return makeDifferences(
      id,
      !isSame && clause.level !== 'open' && 'its level, class or statement is not that of the catalogue',
    );
  });
}

/** Checks that each curl line of the report is the curl line of its exchange. */
const compareCurlLines = (report: Report): Difference[] =>
  report.findings.flatMap((finding) =>
    makeDifferences(
      finding.exchange,
      report.exchanges[finding.exchange] !== undefined &&
        finding.curl !== makeCurlLine(report, finding) &&
        `the curl line of ${finding.clause} is not that of its exchange`,
    ),
  );

/** Checks that the verdict, the headline and the gate agree with the clauses, and the clauses with the findings. */
function compareVerdicts({
  verdict,
  headline,
  clauses,
  findings,
  gate,
  suite,
  errors,
  interrupted,
}: Report): Difference[] {
  const failures = findings.filter((finding) => finding.verdict === 'fail');
  const brokenClauses = new Set(failures.map(({ clause }) => clause));
  const hasFailure = clauses.some((clause) => clause.verdict === 'fail');
  const verdictText = `its verdict is “${verdict}”, and`;
  return [
    ...makeDifferences(
      'report',
      hasFailure !== (verdict === 'non-conformant') &&
        `${verdictText} ${hasFailure ? 'a clause fails' : 'no clause fails'}`,
      !headline.startsWith(verdict) && `${verdictText} its headline “${headline}”`,
      verdict === 'conformant' &&
        (clauses.some(isUntestedAlwaysClause) || interrupted !== null) &&
        `${verdictText} a clause was not tested, or the run was interrupted`,
      gate.pass &&
        findings.some((finding) => failsGate(finding, suite)) &&
        'its gate passes, although a finding that fails the gate is not among the known findings',
      gate.pass &&
        (verdict === 'inconclusive' || errors.length > 0) &&
        'its gate passes, and the verdict is inconclusive, or the suite broke',
    ),
    ...clauses.flatMap((clause) =>
      makeDifferences(
        clause.id,
        (clause.verdict === 'fail') !== brokenClauses.has(clause.id) &&
          `its verdict is “${clause.verdict}”, and ${brokenClauses.has(clause.id) ? 'a finding breaks it' : 'no finding breaks it'}`,
      ),
    ),
  ];
}

/**
 * Makes the report again from the history, and calls `inspect` with each exchange: the history may be too large for the memory, and is
 * read only once. Takes the data about the run, and the faults of the suite, from the old report.
 */
function makeReportAgain(report: Report, { lines }: RunHistory, inspectEntry: (entry: ExchangeRecord) => void): Report {
  const { target, suite, startedAt, durationMs, interrupted, configuration, errors, recording } = report;
  const withoutErrors: RunLines = {
    ...lines,
    *[Symbol.iterator]() {
      for (const line of lines) {
        if (line.line === 'entry') inspectEntry(line.entry);
        if (line.line !== 'error') yield line;
      }
    },
  };
  const run = { target, suite, startedAt, durationMs, configuration, errors };
  const caps = report.createdResources.caps ?? undefined;
  return buildReport({
    lines: withoutErrors,
    run: { ...run, ...omitUndefined({ interrupted: interrupted ?? undefined, caps, recording }) },
  });
}

/** Compares the items of one part of two reports, by their keys. `describe` describes an item that differs. */
function compareItems<T>(
  part: string,
  [reportedItems, remadeItems]: readonly [reported: readonly T[], remade: readonly T[]],
  getKey: (item: T) => string,
  describe = (_: T): string => '',
): Difference[] {
  const reportedByKey = new Map(reportedItems.map((item) => [getKey(item), item]));
  const remadeByKey = new Map(remadeItems.map((item) => [getKey(item), item]));
  const allKeys = new Set([...reportedByKey.keys(), ...remadeByKey.keys()]);
  return [...allKeys].flatMap((at) => {
    const reported = reportedByKey.get(at);
    const remade = remadeByKey.get(at);
    if (JSON.stringify(reported) === JSON.stringify(remade)) return [];
    if (reported === undefined) return makeDifferences(at, `its history gives this ${part}, and the report does not`);
    if (remade === undefined) return makeDifferences(at, `its history does not give this ${part}`);
    const [before, now] = [describe(reported), describe(remade)];
    return makeDifferences(
      at,
      `its history gives another ${part}${before === now ? '' : `: ${before}, and now ${now}`}`,
    );
  });
}

const getItemId = ({ id }: { readonly id: string }): string => id;
const describeCounts = ({ verdict, exercised, broken }: ClauseReport): string =>
  `“${verdict}”, tested ${exercised} times and broken ${broken} times`;

/** Judges the history again, and compares it with the report. */
function compareWithHistory(report: Report, history: RunHistory) {
  let exchanges = 0;
  const takenFromRun: ReturnType<typeof listRunViolations>[number][] = [];
  const differences: Difference[] = [];
  // Two shards may have used the same exchange id.
  const idsWithDigests = new Set<string>();
  const remadeReport = makeReportAgain(report, history, (entry) => {
    const { id, sha256 } = entry;
    exchanges += 1;
    takenFromRun.push(...listRunViolations(entry));
    if (!hasRightDigest(entry))
      differences.push({ at: id, what: 'in the history its SHA-256 is not the one that it was recorded with' });
    if (id in report.exchanges) idsWithDigests.add(`${id} ${sha256}`);
  });
  for (const [id, { sha256 }] of Object.entries(report.exchanges))
    differences.push(
      ...makeDifferences(id, !idsWithDigests.has(`${id} ${sha256}`) && 'it is not in the history as it is here'),
    );
  return {
    exchanges,
    taken: takenFromRun,
    differences: [...differences, ...compareParts(report, remadeReport, history)],
  };
}

function compareParts(report: Report, remade: Report, { sha256 }: RunHistory): Difference[] {
  // The report does not contain the file of known findings.
  const listFindings = (source: Report) => source.findings.map(({ known: _, ...finding }) => finding);
  return [
    ...makeDifferences(
      'report',
      report.history !== sha256 && 'the history beside it is not the one that it was made from',
      // The reason for an inconclusive verdict may be known only to the run.
      report.headline !== remade.headline &&
        report.verdict !== 'inconclusive' &&
        `its headline is “${report.headline}”, and its history gives “${remade.headline}”`,
    ),
    ...compareItems('clause', [report.clauses, remade.clauses], getItemId, describeCounts),
    ...compareItems('finding', [listFindings(report), listFindings(remade)], getItemId),
    ...compareItems('observation', [report.observations, remade.observations], ({ point, operation, about, value }) =>
      [point, operation, about ?? '', value].join(' | '),
    ),
    ...compareItems('operation', [report.operations, remade.operations], getItemId),
  ];
}
