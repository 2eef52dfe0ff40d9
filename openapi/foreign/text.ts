/** Makes texts of others harmless for terminals, logs and readers: shows what is not visible as escapes. */

/** The lookahead excludes ASCII letters first, which is much faster. */
export const ACTIVE_CHARACTER =
  /(?=[^\n\t -~])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** Shows harmful characters as escapes such as `\u202e`. Tabs and line ends stay. */
export function escapeHarmful(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(ACTIVE_CHARACTER, escapeCharacter);
}

/** Shows harmful characters, tabs and line ends as escapes, so that the result is one line. */
export function toOneLine(text: string): string {
  return text
    .replace(/\r/g, '\\r')
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t')
    .replace(ACTIVE_CHARACTER, escapeCharacter);
}

/** Shortens a text to `most` characters with `…` at the end. Never cuts a surrogate pair. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? '') ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** Changes lines that are commands to a CI system (`::error::`, `##[…]`, `##vso[…]`) to plain text. */
export function escapeCommands(lines: string): string {
  return lines.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replace(/#(?=#)/g, '# ');
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
