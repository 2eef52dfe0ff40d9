/** Defines commands for the command line. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { overwriteFile, restrictNewFiles } from '../files/own-files.ts';
import { ignoreClosedOutput, print } from '../foreign/print.ts';
import { replaceCommands } from './installation.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

interface CommandDefinition<O extends Options> {
  readonly usage: string;
  readonly options: O;
  /** Options that may have no value; their value is then empty. */
  readonly withoutValue?: readonly string[];
  /** The least and the greatest number of arguments besides options. */
  readonly positionals: readonly [least: number, most: number];
  /** Returns the exit status of the command. A thrown error is printed as one sentence, and the exit status is then 2. */
  run(given: Parsed<O>, print: (text: string) => void): number | Promise<number>;
}

/** Runs a command and returns its exit status. The promise is never rejected. */
export type Command = (words: readonly string[], print: (text: string) => void) => Promise<number>;

export function defineCommand<O extends Options>(definition: CommandDefinition<O>): Command {
  const { usage, options, positionals: bounds, withoutValue = [], run } = definition;
  // A command that reads variables takes `--env-file` from the command line before; the others have no use for it.
  const common = { help: { type: 'boolean', short: 'h' }, 'env-file': { type: 'string', multiple: true } } as const;
  const withHelp = { ...options, ...common };
  return async (words, print) => {
    const args = words.map((word, at) =>
      withoutValue.includes(word) && (words[at + 1] ?? '-').startsWith('-') ? `${word}=` : word,
    );
    try {
      const given = parseArgs({ args, allowPositionals: true, options: withHelp });
      const help = (given.values as { help?: boolean }).help === true;
      const unfit = help ? null : describeWrongCount(given.positionals.length, bounds);
      if (help || unfit !== null) {
        print(replaceCommands(unfit === null ? usage : `${unfit}\n\n${usage}`));
        return help ? 0 : 2;
      }
      return await run(given, print);
    } catch (error) {
      print(`${describeError(error, Object.keys(withHelp))}\n`);
      return 2;
    }
  };
}

function describeWrongCount(count: number, [least, most]: readonly [number, number]): string | null {
  const actual = `${count === 0 ? 'none' : count} ${count > 1 ? 'are' : 'is'} given`;
  if (count < least) return `${least} ${least > 1 ? 'arguments are' : 'argument is'} needed, and ${actual}.`;
  if (count > most) return `${most === 0 ? 'No arguments are' : `At most ${most} are`} accepted, and ${actual}.`;
  return null;
}

export function writeOrPrint(out: string | undefined, text: string, print: (text: string) => void): void {
  if (out === undefined) print(text);
  else {
    overwriteFile(out, text);
    print(`Wrote ${out}.\n`);
  }
}

/** Describes an error in one sentence: what to do about a wrong option, which file or folder is missing, or its first line. */
export function describeError(error: unknown, options: readonly string[] = []): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path !== undefined)
    return existsSync(dirname(path)) ? `There is no file ${path}.` : `There is no folder ${dirname(path)}.`;
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  // The file has the right format, but its content contradicts itself.
  const isUnforeseen = error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
  if (isUnforeseen && code === undefined) return `A file that was read contradicts itself (${first}).`;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return describeUnknownOption(first, options);
  // Matches if the value of an option is missing or begins with a dash.
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(first) ?? [];
  return option === undefined ? first : `${option} has no value: write it as ${option}=<value>.`;
}

function describeUnknownOption(message: string, options: readonly string[]): string {
  const [unknown = '', word = ''] = /^Unknown option '([^']*)'/.exec(message) ?? [];
  const names = options.map((option) => `--${option}`);
  return `${unknown}: ${suggest(word, names) ?? '--help lists the options.'}`;
}

/** Runs `command` if `file` (the `__filename` of a module) is the started script. */
export async function runIfMain(file: string, command: Command): Promise<void> {
  const started = process.argv[1];
  if (started === undefined || realpathSync(started) !== file) return;
  ignoreClosedOutput();
  restrictNewFiles();
  process.exitCode = await command(process.argv.slice(2), print);
}

/** A word may have one wrong letter in this many letters. */
const LETTERS_PER_EDIT = 4;

/** Returns `did you mean --seed?`, or undefined if no name is similar. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const most = Math.min(4, Math.ceil(word.length / LETTERS_PER_EDIT));
  const ranked = names
    .map((name) => ({ name, edits: countEdits(word, name, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0] && `did you mean ${ranked[0].name}?`;
}

/** Counts wrong letters up to `most`, or returns a larger number. Two letters in the wrong order count as one (Damerau). */
export function countEdits(word: string, known: string, most: number): number {
  if (word === known) return 0;
  if (most === 0 || Math.abs(word.length - known.length) > most) return most + 1;
  if (word[0] === known[0]) return countEdits(word.slice(1), known.slice(1), most);
  const [shorter, other] = [word.slice(1), known.slice(1)];
  const edits = [
    countEdits(shorter, other, most - 1),
    countEdits(shorter, known, most - 1),
    countEdits(word, other, most - 1),
  ];
  if (word[0] === known[1] && word[1] === known[0]) edits.push(countEdits(word.slice(2), known.slice(2), most - 1));
  return 1 + Math.min(...edits);
}
