/** Work that is done once for what comes again: most answers of a run are byte for byte like an earlier one. */

/** Texts that are remembered, the latest ones, and the length of the MAX_TEXT_LENGTH of them. */
const [MAX_REMEMBERED_TEXTS, MAX_TEXT_LENGTH] = [256, 16_384];

/** `of`, worked out once for a text as long as it is remembered. What it gives is shared, so nobody may change it. */
export function memoizeByText<V>(of: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    if (text.length > MAX_TEXT_LENGTH) return of(text);
    let value = known.get(text);
    if (value === undefined) {
      value = of(text);
      if (known.size === MAX_REMEMBERED_TEXTS) known.delete(known.keys().next().value as string);
      known.set(text, value);
    }
    return value;
  };
}

/** `of`, worked out once for each object. */
export function memoizeByObject<K extends object, V>(of: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>();
  return (object) => {
    let value = known.get(object);
    if (value === undefined) known.set(object, (value = of(object)));
    return value;
  };
}
