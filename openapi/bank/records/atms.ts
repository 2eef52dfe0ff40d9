/** Makes the records of ATM answers, and texts by which ATM lists are compared. */
import type { JsonObject } from '../../contract/references.ts';
import type { AcceptedAnswer, AddRecord } from '../../model/operation.ts';
import type { RecordByKind, RunRecord } from '../../model/record.ts';
import type { SeenAtm } from './kinds.ts';
import { getEntries } from '../../rules/entries.ts';
import { digestText, isInRandomSample } from '../../util/hash.ts';
import { memoizeByText, VALUE_MEMORY_LIMITS } from '../../util/memoize.ts';
import { max } from '../../util/min-max.ts';
import { shortenName } from '../../util/truncate.ts';

const readAtmNumber = ({ atm_no: no }: JsonObject): string => `${typeof no} ${String(no)}`;

export const listAtmNumbers = (data: unknown): string => getEntries(data).map(readAtmNumber).sort().join();

/**
 * Joins the ATM numbers. Writes only the distance for the farthest ATMs: if several ATMs are equally far, a bank may return any of
 * them. Example: ATMs 7 (100 m), 8 (200 m) and 9 (200 m) give `string 7`, `200 away` and `200 away`.
 */
export function listAtmsOrEquallyFar(data: unknown): string {
  const atms = getEntries(data);
  const readDistance = ({ atm_distance: distance }: JsonObject): number => Number(distance ?? NaN);
  const farthest = max(atms.map(readDistance));
  return atms
    .map((atm) => (readDistance(atm) === farthest ? `${farthest} away` : readAtmNumber(atm)))
    .sort()
    .join();
}

const renderPosition = ({ atm_no: no, atm_latitude: latitude, atm_longitude: longitude }: JsonObject): string =>
  [no, latitude, longitude].map(String).join(' ');
export const joinSorted = (atms: readonly string[]): string => atms.toSorted().join('\n');

/** The run keeps about this many ATMs of each answer. The seed and the ATM number decide which: the same ATMs in each answer. */
const MAX_KEPT_ATMS = 300;

const normalizeText = (text: string): string =>
  text.replaceAll(/\s+/g, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

const digestOfText = memoizeByText((text) => digestText(normalizeText(text)), VALUE_MEMORY_LIMITS);

/** Returns a digest of a text that does not depend on white space, case or accents; null without a text. */
const digestAtmText = (text: unknown): string | null =>
  typeof text === 'string' && text.trim() !== '' ? digestOfText(text) : null;

/** Returns the ATMs of an answer, or a sample of a long answer. */
function selectAtms(data: unknown, seed: number): Pick<RecordByKind['atmAnswers'], 'atms' | 'drawnFrom'> {
  const entries = getEntries(data);
  const isLong = entries.length > MAX_KEPT_ATMS;
  const share = MAX_KEPT_ATMS / entries.length;
  const keptEntries = isLong ? entries.filter(({ atm_no: no }) => isInRandomSample(seed, String(no), share)) : entries;
  const atms = keptEntries.flatMap((atm): SeenAtm[] => {
    const { atm_no: no, atm_latitude: lat, atm_longitude: lon, atm_name: name, atm_distance: distance } = atm;
    if (typeof no !== 'string' || typeof lat !== 'number' || typeof lon !== 'number') return [];
    const texts = {
      atm_name: digestAtmText(name),
      atm_address: digestAtmText(atm['atm_address']),
      atm_city: digestAtmText(atm['atm_city']),
      atm_district: digestAtmText(atm['atm_district']),
    };
    return [
      {
        no,
        latitude: lat,
        longitude: lon,
        name: shortenName(String(name)),
        distance: typeof distance === 'number' ? distance : null,
        texts,
      },
    ];
  });
  return isLong
    ? { atms, drawnFrom: { atms: entries.length, digest: digestText(joinSorted(entries.map(renderPosition))) } }
    : { atms };
}

export function addAtmAnswer({ exchange, data }: AcceptedAnswer, add: AddRecord): void {
  const { latitude, longitude, province_code: province, district_code: district } = exchange.request.asked;
  const requestedPlace =
    latitude !== undefined && longitude !== undefined
      ? { latitude: Number(latitude), longitude: Number(longitude) }
      : { province: String(province), district: String(district) };
  const { startedAt: at, durationMs, seed = 0 } = exchange;
  add('atmAnswers', { asked: requestedPlace, ...selectAtms(data, seed), at, until: at + durationMs });
}

/** Returns how many ATMs of a long answer are compared with other answers; null if all are compared. */
export const findComparedShare = (record: RunRecord): { readonly seen: number; readonly of: number } | null =>
  record.kind === 'atmAnswers' && record.drawnFrom !== undefined
    ? { seen: record.atms.length, of: record.drawnFrom.atms }
    : null;

/** Returns the position of an entry as `latitude,longitude` in the digits of the answer; null if it is no position on earth. */
function describePosition(atm: unknown): string | null {
  const { atm_latitude: latitude, atm_longitude: longitude } = (atm ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return `${latitude},${longitude}`;
}

/** At most this many positions are kept for each answer: a long run has many answers, and some banks return all ATMs. */
const MAX_POSITIONS = 30;

/** Returns the positions of the first ATMs of an answer, as `latitude,longitude`. */
export function listPositions(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.slice(0, MAX_POSITIONS).flatMap((atm) => describePosition(atm) ?? []) : [];
}
