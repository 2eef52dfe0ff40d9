/** Remembers results of functions: most answers of a run are equal to an earlier answer. */

/** At most this many texts (the latest) of at most this length are remembered. */
interface Memory {
  readonly texts: number;
  readonly length: number;
}

const BODY_MEMORY_LIMITS: Memory = { texts: 256, length: 16_384 };
/** Limits for names, addresses and other values of answers. */
export const VALUE_MEMORY_LIMITS: Memory = { texts: 4096, length: 120 };

/** Makes a function that remembers the results of `compute` by text. Results are shared, so they must not be changed. */
export function memoizeByText<V>(
  compute: (text: string) => V,
  { texts, length } = BODY_MEMORY_LIMITS,
): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    if (text.length > length) return compute(text);
    let value = known.get(text);
    if (value === undefined) {
      value = compute(text);
      if (known.size === texts) known.delete(known.keys().next().value as string);
      known.set(text, value);
    }
    return value;
  };
}

export function memoizeByObject<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>();
  return (object) => {
    let value = known.get(object);
    if (value === undefined) known.set(object, (value = compute(object)));
    return value;
  };
}
