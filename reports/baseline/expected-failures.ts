/**
 * Names the form of each received value of a finding: null, a number, missing. Runs are compared by these forms, not by the values.
 * Applies the entries of the file KNOWN: findings that an owner tolerates until a date, so that they do not fail the gate. An expired
 * entry fails the gate. A stale entry (its clause was tested, and the finding did not occur) fails the gate only with STRICT=1.
 */
import { FURTHER_FORMS_TEXT, isValueForm, readValueForm } from '../../openapi/util/value-form.ts';
import type { ClauseReport, Finding, JudgedEntry, KnownEntry } from '../model/report.ts';
import { counted, joinFirstItems, joinWithAnd } from '../text/phrases.ts';

const MISSING = 'missing';

type KindOfFinding = Pick<Finding, 'kind' | 'alone'>;

/** Returns the form of a received value. If one answer is not enough to see the finding, returns the kind of the finding. */
export function describeForm({ kind, alone: isSeenInOneAnswer }: KindOfFinding, quotedValue: string): string {
  if (kind === MISSING || isSeenInOneAnswer !== true) return kind;
  return readValueForm(quotedValue) ?? kind;
}

/** Returns the forms of all received values that the report quotes. */
export const listForms = (finding: KindOfFinding & Pick<Finding, 'values'>): readonly string[] => [
  ...new Set(finding.values.flatMap(({ value }) => (value === FURTHER_FORMS_TEXT ? [] : describeForm(finding, value)))),
];

/** Returns the condition of a form, for example `amount has decimals`; undefined if the report has none. */
export function findCondition(finding: Finding, form: string): string | undefined {
  const rows = finding.values.filter(({ value }) => describeForm(finding, value) === form);
  const [condition, ...otherConditions] = new Set(rows.map(({ only }) => only));
  return finding.only ?? (otherConditions.length === 0 ? condition : undefined);
}

/** Returns a form as a part of a sentence. The kind of a finding is not a form of a value, so the text says that. */
export const describeFormInSentence = (form: string): string =>
  form === MISSING || isValueForm(form) ? form : `the kind “${form}”`;

const coversForm = (entry: KnownEntry, form: string): boolean => entry.form === undefined || entry.form === form;

const isSamePlace = (entry: KnownEntry, finding: Finding): boolean =>
  finding.clause === entry.clause && finding.operation === entry.operation && finding.pointer === entry.pointer;

/** True if an entry is for this finding, or for one of the forms in which its values came. */
const matchesFinding = (entry: KnownEntry, finding: Finding): boolean =>
  isSamePlace(entry, finding) && listForms(finding).some((form) => coversForm(entry, form));

/** Marks a finding as tolerated if entries tolerate all forms of its received values. */
export function markKnown(entries: readonly JudgedEntry[], finding: Finding): Finding {
  const matchingEntries = entries.filter((entry) => entry.state === 'tolerated' && matchesFinding(entry, finding));
  const [firstEntry] = matchingEntries;
  const areAllFormsTolerated = listForms(finding).every((form) =>
    matchingEntries.some((entry) => coversForm(entry, form)),
  );
  if (firstEntry === undefined || !areAllFormsTolerated) return finding;
  const { reason, owner, expires } = firstEntry;
  return { ...finding, known: { reason, owner, expires } };
}

/** True if a finding also occurs in requests for which `condition`, the condition of an earlier run, is not true. */
export type ExceedsCondition = (finding: Finding, condition: string, form?: string) => boolean;

/** Decides the state of each entry: tolerated, expired, stale or not tested. `today` is a date such as 2026-11-29. */
export const judgeKnownEntries = (
  entries: readonly KnownEntry[],
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  today: string,
  exceeds: ExceedsCondition = () => false,
): JudgedEntry[] =>
  entries.map((entry) => {
    if (entry.expires < today) return { ...entry, state: 'expired' };
    const { only, form } = entry;
    const matchingFindings = findings.filter((finding) => matchesFinding(entry, finding));
    const exceedsItsCondition = only !== undefined && matchingFindings.some((finding) => exceeds(finding, only, form));
    if (matchingFindings.length > 0)
      return { ...entry, state: 'tolerated', ...(exceedsItsCondition ? { wider: true } : {}) };
    const places = clauses.find(({ id }) => id === entry.clause)?.places ?? [];
    // A clause about the whole run has no operation.
    const placesOfOperation = places.filter(({ operation }) => operation === null || operation === entry.operation);
    const wasTested = placesOfOperation.some(({ exercised }) => exercised > 0);
    return { ...entry, state: wasTested ? 'stale' : 'not tested' };
  });

/** Returns the forms that entries tolerate at the place of a finding that they do not cover. */
export const listToleratedForms = (entries: readonly JudgedEntry[], finding: Finding): readonly string[] =>
  entries.filter((entry) => entry.state !== 'expired' && isSamePlace(entry, finding)).flatMap(({ form }) => form ?? []);

const MAX_NAMED_ENTRIES = 3;

const nameEntries = (entries: readonly JudgedEntry[]): string =>
  joinFirstItems([...new Set(entries.map(({ clause }) => clause))], MAX_NAMED_ENTRIES);

const filterStaleEntries = (entries: readonly JudgedEntry[]): readonly JudgedEntry[] =>
  entries.filter(({ state }) => state === 'stale');

/** Returns why entries fail the gate, one sentence each; an empty list if they do not. */
export function describeEntryFaults(entries: readonly JudgedEntry[], strict: boolean): string[] {
  const expiredEntries = entries.filter(({ state }) => state === 'expired');
  const stale = filterStaleEntries(entries);
  return [
    ...expiredEntries.map(
      ({ clause, operation, expires, owner }) =>
        `the known finding ${clause} at ${operation} expired on ${expires} (${owner})`,
    ),
    ...(strict && stale.length > 0
      ? [`${counted(stale.length, 'known finding')} did not show any more (${nameEntries(stale)}), and STRICT=1 is set`]
      : []),
  ];
}

/** Returns notes about known findings for a gate that passed, one sentence each. */
export function describeTolerance(entries: readonly JudgedEntry[]): string[] {
  const [widerEntries, staleEntries] = [entries.filter((entry) => entry.wider === true), filterStaleEntries(entries)];
  return [
    ...(widerEntries.length > 0 ? [`${nameEntries(widerEntries)} came in more answers than KNOWN says`] : []),
    ...(staleEntries.length > 0
      ? [
          `${counted(staleEntries.length, 'known finding')} did not show any more (${nameEntries(staleEntries)}), which would fail with STRICT=1`,
        ]
      : []),
  ];
}

/** Says which lines of the file to delete: `lines 2 to 9 and 18 to 25`. */
function describeLines(entries: readonly JudgedEntry[]): string {
  const lineRanges = entries.flatMap(({ lines }) => (lines === undefined ? [] : `${lines[0]} to ${lines[1]}`));
  return lineRanges.length < entries.length ? 'these entries' : `lines ${joinWithAnd(lineRanges)}`;
}

/** Returns notes for the owners of known findings. They do not fail the gate. One sentence each. */
export function describeKnownFindings(entries: readonly JudgedEntry[]): string[] {
  const stale = filterStaleEntries(entries);
  const entriesWithoutForm = entries.filter(({ state, form }) => state === 'tolerated' && form === undefined);
  return [
    ...entries.flatMap(({ wider, clause, operation, form, only }) =>
      wider === true
        ? `${clause} at ${operation}: ${form ?? 'the finding'} comes no longer only where ${only}. The known finding still tolerates it.`
        : [],
    ),
    ...(stale.length > 0
      ? [
          `${counted(stale.length, 'known finding')} did not show any more, although ${stale.length === 1 ? 'its clause was' : 'their clauses were'} tested (${nameEntries(stale)}). If the bank is mended, delete ${describeLines(stale)} in the file of KNOWN.`,
        ]
      : []),
    ...(entriesWithoutForm.length > 0
      ? [
          `${counted(entriesWithoutForm.length, 'known finding')} without a form ${entriesWithoutForm.length === 1 ? 'tolerates' : 'tolerate'} every value (${nameEntries(entriesWithoutForm)}): npm run known writes entries with their form.`,
        ]
      : []),
  ];
}
