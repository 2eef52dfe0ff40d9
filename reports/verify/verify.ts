/** Checks a report: judges its history again, or else the exchanges in it, and compares verdicts, counts and digests. */
import { clauses as catalogue } from '../../openapi/catalogue.ts';
import { getClauseClass, type Clause } from '../../openapi/clauses/clause.ts';
import { operations } from '../../openapi/contract/operations.ts';
import { listRunViolations, readEntry, sealEntry } from '../../openapi/history/reading.ts';
import { getFindingKey } from '../../openapi/model/finding.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { addCounts, formatOperationName, formatPlace } from '../text/phrases.ts';
import { foldReport } from '../fold/index.ts';
import { isUntestedAlwaysClause } from '../fold/reasons.ts';
import { getSeverity } from '../fold/verdict.ts';
import { failsGate } from '../model/report.ts';
import type { RunLines } from '../../openapi/history/run-lines.ts';
import type { RunHistory } from '../journal/history.ts';
import { omitUndefined, type ClauseReport, type Finding, type Report } from '../model/report.ts';
import { makeCurlLine } from '../text/curl.ts';

interface Difference {
  /** The id of the exchange, clause or finding; `report` for the whole report. */
  readonly at: string;
  /** The end of a sentence that begins with `at`. */
  readonly what: string;
}

/** Makes the differences at one place from the texts that are not `false`. */
const makeDifferences = (at: string, ...claims: readonly (string | false)[]): Difference[] =>
  claims.flatMap((what) => (what === false ? [] : { at, what }));

const hasRightDigest = ({ sha256, ...unsealed }: ExchangeRecord): boolean => sealEntry(unsealed).sha256 === sha256;

/** Checks a report, also against `history` if it is given. The contract must be the same as in the run. */
export function verifyReport(report: Report, history?: RunHistory) {
  const records = Object.values(report.exchanges);
  const readings = records.map((record) => readEntry(record));
  const remade = history === undefined ? null : compareWithHistory(report, history);
  const tested = new Set<string>(readings.flatMap(({ exercised }) => exercised));
  const judged = report.clauses.filter(({ verdict }) => ['pass', 'fail', 'warning'].includes(verdict));
  return {
    exchanges: remade?.exchanges ?? records.length,
    /** Verdicts of the run that cannot be made again, because a secret is hidden or the body is cut. */
    taken: remade?.taken ?? records.flatMap(listRunViolations),
    /** The number of verdicts on one clause by one exchange. */
    verdicts: addCounts(readings, ({ exercised }) => exercised.length),
    clauses: report.clauses.length,
    /** The number of clauses whose verdict is not computed again: it may need exchanges that only the history has. */
    notRecomputed: remade === null ? judged.filter(({ id }) => !tested.has(id)).length : 0,
    findings: report.findings.length,
    differences: [
      ...compareExchanges(report, readings),
      ...(remade?.differences ?? []),
      ...compareCatalogue(report),
      ...compareVerdicts(report),
      ...compareCurlLines(report),
    ],
  };
}

/** Compares digests, and the findings with what the judge finds in the exchanges of the report. */
function compareExchanges(report: Report, readings: readonly ReturnType<typeof readEntry>[]): Difference[] {
  const { exchanges, findings, clauses } = report;
  const violations = readings.flatMap(({ breaks }) => breaks);
  const broken = new Set(violations.map((one) => `${one.exchange} ${getFindingKey(one)}`));
  const missing = findings.filter(({ id, exchange, alone }) => alone === true && !broken.has(`${exchange} ${id}`));
  const levels = new Map(clauses.map(({ id, level }) => [id, level]));
  const keyOf = ({ clause, pointer, kind }: Pick<Finding, 'clause' | 'pointer' | 'kind'>, operation: string) =>
    [clause, operation, pointer, kind].join('\n');
  const known = new Set(findings.map((one) => keyOf(one, one.operation)));
  return [
    ...Object.entries(exchanges).flatMap(([id, record]) =>
      makeDifferences(id, !hasRightDigest(record) && 'its SHA-256 is not the one that it was recorded with'),
    ),
    ...missing.flatMap(({ exchange, clause, pointer, kind }) => {
      const where = `${clause} at ${formatPlace(pointer)} (${kind})`;
      const isThere = exchange in exchanges;
      return makeDifferences(
        exchange,
        isThere ? `${where} is broken in the report and not now` : `it shows ${where}, and is not there`,
      );
    }),
    ...violations.flatMap((one) => {
      const level = levels.get(one.clause);
      const isMissing =
        level !== undefined &&
        getSeverity(level) !== null &&
        !known.has(keyOf(one, formatOperationName(operations[one.operation])));
      const where = `${one.clause} at ${formatPlace(one.pointer)} (${one.kind})`;
      return makeDifferences(one.exchange, isMissing && `it violates ${where}, and no finding says so`);
    }),
  ];
}

/** Checks that the report has all clauses of the catalogue, unchanged. An open point may have become a requirement. */
function compareCatalogue({ clauses }: Report): Difference[] {
  const stated = new Map(clauses.map((clause) => [clause.id, clause]));
  return Object.entries<Clause>(catalogue).flatMap(([id, clause]) => {
    const found = stated.get(id);
    if (found === undefined) return makeDifferences(id, 'it is in the catalogue, and not in the report');
    const isSame =
      found.level === clause.level &&
      found.exercise === clause.exercise &&
      found.statement === clause.statement &&
      found.class === getClauseClass(clause);
    return makeDifferences(
      id,
      !isSame && clause.level !== 'open' && 'its level, class or statement is not that of the catalogue',
    );
  });
}

/** Compares the curl lines with those of the exchanges: a line for copying is made from its exchange. */
const compareCurlLines = (report: Report): Difference[] =>
  report.findings.flatMap((finding) =>
    makeDifferences(
      finding.exchange,
      report.exchanges[finding.exchange] !== undefined &&
        finding.curl !== makeCurlLine(report, finding) &&
        `the curl line of ${finding.clause} is not that of its exchange`,
    ),
  );

/** Compares the verdict of the run, its headline and its gate with the clauses, and the clauses with the findings. */
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
  const broken = new Set(failures.map(({ clause }) => clause));
  const fails = clauses.some((clause) => clause.verdict === 'fail');
  const stated = `its verdict is “${verdict}”, and`;
  return [
    ...makeDifferences(
      'report',
      fails !== (verdict === 'non-conformant') && `${stated} ${fails ? 'a clause fails' : 'no clause fails'}`,
      !headline.startsWith(verdict) && `${stated} its headline “${headline}”`,
      verdict === 'conformant' &&
        (clauses.some(isUntestedAlwaysClause) || interrupted !== null) &&
        `${stated} a clause was not tested, or the run was interrupted`,
      gate.pass &&
        findings.some((finding) => failsGate(finding, suite)) &&
        'its gate passes, and a finding that fails it is not among the known findings',
      gate.pass &&
        (verdict === 'inconclusive' || errors.length > 0) &&
        'its gate passes, and the verdict is inconclusive, or the suite broke',
    ),
    ...clauses.flatMap((clause) =>
      makeDifferences(
        clause.id,
        (clause.verdict === 'fail') !== broken.has(clause.id) &&
          `its verdict is “${clause.verdict}”, and ${broken.has(clause.id) ? 'a finding breaks it' : 'no finding breaks it'}`,
      ),
    ),
  ];
}

/** Makes the report from the history. The data about the run, and the faults of the suite, come from the old report. */
function makeReportAgain(report: Report, { lines }: RunHistory): Report {
  const { target, suite, startedAt, durationMs, interrupted, configuration, errors, recording } = report;
  const withoutErrors: RunLines = {
    ...lines,
    *[Symbol.iterator]() {
      for (const line of lines) if (line.line !== 'error') yield line;
    },
  };
  const run = { target, suite, startedAt, durationMs, configuration, errors };
  const caps = report.createdResources.caps ?? undefined;
  return foldReport({
    lines: withoutErrors,
    run: { ...run, ...omitUndefined({ interrupted: interrupted ?? undefined, caps, recording }) },
  });
}

/** Compares the items of one part of two reports. `shown` describes an item that differs. */
function compareItems<T>(
  part: string,
  reports: readonly [then: readonly T[], now: readonly T[]],
  keyOf: (item: T) => string,
  shown = (_: T): string => '',
): Difference[] {
  const [then, now] = [new Map<string, T>(), new Map<string, T>()];
  for (const item of reports[0]) then.set(keyOf(item), item);
  for (const item of reports[1]) now.set(keyOf(item), item);
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((at) => {
    const [reported, remade] = [then.get(at), now.get(at)];
    if (JSON.stringify(reported) === JSON.stringify(remade)) return [];
    if (reported === undefined) return makeDifferences(at, `its history gives this ${part}, and the report does not`);
    if (remade === undefined) return makeDifferences(at, `its history does not give this ${part}`);
    const said = shown(reported) === shown(remade) ? '' : `: ${shown(reported)}, and now ${shown(remade)}`;
    return makeDifferences(at, `its history gives another ${part}${said}`);
  });
}

const getItemId = ({ id }: { readonly id: string }): string => id;
const describeCounts = ({ verdict, exercised, broken }: ClauseReport): string =>
  `“${verdict}”, tested ${exercised} times and broken ${broken} times`;

function compareWithHistory(report: Report, history: RunHistory) {
  let exchanges = 0;
  const taken: ReturnType<typeof listRunViolations>[number][] = [];
  const differences: Difference[] = [];
  // Two shards may have used the same exchange id.
  const digests = new Set<string>();
  // Reads the entries one by one: the history may be too large for the memory.
  for (const line of history.lines) {
    if (line.line !== 'entry') continue;
    const { id, sha256 } = line.entry;
    exchanges += 1;
    taken.push(...listRunViolations(line.entry));
    if (!hasRightDigest(line.entry))
      differences.push({ at: id, what: 'in the history its SHA-256 is not the one that it was recorded with' });
    if (id in report.exchanges) digests.add(`${id} ${sha256}`);
  }
  for (const [id, { sha256 }] of Object.entries(report.exchanges))
    differences.push(
      ...makeDifferences(id, !digests.has(`${id} ${sha256}`) && 'it is not in the history as it is here'),
    );
  const again = makeReportAgain(report, history);
  return { exchanges, taken, differences: [...differences, ...compareParts(report, again, history)] };
}

function compareParts(report: Report, again: Report, { sha256 }: RunHistory): Difference[] {
  // Known findings stand in a file that the report does not contain.
  const findings = ({ findings: all }: Report) => all.map(({ known: _, ...one }) => one);
  return [
    ...makeDifferences(
      'report',
      report.history !== sha256 && 'the history beside it is not the one that it was made from',
      // An inconclusive verdict may rest on what only the run knew.
      report.headline !== again.headline &&
        report.verdict !== 'inconclusive' &&
        `its headline is “${report.headline}”, and its history gives “${again.headline}”`,
    ),
    ...compareItems('clause', [report.clauses, again.clauses], getItemId, describeCounts),
    ...compareItems('finding', [findings(report), findings(again)], getItemId),
    ...compareItems('observation', [report.observations, again.observations], ({ point, operation, about, value }) =>
      [point, operation, about ?? '', value].join(' | '),
    ),
    ...compareItems('operation', [report.operations, again.operations], getItemId),
  ];
}
