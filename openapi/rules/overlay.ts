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
  if (!statuses.includes(status))
    report({
      clause: 'service.success-status',
      pointer: 'response/status',
      kind: 'settled',
      expected: `status ${statuses.join(' or ')}, as the overlay says`,
      received: `status ${status}`,
    });
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
  const finding = { clause: 'service.error-body', pointer: 'response/body', kind: 'settled' } as const;
  const expected = 'an error body of the shape that the overlay says';
  const broken = (received: string): void => report({ ...finding, expected, received });
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
