/** Names the form of each received value of a finding: null, a number, missing. Runs are compared by these forms, not by the values. */
import { FURTHER_FORMS_TEXT, isValueForm, readValueForm } from '../../openapi/util/value-form.ts';
import type { Finding } from '../model/report.ts';

const MISSING = 'missing';

type KindOfFinding = Pick<Finding, 'kind' | 'alone'>;

/** Returns the form of a received value. If one answer is not enough to see the finding, returns the kind of the finding. */
export const describeForm = ({ kind, alone }: KindOfFinding, quoted: string): string =>
  kind === MISSING ? MISSING : ((alone === true ? readValueForm(quoted) : undefined) ?? kind);

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
export const nameForm = (form: string): string => (form === MISSING || isValueForm(form) ? form : `the kind “${form}”`);
