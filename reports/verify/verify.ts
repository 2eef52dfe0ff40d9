/** Checks a report: evidence, digests, and every verdict that can be computed from its content. */
import { isStatement, readSet } from '../../openapi/clauses/requirement-sets.ts';
import { operations } from '../../openapi/contract/operations.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { isGap } from '../fold/verdict/reasons.ts';
import { decideClause, countClauses, getSeverity } from '../fold/verdict/verdict.ts';
import type { Report } from '../model/report.ts';
import type { History } from '../journal/history.ts';
import { nameOperation, namePlace, addCounts } from '../text/phrases.ts';
import { refoldReport } from './refold.ts';
import { makeDifferences, rejudgeExchanges, type Difference, type Rejudged } from './rejudge.ts';

interface Verification extends Pick<Rejudged, 'verdicts' | 'taken' | 'differences'> {
  readonly exchanges: number;
  readonly clauses: number;
  /** The number of clauses whose verdict is not computed again: it may need exchanges that are only in the history. */
  readonly notRecomputed: number;
  readonly findings: number;
}

/** Compares the verdict on each clause with its counts, its findings and its evidence. */
function compareClauses(report: Report, { violations }: Rejudged): Difference[] {
  const broken = new Set<string>(violations.map(({ clause }) => clause));
  const observations = groupBy(report.observations, ({ point }) => point);
  const findings = groupBy(report.findings, ({ clause }) => clause);
  return report.clauses.flatMap((clause) => {
    const { id, verdict, exchange } = clause;
    const seen = addCounts(observations.get(id) ?? [], ({ count }) => count);
    const answers = (findings.get(id) ?? []).map((finding) => finding.answers);
    const [least, most] = [Math.max(0, ...answers), addCounts(answers, (count) => count)];
    const fits = decideClause({
      ...clause,
      applicable: verdict !== 'not-applicable',
      observed: clause.outside === true ? clause.exercised : seen,
    });
    return makeDifferences(
      id,
      fits !== verdict && `its verdict is “${verdict}”, and its counts give “${fits}”`,
      (clause.broken < least || clause.broken > most) &&
        `it counts ${clause.broken} broken answers, and its findings ${least === most ? most : `${least} to ${most}`}`,
      verdict === 'pass' && broken.has(id) && 'its verdict is “pass”, and an exchange violates it',
      exchange !== null && !(exchange in report.exchanges) && `the exchange that shows it (${exchange}) is not there`,
    );
  });
}

/** Checks that the report has all clauses of its requirement set, unchanged. An open point may have become a promise. */
function setDifferences({ suite: { requirements: named }, clauses }: Report): Difference[] {
  const stated = new Map(clauses.map((clause) => [clause.id, clause]));
  const wanted = named === undefined ? {} : readSet(named.set).requirements;
  return Object.entries(wanted).flatMap(([id, { level, exercise, statement }]) => {
    const clause = stated.get(id);
    if (clause === undefined) return makeDifferences(id, 'it is in the requirement set, and not in the report');
    const isSame =
      clause.level === level && clause.exercise === exercise && isStatement(id, clause.statement, statement);
    return makeDifferences(
      id,
      !isSame && level !== 'open' && 'its level or statement is not that of the requirement set',
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
      level !== undefined && getSeverity(level) !== null && !known.has(key(nameOperation(operations[operation]), one));
    return makeDifferences(
      exchange,
      isMissing && `it violates ${clause} at ${namePlace(pointer)} (${kind}), and no finding says so`,
    );
  });
}

/** Compares the requests of each operation with its answers and the requests of the run. */
function compareOperations({ operations: rows, requests }: Report): Difference[] {
  const all = addCounts(rows, (row) => row.requests);
  return [
    ...makeDifferences('report', all !== requests && `it counts ${requests} requests, and its operations ${all}`),
    ...rows.flatMap((row) => {
      const { requests: asked, successes } = row;
      const answers = addCounts(Object.values(row.statuses), (count) => count);
      return makeDifferences(
        nameOperation(row),
        Math.max(answers, successes) > asked &&
          `it counts ${asked} requests, ${answers} statuses, ${successes} successes`,
      );
    }),
  ];
}

/** Compares the verdict of the run, the counts and the gate with the clauses. */
function compareSummary(report: Report): Difference[] {
  const { verdict, headline, clauses, findings, counts, gate, flows, operations: rows, interrupted } = report;
  const fails = clauses.some((clause) => clause.verdict === 'fail');
  const isOpen = findings.some((one) => one.verdict === 'fail' && one.known === undefined);
  const shown = new Set([
    ...flows.flatMap(({ steps }) => steps.map(({ exchange }) => exchange)),
    ...rows.flatMap(({ ways }) => Object.values(ways).flatMap(({ exchange }) => exchange ?? [])),
  ]);
  const stated = `its verdict is “${verdict}”, and`;
  return makeDifferences(
    'report',
    fails !== (verdict === 'non-conformant') && `${stated} ${fails ? 'a clause fails' : 'no clause fails'}`,
    !headline.startsWith(verdict) && `${stated} its headline “${headline}”`,
    verdict === 'conformant' &&
      (clauses.some(isGap) || interrupted !== null) &&
      `${stated} a clause was not tested, or the run was interrupted`,
    JSON.stringify(countClauses(clauses)) !== JSON.stringify(counts) && 'its counts are not those of its clauses',
    gate.pass && isOpen && 'its gate passes, and a failure is not among the known findings',
    gate.pass !== (gate.exitStatus === 0) && 'its gate and its exit status contradict each other',
    ...[...shown].map((id) => !(id in report.exchanges) && `the exchange ${id} is not there`),
  );
}

/** Checks a report, also against `history` if it is given. The contract must be the contract of the run. Pure. */
export function verifyReport(report: Report, history?: History): Verification {
  const again = rejudgeExchanges(report);
  const refolded = history === undefined ? null : refoldReport(report, history);
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
      ...setDifferences(report),
      ...compareClauses(report, again),
      ...compareOperations(report),
      ...compareSummary(report),
    ],
  };
}
