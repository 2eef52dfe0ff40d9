/**
 * The only place that writes to the terminal and to the log of a CI job (a test checks that). Control characters are shown as escapes,
 * and no line is a command to the CI system, whoever wrote the text.
 */
import { noCommands, oneLine, visible } from './text.ts';

/** The colours of the summary, as `styleText` writes them. Only a terminal gets them. */
const ownColours = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1239])m)`);

/** A text of any origin, safe to show. With `colours` those of the summary stay. */
export function printable(text: string, colours = false, shown = visible): string {
  const parts = colours ? text.split(ownColours) : [text];
  return noCommands(parts.map((part, at) => (at % 2 === 1 ? part : shown(part))).join(''));
}

/** The same on one line. */
export const printableLine = (text: string, colours = false): string => printable(text, colours, oneLine);

type Stream = NodeJS.WriteStream;

/** The start and the last character of an unfinished line: a command may come in two pieces. */
const unfinished = new WeakMap<Stream, string>();

function write(stream: Stream, text: string): void {
  const before = unfinished.get(stream) ?? '';
  const shown = printable(before + text, stream.isTTY);
  const line = shown.slice(shown.lastIndexOf('\n') + 1).trimStart();
  unfinished.set(stream, line.length > 2 ? `x${line.at(-1)}` : line);
  stream.write(shown.slice(before.length));
}

export const print = (text: string): void => write(process.stdout, text);

export const printError = (text: string): void => write(process.stderr, text);

/** Prints annotations of GitHub Actions, one a line: the only commands to a CI system that are allowed. */
export function printAnnotations(text: string): void {
  for (const line of text.split('\n')) {
    const [command = ''] = /^::(?:error|warning) [^:]*::/.exec(line) ?? [];
    if (command === '') print(`${line}${line === '' ? '' : '\n'}`);
    else process.stdout.write(`${visible(command)}${printable(line.slice(command.length))}\n`);
  }
}

/** Removes an unfinished line of a terminal. */
export function eraseLine(): void {
  process.stdout.write('\r\u001b[2K');
  unfinished.delete(process.stdout);
}

/** Lets this process finish where the reader of its output stops early, as `head` does. */
export function endureClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
