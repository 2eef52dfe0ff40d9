/**
 * Facts as lines of a journal. Most answers show ATMs that were shown before: each is written down once in a journal, and
 * then stands for itself by its number, with its distance.
 */
import { memoizeByObject } from '../util/memoize.ts';
import type { AtmFact, Fact, SeenAtm } from './facts.ts';

type WrittenAtm = readonly [number: number, distance: number | null];
type WrittenFact = Exclude<Fact, AtmFact> | (Omit<AtmFact, 'atms'> & { readonly atms: readonly WrittenAtm[] });

export type FactLine =
  | { readonly line: 'atm'; readonly number: number; readonly atm: SeenAtm }
  | { readonly line: 'fact'; readonly exchange: string; readonly fact: WrittenFact };

/** Writes the facts of one journal. */
export function factWriter(write: (line: FactLine) => void): (exchange: string, fact: Fact) => void {
  const numbers = new Map<string, number>();
  const numberOf = memoizeByObject((atm: SeenAtm): number => {
    const [no, latitude, longitude, name, , texts, head] = atm;
    const key = `${no} ${latitude} ${longitude} ${name} ${texts.join(' ')} ${head?.join(' ')}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    write({ line: 'atm', number: numbers.size, atm });
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  });
  return (exchange, fact) => {
    const written =
      fact.rule === 'atms' ? { ...fact, atms: fact.atms.map((atm) => [numberOf(atm), atm[4]] as const) } : fact;
    write({ line: 'fact', exchange, fact: written });
  };
}

/** The fact that was written; `atms` are those of its journal by their numbers. */
export function readFact(fact: WrittenFact, atms: ReadonlyMap<number, SeenAtm>): Fact {
  if (fact.rule !== 'atms') return fact;
  const seen = fact.atms.flatMap(([number, distance]): SeenAtm[] => {
    const atm = atms.get(number);
    return atm === undefined ? [] : [[atm[0], atm[1], atm[2], atm[3], distance, atm[5], atm[6]]];
  });
  return { ...fact, atms: seen };
}
