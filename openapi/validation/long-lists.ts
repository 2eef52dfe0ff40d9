/** Parses a text with very long arrays in parts, so that the memory does not grow with the number of entries. */
import type { Reading } from '../model/journal.ts';

export function skipString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** The entries of an array beyond the limit, as index ranges of the text. Each range has at most as many entries as the limit. */
interface Excess {
  readonly ranges: { readonly from: number; readonly to: number }[];
  readonly entries: number;
}

interface Cut {
  readonly depth: number;
  readonly ranges: Excess['ranges'];
  readonly from: number;
}

/** Finds the arrays with more than `most` entries. Ignores arrays inside entries beyond the limit. */
function findExcess(text: string, most: number): readonly Excess[] {
  const found: Excess[] = [];
  /** The commas of each open array; null for an object. */
  const open: (number | null)[] = [];
  let cut = null as Cut | null;
  function countComma(position: number): void {
    const commas = open.at(-1);
    if (commas == null || (cut !== null && cut.depth !== open.length)) return;
    open[open.length - 1] = commas + 1;
    if ((commas + 1) % most !== 0) return;
    cut?.ranges.push({ from: cut.from, to: position });
    cut = { depth: open.length, ranges: cut?.ranges ?? [], from: position + 1 };
  }
  function closeArray(position: number): void {
    const commas = open.pop();
    if (cut === null || commas == null || open.length + 1 !== cut.depth) return;
    found.push({ ranges: [...cut.ranges, { from: cut.from, to: position }], entries: commas + 1 });
    cut = null;
  }
  for (let position = 0; position < text.length; position += 1) {
    const letter = text[position];
    if (letter === '"') position = skipString(text, position);
    else if (letter === '[') open.push(0);
    else if (letter === '{') open.push(null);
    else if (letter === ',') countComma(position);
    else if (letter === ']' || letter === '}') closeArray(position);
  }
  return found;
}

/**
 * Parses JSON. Of each array, the value has the first `most` entries; the others are only parsed. `kept` is the text of the value.
 * Throws a SyntaxError, as JSON.parse does for the whole text.
 */
export function parseLongLists(
  text: string,
  most: number,
): { readonly value: unknown; readonly kept: string; readonly share: Reading['share'] } {
  // Each entry needs at least two characters.
  const excess = text.length <= 2 * most ? [] : findExcess(text, most);
  const ranges = excess.flatMap((one) => one.ranges);
  if (ranges.length === 0) return { value: JSON.parse(text), kept: text, share: null };
  const starts = [0, ...ranges.map(({ to }) => to)];
  // The comma before a removed range is removed too.
  const kept = starts.map((start, index) => text.slice(start, (ranges[index]?.from ?? Infinity) - 1)).join('');
  try {
    for (const { from, to } of ranges)
      if ((JSON.parse(`[${text.slice(from, to)}]`) as unknown[]).length === 0)
        throw new SyntaxError('an entry is missing');
    const share = { judged: most * excess.length, of: excess.reduce((sum, { entries }) => sum + entries, 0) };
    return { value: JSON.parse(kept), kept, share };
  } catch {
    // Finds the place of the error in the whole text.
    return { value: JSON.parse(text), kept: text, share: null };
  }
}
