/** Limits the size of a parsed body, so that judging it takes no more time than its length justifies. */
import { heaviness } from '../contract/load.ts';
import { isDrawn, sha256OfText } from '../util/hash.ts';

/**
 * Entries of one array that are judged. Without an overlay these are all: an answer of 8 MB holds no more ATMs, as the shortest has
 * 128 bytes. Fewer where an overlay adds checks to each.
 */
const MAX_JUDGED_ENTRIES = Math.ceil(65_536 / heaviness);
/** Levels of nesting that are judged. The document has five. */
const MAX_JUDGED_DEPTH = 64;
/** A text up to this length needs no limits. */
const SHORT_TEXT_LENGTH = 4096;

const emptyLike = (value: object): object => (Array.isArray(value) ? [] : {});
const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Of the arrays that are too long: the number of judged entries, and of all entries. */
export interface Share {
  readonly judged: number;
  readonly of: number;
}

interface Bounded {
  readonly value: unknown;
  /** Null if all is judged. */
  readonly share: Share | null;
}

/**
 * `value`, read from `text`, within the limits: arrays reduced to about `MAX_JUDGED_ENTRIES`, and nodes below `MAX_JUDGED_DEPTH`
 * emptied. May change `value` itself. The digest of the text decides which entries stay; the first and the last always do.
 */
export function bounded(value: unknown, text: string): Bounded {
  if (text.length <= SHORT_TEXT_LENGTH || !isNode(value)) return { value, share: null };
  let [judged, of] = [0, 0];
  let salt: string | undefined;
  const thinned = (list: readonly unknown[]): unknown[] => {
    const name = (salt ??= sha256OfText(text));
    const [last, share] = [list.length - 1, MAX_JUDGED_ENTRIES / list.length];
    const kept = list.filter((_, at) => at === 0 || at === last || isDrawn(name, at, share));
    judged += kept.length;
    of += list.length;
    return kept;
  };
  const holder = [value];
  let level: object[] = [holder];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: object[] = [];
    for (const node of level) {
      const members = node as Record<string, unknown>;
      for (const key of Object.keys(node)) {
        let child = members[key];
        if (!isNode(child)) continue;
        if (depth >= MAX_JUDGED_DEPTH) child = replace(node, key, emptyLike(child));
        else if (Array.isArray(child) && child.length > MAX_JUDGED_ENTRIES) child = replace(node, key, thinned(child));
        below.push(child as object);
      }
    }
    level = below;
  }
  return { value: holder[0], share: of === 0 ? null : { judged, of } };
}

/** Sets a member, `__proto__` too, without touching the prototype. */
function replace(node: object, key: string, value: object): object {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  return value;
}
