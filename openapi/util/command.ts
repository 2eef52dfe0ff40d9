/** One shape for the commands of the command line: words in, text out, an exit status back. */
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { writePrivately } from '../files/own-files.ts';
import { endureClosedOutput, print } from '../foreign/print.ts';
import { withCommands } from './installation.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

interface CommandDefinition<O extends Options> {
  /** What `--help` prints, and what is printed where the words do not fit. */
  readonly usage: string;
  /** As `node:util` parseArgs takes them; `--help` comes by itself. */
  readonly options: O;
  /** How many words may stand beside the options. */
  readonly positionals: readonly [least: number, most: number];
  /** Gives the exit status. What it throws is printed as one sentence and gives 2. */
  run(given: Parsed<O>, print: (text: string) => void): number | Promise<number>;
}

/** Gives the exit status; never rejects. */
export type Command = (words: readonly string[], print: (text: string) => void) => Promise<number>;

/** A command. Words that do not fit, and whatever it throws, give exit status 2. */
export function defineCommand<O extends Options>(definition: CommandDefinition<O>): Command {
  const { usage, options, positionals: bounds, run } = definition;
  const withHelp = { ...options, help: { type: 'boolean', short: 'h' } } as const;
  return async (words, print) => {
    try {
      const given = parseArgs({ args: [...words], allowPositionals: true, options: withHelp });
      const help = (given.values as { help?: boolean }).help === true;
      const unfit = help ? null : unfitCount(given.positionals.length, bounds);
      if (help || unfit !== null) {
        print(withCommands(unfit === null ? usage : `${unfit}\n\n${usage}`));
        return help ? 0 : 2;
      }
      return await run(given, print);
    } catch (error) {
      print(`${sentenceOf(error)}\n`);
      return 2;
    }
  };
}

/** What is wrong with so many words beside the options, in one sentence, or null. */
function unfitCount(count: number, [least, most]: readonly [number, number]): string | null {
  const given = `${count === 0 ? 'none' : count} ${count > 1 ? 'are' : 'is'} given`;
  if (count < least) return `${least} ${least > 1 ? 'arguments are' : 'argument is'} needed, and ${given}.`;
  if (count > most) return `${most === 0 ? 'No arguments are' : `At most ${most} are`} taken, and ${given}.`;
  return null;
}

/** What `--out` of a command does: writes to the file that it names and says so, or prints where it is not given. */
export function writeOrPrint(out: string | undefined, text: string, print: (text: string) => void): void {
  if (out === undefined) print(text);
  else {
    writeFileSync(out, text);
    print(`Wrote ${out}.\n`);
  }
}

/** What an error says in its first line; of a wrong option, what to do; of a file or folder that is not there, its name. */
export function sentenceOf(error: unknown): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path !== undefined)
    return existsSync(dirname(path)) ? `There is no file ${path}.` : `There is no folder ${dirname(path)}.`;
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  // What no check of a file foresaw: the file is of the right form, and its content contradicts itself.
  const isUnforeseen = error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
  if (isUnforeseen && code === undefined) return `A file that was read contradicts itself (${first}).`;
  const [unknown] = /^Unknown option '[^']*'/.exec(first) ?? [];
  if (unknown !== undefined) return `${unknown}: --help lists the options.`;
  // No value, or one that begins with a dash.
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(first) ?? [];
  return option === undefined ? first : `${option} has no value: write it as ${option}=<value>.`;
}

/** Runs `command` with the words of the command line where `file` (a module's `__filename`) is what was started. */
export async function runIfMain(file: string, command: Command): Promise<void> {
  const started = process.argv[1];
  if (started === undefined || realpathSync(started) !== file) return;
  endureClosedOutput();
  writePrivately();
  process.exitCode = await command(process.argv.slice(2), print);
}
