/** Checks what an overlay requires: success statuses, the format of error bodies, and no undocumented members. */
import { decidedOpenPoints, type Operation } from '../contract/operations.ts';
import { readMediaType, type Answer } from '../model/exchange.ts';
import { memoizeByObject } from '../util/memoize.ts';
import { truncate } from '../util/truncate.ts';
import { compileSchemaValidator } from '../validation/validators.ts';
import type { Collector } from '../model/finding.ts';

const getErrorBodyValidator = memoizeByObject(compileSchemaValidator);

export function checkSuccessAgainstOverlay(
  { statuses }: Operation,
  { status }: Answer,
  { exercise, report }: Collector,
): void {
  if (decidedOpenPoints.has('service.additional-fields')) exercise(['service.additional-fields']);
  if (statuses === null) return;
  exercise(['service.success-status']);
  if (!statuses.includes(status))
    report({
      clause: 'service.success-status',
      pointer: 'response/status',
      kind: 'settled',
      expected: `status ${statuses.join(' or ')}, as the overlay requires`,
      received: `status ${status}`,
    });
}

export function checkRefusalAgainstOverlay(
  { refusal }: Operation,
  answer: Answer,
  text: string,
  { exercise, report, leaveUndecided }: Collector,
): void {
  if (refusal === null) return;
  const mediaType = readMediaType(answer) ?? '';
  const schema = refusal[mediaType];
  const finding = { clause: 'service.error-body', pointer: 'response/body', kind: 'settled' } as const;
  const expected = 'an error body in the format that the overlay defines';
  const reportViolation = (received: string): void => report({ ...finding, expected, received });
  if (schema === undefined)
    return reportViolation(mediaType === '' ? 'a body without a Content-Type' : `a body of the type ${mediaType}`);
  if (!mediaType.endsWith('json')) return exercise(['service.error-body']);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return reportViolation(truncate(text));
  }
  const fault = getErrorBodyValidator(schema)(value);
  if (fault === undefined) return leaveUndecided('service.error-body');
  exercise(['service.error-body']);
  if (fault !== null) reportViolation(`${fault}: ${truncate(text)}`);
}
