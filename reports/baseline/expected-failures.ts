/**
 * Known findings: violations that an owner tolerates until a date, so that they do not fail the gate. An entry fails the gate if
 * it has expired, or if the clause was tested and there is no such finding.
 */
import type { JudgedEntry, KnownEntry, ClauseReport, Finding, ReceivedValue } from '../model/report.ts';
import { describeValueForm, truncate } from '../../openapi/util/truncate.ts';

const matchesValue = (entry: KnownEntry, { value }: Pick<ReceivedValue, 'value'>): boolean =>
  entry.value === undefined || describeValueForm(entry.value) === describeValueForm(value);

/** True if an entry is for this finding, or for one of its received values. */
const matchesFinding = (entry: KnownEntry, finding: Finding): boolean =>
  finding.clause === entry.clause &&
  finding.operation === entry.operation &&
  finding.pointer === entry.pointer &&
  finding.values.some((one) => matchesValue(entry, one));

/** Marks a finding as tolerated if there are entries for all received values. */
export function markKnown(entries: readonly JudgedEntry[], finding: Finding): Finding {
  const own = entries.filter((one) => one.state === 'tolerated' && matchesFinding(one, finding));
  const [entry] = own;
  if (entry === undefined || !finding.values.every((value) => own.some((one) => matchesValue(one, value))))
    return finding;
  return { ...finding, known: { reason: entry.reason, owner: entry.owner, expires: entry.expires } };
}

export const judgeKnownEntries = (
  entries: readonly KnownEntry[],
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  today: string,
): JudgedEntry[] =>
  entries.map((entry) => {
    if (entry.expires < today) return { ...entry, state: 'expired' };
    if (findings.some((finding) => matchesFinding(entry, finding))) return { ...entry, state: 'tolerated' };
    const places = clauses.find(({ id }) => id === entry.clause)?.places ?? [];
    // A clause about the whole run has no operation.
    const here = places.filter(({ operation }) => operation === null || operation === entry.operation);
    return { ...entry, state: here.some(({ exercised }) => exercised > 0) ? 'stale' : 'not tested' };
  });

/** Returns why an entry fails the gate, in one sentence; an empty list if it does not. */
export function describeEntryFault({
  state,
  clause,
  operation,
  pointer,
  value,
  expires,
  owner,
}: JudgedEntry): string[] {
  const named = `the known finding ${clause} at ${operation}`;
  if (state === 'expired') return [`${named} expired on ${expires} (${owner})`];
  return state === 'stale'
    ? [
        `${named} ${pointer} is stale: the clause was tested, and this finding did not show${value === undefined ? '' : ` with the value ${truncate(value)}`}`,
      ]
    : [];
}
