/**
 * Which documented values a target may refuse for no reason of business. Learnt from the positive requests of a run: a
 * class of values that was never taken, while other values of the same field were. Such a class is a question and not yet a
 * finding: it is asked as a contrast pair (fixtures/probes/refusals/contrast-refusals.ts).
 */
import type { OperationId } from '../../clauses/areas.ts';
import { groupBy } from '../../util/group-by.ts';
import { refusedInNetwork } from './addresses.ts';
import { islands } from './amounts.ts';
import { listEntries } from './lists.ts';
import { refusedOwnPositions } from './own-positions.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { isOfCharacters, sampleOfText, signClasses } from './text-classes.ts';
import { ordersAlike } from './order-ids.ts';
import {
  integerOf,
  IPV6,
  isOfSize,
  isOfType,
  LONG_ORDER_ID,
  SHORT_IPV6,
  UNHELD_CENTS,
  valueClasses,
} from './value-classes.ts';

/** An order_id beside which only the size of those of the class is a reason: an integer, or a text of digits, letters and dashes. */
const isShortOrderId = (value: unknown, what: string): boolean =>
  what === LONG_ORDER_ID ? /^(?=.*[a-z])(?=.*\d)[a-z\d]*-[a-z\d-]*$/.test(String(value)) : integerOf(value) !== null;

/**
 * True of a class that only how values are read and kept can be about: the script of a text, the type and size of an order_id,
 * cents that a binary fraction does not hold, the family of an IP address. A false result, or a disbursement that fails, may
 * be a matter of business for any other, the length of a text among them.
 */
const isOfStorage = (what: string): boolean =>
  [UNHELD_CENTS, IPV6, SHORT_IPV6].includes(what) || isOfCharacters(what) || isOfSize(what) || isOfType(what);

/** Rights may hang on anything but on these: a filter before the bank forbids them. */
const withoutRights: ReadonlySet<string> = new Set(['personal_description', 'customer_ip']);

function unexplainedClasses(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const taken = asked.filter(({ outcome }) => outcome === 'accepted');
  return Object.entries(valueClasses).flatMap(([name, coarse]) => {
    const classOf: typeof coarse = (value) => [
      ...coarse(value),
      ...(name === 'personal_description' ? signClasses(String(value)) : []),
    ];
    const known = new Set(taken.flatMap(({ values }) => (name in values ? classOf(values[name]) : [])));
    const isDenied = ({ outcome }: AskedRequest): boolean =>
      outcome === 'refused' || outcome === 'declined' || (outcome === 'forbidden' && withoutRights.has(name));
    const denied = asked.filter(isDenied);
    const found = denied.flatMap(({ values, outcome }) =>
      (name in values ? classOf(values[name]) : [])
        .filter((what) => (outcome === 'declined' ? isOfStorage(what) : name !== 'order_id' || !isOfType(what)))
        .map((what) => ({ what, value: values[name], outcome })),
    );
    // Where no order_id like it is taken that is shorter, its size explains nothing.
    const isLikeOthers = (what: string): boolean =>
      name !== 'order_id' || isOfType(what) || taken.some(({ values }) => isShortOrderId(values[name], what));
    const suspects = groupBy(
      found.filter(({ what }) => !known.has(what) && isLikeOthers(what) && (what !== SHORT_IPV6 || known.has(IPV6))),
      ({ what }) => what,
    );
    // Customers of certain networks are a matter of business: the family is only asked about where it alone tells them apart.
    // An address that was taken another time was refused for something else.
    const takenValues = new Set(taken.map(({ values }) => values[name]));
    const isOfNetwork = ({ values }: AskedRequest): boolean =>
      classOf(values[name]).includes('an IPv4 address') && !takenValues.has(values[name]);
    if (name === 'customer_ip' && denied.some(isOfNetwork)) return [];
    if (taken.length === 0) return [];
    // First what most refusals have in common: only so many are asked about.
    const byCount = [...suspects].toSorted(([, a], [, b]) => b.length - a.length);
    return byCount.map(([what, [first]]) => ({
      operation,
      name,
      what,
      kind: 'value' as const,
      outcome: first?.outcome === 'forbidden' || first?.outcome === 'declined' ? first.outcome : ('refused' as const),
      change: { [name]: what === LONG_ORDER_ID ? 'x'.repeat(36) : (sampleOfText(what) ?? first?.value) },
    }));
  });
}

/** What deserves a contrast pair among what was refused, by operation: entries of lists first, then values. */
export function suspectedValues(requests: readonly AskedRequest[]): readonly SuspectedValue[] {
  return [...new Set(requests.map(({ operation }) => operation))].flatMap((operation) => {
    // Without an approved contract a disbursement may be refused whatever its other values are.
    const asked = requests.filter(
      (one) => one.operation === operation && !(one.outcome === 'refused' && one.values['contract_approved'] === false),
    );
    return [
      ...listEntries(operation, asked),
      ...ordersAlike(operation, asked),
      ...refusedInNetwork(operation, asked),
      ...unexplainedClasses(operation, asked),
      ...islands(operation, asked),
      ...(operation === 'findAtms' ? refusedOwnPositions(asked) : []),
    ];
  });
}
