/** Makes notes about the ATMs in an answer. */
import type { Exchange } from '../model/exchange.ts';
import type { AtmFact, SeenAtm } from '../model/facts.ts';
import { getEntries, type Entry } from '../rules/entries.ts';
import { digestText, isInRandomSample } from '../util/hash.ts';
import { memoizeByText, VALUE_MEMORY_LIMITS } from '../util/memoize.ts';
import { shortenName } from '../util/truncate.ts';

const renderPosition = ({ atm_no: no, atm_latitude: latitude, atm_longitude: longitude }: Entry): string =>
  [no, latitude, longitude].map(String).join(' ');
export const joinSorted = (atms: readonly string[]): string => atms.toSorted().join('\n');

/** About this many ATMs are noted per answer. The seed and the ATM number decide which: the same ATMs in each answer. */
const MAX_NOTED_ATMS = 300;

/** Removes white space and diacritics, and converts to lower case. */
const normalizeText = (text: string): string =>
  text.replaceAll(/\s+/g, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

const digestOfText = memoizeByText((text) => digestText(normalizeText(text)), VALUE_MEMORY_LIMITS);

/** Returns a digest of a text that does not depend on white space, case or accents; null without a text. */
const digestAtmText = (text: unknown): string | null =>
  typeof text === 'string' && text.trim() !== '' ? digestOfText(text) : null;

interface Noted {
  readonly atms: readonly SeenAtm[];
  readonly drawnFrom?: NonNullable<AtmFact['drawnFrom']>;
}

function noteAtmList(data: unknown, seed: number): Noted {
  const all = getEntries(data);
  const isLong = all.length > MAX_NOTED_ATMS;
  const share = MAX_NOTED_ATMS / all.length;
  const chosen = isLong ? all.filter(({ atm_no: no }) => isInRandomSample(seed, String(no), share)) : all;
  const atms = chosen.flatMap((atm): SeenAtm[] => {
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
    ? { atms, drawnFrom: { atms: all.length, digest: digestText(joinSorted(all.map(renderPosition))) } }
    : { atms };
}

export function listAtmFacts(exchange: Exchange, data: unknown): readonly AtmFact[] {
  if (exchange.operation !== 'findAtms') return [];
  const { latitude, longitude, province_code: province, district_code: district } = exchange.request.asked;
  const isByPosition = latitude !== undefined && longitude !== undefined;
  const asked = isByPosition
    ? { latitude: Number(latitude), longitude: Number(longitude) }
    : { province: String(province), district: String(district) };
  const { startedAt: at, durationMs } = exchange;
  return [{ rule: 'atms', asked, ...noteAtmList(data, exchange.seed ?? 0), at, until: at + durationMs }];
}
