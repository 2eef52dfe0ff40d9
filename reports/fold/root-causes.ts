/** Groups findings by cause: the same fault at several places is one entry of the report. */
import type { Finding } from '../model/report.ts';

export interface Cause {
  readonly worst: Finding;
  readonly findings: readonly Finding[];
  readonly consequenceOf: Finding | null;
}

/** True for a place that every answer has. A fault there has the same cause at all operations. */
function isCommonPlace(pointer: string): boolean {
  return pointer === '' || pointer === '/data' || pointer.startsWith('response/');
}

function listCauseKeys({ clause, verdict, kind, pointer, expected }: Finding): string[] {
  return [
    clause,
    ...(isCommonPlace(pointer) && kind !== 'behaviour' ? [`${verdict} ${kind} ${pointer} ${expected}`] : []),
  ];
}

/** Probable consequences come right after their cause. */
export function groupCauses(findings: readonly Finding[]): Cause[] {
  const groups = groupFindings(findings);
  const groupWith = (id: string | undefined) => groups.find((group) => group.some((one) => one.id === id));
  const causes = groups.map((group): Cause => {
    const [cause, ...others] = new Set(group.map(({ consequenceOf }) => groupWith(consequenceOf)));
    const isOfOther = cause !== group && others.length === 0;
    return { worst: group[0]!, findings: group, consequenceOf: isOfOther ? (cause?.[0] ?? null) : null };
  });
  const inOrder = (of: Finding | null): Cause[] =>
    causes.filter(({ consequenceOf }) => consequenceOf === of).flatMap((cause) => [cause, ...inOrder(cause.worst)]);
  return inOrder(null);
}

function groupFindings(findings: readonly Finding[]): Finding[][] {
  const groups: Finding[][] = [];
  const byKey = new Map<string, Finding[]>();
  for (const finding of findings) {
    const keys = listCauseKeys(finding);
    const known = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
    const [into = [], ...others] = groups.filter((group) => known.some((one) => group.includes(one)));
    if (into.length === 0) groups.push(into);
    for (const other of others) into.push(...other.splice(0));
    into.push(finding);
    for (const one of into) for (const key of listCauseKeys(one)) byKey.set(key, into);
  }
  const rank = new Map(findings.map((finding, at) => [finding, at]));
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.toSorted((a, b) => rank.get(a)! - rank.get(b)!))
    .toSorted(([a], [b]) => rank.get(a!)! - rank.get(b!)!);
}
