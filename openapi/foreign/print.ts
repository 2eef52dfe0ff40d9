/** Writes to the terminal and the CI log, without control characters and CI commands. No other file writes there. */

/** Matches the colour codes of the summary, as `styleText` writes them. */
const OWN_COLOUR_CODE = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1239])m)`);

/** Makes any text safe to print. With `colours`, keeps the colours of the summary. */
export function toPrintable(text: string, colours = false, shown = escapeHarmful): string {
  const parts = colours ? text.split(OWN_COLOUR_CODE) : [text];
  return escapeCommands(parts.map((part, at) => (at % 2 === 1 ? part : shown(part))).join(''));
}

export const toPrintLine = (text: string, colours = false): string => toPrintable(text, colours, toOneLine);

type Stream = NodeJS.WriteStream;

let chosen: boolean | undefined;

/** Turns colours on or off. With undefined, only a terminal gets colours. */
export function chooseColours(colours: boolean | undefined): void {
  chosen = colours;
}

export const hasColours = (stream: Stream = process.stdout): boolean => chosen ?? stream.isTTY ?? false;

/** The start and the last character of an unfinished line, because a CI command may be printed in two parts. */
const unfinishedLines = new WeakMap<Stream, string>();

function writePrintable(stream: Stream, text: string): void {
  const before = unfinishedLines.get(stream) ?? '';
  const shown = toPrintable(before + text, hasColours(stream));
  const line = shown.slice(shown.lastIndexOf('\n') + 1).trimStart();
  unfinishedLines.set(stream, line.length > 2 ? `x${line.at(-1)}` : line);
  stream.write(shown.slice(before.length));
}

export const print = (text: string): void => writePrintable(process.stdout, text);

export const printError = (text: string): void => writePrintable(process.stderr, text);

/** Prints annotations for GitHub Actions, one per line. The suite prints no other commands to a CI system. */
export function printAnnotations(text: string): void {
  for (const line of text.split('\n')) {
    const [command = ''] = /^::(?:error|warning|notice) [^:]*::/.exec(line) ?? [];
    if (command === '') print(`${line}${line === '' ? '' : '\n'}`);
    else process.stdout.write(`${escapeHarmful(command)}${toPrintable(line.slice(command.length))}\n`);
  }
}

export function eraseLine(): void {
  process.stdout.write('\r\u001b[2K');
  unfinishedLines.delete(process.stdout);
}

/** Lets this process end normally if the reader of its output stops early, as `head` does. */
export function ignoreClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

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
