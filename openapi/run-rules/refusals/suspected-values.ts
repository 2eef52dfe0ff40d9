/**
 * Which documented values a target may refuse for no reason of business. Learnt from the positive requests of a run: a
 * class of values that was never taken, while other values of the same field were. Such a class is a question and not yet a
 * finding: it is asked as a contrast pair (fixtures/probes/refusals/contrast-refusals.ts).
 */
import type { OperationId } from '../../clauses/areas.ts';
import { decimalsOf } from '../../util/counted.ts';
import { groupBy } from '../../util/group-by.ts';
import { islands } from './amounts.ts';
import { failing } from './failures.ts';
import { listEntries } from './lists.ts';
import { refusedOwnPositions } from './own-positions.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { sampleOfText, textClasses } from './text-classes.ts';

const INT32 = 2n ** 31n;
const DOUBLE = 2n ** 53n;

const integer = (value: unknown): bigint | null =>
  typeof value === 'bigint' ? value : typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null;

type ClassOf = (value: unknown) => readonly string[];

const ofBoolean: ClassOf = (value) => (typeof value === 'boolean' ? [`the value ${value}`] : []);

/** Spellings that decimal degrees may have. */
const degrees: ClassOf = (value) => [
  ...(Number(value) === 0 ? ['zero degrees'] : []),
  ...(decimalsOf(value) === 0 ? ['whole degrees'] : []),
  ...(decimalsOf(value) > 5 ? ['degrees of more than five decimals'] : []),
];

/** Classes of values that no rule of business is about, by input. */
const classes: Readonly<Record<string, ClassOf>> = {
  commercial_disbursement: ofBoolean,
  disbursement_purpose: ofBoolean,
  // Not every currency has more than two decimals.
  amount: (value) =>
    decimalsOf(value) > 2
      ? []
      : [
          ...(decimalsOf(value) > 0 ? ['an amount with cents'] : []),
          ...(decimalsOf(value) === 2 ? ['an amount with two decimals'] : []),
          ...(Number.isInteger(Number(value) * 100) ? [] : ['an amount whose cents binary fractions do not hold']),
        ],
  order_id(value) {
    const id = integer(value);
    if (id === null) return [];
    return [
      ...(id >= INT32 ? ['an integer of more than 31 bits'] : []),
      ...(id >= DOUBLE ? ['an integer of more than 53 bits'] : []),
    ];
  },
  latitude: (value) => degrees(value),
  longitude: (value) => degrees(value),
  // Not inputs, but what tells disbursements apart: the type of the order id, and which account on offer was taken.
  order_type: (value) => [`an order_id that is ${String(value)}`],
  position: (value) => [`${String(value)} account on offer`],
  customer_ip: (value) =>
    !String(value).includes(':')
      ? ['an IPv4 address']
      : [
          'an IPv6 address',
          ...(String(value).split(':').length === 8 && !String(value).includes('::')
            ? ['an IPv6 address written in full']
            : []),
        ],
  personal_description: (value) => textClasses(String(value)),
};

function unexplainedClasses(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const taken = asked.filter(({ how }) => how === 'taken');
  return Object.entries(classes).flatMap(([name, classOf]) => {
    const known = new Set(taken.flatMap(({ values }) => (name in values ? classOf(values[name]) : [])));
    // Rights may hang on anything but on free text: that is forbidden by a filter before the bank.
    const isDenied = ({ how }: AskedRequest): boolean =>
      how === 'refused' || (how === 'forbidden' && name === 'personal_description');
    const denied = asked.filter(isDenied);
    const found = denied.flatMap(({ values, how }) =>
      name in values ? classOf(values[name]).map((what) => ({ what, value: values[name], how })) : [],
    );
    const suspects = groupBy(
      found.filter(({ what }) => !known.has(what)),
      ({ what }) => what,
    );
    // Customers of certain networks are a matter of business: the family is only asked about where it alone tells them apart.
    if (name === 'customer_ip' && denied.some(({ values }) => classOf(values[name]).includes('an IPv4 address')))
      return [];
    // Where no integer is taken, its size explains nothing.
    if (name === 'order_id' && !taken.some(({ values }) => integer(values[name]) !== null)) return [];
    if (taken.length === 0) return [];
    // First what most refusals have in common: only so many are asked about.
    const byCount = [...suspects].toSorted(([, a], [, b]) => b.length - a.length);
    return byCount.map(([what, [first]]) => ({
      operation,
      name,
      what,
      kind: 'value' as const,
      how: first?.how === 'forbidden' ? ('forbidden' as const) : ('refused' as const),
      change: { [name]: sampleOfText(what) ?? first?.value },
    }));
  });
}

/** What deserves a contrast pair, by operation: what failed first, then entries of lists, then values. */
export function suspectedValues(requests: readonly AskedRequest[]): readonly SuspectedValue[] {
  return [...new Set(requests.map(({ operation }) => operation))].flatMap((operation) => {
    // Without an approved contract a disbursement may be refused whatever its other values are.
    const asked = requests.filter(
      (one) => one.operation === operation && !(one.how === 'refused' && one.values['contract_approved'] === false),
    );
    return [
      ...failing(operation, asked),
      ...listEntries(operation, asked),
      ...unexplainedClasses(operation, asked),
      ...islands(operation, asked),
      ...(operation === 'findAtms' ? refusedOwnPositions(asked) : []),
    ];
  });
}
