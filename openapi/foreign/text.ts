/**
 * Everything a target, a report or an overlay says is text. Whatever could act in a terminal, a log or a reader's eye is shown
 * as an escape: control characters, ANSI escapes, bidirectional controls, invisible characters, lone surrogates.
 */

/**
 * Controls, formats (bidirectional and invisible ones), lone surrogates, line separators, fillers, non-characters. Letters of
 * ASCII are ruled out first: the long class takes much longer.
 */
export const acting =
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

/** Lines for a log that obeys commands written in it (`::error::`, `##[…]`, `##vso[…]`): they stay words. */
export function noCommands(lines: string): string {
  return lines.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replace(/#(?=#)/g, '# ');
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
