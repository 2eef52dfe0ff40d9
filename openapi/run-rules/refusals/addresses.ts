/** Addresses of customers that a target tells apart by the number of digits in their last part. */
import type { OperationId } from '../../clauses/areas.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';

const IPV4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.(\d{1,3})$/;

export const LONG_LAST_NUMBER = 'an IPv4 address that ends in three digits, of the same network';

/**
 * An IPv4 address that ends in three digits was refused, and a shorter one taken: its last number is asked for in the network
 * of the other. That a network is not served is a rule of business; that a part of one is not is none.
 */
export function refusedInNetwork(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const of = ({ values }: AskedRequest): readonly string[] => IPV4.exec(String(values['customer_ip'])) ?? [];
  const taken = asked.filter((one) => one.how === 'taken' && of(one).length > 0);
  const known = new Set(taken.map(({ values }) => values['customer_ip']));
  const isLong = (one: AskedRequest): boolean => of(one)[2]?.length === 3;
  const denied = asked.find(
    (one) => (one.how === 'refused' || one.how === 'forbidden') && isLong(one) && !known.has(one.values['customer_ip']),
  );
  const base = taken.find((one) => !isLong(one));
  if (denied === undefined || base === undefined || taken.some(isLong)) return [];
  return [
    {
      operation,
      name: 'customer_ip',
      what: LONG_LAST_NUMBER,
      kind: 'value',
      how: denied.how === 'forbidden' ? 'forbidden' : 'refused',
      change: { customer_ip: `${of(base)[1]}.${of(denied)[2]}` },
      base: base.values,
    },
  ];
}
