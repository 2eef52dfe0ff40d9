/** Maps that are filled as their keys come: groups keep the order of what is grouped. */

/** Items by a key, in their order. */
export function groupBy<Item, Key>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) getOrSet(groups, key(item), () => []).push(item);
  return groups;
}

/** The value of a key, made when first asked for. */
export function getOrSet<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
