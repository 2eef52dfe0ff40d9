/** Judges that payment links for the same request have the same lifetime, or all expire at the same time of day. */
import { defineLevels } from '../../../clauses/clause.ts';
import { expirySource } from '../../clauses/payment-links.ts';
import { parseDateTime } from '../../../contract/formats.ts';
import { groupBy } from '../../../util/group-by.ts';
import { max, min } from '../../../util/min-max.ts';
import { keptTimes } from '../../../behaviours/agreement.ts';
import { broken, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import { makeInference, type Inference } from '../../../model/finding.ts';
import type { Run, RunRecord } from '../../../model/record.ts';

/** The lifetime of one payment link. `requestKey` is equal for links of identical requests. */
interface Lifetime {
  readonly exchange: string;
  /** Minutes from the request to the expiry, if the bank writes the expiry in UTC. */
  readonly lifetimeMinutes: number;
  /** By how much `lifetimeMinutes` may be wrong: the duration of the request, and rounding. */
  readonly toleranceMinutes: number;
  readonly timeOfDay: string;
  readonly requestKey: string;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly sentMs: number;
}

const MINUTE_MS = 60_000;

function measureLifetimes(links: readonly RunRecord<'links'>[]): readonly Lifetime[] {
  return links.flatMap(({ exchange, expiry, from: sentMs, at: answeredMs, asked }): Lifetime[] => {
    const expiryParts = expiry === null ? null : parseDateTime(expiry);
    if (expiry === null || expiryParts === null) return [];
    const [year, month, day, hour, minutes, second] = expiryParts;
    // Hour 24 may mean the beginning or the end of this day.
    if (hour > 23) return [];
    const expiryMs = Date.UTC(year, month - 1, day, hour, minutes, second);
    const comparedInputs = Object.entries(asked).filter(([name]) => !name.startsWith('length of'));
    return [
      {
        exchange,
        lifetimeMinutes: (expiryMs - sentMs) / MINUTE_MS,
        toleranceMinutes: (answeredMs - sentMs) / MINUTE_MS + 1.1,
        timeOfDay: expiry.slice(11),
        requestKey: JSON.stringify(comparedInputs.sort()),
        sentMs,
      },
    ];
  });
}

/** True if one lifetime fits all links. Example: 60 ± 1 and 61 ± 1 minutes fit, 60 ± 1 and 63 ± 1 minutes do not. */
const isConstantLifetime = (lifetimes: readonly Lifetime[]): boolean => {
  const longestMinimum = max(
    lifetimes.map(({ lifetimeMinutes, toleranceMinutes }) => lifetimeMinutes - toleranceMinutes),
  );
  const shortestMaximum = min(
    lifetimes.map(({ lifetimeMinutes, toleranceMinutes }) => lifetimeMinutes + toleranceMinutes),
  );
  return longestMinimum <= shortestMaximum;
};

/**
 * True if all links expire at the same time of day because the bank chooses the time, not because it created them together:
 * at a full hour or one second before, or at seconds 00 or 59 if the links were created more than 5 seconds apart.
 */
function hasFixedTimeOfDay(lifetimes: readonly Lifetime[]): boolean {
  const sentTimesMs = lifetimes.map(({ sentMs }) => sentMs);
  const [timeOfDay, ...otherTimes] = new Set(lifetimes.map(({ timeOfDay }) => timeOfDay));
  if (timeOfDay === undefined || otherTimes.length > 0) return false;
  const isFullHourOrSecondBefore = /(?:59:59|00:00)$/.test(timeOfDay);
  const isFullMinuteOrSecondBefore = /(?:00|59)$/.test(timeOfDay);
  const wereCreatedTogether = max(sentTimesMs) - min(sentTimesMs) <= 5000;
  return isFullHourOrSecondBefore || (isFullMinuteOrSecondBefore && !wereCreatedTogether);
}

/** Banks round an expiry time to a multiple of one of these numbers of minutes. */
const ROUNDING_MINUTES = [60, 30, 15, 10, 5] as const;

/** Widens the tolerance if all links expire, for example, at full hours or one second before. */
function widenForRounding(lifetimes: readonly Lifetime[]): readonly Lifetime[] {
  const readSeconds = ({ timeOfDay }: Lifetime): number => {
    const [hours = 0, minutes = 0, seconds = 0] = timeOfDay.split(':').map(Number);
    return (hours * 60 + minutes) * 60 + seconds;
  };
  const roundingMinutes = ROUNDING_MINUTES.find((minutes) =>
    [0, 1].some((earlySeconds) =>
      lifetimes.every((lifetime) => (readSeconds(lifetime) + earlySeconds) % (minutes * 60) === 0),
    ),
  );
  if (roundingMinutes === undefined) return lifetimes;
  return lifetimes.map((lifetime) => ({
    ...lifetime,
    toleranceMinutes: Math.max(lifetime.toleranceMinutes, roundingMinutes / 2),
  }));
}

/** The change to summer time moves the clock by this many minutes. */
const CLOCK_CHANGE_MINUTES = 60;

/** True if all later links live one hour longer than the earlier links, or all live one hour less. */
function isClockChange(lifetimes: readonly Lifetime[]): boolean {
  const lifetimesInOrder = lifetimes.toSorted((a, b) => a.sentMs - b.sentMs);
  const changeIndex = lifetimesInOrder.findIndex(
    (lifetime) => !isConstantLifetime([...lifetimesInOrder.slice(0, 1), lifetime]),
  );
  const [lifetimesBefore, lifetimesAfter] = [
    lifetimesInOrder.slice(0, changeIndex),
    lifetimesInOrder.slice(changeIndex),
  ];
  return (
    changeIndex > 0 &&
    [-CLOCK_CHANGE_MINUTES, CLOCK_CHANGE_MINUTES].some((changeMinutes) =>
      isConstantLifetime([
        ...lifetimesBefore,
        ...lifetimesAfter.map((lifetime) => ({
          ...lifetime,
          lifetimeMinutes: lifetime.lifetimeMinutes + changeMinutes,
        })),
      ]),
    )
  );
}

/** Judges the links of identical requests. */
function judgeLifetimes(measuredLifetimes: readonly Lifetime[]): readonly Verdict[] {
  const lifetimes = widenForRounding(measuredLifetimes);
  const [firstLifetime] = lifetimes;
  if (firstLifetime === undefined || lifetimes.length < 2) return [];
  const isAllowed = hasFixedTimeOfDay(lifetimes) || isClockChange(lifetimes);
  const differentLifetimes = isAllowed
    ? []
    : lifetimes.filter((lifetime) => !isConstantLifetime([firstLifetime, lifetime]));
  const [firstDifferent] = differentLifetimes;
  const keptVerdicts = keptTimes(firstLifetime, lifetimes.length - 1 - differentLifetimes.length);
  if (firstDifferent === undefined) return keptVerdicts;
  return [
    ...keptVerdicts,
    broken(firstDifferent, {
      contrast: firstLifetime,
      pointer: '/data/end_date',
      expected: `an expiry ${Math.round(firstLifetime.lifetimeMinutes)} minutes after the link is made, as for the same request before`,
      received: `an expiry ${Math.round(firstDifferent.lifetimeMinutes)} minutes after it`,
      count: differentLifetimes.length,
    }),
  ];
}

export const lifetimeConsistent = ofRun({
  id: 'links.expiry-period.consistent',
  clause: defineLevels('payment-links').expected(
    expirySource,
    'Payment links for identical requests have the same lifetime.',
  ),
  operation: 'createPaymentLink',
  control: 'The run makes two payment links for identical requests.',
  judge({ links }) {
    const verdicts = [...groupBy(measureLifetimes(links), ({ requestKey }) => requestKey).values()].flatMap(
      judgeLifetimes,
    );
    return verdicts.length > 0 ? verdicts : [notTested('the run made no two payment links for identical requests')];
  },
});

function describeLifetimes(lifetimes: readonly Lifetime[]): string {
  if (isConstantLifetime(lifetimes)) {
    const meanMinutes = lifetimes.reduce((sum, { lifetimeMinutes }) => sum + lifetimeMinutes, 0) / lifetimes.length;
    return `${Math.round(meanMinutes)} minutes after the request, if the expiry is in UTC`;
  }
  if (hasFixedTimeOfDay(lifetimes)) return `until ${lifetimes[0]?.timeOfDay ?? ''} on some day`;
  return 'a different period for different links';
}

/** Reports the period from request to expiry, as if the expiry were in UTC: the document leaves its time zone open. */
export function inferExpiry({ links }: Run): readonly Inference[] {
  const lifetimes = measureLifetimes(links);
  if (lifetimes.length === 0) return [];
  const about = { point: 'links.expiry-period', operation: 'createPaymentLink' } as const;
  return [makeInference({ ...about, answer: describeLifetimes(lifetimes) }, lifetimes)];
}
