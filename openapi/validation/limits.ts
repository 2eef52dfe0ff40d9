/** Limits the size of a parsed body, so that judging takes only time in proportion to its length. */
import type { Reading } from '../model/journal.ts';

/**
 * At most this many entries of one array are judged: an answer of 8 MB cannot have more ATMs, since the shortest ATM has 128
 * bytes.
 */
const MAX_JUDGED_ENTRIES = 65_536;
/** At most this many levels are judged. The document has five. */
const MAX_JUDGED_DEPTH = 64;
/** A text with at most this many characters needs no limits. */
const SHORT_TEXT_LENGTH = 4096;

const makeEmptyOfSameType = (value: object): object => (Array.isArray(value) ? [] : {});
const isObjectOrArray = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Reduces `value`, which was parsed from `text`: arrays keep their first `MAX_JUDGED_ENTRIES` entries, and objects below
 * `MAX_JUDGED_DEPTH` become empty. May change `value` itself. `share` is null if no array was cut.
 */
export function limitParsedSize(
  value: unknown,
  text: string,
): { readonly value: unknown; readonly share: Reading['share'] } {
  if (text.length <= SHORT_TEXT_LENGTH || !isObjectOrArray(value)) return { value, share: null };
  let [judged, of] = [0, 0];
  const holder = [value];
  let level: object[] = [holder];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: object[] = [];
    for (const node of level) {
      const members = node as Record<string, unknown>;
      for (const key of Object.keys(node)) {
        let child = members[key];
        if (!isObjectOrArray(child)) continue;
        if (depth >= MAX_JUDGED_DEPTH) child = replaceMember(node, key, makeEmptyOfSameType(child));
        else if (Array.isArray(child) && child.length > MAX_JUDGED_ENTRIES) {
          judged += MAX_JUDGED_ENTRIES;
          of += child.length;
          child = replaceMember(node, key, child.slice(0, MAX_JUDGED_ENTRIES));
        }
        below.push(child as object);
      }
    }
    level = below;
  }
  return { value: holder[0], share: of === 0 ? null : { judged, of } };
}

/** Sets a member, also `__proto__`, without changing the prototype. */
function replaceMember(node: object, key: string, value: object): object {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  return value;
}
