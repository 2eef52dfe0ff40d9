/** Checks documented requests that lack one field, or that are written in an equivalent form. */
import type { RequestResult, Check } from '../model/check.ts';
import { usesUpApplication } from '../contract/operations.ts';
import { toObservedAnswer } from '../history/describe.ts';
import { renderAnswer } from '../model/observation.ts';
import { isAnswered } from '../model/outcome.ts';
import { checkComparison } from './check.ts';

/**
 * True if the bank accepted a request without the field, false if it refused; null if the answer proves nothing about the field.
 */
export function acceptsMissingField(came: RequestResult): boolean | null {
  if (isAnswered(came)) return true;
  return came.outcome === 'refused' ? false : null;
}

const consistencyClauses = [
  'loans.required-fields.consistent',
  'links.required-fields.consistent',
  'atms.required-parameters.consistent',
] as const;

const omissionChecks: readonly Check[] = consistencyClauses.map((clause) =>
  checkComparison(clause, ({ one, about: { name } }) => {
    const [before, probe, whole] = [one('before'), one('probe'), one('whole')];
    if (before === undefined || probe === undefined) return null;
    const [first, second] = [acceptsMissingField(before), acceptsMissingField(probe)];
    if (first === null || second === null) return null;
    const holds = first === second;
    // After a contract, the bank may refuse a request because the application is used up. So it must accept the complete request
    // after this one.
    if (!holds && usesUpApplication[probe.operation] !== undefined && (second || whole?.accepted !== true)) return null;
    return {
      by: probe,
      holds,
      pointer: `request/${probe.exchange.request.method === 'GET' ? 'query' : 'body'}/${name}`,
      expected: `${renderAnswer(toObservedAnswer(before))}, as before`,
      received: renderAnswer(toObservedAnswer(probe)),
      contrast: before,
    };
  }),
);

export const requestFormChecks: readonly Check[] = omissionChecks;
