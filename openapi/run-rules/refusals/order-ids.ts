/** Orders that a target tells apart by a part of their ids alone: a fresh one is refused as if it had come before. */
import type { OperationId } from '../../clauses/areas.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { SHORT_ORDER_ID } from './value-classes.ts';

type Form = (id: string) => boolean;

/** Texts with other characters than digits, that begin alike: of a length that explains nothing, and UUIDs. */
const forms: readonly Form[] = [
  (id) => /\D/.test(id) && id.length <= SHORT_ORDER_ID,
  (id) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id),
];

/**
 * One text is taken and others of its form, which begin like it and are no longer, are refused, while integers are taken. That
 * no text is taken is a rule.
 */
export function ordersAlike(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const base = asked.findLast(
    ({ outcome, values }) => outcome === 'accepted' && Number.isSafeInteger(values['order_id']),
  )?.values;
  const [order_id] = forms.flatMap((isOfForm) => refusedAfterOne(asked, isOfForm));
  if (base === undefined || order_id === undefined) return [];
  return [
    {
      operation,
      name: 'order_id',
      what: 'a text like that of an earlier order',
      kind: 'value',
      outcome: 'refused',
      change: { order_id },
      base,
    },
  ];
}

/** An id of the form that was refused, where just one no shorter than it was taken. */
function refusedAfterOne(asked: readonly AskedRequest[], isOfForm: Form): readonly string[] {
  const idsOf = (wanted: AskedRequest['outcome']): readonly string[] =>
    asked.flatMap(({ outcome, values: { order_id: id } }) =>
      outcome === wanted && typeof id === 'string' && isOfForm(id) ? [id] : [],
    );
  const [taken, ...more] = idsOf('accepted');
  if (taken === undefined || more.length > 0) return [];
  return idsOf('refused')
    .filter((id) => id.length <= taken.length)
    .slice(0, 1);
}
