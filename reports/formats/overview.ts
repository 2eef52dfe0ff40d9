/** What the first screen says: counts of each area, one sentence for each cause, and what could not be tested because of it. */
import { areas, type Area } from '../../openapi/model/exchange.ts';
import type { Cause } from '../fold/causes.ts';
import { groupUntested } from '../fold/untested.ts';
import type { Finding, Report } from '../model/report.ts';
import {
  counted,
  describeFrequency,
  describeReceivedValues,
  formatOperationName,
  joinFirstItems,
} from '../text/phrases.ts';

/** How many `must` and `should` clauses of an area are broken, warned about, not tested and kept. */
export function countByArea(report: Report) {
  const countIn = (area: Area | 'service') => {
    const judged = report.clauses.filter((clause) => clause.area === area && clause.level !== 'open');
    const count = (verdict: string): number => judged.filter((clause) => clause.verdict === verdict).length;
    return {
      area,
      broken: count('fail'),
      warned: count('warning'),
      untested: count('inconclusive'),
      kept: count('pass'),
    };
  };
  return [...areas.filter((area) => report.target.areas.includes(area)), 'service' as const].map(countIn);
}

/** Returns the reasons of the verdict without those that only count broken clauses: the findings say more. */
export function listOtherReasons({ reasons, clauses, against }: Report): readonly string[] {
  const pinned = new Set(against?.pins?.points);
  const broken = clauses.filter(({ verdict }) => verdict === 'fail');
  return reasons.slice(new Set(broken.map(({ id }) => pinned.has(id))).size);
}

export const getOperationName = ({ operations }: Report, { operation }: Pick<Finding, 'operation'>): string =>
  operations.find((one) => formatOperationName(one) === operation)?.id ?? operation;

/** Names the operations of a cause with their counts: `requestLoan in 66 answers; listBranches in 9 answers`. */
export function describeWhere(report: Report, { findings }: Pick<Cause, 'findings'>): string {
  const first = new Map(findings.toReversed().map((one) => [getOperationName(report, one), one]));
  const places = [...first].reverse().map(([operation, one]) => `${operation} ${describeFrequency(one)}`);
  return joinFirstItems(places, 3);
}

export const describeWhatCame = ({ worst }: Cause): string => {
  const [first = '', ...others] = describeReceivedValues(worst);
  return `${first}${others.length > 0 ? ` and ${counted(others.length, 'other form')}` : ''}`;
};

/** Says what could not be tested because of a cause; null if everything could. */
export function describeFollowers(report: Report, { findings }: Pick<Cause, 'findings'>): string | null {
  const groups = findings.flatMap(({ id }) => groupUntested(report).get(id) ?? []);
  const silent = groups.flatMap(({ operations }) => operations);
  const notAsked = silent.filter(({ requests }) => requests === 0).map(({ id }) => id);
  const clauses = groups.reduce((sum, group) => sum + group.clauses.length, 0);
  const parts = [...notAsked, ...(clauses === 0 ? [] : [counted(clauses, 'clause')])];
  return parts.length === 0 ? null : joinFirstItems(parts, 6);
}
