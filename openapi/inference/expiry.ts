/**
 * Infers the lifetime of payment links and the time zone of their expiry. Several pairs of lifetime and zone may fit; reports the
 * most likely pair, and whether other pairs fit.
 */
import { makeInference, type Inference } from '../model/finding.ts';
import type { Run } from '../model/record.ts';
import {
  hasFixedTimeOfDay,
  isConstantLifetime,
  measureLifetimes,
  type Lifetime,
} from '../behaviours/payment-links/lifetime.ts';

const USUAL_LIFETIMES_MINUTES = [
  5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1440, 2880, 4320, 7200, 10_080, 14_400, 20_160, 43_200,
  44_640, 86_400, 129_600, 259_200, 525_600, 527_040,
];

function formatPeriod(minutes: number): string {
  if (minutes % 525_600 === 0 || minutes === 527_040)
    return minutes >= 1_051_200 ? `${minutes / 525_600} years` : 'a year';
  if (minutes % 1440 === 0) return minutes === 1440 ? '24 hours' : `${minutes / 1440} days`;
  if (minutes % 60 === 0 && minutes > 90) return `${minutes / 60} hours`;
  return minutes === 60 ? 'an hour' : `${minutes} minutes`;
}

function formatZone(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const writeTwoDigits = (value: number): string => String(value).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${writeTwoDigits(Math.floor(Math.abs(minutes) / 60))}:${writeTwoDigits(Math.abs(minutes) % 60)}`;
}

/** Returns the pairs of lifetime and time zone that fit, the most likely first: zones with whole hours, then zones near UTC. */
function listPeriodsAndZones(offset: number): readonly { readonly period: number; readonly zone: number }[] {
  const zones = Array.from({ length: 105 }, (_, index) => -720 + index * 15).sort(
    (a, b) => Number(a % 60 !== 0) - Number(b % 60 !== 0) || Math.abs(a) - Math.abs(b),
  );
  return zones.flatMap((zone) => {
    const period = USUAL_LIFETIMES_MINUTES.find((candidate) => Math.abs(offset - zone - candidate) <= 1.5);
    return period === undefined ? [] : [{ period, zone }];
  });
}

function describeLifetimes(lifetimes: readonly Lifetime[]): string {
  if (isConstantLifetime(lifetimes)) {
    const offset = lifetimes.reduce((sum, life) => sum + life.minutes, 0) / lifetimes.length;
    const [likeliest, ...others] = listPeriodsAndZones(offset);
    if (likeliest === undefined)
      return offset > 2_000_000
        ? 'many years; the time zone cannot be inferred'
        : `${Math.round(offset)} minutes, if it is written in UTC`;
    return `${formatPeriod(likeliest.period)}, probably in ${formatZone(likeliest.zone)}${others.length > 0 ? ' (in another time zone, another period fits)' : ''}`;
  }
  if (hasFixedTimeOfDay(lifetimes)) return `until ${lifetimes[0]?.timeOfDay ?? ''} on some day`;
  return 'a different period for different links';
}

export function inferExpiry({ links }: Run): readonly Inference[] {
  const lifetimes = measureLifetimes(links);
  if (lifetimes.length === 0) return [];
  const about = { point: 'links.expiry-period', operation: 'createPaymentLink' } as const;
  return [makeInference({ ...about, answer: describeLifetimes(lifetimes) }, lifetimes)];
}
