/** Judges what an overlay requires: success statuses, the format of refusals, and no undocumented members. */
import { decidedOpenPoints, type Operation } from '../contract/operations.ts';
import { readMediaType, type Answer } from '../model/exchange.ts';
import { memoizeByObject } from '../util/memoize.ts';
import { truncate } from '../util/truncate.ts';
import { compileSchemaValidator } from '../validation/validators.ts';
import type { OpenJudgement } from '../judgement.ts';

const openOverlayCheck = memoizeByObject(compileSchemaValidator);

export function checkSuccessAgainstOverlay(
  { statuses }: Operation,
  { status }: Answer,
  { exercise, report }: OpenJudgement,
): void {
  if (decidedOpenPoints.has('service.additional-fields')) exercise(['service.additional-fields']);
  if (statuses === null) return;
  exercise(['service.success-status']);
  const expected = `status ${statuses.join(' or ')}, as the overlay says`;
  if (!statuses.includes(status))
    report('service.success-status', 'response/status', 'settled', expected, `status ${status}`);
}

export function checkRefusalAgainstOverlay(
  { refusal }: Operation,
  answer: Answer,
  text: string,
  { exercise, report, leaveUndecided }: OpenJudgement,
): void {
  if (refusal === null) return;
  const label = readMediaType(answer) ?? '';
  const schema = refusal[label];
  const expected = 'an error body of the shape that the overlay says';
  const broken = (received: string): void =>
    report('service.error-body', 'response/body', 'settled', expected, received);
  if (schema === undefined) return broken(label === '' ? 'a body without a label' : `a body labelled ${label}`);
  if (!label.endsWith('json')) return exercise(['service.error-body']);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken(truncate(text));
  }
  const wrong = openOverlayCheck(schema)(value);
  if (wrong === undefined) return leaveUndecided('service.error-body');
  exercise(['service.error-body']);
  if (wrong !== null) broken(`${wrong}: ${truncate(text)}`);
}
