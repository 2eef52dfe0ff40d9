/** Checks that the same request for a payment link gets the same lifetime, or an expiry at the same time of day. */
import { readMoment } from '../../contract/formats.ts';
import type { FactRecord, LinkFact } from '../../model/facts.ts';
import { max, min } from '../../util/min-max.ts';
import { groupBy } from '../../util/group-by.ts';
import { mergeAll, noteCheck } from '../../notes/generators.ts';

/** The time from the request for a payment link to its expiry. */
export interface Lifetime {
  readonly exchange: string;
  /** Minutes from the request to the expiry, if the expiry is in UTC. */
  readonly minutes: number;
  /** `minutes` may be wrong by this much. */
  readonly toleranceMinutes: number;
  readonly timeOfDay: string;
  /** A text that is equal for equal requests. */
  readonly key: string;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly from: number;
}

/** Milliseconds in a minute. */
const MINUTE_MS = 60_000;

/** Returns the lifetimes of the links whose expiry is a valid moment. */
export function measureLifetimes(links: readonly FactRecord<LinkFact>[]): readonly Lifetime[] {
  return links.flatMap(({ exchange, fact: { expiry, from, at, asked } }): Lifetime[] => {
    const moment = expiry === null ? null : readMoment(expiry);
    if (expiry === null || moment === null) return [];
    const [year, month, day, hour, minutes, second] = moment;
    // Hour 24 may mean the end of this day or its beginning.
    if (hour > 23) return [];
    const written = Date.UTC(year, month - 1, day, hour, minutes, second);
    const values = Object.entries(asked).filter(([name]) => !name.startsWith('length of'));
    return [
      {
        exchange,
        minutes: (written - from) / MINUTE_MS,
        toleranceMinutes: (at - from) / MINUTE_MS + 1.1,
        timeOfDay: expiry.slice(11),
        key: JSON.stringify(values.sort()),
        from,
      },
    ];
  });
}

/** True if one period fits all lifetimes. */
export const isConstant = (lifetimes: readonly Lifetime[]): boolean => {
  const low = max(lifetimes.map(({ minutes, toleranceMinutes: slack }) => minutes - slack));
  const high = min(lifetimes.map(({ minutes, toleranceMinutes: slack }) => minutes + slack));
  return low <= high;
};

/**
 * True if all links end at the same time of day, but were made at different times. For midnight and full hours, the times may be equal.
 * If the seconds are not 00 or 59, the time is not fixed: the bank computed it once and kept it.
 */
export function hasFixedTimeOfDay(lifetimes: readonly Lifetime[]): boolean {
  const made = lifetimes.map(({ from }) => from);
  const [time, ...others] = new Set(lifetimes.map(({ timeOfDay }) => timeOfDay));
  if (time === undefined || others.length > 0) return false;
  return /(?:59:59|00:00)$/.test(time) || (/(?:00|59)$/.test(time) && max(made) - min(made) > 5000);
}

/** Banks round an expiry to a multiple of one of these minutes. */
const ROUNDING_MINUTES = [60, 30, 15, 10, 5] as const;

/** Adds the tolerance for rounding if all lifetimes end, for example, on full hours or one second before. */
function withRounding(lifetimes: readonly Lifetime[]): readonly Lifetime[] {
  const readSeconds = ({ timeOfDay }: Lifetime): number => {
    const [hours = 0, minutes = 0, seconds = 0] = timeOfDay.split(':').map(Number);
    return (hours * 60 + minutes) * 60 + seconds;
  };
  const rounding = ROUNDING_MINUTES.find((minutes) =>
    [0, 1].some((early) => lifetimes.every((life) => (readSeconds(life) + early) % (minutes * 60) === 0)),
  );
  if (rounding === undefined) return lifetimes;
  return lifetimes.map((life) => ({ ...life, toleranceMinutes: Math.max(life.toleranceMinutes, rounding / 2) }));
}

/** Summer time changes the clock by this many minutes. */
const CLOCK_CHANGE_MINUTES = 60;

/** True if all later links live an hour longer than the earlier links, or all live an hour less. */
function isClockChange(lifetimes: readonly Lifetime[]): boolean {
  const inOrder = lifetimes.toSorted((a, b) => a.from - b.from);
  const change = inOrder.findIndex((life) => !isConstant([...inOrder.slice(0, 1), life]));
  const [before, after] = [inOrder.slice(0, change), inOrder.slice(change)];
  return (
    change > 0 &&
    [-CLOCK_CHANGE_MINUTES, CLOCK_CHANGE_MINUTES].some((by) =>
      isConstant([...before, ...after.map((life) => ({ ...life, minutes: life.minutes + by }))]),
    )
  );
}

export const periodCheck = noteCheck(
  'links.expiry-period.consistent',
  'createPaymentLink',
  function* ({ notes }, tested) {
    for (const alike of groupBy(measureLifetimes(notes('link')), ({ key }) => key).values()) {
      const same = withRounding(alike);
      const [first] = same;
      if (first === undefined || same.length < 2) continue;
      tested(first, { count: same.length - 1 });
      if (hasFixedTimeOfDay(same) || isClockChange(same)) continue;
      const expected = `an expiry ${Math.round(first.minutes)} minutes after the link is made, as for the same request before`;
      const others = same.filter((life) => !isConstant([first, life]));
      yield* mergeAll(
        others.map((by) => {
          const received = `an expiry ${Math.round(by.minutes)} minutes after it`;
          return { by, contrast: first, pointer: '/data/end_date', expected, received };
        }),
      );
    }
  },
);
