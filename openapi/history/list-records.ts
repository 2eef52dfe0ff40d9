/** Makes the records of lists and ATMs: digests of their documented parts. */
import { operations } from '../contract/operations.ts';
import { findClauseLocations } from '../contract/schema.ts';
import type { Exchange, OperationId } from '../model/exchange.ts';
import type { RecordByKind, SeenAtm } from '../model/record.ts';
import { getEntries, readMember } from '../rules/entries.ts';
import type { JsonObject } from '../contract/references.ts';
import { digestText, isInRandomSample } from '../util/hash.ts';
import { memoizeByObject, memoizeByText, VALUE_MEMORY_LIMITS } from '../util/memoize.ts';
import { max } from '../util/min-max.ts';
import { shortenName } from '../util/truncate.ts';

const readAtmNumber = ({ atm_no: no }: JsonObject): string => `${typeof no} ${String(no)}`;

const listAtmNumbers = (data: unknown): string => getEntries(data).map(readAtmNumber).sort().join();

/** Joins the ATM numbers, but for the farthest ATMs only their distance: a bank may leave out any ATM at this distance. */
function listAtmsOrEquallyFar(data: unknown): string {
  const atms = getEntries(data);
  const readDistance = ({ atm_distance: distance }: JsonObject): number => Number(distance ?? NaN);
  const farthest = max(atms.map(readDistance));
  return atms
    .map((atm) => (readDistance(atm) === farthest ? `${farthest} away` : readAtmNumber(atm)))
    .sort()
    .join();
}

/** Writes the documented parts of `value` as one text with sorted entries and keys. */
function canonicalizeAnswer(value: unknown, at: string, places: ReturnType<typeof findClauseLocations>): string {
  const joinTexts = (texts: readonly string[]): string => texts.toSorted().join();
  if (Array.isArray(value)) return `[${joinTexts(value.map((entry) => canonicalizeAnswer(entry, `${at}/*`, places)))}]`;
  // The numbers in a message may change, for example a time or the rest of a daily limit.
  if (typeof value === 'string' && at.endsWith('_message')) return value.replaceAll(/\p{Nd}+/gu, '#');
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const members = Object.entries(value).filter(([key]) => places.has(`${at}/${key}`));
  return `{${joinTexts(members.map(([key, child]) => `${key}:${canonicalizeAnswer(child, `${at}/${key}`, places)}`))}}`;
}

/** Writes the documented members of the `data` of an answer as one text. The order of keys and entries does not matter. */
export const renderDocumentedParts = (operation: OperationId, data: object): string =>
  canonicalizeAnswer(data, '/data', findClauseLocations(operations[operation].forms[0]?.answer ?? ''));

const makeDigestFunction = (render: (data: object) => string) =>
  memoizeByObject((data: object) => digestText(render(data)));

/** Makes a function that returns a digest of the documented members of an answer, or of `part(answer)`. */
const digestDocumentedParts = (
  operation: OperationId,
  part = (data: object): object => data,
): ((data: object) => string) => makeDigestFunction((data) => renderDocumentedParts(operation, part(data)));

const digestMerchantListValues = digestDocumentedParts('listMerchants', (data) => ({ ...data, merchants: null }));
const digestIgnoringFarthest = makeDigestFunction(listAtmsOrEquallyFar);

const digestByOperation: Partial<Record<OperationId, (data: object) => string>> = {
  listMerchants: digestDocumentedParts('listMerchants', (data) => ({ merchants: readMember(data, 'merchants') })),
  listCurrencies: digestDocumentedParts('listCurrencies'),
  listBranches: digestDocumentedParts('listBranches'),
  listInstallments: digestDocumentedParts('listInstallments'),
  findAtms: makeDigestFunction(listAtmNumbers),
};

export function readList(
  { operation, request, startedAt: at, durationMs }: Exchange,
  data: unknown,
): RecordByKind['lists'] | null {
  const digestOfList = digestByOperation[operation];
  if (digestOfList === undefined || typeof data !== 'object' || data === null) return null;
  const asked = Object.entries(request.asked)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  const list = { operation, asked, list: digestOfList(data), at };
  if (operation === 'findAtms') return { ...list, alike: digestIgnoringFarthest(data) };
  if (operation !== 'listMerchants') return list;
  return { ...list, beside: { list: digestMerchantListValues(data), from: at, at: at + durationMs } };
}

const renderPosition = ({ atm_no: no, atm_latitude: latitude, atm_longitude: longitude }: JsonObject): string =>
  [no, latitude, longitude].map(String).join(' ');
export const joinSorted = (atms: readonly string[]): string => atms.toSorted().join('\n');

/** About this many ATMs are kept per answer. The seed and the ATM number decide which: the same ATMs in each answer. */
const MAX_KEPT_ATMS = 300;

const normalizeText = (text: string): string =>
  text.replaceAll(/\s+/g, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

const digestOfText = memoizeByText((text) => digestText(normalizeText(text)), VALUE_MEMORY_LIMITS);

/** Returns a digest of a text that does not depend on white space, case or accents; null without a text. */
const digestAtmText = (text: unknown): string | null =>
  typeof text === 'string' && text.trim() !== '' ? digestOfText(text) : null;

function selectAtms(data: unknown, seed: number): Pick<RecordByKind['atmAnswers'], 'atms' | 'drawnFrom'> {
  const all = getEntries(data);
  const isLong = all.length > MAX_KEPT_ATMS;
  const share = MAX_KEPT_ATMS / all.length;
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

export function readAtmAnswer(exchange: Exchange, data: unknown): RecordByKind['atmAnswers'] {
  const { latitude, longitude, province_code: province, district_code: district } = exchange.request.asked;
  const asked =
    latitude !== undefined && longitude !== undefined
      ? { latitude: Number(latitude), longitude: Number(longitude) }
      : { province: String(province), district: String(district) };
  const { startedAt: at, durationMs, seed = 0 } = exchange;
  return { asked, ...selectAtms(data, seed), at, until: at + durationMs };
}
