/** Checks a report: exchanges, digests, and every verdict that can be computed from its content. */
import { getClauseClass, type Clause } from '../../openapi/clauses/clause.ts';
import { clauses as catalogue } from '../../openapi/catalogue.ts';
import { operations } from '../../openapi/contract/operations.ts';
import { isUntestedAlwaysClause } from '../fold/reasons.ts';
import { getSeverity } from '../fold/verdict.ts';
import type { Report, ClauseReport, Observation } from '../model/report.ts';
import type { History } from '../journal/history.ts';
import { formatOperationName, formatPlace } from '../text/phrases.ts';
import { makeCurlLine } from '../text/curl.ts';
import { readEntry, sealEntry, listRunViolations } from '../../openapi/history/reading.ts';
import { getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { foldReport } from '../fold/index.ts';
import { omitUndefined } from '../text/given.ts';

interface Verification extends Pick<Rejudged, 'verdicts' | 'taken' | 'differences'> {
  readonly exchanges: number;
  readonly clauses: number;
  /** The number of clauses whose verdict is not computed again: it may need exchanges that only the history has. */
  readonly notRecomputed: number;
  readonly findings: number;
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

/** Lists violations that the judge finds and the report does not have. */
function compareFindings({ clauses, findings }: Report, { violations }: Rejudged): Difference[] {
  const levels = new Map(clauses.map(({ id, level }) => [id, level]));
  const key = (operation: string, { clause, pointer, kind }: { clause: string; pointer: string; kind: string }) =>
    [clause, operation, pointer, kind].join('\n');
  const known = new Set(findings.map((one) => key(one.operation, one)));
  return violations.flatMap((one) => {
    const { exchange, operation, clause, pointer, kind } = one;
    const level = levels.get(clause);
    const isMissing =
      level !== undefined &&
      getSeverity(level) !== null &&
      !known.has(key(formatOperationName(operations[operation]), one));
    return makeDifferences(
      exchange,
      isMissing && `it violates ${clause} at ${formatPlace(pointer)} (${kind}), and no finding says so`,
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
function compareVerdicts({ verdict, headline, clauses, findings, gate, interrupted }: Report): Difference[] {
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
        failures.some(({ known }) => known === undefined) &&
        'its gate passes, and a failure is not among the known findings',
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

/** Checks a report, also against `history` if it is given. The contract must be the same as in the run. */
export function verifyReport(report: Report, history?: History): Verification {
  const again = rejudgeExchanges(report);
  const refolded = history === undefined ? null : remakeReport(report, history);
  const judged = report.clauses.filter(({ verdict }) => ['pass', 'fail', 'warning'].includes(verdict));
  return {
    exchanges: refolded?.exchanges ?? Object.keys(report.exchanges).length,
    taken: refolded?.taken ?? again.taken,
    verdicts: again.verdicts,
    clauses: report.clauses.length,
    notRecomputed: refolded === null ? judged.filter(({ id }) => !again.exercised.has(id)).length : 0,
    findings: report.findings.length,
    differences: [
      ...again.differences,
      ...(refolded?.differences ?? []),
      ...compareFindings(report, again),
      ...compareCatalogue(report),
      ...compareVerdicts(report),
      ...compareCurlLines(report),
    ],
  };
}

export interface Difference {
  /** The id of the exchange, clause or finding; `report` for the whole report. */
  readonly at: string;
  /** The end of a sentence that begins with `at`. */
  readonly what: string;
}

/** Makes the differences at one place from the texts that are not `false`. */
export const makeDifferences = (at: string, ...claims: readonly (string | false)[]): Difference[] =>
  claims.flatMap((what) => (what === false ? [] : { at, what }));

export interface Rejudged {
  /** The number of verdicts on one clause by one exchange. */
  readonly verdicts: number;
  /** Verdicts of the run that cannot be made again, because a secret is hidden or the body is cut. */
  readonly taken: ReturnType<typeof listRunViolations>;
  /** The clauses that an exchange tests, judged now. */
  readonly exercised: ReadonlySet<string>;
  readonly violations: readonly Violation[];
  readonly differences: readonly Difference[];
}

/** True if the digest of a record is the digest of its content. */
export const hasRightDigest = ({ sha256, ...unsealed }: ExchangeRecord): boolean =>
  sealEntry(unsealed).sha256 === sha256;

export function rejudgeExchanges({ exchanges, findings }: Report): Rejudged {
  const records = Object.entries(exchanges);
  const readings = records.map(([, record]) => readEntry(record));
  const violations = readings.flatMap(({ breaks }) => breaks);
  const broken = new Set(violations.map((one) => `${one.exchange} ${getFindingKey(one)}`));
  const missing = findings.filter(({ id, exchange, alone }) => alone === true && !broken.has(`${exchange} ${id}`));
  return {
    verdicts: readings.reduce((sum, { exercised }) => sum + exercised.length, 0),
    taken: records.flatMap(([, record]) => listRunViolations(record)),
    exercised: new Set<string>(readings.flatMap(({ exercised }) => exercised)),
    violations,
    differences: [
      ...records.flatMap(([id, record]) =>
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
    ],
  };
}

interface Refolded extends Pick<Rejudged, 'taken' | 'differences'> {
  readonly exchanges: number;
}

/** Makes the report from the history. The data about the run, and the faults of the suite, come from the old report. */
function makeReportAgain(report: Report, { lines }: History): Report {
  const { target, suite, startedAt, durationMs, interrupted, configuration, errors, recording } = report;
  const withoutErrors = {
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

function compareByKey<T>(
  part: string,
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
  shown = removeMessages,
) {
  const [then, now] = [before, after].map((items) => new Map(items.map((item) => [keyOf(item), item]))) as [
    Map<string, T>,
    Map<string, T>,
  ];
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((at) => {
    const [one, other] = [then.get(at), now.get(at)];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    if (one === undefined) return makeDifferences(at, `its history gives this ${part}, and the report does not`);
    if (other === undefined) return makeDifferences(at, `its history does not give this ${part}`);
    const said = shown(one) === shown(other) ? '' : `: ${shown(one)}, and now ${shown(other)}`;
    return makeDifferences(at, `its history gives another ${part}${said}`);
  });
}

const getItemId = ({ id }: { readonly id: string }): string => id;
const removeMessages = (_: unknown): string => '';
const describeCounts = (clause: unknown): string => {
  const { verdict, exercised, broken } = clause as ClauseReport;
  return `“${verdict}”, tested ${exercised} times and broken ${broken} times`;
};

const getObservationKey = ({ point, operation, about, value }: Observation): string =>
  [point, operation, about ?? '', value].join(' | ');

export function remakeReport(report: Report, history: History): Refolded {
  let exchanges = 0;
  const taken: Refolded['taken'][number][] = [];
  const unsealed: Difference[] = [];
  // Two shards may have used the same exchange id.
  const digests = new Set<string>();
  // Reads the entries one by one: the history may be too large for the memory.
  for (const line of history.lines) {
    if (line.line !== 'entry') continue;
    const { id, sha256 } = line.entry;
    exchanges += 1;
    taken.push(...listRunViolations(line.entry));
    if (!hasRightDigest(line.entry))
      unsealed.push({ at: id, what: 'in the history its SHA-256 is not the one that it was recorded with' });
    if (id in report.exchanges) digests.add(`${id} ${sha256}`);
  }
  const again = makeReportAgain(report, history);
  // Results about pins and known findings depend on files that the report does not contain.
  const pinned = new Set(report.against?.pins?.points);
  const clauses = ({ clauses: all }: Report) => all.filter(({ id }) => !pinned.has(id));
  const findings = ({ findings: all }: Report) =>
    all.flatMap(({ known: _, ...one }) => (pinned.has(one.clause) ? [] : one));
  return {
    exchanges,
    taken,
    differences: [
      ...unsealed,
      ...Object.entries(report.exchanges).flatMap(([id, { sha256 }]) =>
        makeDifferences(id, !digests.has(`${id} ${sha256}`) && 'it is not in the history as it is here'),
      ),
      ...makeDifferences(
        'report',
        report.history !== history.sha256 && 'the history beside it is not the one that it was made from',
        // An inconclusive verdict may rest on what only the run knew.
        pinned.size === 0 &&
          report.verdict !== 'inconclusive' &&
          report.headline !== again.headline &&
          `its headline is “${report.headline}”, and its history gives “${again.headline}”`,
      ),
      ...compareByKey('clause', clauses(report), clauses(again), getItemId, describeCounts),
      ...compareByKey('finding', findings(report), findings(again), getItemId),
      ...compareByKey('observation', report.observations, again.observations, getObservationKey),
      ...compareByKey('operation', report.operations, again.operations, getItemId),
    ],
  };
}
