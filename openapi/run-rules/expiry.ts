/** Lifetimes of payment links: links of the same request live as long, or until the same time of a day. */
import type { Check } from '../model/check.ts';
import { readMoment } from '../contract/formats.ts';
import type { FactRecord, LinkFact } from '../model/facts.ts';
import { max, min } from '../util/min-max.ts';
import { groupBy } from '../util/group-by.ts';

/** How long one payment link lives. */
export interface Lifetime {
  readonly exchange: string;
  /** Minutes from the making of the link to its expiry as written, read as UTC. */
  readonly minutes: number;
  /** Minutes by which that may be off. */
  readonly toleranceMinutes: number;
  readonly timeOfDay: string;
  readonly key: string;
  /** When the link was asked for, in milliseconds since the epoch. */
  readonly from: number;
}

const MINUTE_MS = 60_000;

/** The lifetimes of the links whose expiry is a moment. */
export function lifetimesOf(links: readonly FactRecord<LinkFact>[]): readonly Lifetime[] {
  return links.flatMap(({ exchange, fact }): Lifetime[] => {
    const moment = fact.expiry === null ? null : readMoment(fact.expiry);
    if (moment === null) return [];
    const [year, month, day, hour, minutes, second] = moment;
    // The end of one day or the beginning of it: nobody knows which is meant.
    if (hour > 23) return [];
    const written = Date.UTC(year, month - 1, day, hour, minutes, second);
    return [
      {
        exchange,
        minutes: (written - fact.from) / MINUTE_MS,
        toleranceMinutes: (fact.at - fact.from) / MINUTE_MS + 1.1,
        timeOfDay: fact.expiry?.slice(11) ?? '',
        key: JSON.stringify(
          Object.entries(fact.asked)
            .filter(([name]) => !name.startsWith('length of'))
            .sort(),
        ),
        from: fact.from,
      },
    ];
  });
}

/** True where one period fits all of them. */
export const isConstant = (lifetimes: readonly Lifetime[]): boolean => {
  const low = max(lifetimes.map(({ minutes, toleranceMinutes: slack }) => minutes - slack));
  const high = min(lifetimes.map(({ minutes, toleranceMinutes: slack }) => minutes + slack));
  return low <= high;
};

/**
 * True where all links end at one time of a day although they were not made at one; midnight and full hours need no proof.
 * A time with odd seconds is nobody's choice: it was worked out once and kept.
 */
export function hasFixedTimeOfDay(lifetimes: readonly Lifetime[]): boolean {
  const made = lifetimes.map(({ from }) => from);
  const [time, ...others] = new Set(lifetimes.map(({ timeOfDay }) => timeOfDay));
  if (time === undefined || others.length > 0) return false;
  return /(?:59:59|00:00)$/.test(time) || (/(?:00|59)$/.test(time) && max(made) - min(made) > 5000);
}

/** Minutes to whose multiples people round an expiry, the most first. */
const GRAINS = [60, 30, 15, 10, 5] as const;

/** The lifetimes, each as far off as rounding makes it where all end on full hours, say, or a second before them. */
function unrounded(lifetimes: readonly Lifetime[]): readonly Lifetime[] {
  const secondsOf = ({ timeOfDay }: Lifetime): number => {
    const [hours = 0, minutes = 0, seconds = 0] = timeOfDay.split(':').map(Number);
    return (hours * 60 + minutes) * 60 + seconds;
  };
  const grain = GRAINS.find((one) =>
    [0, 1].some((early) => lifetimes.every((life) => (secondsOf(life) + early) % (one * 60) === 0)),
  );
  if (grain === undefined) return lifetimes;
  return lifetimes.map((life) => ({ ...life, toleranceMinutes: Math.max(life.toleranceMinutes, grain / 2) }));
}

/** Minutes by which the clocks of a zone are put on or back. */
const SUMMER_TIME = 60;

/** True where the later links all live an hour longer than the earlier ones, or an hour less. */
function areClocksPutOn(lifetimes: readonly Lifetime[]): boolean {
  const inOrder = lifetimes.toSorted((a, b) => a.from - b.from);
  const change = inOrder.findIndex((life) => !isConstant([inOrder[0] as Lifetime, life]));
  const [before, after] = [inOrder.slice(0, change), inOrder.slice(change)];
  return (
    change > 0 &&
    [-SUMMER_TIME, SUMMER_TIME].some((by) =>
      isConstant([...before, ...after.map((life) => ({ ...life, minutes: life.minutes + by }))]),
    )
  );
}

/** The same request, fresh ids aside, gets a link that lives as long, or until the same time of a day. */
const samePeriod: Check = {
  clause: 'links.expiry-period.consistent',
  operation: 'createPaymentLink',
  unit: 'comparisons',
  *of({ notes }, tested) {
    for (const alike of groupBy(lifetimesOf(notes('link')), ({ key }) => key).values()) {
      const same = unrounded(alike);
      const [first] = same;
      if (first === undefined || same.length < 2) continue;
      tested(first, { count: same.length - 1 });
      if (hasFixedTimeOfDay(same) || areClocksPutOn(same)) continue;
      const others = same.filter((life) => !isConstant([first, life]));
      const [by] = others;
      if (by === undefined) continue;
      yield {
        by,
        contrast: first,
        pointer: '/data/end_date',
        expected: `an expiry ${Math.round(first.minutes)} minutes after the link is made, as for the same request before`,
        received: `an expiry ${Math.round(by.minutes)} minutes after it`,
        count: others.length,
      };
    }
  },
};

export const expiryChecks: readonly Check[] = [samePeriod];
