/** Checks a report: exchanges, digests, and every verdict that can be computed from its content. */
import { getClauseClass, type Clause } from '../../openapi/clauses/clause.ts';
import { clauses as catalogue } from '../../openapi/catalogue.ts';
import { operations } from '../../openapi/contract/operations.ts';
import { isUntestedAlwaysClause } from '../fold/reasons.ts';
import { getSeverity } from '../fold/verdict.ts';
import type { Report } from '../model/report.ts';
import type { History } from '../journal/history.ts';
import { formatOperationName, formatPlace } from '../text/phrases.ts';
import { remakeReport } from './refold.ts';
import { makeDifferences, rejudgeExchanges, type Difference, type Rejudged } from './rejudge.ts';
import { makeCurlLine } from '../text/curl.ts';

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
