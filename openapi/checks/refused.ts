/** Checks loan requests that the bank must refuse: unknown entities, amounts of zero or less, bodies that are not JSON. */
import type { Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Question } from '../model/observation.ts';
import { checkComparison } from './check.ts';

interface Refused {
  readonly pointer?: string;
  readonly expected: string;
  readonly point?: readonly [point: ClauseId, question: Question];
}

const zeroAmountRefusal: Refused = {
  pointer: '/data/result',
  expected: 'a refusal, or the result false',
  point: ['loans.unknown-ids', 'an amount of zero or below'],
};
const malformedBodyRefusal: Refused = {
  expected: 'a refusal',
  point: ['service.request-leniency', 'a body that is not JSON'],
};
const makeUnknownRefusal = (what: string): Refused => ({
  expected: 'a refusal',
  point: ['loans.unknown-ids', what],
});

const refusalByClause = {
  'loans.amount-positive.application': zeroAmountRefusal,
  'loans.amount-positive.validation': zeroAmountRefusal,
  'loans.malformed.refused': malformedBodyRefusal,
  'loans.unknown-application.contract': makeUnknownRefusal('a contract for an unknown application'),
  'loans.unknown-account.contract': makeUnknownRefusal('a contract for an unknown account'),
} as const satisfies Partial<Record<ClauseId, Refused>>;

export const refusedChecks: readonly Check[] = [
  ...Object.entries<Refused>(refusalByClause).map(([clause, { pointer, expected, point }]) =>
    checkComparison(
      clause as ClauseId,
      ({ one }) => {
        const probe = one('probe');
        if (probe === undefined) return null;
        const at = pointer === undefined ? {} : { pointer };
        return { by: probe, holds: !probe.accepted, ...at, expected, contrast: one('control') };
      },
      point,
    ),
  ),
];
