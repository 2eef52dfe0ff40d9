/** Positions at which ATMs of the target stand, and that it refuses to be asked for, or fails over. */
import type { AskedRequest, SuspectedValue } from './suspect.ts';

const positionOf = ({ latitude, longitude }: AskedRequest['values']): string =>
  `${String(latitude)},${String(longitude)}`;

/** An entry of an answer, at a position on earth: `latitude,longitude` in the digits of the answer; else null. */
function positionOfAtm(atm: unknown): string | null {
  const { atm_latitude: latitude, atm_longitude: longitude } = (atm ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return positionOf({ latitude, longitude });
}

/** Of so many ATMs of an answer the positions are remembered: a long run has many answers, and some banks show every ATM. */
const MAX_POSITIONS = 30;

/** The positions of the first ATMs of an answer. */
export function shownPositions(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.slice(0, MAX_POSITIONS).flatMap((atm) => positionOfAtm(atm) ?? []) : [];
}

/** The quarter of the earth of a position, by the signs of its numbers. */
const quarterOf = (position: string): string =>
  position
    .split(',')
    .map((degrees) => (degrees.startsWith('-') ? '-' : '+'))
    .join('');

/** A filter before the bank may forbid a position, as a rule about rights has no reason to. */
const isDenied = ({ outcome }: AskedRequest): boolean => outcome === 'refused' || outcome === 'forbidden';

/** The position of an ATM in a quarter of the earth of which no position was ever taken, and some were refused. */
function inRefusedQuarter(positions: readonly AskedRequest[], shown: ReadonlySet<string>): string | undefined {
  const quartersOf = (holds: (one: AskedRequest) => boolean): ReadonlySet<string> =>
    new Set(positions.filter(holds).map(({ values }) => quarterOf(positionOf(values))));
  const [taken, refused] = [quartersOf(({ outcome }) => outcome === 'accepted'), quartersOf(isDenied)];
  return [...shown].find((position) => refused.has(quarterOf(position)) && !taken.has(quarterOf(position)));
}

/** Positions of its own ATMs that a target has to fail over, and that without exception: fewer may be chance. */
const MIN_FAILED = 4;

/**
 * The position of an ATM that the target showed, which was refused, or lies in a quarter of the earth where every position
 * was, or over which it fails as over each of its own; at most one.
 */
export function refusedOwnPositions(asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const shown = new Set(asked.flatMap((one) => one.shown ?? []));
  const positions = asked.filter(({ operation, values }) => operation === 'findAtms' && 'latitude' in values);
  const has = ({ values }: AskedRequest): boolean => shown.has(positionOf(values));
  const atAtms = positions.filter(has);
  const isFailing = atAtms.length >= MIN_FAILED && atAtms.every(({ outcome }) => outcome === 'crashed');
  const one = isFailing ? atAtms[0] : atAtms.find(isDenied);
  const own = one === undefined ? inRefusedQuarter(positions, shown) : positionOf(one.values);
  const base = positions.findLast(({ outcome }) => outcome === 'accepted')?.values;
  if (own === undefined || base === undefined) return [];
  const alike = positions.find((asked) => isDenied(asked) && quarterOf(positionOf(asked.values)) === quarterOf(own));
  const [latitude = '', longitude = ''] = own.split(',');
  return [
    {
      operation: 'findAtms',
      name: 'latitude',
      what: 'the position of one of its own ATMs',
      kind: 'list',
      change: { latitude, longitude },
      ...(isFailing
        ? { outcome: 'crashed', has }
        : { outcome: (one ?? alike)?.outcome === 'forbidden' ? 'forbidden' : 'refused' }),
      base,
      areApart: true,
    },
  ];
}
