/**
 * The one door to the terminal and to the log of a CI job. Whatever passes through it shows its control characters as escapes,
 * and no line of it is a command to the CI system, whoever wrote the text. Nothing else writes there; a test holds that.
 */
import { noCommands, oneLine, visible } from './text.ts';

/** The colours of the summary, as `styleText` writes them. They pass to a terminal alone. */
const ownColours = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1239])m)`);

/** A text of any origin as it may be shown; with `colours` those of the summary stay. */
export function printable(text: string, colours = false, shown = visible): string {
  const parts = colours ? text.split(ownColours) : [text];
  return noCommands(parts.map((part, at) => (at % 2 === 1 ? part : shown(part))).join(''));
}

/** The same on one line. */
export const printableLine = (text: string, colours = false): string => printable(text, colours, oneLine);

type Stream = NodeJS.WriteStream;

/** The beginning and the last sign of a line that has not ended: a command may come in two pieces. */
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

/** Prints the annotations of a job of GitHub Actions, one a line: the only commands to a CI system that pass. */
export function printAnnotations(text: string): void {
  for (const line of text.split('\n')) {
    const [command = ''] = /^::(?:error|warning) [^:]*::/.exec(line) ?? [];
    if (command === '') print(`${line}${line === '' ? '' : '\n'}`);
    else process.stdout.write(`${visible(command)}${printable(line.slice(command.length))}\n`);
  }
}

/** Takes an unfinished line of a terminal away. */
export function eraseLine(): void {
  process.stdout.write('\r\u001b[2K');
  unfinished.delete(process.stdout);
}

/** Lets this process come to its end where whoever reads its output stops early, as `head` does. */
export function endureClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
