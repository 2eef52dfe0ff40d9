/** Positions at which ATMs of the target stand, and that it refuses to be asked for. */
import type { AskedRequest, SuspectedValue } from './suspect.ts';

const positionOf = ({ latitude, longitude }: AskedRequest['values']): string =>
  `${String(latitude)},${String(longitude)}`;

/** An entry of an answer, at a position on earth: `latitude,longitude` in the digits of the answer; else null. */
export function positionOfAtm(atm: unknown): string | null {
  const { atm_latitude: latitude, atm_longitude: longitude } = (atm ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return positionOf({ latitude, longitude });
}

/** Of what was asked, a position that the target showed an ATM at and refused all the same; at most one. */
export function refusedOwnPositions(asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const shown = new Set(asked.flatMap((one) => one.shown ?? []));
  const positions = asked.filter(({ operation, values }) => operation === 'findAtms' && 'latitude' in values);
  const one = positions.find(({ how, values }) => how === 'refused' && shown.has(positionOf(values)));
  const base = positions.findLast(({ how }) => how === 'taken')?.values;
  if (one === undefined || base === undefined) return [];
  const { latitude, longitude } = one.values;
  return [
    {
      operation: 'findAtms',
      name: 'latitude',
      what: 'the position of one of its own ATMs',
      kind: 'list',
      change: { latitude, longitude },
      how: 'refused',
      base,
      areApart: true,
    },
  ];
}
