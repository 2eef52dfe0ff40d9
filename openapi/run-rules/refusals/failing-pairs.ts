/** Two documented values over which an operation fails together, while each of them alone is taken. */
import type { OperationId } from '../../clauses/areas.ts';
import { decimalsOf } from '../../util/counted.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';

/** Ids and free text, and the approval, without which a disbursement may be refused in any way. */
const left = new Set(['application_id', 'account_id', 'contract_approved', 'personal_description']);

/** The class of a value, of which a run asks for several; null where it has none. */
function classOf(name: string, value: unknown): string | null {
  if (left.has(name)) return null;
  if (name === 'amount') return decimalsOf(value) > 0 ? 'with cents' : 'without cents';
  if (name === 'customer_ip') return String(value).includes(':') ? 'IPv6' : 'IPv4';
  if (name === 'order_id') return typeof value === 'string' ? 'a text' : 'an integer';
  if (name === 'installment') return Number(value) > 1 ? 'above 1' : '1';
  return String(value);
}

interface Pair {
  readonly names: readonly [string, string];
  readonly has: (request: AskedRequest) => boolean;
  readonly failed: readonly AskedRequest[];
}

/** Failures that a pair has to have in common, where there are several. */
const MIN_IN_COMMON = 2;

/** The pairs that the most failures of one operation have in common, and that were never taken. */
function commonPairs(failed: readonly AskedRequest[], taken: readonly AskedRequest[]): readonly Pair[] {
  const pairs = failed.flatMap(({ values }) => {
    const names = Object.keys(values).filter((name) => classOf(name, values[name]) !== null);
    return names.flatMap((first, index) =>
      names.slice(index + 1).map((second): Pair => {
        const has = (other: AskedRequest): boolean =>
          [first, second].every((name) => classOf(name, other.values[name]) === classOf(name, values[name]));
        return { names: [first, second], has, failed: failed.filter(has) };
      }),
    );
  });
  const never = pairs.filter((pair) => !taken.some(pair.has));
  const most = Math.max(...never.map((pair) => pair.failed.length));
  const isEnough = most >= Math.min(MIN_IN_COMMON, failed.length);
  return isEnough ? never.filter((pair) => pair.failed.length === most) : [];
}

/**
 * What deserves a contrast pair among the requests of an operation: one that failed, beside the same with one of the two
 * values as it was taken with the other; one for each input.
 */
export function failingPairs(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const failed = asked.filter(({ outcome }) => outcome === 'crashed');
  const taken = asked.filter(({ outcome }) => outcome === 'accepted');
  const suspects = new Map<string, SuspectedValue>();
  for (const { names, has, failed: together } of commonPairs(failed, taken)) {
    const [one] = together;
    if (one === undefined) continue;
    const shared = ({ values }: AskedRequest): number =>
      Object.entries(one.values).filter(([name, value]) => values[name] === value).length;
    for (const [kept, name] of [names, [names[1], names[0]] as const]) {
      const like = taken.filter(({ values }) => classOf(kept, values[kept]) === classOf(kept, one.values[kept]));
      const [closest] = like.toSorted((a, b) => shared(b) - shared(a));
      if (closest === undefined || suspects.has(name)) continue;
      const isTakenAtTimes = taken.some(
        ({ values }) => classOf(name, values[name]) === classOf(name, one.values[name]),
      );
      suspects.set(name, {
        operation,
        name,
        what: `${String(one.values[name])}${isTakenAtTimes ? ` with the ${kept} ${String(one.values[kept])}` : ''}`,
        kind: 'value',
        outcome: 'crashed',
        change: { [name]: one.values[name] },
        base: { ...one.values, [name]: closest.values[name] },
        has,
      });
    }
  }
  return [...suspects.values()];
}
