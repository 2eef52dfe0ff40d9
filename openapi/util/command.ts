/** Defines commands of the command line: reads their arguments, prints help, and describes errors. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { overwriteFile, restrictNewFiles } from '../files/own-files.ts';
import { ignoreClosedOutput, print } from '../foreign/print.ts';
import { replaceCommands } from './installation.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type ParsedArguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

interface CommandDefinition<O extends Options> {
  readonly usage: string;
  readonly options: O;
  /** Options that may have no value; their value is then empty. */
  readonly withoutValue?: readonly string[];
  /** The minimum and the maximum number of arguments that are no options. */
  readonly positionals: readonly [minimum: number, maximum: number];
  /** Returns the exit status of the command. A thrown error is printed as one sentence, and the exit status is then 2. */
  run(parsed: ParsedArguments<O>, print: (text: string) => void): number | Promise<number>;
}

/** Runs a command and returns its exit status. The promise is never rejected. */
export type Command = (words: readonly string[], print: (text: string) => void) => Promise<number>;

export function defineCommand<O extends Options>(definition: CommandDefinition<O>): Command {
  const { usage, options, positionals: positionalCounts, withoutValue = [], run } = definition;
  // `--env-file` is accepted everywhere. Commands that read variables have already read it; other commands ignore it.
  const commonOptions = {
    help: { type: 'boolean', short: 'h' },
    'env-file': { type: 'string', multiple: true },
  } as const;
  const allOptions = { ...options, ...commonOptions };
  return async (words, print) => {
    const args = words.map((word, index) =>
      withoutValue.includes(word) && (words[index + 1] ?? '-').startsWith('-') ? `${word}=` : word,
    );
    try {
      const parsed = parseArgs({ args, allowPositionals: true, options: allOptions });
      const wantsHelp = (parsed.values as { help?: boolean }).help === true;
      const countFault = wantsHelp ? null : describeWrongCount(parsed.positionals.length, positionalCounts);
      if (wantsHelp || countFault !== null) {
        print(replaceCommands(countFault === null ? usage : `${countFault}\n\n${usage}`));
        return wantsHelp ? 0 : 2;
      }
      return await run(parsed, print);
    } catch (error) {
      print(`${describeError(error, Object.keys(allOptions))}\n`);
      return 2;
    }
  };
}

function describeWrongCount(count: number, [minimum, maximum]: readonly [number, number]): string | null {
  const actual = `${count === 0 ? 'none' : count} ${count > 1 ? 'are' : 'is'} given`;
  if (count < minimum) return `${minimum} ${minimum > 1 ? 'arguments are' : 'argument is'} needed, and ${actual}.`;
  if (count > maximum)
    return `${maximum === 0 ? 'No arguments are' : `At most ${maximum} are`} accepted, and ${actual}.`;
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
  const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  // The program fails on a file if the file has the right format, but its content contradicts itself.
  const isProgramError = error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
  if (isProgramError && code === undefined) return `A file that was read contradicts itself (${firstLine}).`;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return describeUnknownOption(firstLine, options);
  // Matches if the value of an option is missing or begins with a dash.
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(firstLine) ?? [];
  return option === undefined ? firstLine : `${option} has no value: write it as ${option}=<value>.`;
}

function describeUnknownOption(message: string, options: readonly string[]): string {
  const [problem = '', word = ''] = /^Unknown option '([^']*)'/.exec(message) ?? [];
  const names = options.map((option) => `--${option}`);
  return `${problem}: ${suggest(word, names) ?? '--help lists the options.'}`;
}

/** Runs `command` if `file` (the `__filename` of a module) is the started script. */
export async function runIfMain(file: string, command: Command): Promise<void> {
  const startedFile = process.argv[1];
  if (startedFile === undefined || realpathSync(startedFile) !== file) return;
  ignoreClosedOutput();
  restrictNewFiles();
  process.exitCode = await command(process.argv.slice(2), print);
}

/** A word may have one wrong letter for each four letters. */
const LETTERS_PER_EDIT = 4;

/** Returns `did you mean --seed?`, or undefined if no name is similar. */
export function suggest(word: string, names: readonly string[]): string | undefined {
  const maxEdits = Math.min(4, Math.ceil(word.length / LETTERS_PER_EDIT));
  const similarNames = names
    .map((name) => ({ name, edits: countEdits(word, name, maxEdits) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((a, b) => a.edits - b.edits);
  return similarNames[0] && `did you mean ${similarNames[0].name}?`;
}

/**
 * Returns how many letters of `word` must be changed, added or removed to get `name`. Two neighbours in the wrong order count
 * as one change (Damerau). Returns a number above `maxEdits` if more than `maxEdits` changes are needed.
 */
export function countEdits(word: string, name: string, maxEdits: number): number {
  if (word === name) return 0;
  if (maxEdits === 0 || Math.abs(word.length - name.length) > maxEdits) return maxEdits + 1;
  if (word[0] === name[0]) return countEdits(word.slice(1), name.slice(1), maxEdits);
  const [shorterWord, shorterName] = [word.slice(1), name.slice(1)];
  const edits = [
    countEdits(shorterWord, shorterName, maxEdits - 1),
    countEdits(shorterWord, name, maxEdits - 1),
    countEdits(word, shorterName, maxEdits - 1),
  ];
  if (word[0] === name[1] && word[1] === name[0]) edits.push(countEdits(word.slice(2), name.slice(2), maxEdits - 1));
  return 1 + Math.min(...edits);
}
