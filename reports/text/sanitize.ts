/**
 * Everything a target says is text. Whatever could act in a terminal, a log or a reader's eye is shown as an escape:
 * control characters, ANSI escapes, bidirectional controls, invisible characters, lone surrogates.
 */

/**
 * Controls, formats (bidirectional and invisible ones), lone surrogates, line separators, fillers, non-characters. Letters of
 * ASCII are ruled out first: the long class takes much longer.
 */
const acting =
  /(?=[^\n\t -~])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** Shows what could act as an escape such as `\u202e`; keeps tabs and ends of lines. */
export function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(acting, escaped);
}

/** The same on one line: ends of lines and tabs are shown too. */
export function oneLine(text: string): string {
  return text.replace(/\r/g, '\\r').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(acting, escaped);
}

/** At most so many characters, and a sign where some are left out; never half a pair. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** A line for a log that obeys commands written in it (`::error::`, `##[…]`, `##vso[…]`): they stay words. */
export function noCommands(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1: ').replace(/#(?=#)/g, '# ');
}

/** What a scenario printed, safe for a terminal and a log. */
export function relayed(chunk: string | Buffer): string {
  return visible(chunk.toString()).split('\n').map(noCommands).join('\n');
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** True of a text in which something could act. */
export const acts = (text: string): boolean => text.search(acting) >= 0;

/** `text` with what could act in it as `escape` writes its code point. */
export const escapedWith = (text: string, escape: (code: number) => string): string =>
  text.replace(acting, (character) => escape(character.codePointAt(0)!));

/** A value as JSON in which whatever could act on an eye or a terminal is written as an escape: it reads back the same. */
export function asJson(value: unknown): string {
  const units = (character: string): string =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${JSON.stringify(value, null, 2).replace(acting, units)}\n`;
}
