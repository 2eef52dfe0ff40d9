/** Checks requests that must be refused: unknown entities, amounts of zero and below, bodies that are no JSON, wrong credentials. */
import type { Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import { bearsDataOf } from '../history/answer-data.ts';
import { describe } from '../history/describe.ts';
import type { Question } from '../model/observation.ts';
import { ruled } from './check.ts';

interface Refused {
  readonly pointer?: string;
  readonly expected: string;
  readonly point?: readonly [point: ClauseId, question: Question];
}

const zero: Refused = {
  pointer: '/data/result',
  expected: 'a refusal, or the result false',
  point: ['loans.unknown-ids', 'an amount of zero or below'],
};
const malformed: Refused = {
  expected: 'a refusal',
  point: ['service.request-leniency', 'a body that is not JSON'],
};
const unknown = (what: string, point: ClauseId = 'loans.unknown-ids'): Refused => ({
  expected: 'a refusal',
  point: [point, what],
});

const refusals = {
  'loans.amount-positive.application': zero,
  'loans.amount-positive.validation': zero,
  'loans.malformed.refused': malformed,
  'loans.unknown-application.contract': unknown('a contract for an unknown application'),
  'loans.unknown-account.contract': unknown('a contract for an unknown account'),
  'links.malformed.refused': malformed,
  'links.unknown-merchant.link': unknown('an unknown merchant', 'links.unknown-ids'),
  'links.unknown-installment': unknown('an unknown installment', 'links.unknown-ids'),
  'links.amount-positive': unknown('an amount of zero or below', 'links.unknown-ids'),
} as const satisfies Partial<Record<ClauseId, Refused>>;

const credentials = [
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
  ...Object.entries<Refused>(refusals).map(([clause, { pointer, expected, point }]) =>
    ruled(
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
  ...credentials.map((clause) =>
    ruled(clause, ({ one, about }) => {
      const [probe, control] = [one('probe'), one('control')];
      if (probe === undefined || control === undefined) return null;
      const isShown = !probe.accepted && bearsDataOf(probe.exchange, control.exchange);
      return {
        by: probe,
        holds: !probe.accepted && !isShown,
        pointer: `request/header/${about['header']}`,
        expected:
          about['altered'] === undefined
            ? 'a refusal without the data of the request'
            : `a refusal of a credential ${about['altered']}`,
        ...(isShown ? { received: `${describe(probe)}, with the data of the request` } : {}),
        contrast: control,
      };
    }),
  ),
];
