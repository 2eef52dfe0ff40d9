/** Addresses of customers that a target tells apart by the number of digits in their parts. */
import type { OperationId } from '../../clauses/areas.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';

const IPV4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.(\d{1,3})$/;

export const LONG_LAST_NUMBER = 'an IPv4 address that ends in three digits, of the same network';
export const SHORT_NUMBER = 'an IPv4 address with a number of one digit, of the same network';

/** How the parts of an address may be written, and the last part of one that is written so. */
const shapes = [
  { what: LONG_LAST_NUMBER, shape: /\.\d{3}$/, last: ([, , last]: readonly string[]) => last },
  { what: SHORT_NUMBER, shape: /(?<!\d)\d(?!\d)/, last: () => '7' },
] as const;

/**
 * IPv4 addresses of one shape were refused, and others taken: the shape is asked for in the network of one of these. That a
 * network is not served is a rule of business; that a part of one is not is none.
 */
export function refusedInNetwork(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const of = ({ values }: AskedRequest): readonly string[] => IPV4.exec(String(values['customer_ip'])) ?? [];
  const taken = asked.filter((one) => one.outcome === 'accepted' && of(one).length > 0);
  const known = new Set(taken.map(({ values }) => values['customer_ip']));
  const [base] = taken;
  return shapes.flatMap(({ what, shape, last }): readonly SuspectedValue[] => {
    const isOfShape = (one: AskedRequest): boolean => shape.test(of(one)[0] ?? '');
    const denied = asked.find(
      (one) => (one.outcome === 'refused' || one.outcome === 'forbidden') && isOfShape(one) && !known.has(of(one)[0]),
    );
    if (denied === undefined || base === undefined || taken.some(isOfShape)) return [];
    return [
      {
        operation,
        name: 'customer_ip',
        what,
        kind: 'value',
        outcome: denied.outcome === 'forbidden' ? 'forbidden' : 'refused',
        change: { customer_ip: `${of(base)[1]}.${last(of(denied))}` },
        base: base.values,
      },
    ];
  });
}
