/**
 * How long a payment link lives and in which zone its expiry is written. The document shows neither, and one moment does not
 * tell them apart: the likeliest pair is told, and whether there are others.
 */
import { max, min } from '../util/min-max.ts';
import type { Inference, RunRuleResult, FactRecord } from '../run-rules/index.ts';
import { readMoment } from '../contract/formats.ts';
import { ResultCollector, groupBy, of } from '../run-rules/result-collector.ts';
import type { LinkFact } from '../run-rules/payment-links.ts';

interface Life {
  readonly exchange: string;
  /** Minutes from the making of the link to its expiry as written, read as UTC. */
  readonly minutes: number;
  /** Minutes by which that may be off. */
  readonly slack: number;
  readonly timeOfDay: string;
  readonly key: string;
  /** When the link was asked for, in milliseconds since the epoch. */
  readonly from: number;
}

const minute = 60_000;

function livesOf(sightings: readonly FactRecord[]): readonly Life[] {
  return of(sightings, 'link').flatMap(({ exchange, fact }: FactRecord<LinkFact>): Life[] => {
    const moment = fact.expiry === null ? null : readMoment(fact.expiry);
    if (moment === null) return [];
    const [year, month, day, hour, minutes, second] = moment;
    const written = Date.UTC(year, month - 1, day, hour, minutes, second);
    return [
      {
        exchange,
        minutes: (written - fact.from) / minute,
        slack: (fact.at - fact.from) / minute + 1.1,
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

const isConstant = (lives: readonly Life[]): boolean => {
  const low = max(lives.map(({ minutes, slack }) => minutes - slack));
  const high = min(lives.map(({ minutes, slack }) => minutes + slack));
  return low <= high;
};

/** True where all links end at one time of a day although they were not made at one; midnight and full hours need no proof. */
function endsByTheClock(lives: readonly Life[]): boolean {
  const made = lives.map(({ from }) => from);
  const [time, ...others] = new Set(lives.map(({ timeOfDay }) => timeOfDay));
  return time !== undefined && others.length === 0 && (/(?:59:59|00:00)$/.test(time) || max(made) - min(made) > 5000);
}

/** Periods that people choose, in minutes. */
const periods = [
  5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1440, 2880, 4320, 7200, 10_080, 14_400, 20_160, 43_200,
  44_640, 86_400, 129_600, 259_200, 525_600, 527_040,
];

function periodName(minutes: number): string {
  if (minutes % 525_600 === 0 || minutes === 527_040)
    return minutes >= 1_051_200 ? `${minutes / 525_600} years` : 'a year';
  if (minutes % 1440 === 0) return minutes === 1440 ? '24 hours' : `${minutes / 1440} days`;
  if (minutes % 60 === 0 && minutes > 90) return `${minutes / 60} hours`;
  return minutes === 60 ? 'an hour' : `${minutes} minutes`;
}

function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** The pairs of period and zone that fit, the likeliest first: zones near UTC, whole hours before halves. */
function pairsFor(offset: number): readonly { readonly period: number; readonly zone: number }[] {
  const zones = Array.from({ length: 105 }, (_, index) => -720 + index * 15).sort(
    (a, b) => Number(a % 60 !== 0) - Number(b % 60 !== 0) || Math.abs(a) - Math.abs(b),
  );
  const fitting = zones.flatMap((zone) => {
    const period = periods.find((candidate) => Math.abs(offset - zone - candidate) <= 1.5);
    return period === undefined ? [] : [{ period, zone }];
  });
  return fitting;
}

function told(lives: readonly Life[]): string {
  if (isConstant(lives)) {
    const offset = lives.reduce((sum, life) => sum + life.minutes, 0) / lives.length;
    const [likeliest, ...others] = pairsFor(offset);
    if (likeliest === undefined)
      return offset > 2_000_000
        ? 'many years, so that the zone does not show'
        : `${Math.round(offset)} minutes, were it written in UTC`;
    return `${periodName(likeliest.period)}, presumably in ${zoneName(likeliest.zone)}${others.length > 0 ? ', though other zones would fit other periods' : ''}`;
  }
  if (endsByTheClock(lives)) return `until ${lives[0]?.timeOfDay ?? ''} of a day`;
  return 'another period for other links';
}

export function inferExpiry(sightings: readonly FactRecord[]): readonly Inference[] {
  const lives = livesOf(sightings);
  if (lives.length === 0) return [];
  return [
    {
      point: 'links.expiry-period',
      operation: 'createPaymentLink',
      value: told(lives),
      count: lives.length,
      exchanges: lives.slice(0, 20).map(({ exchange }) => exchange),
    },
  ];
}

/** The same request, fresh ids aside, gets a link that lives as long, or until the same time of a day. */
export function evaluateExpiry(sightings: readonly FactRecord[]): RunRuleResult {
  const docket = new ResultCollector();
  const clause = 'links.expiry-period.consistent';
  const lives = livesOf(sightings);
  const byTime = endsByTheClock(lives);
  for (const same of groupBy(lives, ({ key }) => key).values()) {
    const [first] = same;
    if (first === undefined || same.length < 2) continue;
    docket.exercise(clause, 'createPaymentLink', same.length - 1, first.exchange);
    const other = byTime ? undefined : same.find((life) => !isConstant([first, life]));
    if (other === undefined) continue;
    docket.break({
      clause,
      operation: 'createPaymentLink',
      pointer: '/data/end_date',
      expected: `an expiry ${Math.round(first.minutes)} minutes after the link is made, as for the same request before`,
      received: `an expiry ${Math.round(other.minutes)} minutes after it`,
      exchange: other.exchange,
      contrast: first.exchange,
    });
    break;
  }
  return docket.settlement();
}
