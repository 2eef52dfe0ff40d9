/** The forms of the values of a finding: null, a number, missing, … A known finding and an earlier run are compared by them. */
import { FURTHER_FORMS_TEXT, isValueForm, readValueForm } from '../../openapi/util/value-form.ts';
import type { Finding } from '../model/report.ts';

const MISSING = 'missing';

type Judged = Pick<Finding, 'kind' | 'alone'>;

/** Returns the form of a received value. If no answer alone shows the finding, this is the kind of the finding. */
export const describeForm = ({ kind, alone }: Judged, quoted: string): string =>
  kind === MISSING ? MISSING : ((alone === true ? readValueForm(quoted) : undefined) ?? kind);

/** Returns the forms of all received values that the report quotes. */
export const listForms = (finding: Judged & Pick<Finding, 'values'>): readonly string[] => [
  ...new Set(finding.values.flatMap(({ value }) => (value === FURTHER_FORMS_TEXT ? [] : describeForm(finding, value)))),
];

/** Returns what the requests with a form have in common; undefined if the report does not know it. */
export function findCondition(finding: Finding, form: string): string | undefined {
  const rows = finding.values.filter(({ value }) => describeForm(finding, value) === form);
  const [first, ...more] = new Set(rows.map(({ only }) => only));
  return finding.only ?? (more.length === 0 ? first : undefined);
}

/** Returns the words for a form in a sentence. The kind of a finding is no value. */
export const nameForm = (form: string): string => (form === MISSING || isValueForm(form) ? form : `the kind “${form}”`);
