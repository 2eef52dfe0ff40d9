/** Breaks lines for the terminal between words. Colours take no room. */
import { stripVTControlCharacters } from 'node:util';

const measureWidth = (text: string): number => stripVTControlCharacters(text).length;

/** Matches an indent, the sign of a list, or the name before a text: wrapped lines begin below the text after it. */
const LINE_START = /^(?: +- | {1,2}\d+ {2}| {5}\w* {2,}| +)/;

/** Breaks a line at blanks. Longer words stay whole. */
export function wrapWithIndent(line: string, width: number): string[] {
  const [lead = ''] = LINE_START.exec(stripVTControlCharacters(line)) ?? [];
  const indent = ' '.repeat(lead.length || 5);
  // Colour codes may stand before the beginning of the line.
  const start = line.indexOf(lead) + lead.length;
  const [first = '', ...words] = line.slice(start).split(' ');
  const lines = [`${line.slice(0, start)}${first}`];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (measureWidth(longer) > width) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
