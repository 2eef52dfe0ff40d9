/** Finds the name that a misspelt word may mean. */

/** A word may have one wrong letter in four. */
const LETTERS_PER_EDIT = 4;

/** Returns `did you mean --seed?`, or undefined if no name is similar. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const most = Math.min(4, Math.ceil(word.length / LETTERS_PER_EDIT));
  const ranked = names
    .map((name) => ({ name, edits: countEdits(word, name, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0] && `did you mean ${ranked[0].name}?`;
}

/** Counts wrong letters up to `most`, or returns a larger number. Two letters in the wrong order are one (Damerau). */
export function countEdits(word: string, known: string, most: number): number {
  if (word === known) return 0;
  if (most === 0 || Math.abs(word.length - known.length) > most) return most + 1;
  if (word[0] === known[0]) return countEdits(word.slice(1), known.slice(1), most);
  const [shorter, other] = [word.slice(1), known.slice(1)];
  const edits = [
    countEdits(shorter, other, most - 1),
    countEdits(shorter, known, most - 1),
    countEdits(word, other, most - 1),
  ];
  if (word[0] === known[1] && word[1] === known[0]) edits.push(countEdits(word.slice(2), known.slice(2), most - 1));
  return 1 + Math.min(...edits);
}
