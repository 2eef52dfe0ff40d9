/** Writes text to the terminal and the CI log, without control characters and CI commands. No other file may write there. */

/** Matches the colour codes of the summary, as `styleText` writes them. */
const COLOUR_CODE = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1239])m)`);

/** Makes any text safe to print. If `colours` is true, keeps the colour codes of the summary. */
export function toPrintable(text: string, colours = false, escapePart = escapeHarmful): string {
  // With colours, each second part is a colour code.
  const parts = colours ? text.split(COLOUR_CODE) : [text];
  return escapeCommands(parts.map((part, index) => (index % 2 === 1 ? part : escapePart(part))).join(''));
}

export const toPrintLine = (text: string, colours = false): string => toPrintable(text, colours, toOneLine);

type Stream = NodeJS.WriteStream;

let colourSetting: boolean | undefined;

/** Turns colours on or off. Undefined: only a terminal gets colours. */
export function chooseColours(colours: boolean | undefined): void {
  colourSetting = colours;
}

export const hasColours = (stream: Stream = process.stdout): boolean => colourSetting ?? stream.isTTY ?? false;

/**
 * For each stream, a short text that stands for its unfinished line: the line itself, or `x` and its last character.
 * It is needed because a CI command may be printed in two parts: `:` and `:error::`.
 */
const unfinishedLines = new WeakMap<Stream, string>();

function writePrintable(stream: Stream, text: string): void {
  const unfinishedLine = unfinishedLines.get(stream) ?? '';
  const printable = toPrintable(unfinishedLine + text, hasColours(stream));
  const line = printable.slice(printable.lastIndexOf('\n') + 1).trimStart();
  unfinishedLines.set(stream, line.length > 2 ? `x${line.at(-1)}` : line);
  stream.write(printable.slice(unfinishedLine.length));
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

/** Matches invisible characters and those that control a terminal. The lookahead excludes printable ASCII first, because this is much faster. */
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

/** Shortens a text to `maxLength` characters with `…` at the end. Never cuts a surrogate pair. */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /[\ud800-\udbff]/.test(text[maxLength - 2] ?? '') ? maxLength - 2 : maxLength - 1;
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
