/** Keeps what a target sends within bounds, so that no body costs more than its size should. */

/** Entries of one array that are judged; of a longer one the first and the last, and others evenly between them. */
const MAX_JUDGED_ENTRIES = 5000;
/** Levels of nesting that are judged: the document knows five. */
const MAX_JUDGED_DEPTH = 64;
/** A text this short can hold nothing beyond the bounds that would cost anything. */
const SHORT_TEXT_LENGTH = 4096;

const emptyLike = (value: object): object => (Array.isArray(value) ? [] : {});
const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * `value`, read from `text`, within the bounds: arrays thinned to `MAX_JUDGED_ENTRIES`, and whatever is nested deeper than
 * `MAX_JUDGED_DEPTH` emptied. Changes `value` in place where it must.
 */
export function bounded(value: unknown, text: string): unknown {
  if (text.length <= SHORT_TEXT_LENGTH || !isNode(value)) return value;
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
  return holder[0];
}

/** Sets a member, `__proto__` too, without touching the prototype. */
function replace(node: object, key: string, value: object): object {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  return value;
}

function thinned(list: readonly unknown[]): unknown[] {
  const half = MAX_JUDGED_ENTRIES / 2;
  const step = (list.length - 1 - half) / (MAX_JUDGED_ENTRIES - half - 1);
  const spread = Array.from({ length: MAX_JUDGED_ENTRIES - half }, (_, at) => list[Math.round(half + at * step)]);
  return [...list.slice(0, half), ...spread];
}
