/**
 * Everything a target says is text. Whatever could act in a terminal, a log or a reader's eye is shown as an escape:
 * control characters, ANSI escapes, bidirectional controls, invisible characters, lone surrogates.
 */

const acting =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

/** Shows what could act as an escape such as `\u202e`; keeps tabs and ends of lines. */
export function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(acting, escaped);
}

/** The same on one line: ends of lines and tabs are shown too. */
export function oneLine(text: string): string {
  return text.replace(acting, escaped).replace(/\r/g, '\\r').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/** At most so many characters, and a sign where some are left out; never half a pair. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** Without the colours and cursor movements that a message may carry. */
export function withoutAnsi(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(
    /\u001b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g,
    '',
  );
}

/** A line for a log that obeys commands written in it (`::error::`, `##[…]`, `##vso[…]`): they stay words. */
export function noCommands(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1: ').replace(/#(?=#)/g, '# ');
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
