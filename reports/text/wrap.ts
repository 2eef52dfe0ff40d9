/** Breaks text for the terminal between words. Colours take no room. */
import { stripVTControlCharacters } from 'node:util';
import { toOneLine } from './sanitize.ts';

const measureWidth = (text: string): number => stripVTControlCharacters(text).length;

/** Breaks a text at blanks into lines of at most `width` characters. Longer words stay whole. */
function wrapWords(text: string, width: number): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (measureWidth(line) > width && lines.at(-1) !== '') lines.push(word);
    else lines[lines.length - 1] = lines.at(-1) === '' ? word : line;
  }
  return lines;
}

export const wrapText = (text: string, width: number): string[] => wrapWords(toOneLine(text), width);

/** Breaks a text after `lead`; the further lines begin below the end of `lead`. */
export const indentLines = (text: string, lead: string, width: number): string[] =>
  wrapText(text, width - lead.length).map((line, at) => (at === 0 ? lead : ' '.repeat(lead.length)) + line);

/** Breaks a finished line that is too long; the further lines are indented. */
export function wrapHanging(line: string, width: number): string[] {
  if (measureWidth(line) <= width) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  const hanging = ' '.repeat(indent.length + 5);
  return wrapWords(line.slice(indent.length), width - hanging.length).map(
    (part, at) => (at === 0 ? indent : hanging) + part,
  );
}
