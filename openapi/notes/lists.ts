/** Makes notes about lists: digests of their documented parts. */
import type { ListFact } from '../model/facts.ts';
import { operations } from '../contract/operations.ts';
import { findClauseLocations } from '../contract/schema.ts';
import { digestText } from '../util/hash.ts';
import type { Exchange, OperationId } from '../model/exchange.ts';
import { memoizeByObject } from '../util/memoize.ts';
import { getEntries, readMember, type Entry } from '../rules/entries.ts';
import { max } from '../util/min-max.ts';

const readAtmNumber = ({ atm_no: no }: Entry): string => `${typeof no} ${String(no)}`;

/** Joins the sorted ATM numbers of an answer, so that two lists of the same ATMs are equal texts. */
const listAtmNumbers = (data: unknown): string => getEntries(data).map(readAtmNumber).sort().join();

/** Joins the ATM numbers, but for the farthest ATMs only their distance: a bank may leave out any ATM at this distance. */
function listAtmsOrEquallyFar(data: unknown): string {
  const atms = getEntries(data);
  const readDistance = ({ atm_distance: distance }: Entry): number => Number(distance ?? NaN);
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

const makeDigestFunction = (of: (data: object) => string) => memoizeByObject((data: object) => digestText(of(data)));

/** Makes a function that returns a digest of the documented members of an answer, or of `part(answer)`. */
const digestDocumentedParts = (
  operation: OperationId,
  part = (data: object): object => data,
): ((data: object) => string) =>
  makeDigestFunction((data) =>
    canonicalizeAnswer(part(data), '/data', findClauseLocations(operations[operation].forms[0]?.answer ?? '')),
  );

const digestMerchantListValues = digestDocumentedParts('listMerchants', (data) => ({ ...data, merchants: null }));
const digestIgnoringFarthest = makeDigestFunction(listAtmsOrEquallyFar);

const digestByOperation: Partial<Record<OperationId, (data: object) => string>> = {
  listMerchants: digestDocumentedParts('listMerchants', (data) => ({ merchants: readMember(data, 'merchants') })),
  listCurrencies: digestDocumentedParts('listCurrencies'),
  listBranches: digestDocumentedParts('listBranches'),
  listInstallments: digestDocumentedParts('listInstallments'),
  findAtms: makeDigestFunction(listAtmNumbers),
};

export function listListFacts(
  { operation, request, startedAt, durationMs }: Exchange,
  data: unknown,
): readonly ListFact[] {
  const digestOfList = digestByOperation[operation];
  if (digestOfList === undefined || typeof data !== 'object' || data === null) return [];
  const asked = Object.entries(request.asked)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  const fact = { rule: 'list', operation, asked, list: digestOfList(data), at: startedAt } as const;
  if (operation === 'findAtms') return [{ ...fact, alike: digestIgnoringFarthest(data) }];
  if (operation !== 'listMerchants') return [fact];
  return [{ ...fact, beside: { list: digestMerchantListValues(data), from: startedAt, at: startedAt + durationMs } }];
}
