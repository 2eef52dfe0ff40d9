/** Checks a report against itself: evidence, digests, and every verdict that can be computed from what it holds. */
import { isStatement, requirementSet } from '../../openapi/clauses/requirement-sets.ts';
import { operations } from '../../openapi/contract/operations.ts';
import { clauseVerdict, countClauses, severity } from '../fold/verdict/verdict.ts';
import type { ClauseReport, Report } from '../model/report.ts';
import type { History } from '../journal/history.ts';
import { operationName } from '../text/phrases.ts';
import { refold } from './refold.ts';
import { rejudge, type Difference, type Rejudged } from './rejudge.ts';

interface Verification {
  readonly exchanges: number;
  readonly verdicts: number;
  readonly taken: Rejudged['taken'];
  /** Clauses of the report. */
  readonly clauses: number;
  /** Clauses with a verdict that is not computed again: without the history it may rest on more than the kept exchanges. */
  readonly notRecomputed: number;
  readonly findings: number;
  readonly differences: readonly Difference[];
}

const hasVerdict = ({ verdict }: ClauseReport): boolean => ['pass', 'fail', 'warning'].includes(verdict);

/** The verdict of each clause against its counts, its findings and its evidence. */
function clauseDifferences(report: Report, { violations }: Rejudged): Difference[] {
  const broken = new Set<string>(violations.map(({ clause }) => clause));
  return report.clauses.flatMap((clause): Difference[] => {
    const { id, verdict } = clause;
    const of = <T>(items: readonly T[], key: (item: T) => string): T[] => items.filter((one) => key(one) === id);
    const observed =
      clause.outside === true
        ? clause.exercised
        : of(report.observations, ({ point }) => point).reduce((sum, { count }) => sum + count, 0);
    const answers = of(report.findings, (one) => one.clause).map((finding) => finding.answers);
    const least = Math.max(0, ...answers);
    const most = answers.reduce((sum, count) => sum + count, 0);
    const fits = clauseVerdict({ ...clause, applicable: verdict !== 'not-applicable', observed });
    return [
      ...(fits === verdict ? [] : [`its verdict is “${verdict}”, and its counts give “${fits}”`]),
      ...(clause.broken >= least && clause.broken <= most
        ? []
        : [
            `it counts ${clause.broken} broken answers, and its findings ${least === most ? most : `${least} to ${most}`}`,
          ]),
      ...(verdict === 'pass' && broken.has(id) ? ['its verdict is “pass”, and an exchange violates it'] : []),
      ...(clause.exchange === null || clause.exchange in report.exchanges
        ? []
        : [`the exchange that shows it (${clause.exchange}) is not there`]),
    ].map((what) => ({ at: id, what }));
  });
}

/** The report has every clause of its requirement set, as the set has it; an open one may have been promoted. */
function setDifferences({ suite: { requirements: named }, clauses }: Report): Difference[] {
  const stated = new Map(clauses.map((clause) => [clause.id, clause]));
  const wanted = named === undefined ? {} : requirementSet(named.set).requirements;
  return Object.entries(wanted).flatMap(([at, { level, exercise, statement }]) => {
    const clause = stated.get(at);
    if (clause === undefined) return [{ at, what: 'it is in the requirement set, and not in the report' }];
    const isSame =
      clause.level === level && clause.exercise === exercise && isStatement(at, clause.statement, statement);
    return isSame || level === 'open'
      ? []
      : [{ at, what: 'its level or statement is not that of the requirement set' }];
  });
}

/** Each violation that the judge finds must be a finding of the report. */
function missingFindings({ clauses, findings }: Report, { violations }: Rejudged): Difference[] {
  const levels = new Map(clauses.map(({ id, level }) => [id, level]));
  const key = (clause: string, operation: string, pointer: string, kind: string): string =>
    [clause, operation, pointer, kind].join('\n');
  const known = new Set(findings.map((one) => key(one.clause, one.operation, one.pointer, one.kind)));
  const missing = violations.filter(({ clause, operation, pointer, kind }) => {
    const level = levels.get(clause);
    if (level === undefined || severity(level) === null) return false;
    return !known.has(key(clause, operationName(operations[operation]), pointer, kind));
  });
  return missing.map(({ exchange, clause, pointer, kind }) => ({
    at: exchange,
    what: `it violates ${clause} at ${pointer || 'the body'} (${kind}), and no finding says so`,
  }));
}

/** How often each operation was asked, against its answers and the requests of the run. */
function operationDifferences({ operations: rows, requests }: Report): Difference[] {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const all = sum(rows.map((row) => row.requests));
  return [
    ...(all === requests ? [] : [{ at: 'report', what: `it counts ${requests} requests, and its operations ${all}` }]),
    ...rows.flatMap(({ method, path, requests: asked, successes, statuses }): Difference[] => {
      const answers = sum(Object.values(statuses));
      return Math.max(answers, successes) <= asked
        ? []
        : [
            {
              at: `${method} ${path}`,
              what: `it counts ${asked} requests, ${answers} statuses, ${successes} successes`,
            },
          ];
    }),
  ];
}

/** The verdict of the run, the counts and the gate against the clauses. */
function summaryDifferences(report: Report): Difference[] {
  const { verdict, headline, clauses, findings, counts, gate, flows, operations: rows, interrupted } = report;
  const fails = clauses.some((clause) => clause.verdict === 'fail');
  const gap = clauses.some(
    (one) => one.level === 'must' && one.exercise === 'always' && one.verdict === 'inconclusive',
  );
  const open = findings.some((one) => one.verdict === 'fail' && one.known === undefined);
  const shown = [
    ...flows.flatMap(({ steps }) => steps.map(({ exchange }) => exchange)),
    ...rows.flatMap(({ ways }) => Object.values(ways).flatMap(({ exchange }) => exchange ?? [])),
  ];
  return [
    ...(fails === (verdict === 'non-conformant')
      ? []
      : [`its verdict is “${verdict}”, and ${fails ? 'a clause fails' : 'no clause fails'}`]),
    ...(headline.startsWith(verdict) ? [] : [`its verdict is “${verdict}”, and its headline “${headline}”`]),
    ...(verdict === 'conformant' && (gap || interrupted !== null)
      ? ['its verdict is “conformant”, and a clause was not tested, or the run was interrupted']
      : []),
    ...(JSON.stringify(countClauses(clauses)) === JSON.stringify(counts)
      ? []
      : ['its counts are not those of its clauses']),
    ...(gate.pass && open ? ['its gate passes, and a failure is not among the known findings'] : []),
    ...(gate.pass === (gate.exitStatus === 0) ? [] : ['its gate and its exit status contradict each other']),
    ...[...new Set(shown)].filter((id) => !(id in report.exchanges)).map((id) => `the exchange ${id} is not there`),
  ].map((what) => ({ at: 'report', what }));
}

/** Checks a report, against its history where that is given. The contract must be the one that the run was judged by. Pure. */
export function verify(report: Report, history?: History): Verification {
  const again = rejudge(report);
  const whole = history === undefined ? null : refold(report, history);
  const { verdicts, exercised } = again;
  const isRecomputed = ({ id }: ClauseReport): boolean => whole !== null || exercised.has(id);
  return {
    exchanges: whole?.exchanges ?? again.exchanges,
    taken: whole?.taken ?? again.taken,
    verdicts,
    clauses: report.clauses.length,
    notRecomputed: report.clauses.filter((clause) => hasVerdict(clause) && !isRecomputed(clause)).length,
    findings: report.findings.length,
    differences: [
      ...again.differences,
      ...(whole?.differences ?? []),
      ...missingFindings(report, again),
      ...setDifferences(report),
      ...clauseDifferences(report, again),
      ...operationDifferences(report),
      ...summaryDifferences(report),
    ],
  };
}
