/** Documented requests in other forms: without one field, and in other spellings. */
import type { Came, Check } from '../model/check.ts';
import { usesUp } from '../contract/operations.ts';
import { answerOf } from '../history/describe.ts';
import { renderAnswer } from '../model/observation.ts';
import { isAnswered } from '../model/outcome.ts';
import { shownPositions } from '../history/shown-positions.ts';
import { ruled } from './check.ts';

/** Whether a request without a field was accepted; null where its answer says nothing about the field. */
export function takesOmission(came: Came): boolean | null {
  if (isAnswered(came)) return true;
  return came.outcome === 'refused' ? false : null;
}

const clauses = [
  'loans.required-fields.consistent',
  'links.required-fields.consistent',
  'atms.required-parameters.consistent',
] as const;

const omissionChecks: readonly Check[] = clauses.map((clause) =>
  ruled(clause, ({ one, about: { name } }) => {
    const [before, probe, whole] = [one('before'), one('probe'), one('whole')];
    if (before === undefined || probe === undefined) return null;
    const [first, second] = [takesOmission(before), takesOmission(probe)];
    if (first === null || second === null) return null;
    const holds = first === second;
    // A step may be refused because the application is used up. Only where the whole request is accepted just then, the refusal is
    // about the field; for the first answer that can no longer be known.
    if (!holds && usesUp[probe.operation] !== undefined && (second || whole?.accepted !== true)) return null;
    return {
      by: probe,
      holds,
      pointer: `request/${probe.exchange.request.method === 'GET' ? 'query' : 'body'}/${name}`,
      expected: `${renderAnswer(answerOf(before))}, as the time before`,
      received: renderAnswer(answerOf(probe)),
      contrast: before,
    };
  }),
);

/** The positions of the ATMs of an answer, sorted. */
export const placesIn = ({ data }: { readonly data: unknown }): string => shownPositions(data).toSorted().join(' ');

export const formChecks: readonly Check[] = [
  ...omissionChecks,
  ruled('service.same-request', ({ all, about: { spelling } }) => {
    const [plain, spelled] = [all('plain'), all('spelled')];
    const [contrast, by] = [plain.at(-1), spelled.at(-1)];
    if (by === undefined || contrast === undefined || ![...plain, ...spelled].every(({ accepted }) => accepted))
      return null;
    const [places, others] = [new Set(plain.map(placesIn)), new Set(spelled.map(placesIn))];
    // Answers that differ in one spelling have another reason.
    if (places.size > 1 || others.size > 1) return null;
    return {
      by,
      holds: others.has(placesIn(contrast)),
      pointer: '/data',
      expected: 'the ATMs that the same query brings in another spelling',
      received: `other ATMs for ${spelling}`,
      contrast,
    };
  }),
];
