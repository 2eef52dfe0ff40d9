/**
 * Known findings: violations that an owner tolerates until a date. They do not fail the gate. An entry fails the gate if it is
 * expired, or if its clause was tested and the finding is gone.
 */
import type { JudgedEntry, KnownEntry } from '../model/contents.ts';
import { getForm, truncate } from '../../openapi/util/truncate.ts';
import type { ClauseReport, Finding, ReceivedValue } from '../model/report.ts';

const isAboutValue = (entry: KnownEntry, { value }: Pick<ReceivedValue, 'value'>): boolean =>
  entry.value === undefined || getForm(entry.value) === getForm(value);

/** True if an entry is about this finding, or about one of the values that came. */
const isAbout = (entry: KnownEntry, finding: Finding): boolean =>
  finding.clause === entry.clause &&
  finding.operation === entry.operation &&
  finding.pointer === entry.pointer &&
  finding.values.some((one) => isAboutValue(entry, one));

/** Marks a finding as tolerated if entries are about each value that came. */
export function withKnown(entries: readonly JudgedEntry[], finding: Finding): Finding {
  const own = entries.filter((one) => one.state === 'tolerated' && isAbout(one, finding));
  const [entry] = own;
  if (entry === undefined || !finding.values.every((value) => own.some((one) => isAboutValue(one, value))))
    return finding;
  return { ...finding, known: { reason: entry.reason, owner: entry.owner, expires: entry.expires } };
}

/** Adds the state to each entry. `today` is YYYY-MM-DD. */
export const judgeKnown = (
  entries: readonly KnownEntry[],
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  today: string,
): JudgedEntry[] =>
  entries.map((entry) => {
    if (entry.expires < today) return { ...entry, state: 'expired' };
    if (findings.some((finding) => isAbout(entry, finding))) return { ...entry, state: 'tolerated' };
    const places = clauses.find(({ id }) => id === entry.clause)?.places ?? [];
    // A clause about the whole run has no operation.
    const here = places.filter(({ operation }) => operation === null || operation === entry.operation);
    return { ...entry, state: here.some(({ exercised }) => exercised > 0) ? 'stale' : 'not tested' };
  });

/** Returns why an entry fails the gate, in one sentence; an empty list if it does not. */
export function describeFault({ state, clause, operation, pointer, value, expires, owner }: JudgedEntry): string[] {
  const named = `the known finding ${clause} at ${operation}`;
  if (state === 'expired') return [`${named} expired on ${expires} (${owner})`];
  return state === 'stale'
    ? [
        `${named} ${pointer} is stale: the clause was tested, and this finding did not show${value === undefined ? '' : ` with the value ${truncate(value)}`}`,
      ]
    : [];
}
