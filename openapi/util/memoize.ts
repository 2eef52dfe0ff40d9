/** Remembers the results of functions. This saves time, because most answers of a run are equal to an earlier answer. */

/** The results of the latest `maxTexts` texts are remembered. Longer texts than `maxLength` characters are not remembered. */
interface MemoryLimits {
  readonly maxTexts: number;
  readonly maxLength: number;
}

const BODY_MEMORY_LIMITS: MemoryLimits = { maxTexts: 256, maxLength: 16_384 };
/** Limits for names, addresses and other values of answers. */
export const VALUE_MEMORY_LIMITS: MemoryLimits = { maxTexts: 4096, maxLength: 120 };

/** Makes a function that calls `compute` once for each text. Its results are shared: the caller must not change them. */
export function memoizeByText<V>(
  compute: (text: string) => V,
  { maxTexts, maxLength } = BODY_MEMORY_LIMITS,
): (text: string) => V {
  const results = new Map<string, V>();
  return (text) => {
    if (text.length > maxLength) return compute(text);
    let value = results.get(text);
    if (value === undefined) {
      value = compute(text);
      if (results.size === maxTexts) results.delete(results.keys().next().value as string);
      results.set(text, value);
    }
    return value;
  };
}

/** Makes a function that calls `compute` once for each object. Equal, but different objects have separate results. */
export function memoizeByObject<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const results = new WeakMap<K, V>();
  return (object) => {
    let value = results.get(object);
    if (value === undefined) results.set(object, (value = compute(object)));
    return value;
  };
}
