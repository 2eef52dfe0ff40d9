/** Orders that a target tells apart by a part of their ids alone: a fresh one is refused as if it had come before. */
import type { OperationId } from '../../clauses/areas.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { SHORT_ORDER_ID } from './value-classes.ts';

/** True of a text with other characters than digits, and of a length that explains nothing. */
const isPlainText = ({ values: { order_id: id } }: AskedRequest): boolean =>
  typeof id === 'string' && /\D/.test(id) && id.length <= SHORT_ORDER_ID;

/**
 * One text is taken and others, which begin like it and are no longer, are refused, while integers are taken. That no text is
 * taken is a rule.
 */
export function ordersAlike(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const taken = asked.filter(({ how }) => how === 'taken');
  const [first, ...more] = taken.filter(isPlainText);
  const length = String(first?.values['order_id']).length;
  const isNoLonger = ({ values: { order_id: id } }: AskedRequest): boolean => String(id).length <= length;
  const refused = asked.find((one) => one.how === 'refused' && isPlainText(one) && isNoLonger(one));
  const integer = taken.findLast(({ values }) => Number.isSafeInteger(values['order_id']));
  if (refused === undefined || integer === undefined || first === undefined || more.length > 0) return [];
  const { order_id } = refused.values;
  return [
    {
      operation,
      name: 'order_id',
      what: 'a text like that of an earlier order',
      kind: 'value',
      how: 'refused',
      change: { order_id },
      base: integer.values,
    },
  ];
}
