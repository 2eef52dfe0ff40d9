/** What documented values have in common, so that a refusal or a failure of some can be told from that of others. */
import { decimalsOf } from '../../util/counted.ts';
import { textClasses } from './text-classes.ts';

const INT32 = 2n ** 31n;
const DOUBLE = 2n ** 53n;

/** Characters of an order_id that any column holds; a UUID has 36. */
export const SHORT_ORDER_ID = 20;

/** The class of longer ones. */
export const LONG_ORDER_ID = `a text longer than ${SHORT_ORDER_ID}`;

/** The class of amounts that a double times a hundred is not the cents of. */
export const UNHELD_CENTS = 'an amount whose cents no binary fraction holds exactly';
export const IPV6 = 'an IPv6 address';
/** The class of IPv6 addresses in which zeros are left out. */
export const SHORT_IPV6 = 'an IPv6 address written in short';
const ABOVE_INT32 = 'an integer of more than 31 bits';
const ABOVE_DOUBLE = 'an integer of more than 53 bits';

const INTEGER_ORDER_ID = 'an order_id that is an integer';
const TEXT_ORDER_ID = 'an order_id that is a text';

/** True of a class of integers by their size. */
export const isOfSize = (what: string): boolean => what === ABOVE_INT32 || what === ABOVE_DOUBLE;

/** True of a class of order ids by their JSON type. Its refusal has clauses of its own (fixtures/probes/order-id-forms.ts). */
export const isOfType = (what: string): boolean => what === INTEGER_ORDER_ID || what === TEXT_ORDER_ID;

/** A value that is an integer, to the digit; else null. */
export const integerOf = (value: unknown): bigint | null =>
  typeof value === 'bigint' ? value : typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null;

/** The classes of a value, as parts of a sentence. */
type ClassOf = (value: unknown) => readonly string[];

const ofBoolean: ClassOf = (value) => (typeof value === 'boolean' ? [`the value ${value}`] : []);

/** Decimals of degrees that some do not read: maps give seven, browsers more. */
const DECIMALS = [
  [5, 'five'],
  [6, 'six'],
  [7, 'seven'],
] as const;

/** Spellings that decimal degrees may have. */
const degrees: ClassOf = (value) => [
  ...(Number(value) === 0 ? ['zero degrees'] : []),
  ...(decimalsOf(value) === 0 ? ['whole degrees'] : []),
  ...DECIMALS.flatMap(([most, inWords]) =>
    decimalsOf(value) > most ? [`degrees of more than ${inWords} decimals`] : [],
  ),
];

/** Classes of values that no rule of business is about, by input. */
export const valueClasses: Readonly<Record<string, ClassOf>> = {
  // Of an application whose accounts were offered.
  offered_in: (value) => [`the currency ${String(value)}`],
  commercial_disbursement: ofBoolean,
  disbursement_purpose: ofBoolean,
  // Not every currency has more than two decimals.
  amount: (value) =>
    decimalsOf(value) > 2
      ? []
      : [
          decimalsOf(value) > 0 ? 'an amount with cents' : 'a whole amount',
          ...(decimalsOf(value) === 1 ? ['an amount with one decimal'] : []),
          ...(decimalsOf(value) === 2 ? ['an amount with two decimals'] : []),
          ...(Number.isInteger(Number(value) * 100) ? [] : [UNHELD_CENTS]),
        ],
  order_id(value) {
    const id = integerOf(value);
    if (id === null) return [TEXT_ORDER_ID, ...(String(value).length > SHORT_ORDER_ID ? [LONG_ORDER_ID] : [])];
    return [INTEGER_ORDER_ID, ...(id >= INT32 ? [ABOVE_INT32] : []), ...(id >= DOUBLE ? [ABOVE_DOUBLE] : [])];
  },
  latitude: (value) => degrees(value),
  longitude: (value) => degrees(value),
  // Not inputs, but what tells disbursements apart: the type of the order id, and which account on offer was taken.
  order_type: (value) => [`an order_id that is ${String(value)}`],
  position: (value) => [`account ${Number(value) + 1} of those on offer`],
  customer_ip: (value) =>
    !String(value).includes(':')
      ? ['an IPv4 address']
      : [
          IPV6,
          ...(String(value).includes('::') ? [SHORT_IPV6] : []),
          ...(String(value).split(':').length === 8 && !String(value).includes('::')
            ? ['an IPv6 address written in full']
            : []),
        ],
  personal_description: (value) => textClasses(String(value)),
};
