/** Makes the records of lists: a digest of the documented parts of each list, so that lists can be compared. */
import { operations, type Operation } from '../contract/operations.ts';
import { findClauseLocations } from '../contract/schema.ts';
import type { Exchange, OperationId } from '../model/exchange.ts';
import type { RecordByKind } from '../model/record.ts';
import { digestText } from '../util/hash.ts';
import { memoizeByObject } from '../util/memoize.ts';

/** Writes the documented parts of `value` as one text with sorted entries and keys. */
function canonicalizeAnswer(value: unknown, at: string, places: ReturnType<typeof findClauseLocations>): string {
  const joinTexts = (texts: readonly string[]): string => texts.toSorted().join();
  if (Array.isArray(value)) return `[${joinTexts(value.map((entry) => canonicalizeAnswer(entry, `${at}/*`, places)))}]`;
  // The numbers in a message may change, for example a time or the amount that is left of a daily limit.
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

type Digest = (data: object) => string;

/**
 * `ofList`: the digest of a list. `ofAlike`: a digest without what may differ between two right answers. `ofBeside`: the digest of the
 * values beside the list, which payments may change.
 */
interface Digests {
  readonly ofList: Digest;
  readonly ofAlike: Digest | null;
  readonly ofBeside: Digest | null;
}

const openDigests = memoizeByObject(({ id, list }: Operation): Digests | null => {
  if (list === null) return null;
  const { part, render, renderAlike, beside } = list;
  const renderDocumented = (selectPart: (data: object) => object): Digest =>
    makeDigestFunction((data) => renderDocumentedParts(id, selectPart(data)));
  return {
    ofList: render === null ? renderDocumented(part) : makeDigestFunction(render),
    ofAlike: renderAlike && makeDigestFunction(renderAlike),
    ofBeside: beside && renderDocumented(beside),
  };
});

/** Returns the record of a list; null if the operation returns no list. */
export function readList(
  { operation, request, startedAt: at, durationMs }: Exchange,
  data: unknown,
): RecordByKind['lists'] | null {
  const digests = openDigests(operations[operation]);
  if (digests === null || typeof data !== 'object' || data === null) return null;
  const { ofList, ofAlike, ofBeside } = digests;
  const asked = Object.entries(request.asked)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  return {
    ...{ operation, asked, list: ofList(data), at },
    ...(ofAlike === null ? {} : { alike: ofAlike(data) }),
    ...(ofBeside === null ? {} : { beside: { list: ofBeside(data), from: at, at: at + durationMs } }),
  };
}
