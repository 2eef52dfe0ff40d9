/** One cause, one entry: findings that say the same of several places stand together. */
import type { Finding } from '../model/report.ts';

export interface Cause {
  /** The finding that is shown for all. */
  readonly worst: Finding;
  /** All of them, the worst first. */
  readonly findings: readonly Finding[];
}

/** Causes that are stated in full; the rest stand in short. */
export const MAX_IN_FULL = 150;

/** How many places a cause lists: many for the worst, few for the hundredth. */
export function placesListed(rank: number): number {
  return rank < 40 ? 25 : rank < MAX_IN_FULL ? 4 : 0;
}

/** True for places that every answer has: what is wrong there has one cause at all operations. */
function isCommon(pointer: string): boolean {
  return pointer === '' || pointer === '/data' || pointer.startsWith('response/');
}

function keysOf({ clause, verdict, kind, pointer, expected }: Finding): string[] {
  return [clause, ...(isCommon(pointer) && kind !== 'behaviour' ? [`${verdict} ${kind} ${pointer} ${expected}`] : [])];
}

/** Findings by cause: those of one clause, and those that are wrong in the same way about the frame of an answer. */
export function causesOf(findings: readonly Finding[]): Cause[] {
  const groups: Finding[][] = [];
  const byKey = new Map<string, Finding[]>();
  for (const finding of findings) {
    const keys = keysOf(finding);
    const known = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
    const [into = [], ...others] = groups.filter((group) => known.some((one) => group.includes(one)));
    if (into.length === 0) groups.push(into);
    for (const other of others) into.push(...other.splice(0));
    into.push(finding);
    for (const one of into) for (const key of keysOf(one)) byKey.set(key, into);
  }
  const rank = new Map(findings.map((finding, at) => [finding, at]));
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.toSorted((a, b) => rank.get(a)! - rank.get(b)!))
    .toSorted(([a], [b]) => rank.get(a!)! - rank.get(b!)!)
    .map((group) => ({ worst: group[0]!, findings: group }));
}
