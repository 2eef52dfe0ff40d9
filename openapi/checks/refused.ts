/**
 * Checks requests that the bank must refuse: unknown entities, amounts of zero or less, bodies that are not JSON, wrong
 * credentials.
 */
import type { Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import { hasSameDataAs } from '../history/answer-data.ts';
import { describeAnswer } from '../history/describe.ts';
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
const makeUnknownRefusal = (what: string, point: ClauseId = 'loans.unknown-ids'): Refused => ({
  expected: 'a refusal',
  point: [point, what],
});

const refusalByClause = {
  'loans.amount-positive.application': zeroAmountRefusal,
  'loans.amount-positive.validation': zeroAmountRefusal,
  'loans.malformed.refused': malformedBodyRefusal,
  'loans.unknown-application.contract': makeUnknownRefusal('a contract for an unknown application'),
  'loans.unknown-account.contract': makeUnknownRefusal('a contract for an unknown account'),
  'links.malformed.refused': malformedBodyRefusal,
  'links.unknown-merchant.link': makeUnknownRefusal('an unknown merchant', 'links.unknown-ids'),
  'links.unknown-installment': makeUnknownRefusal('an unknown installment', 'links.unknown-ids'),
  'links.amount-positive': makeUnknownRefusal('an amount of zero or below', 'links.unknown-ids'),
} as const satisfies Partial<Record<ClauseId, Refused>>;

const credentialClauses = [
  'loans.credentials.client-id',
  'loans.credentials.client-secret',
  'loans.credentials.token',
  'links.credentials.client-id',
  'links.credentials.client-secret',
  'links.credentials.token',
  'atms.credentials.client-id',
  'atms.credentials.client-secret',
] as const satisfies readonly ClauseId[];

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
  ...credentialClauses.map((clause) =>
    checkComparison(clause, ({ one, about }) => {
      const [probe, control] = [one('probe'), one('control')];
      if (probe === undefined || control === undefined) return null;
      const isShown = !probe.accepted && hasSameDataAs(probe.exchange, control.exchange);
      return {
        by: probe,
        holds: !probe.accepted && !isShown,
        pointer: `request/header/${about['header']}`,
        expected:
          about['altered'] === undefined
            ? 'a refusal without the data of the request'
            : `a refusal of a credential ${about['altered']}`,
        ...(isShown ? { received: `${describeAnswer(probe)}, with the data of the request` } : {}),
        contrast: control,
      };
    }),
  ),
];
