/** Runs the regular expressions of an overlay with RE2. With backtracking, the test of one text could take years. */
import type { RE2Set } from 're2js';

/** A text is not tested if RE2 may need more steps (one state at one character). This limit is at most a few seconds. */
const MAX_STEPS_PER_TEXT = 30_000_000;
/** All patterns together may take this much processor time for one body. */
const MAX_MS_PER_BODY = 2000;
/** The memory of RE2 for each pattern, in bytes. */
const MAX_MEMORY_PER_PATTERN = 2 * 2 ** 20;

/** The ends of lines and the white space of JavaScript: in RE2, `.` and `\s` have other meanings. */
const LINE_ENDS = String.raw`\n\r\u2028\u2029`;
const WHITE_SPACE = String.raw`\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const NO_WHITE_SPACE = String.raw`\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\u{10ffff}`;

/** Matches a class, an escape or a point in a pattern. */
const PATTERN_PART = /\[(?:\\[^]|[^\]\\])*\]|\\[^]|\./gu;
const replacementInClass: Readonly<Record<string, string>> = {
  '[': String.raw`\[`,
  '\\s': WHITE_SPACE,
  '\\S': NO_WHITE_SPACE,
};

/** Returns a class, an escape or a point of JavaScript in the syntax of RE2. */
function translatePatternPart(part: string): string {
  if (/^\\[1-9k]/.test(part)) throw new Error(`invalid escape sequence: ${part}`);
  if (part === '.') return `[^${LINE_ENDS}]`;
  if (part === '\\s') return `[${WHITE_SPACE}]`;
  if (part === '\\S') return `[^${WHITE_SPACE}]`;
  if (!part.startsWith('[')) return part;
  return `[${part.slice(1).replaceAll(/\\[^]|\[/g, (inside) => replacementInClass[inside] ?? inside)}`;
}

/** Matches a character that is written as two escapes, or an escaped backslash. */
const ESCAPED_PAIR = /\\\\|\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/gi;

/** Compiles a pattern. Throws if JavaScript or RE2 does not support it; the message is the end of a sentence. */
function compilePattern(pattern: string): { readonly set: RE2Set; readonly states: number } {
  const { source } = new RegExp(pattern, 'u');
  const sourceWithoutPairs = source.replaceAll(ESCAPED_PAIR, (both, high: string | undefined, low: string) =>
    high === undefined ? both : String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)),
  );
  // Loads RE2 only if an overlay has patterns.
  const { RE2JS, RE2Set }: typeof import('re2js') = require('re2js');
  const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_MEMORY_PER_PATTERN);
  try {
    set.add(RE2JS.translateRegExp(sourceWithoutPairs.replaceAll(PATTERN_PART, translatePatternPart)));
    set.compile();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `it looks around, refers back, repeats too often or has another part that RE2 does not support (${message})`,
      { cause: error },
    );
  }
  return { set, states: set.prog.numInst() };
}

/** Returns the size of a compiled pattern, with repetitions written out. */
export const countStates = (pattern: string): number => compilePattern(pattern).states;

/** The processor time at the first pattern of a body; undefined before, because reading this time is slow. */
let endOfTimeMs: number | undefined;
let undecidedPatterns = new Set<string>();

const readProcessorMs = (): number => process.cpuUsage().user / 1000;

/** Returns the result of `run`, and the patterns that took too long. The text counts as a match for such a pattern. */
export function runWithTimeLimit<T>(run: () => T): { readonly result: T; readonly undecided: ReadonlySet<string> } {
  endOfTimeMs = undefined;
  undecidedPatterns = new Set();
  return { result: run(), undecided: undecidedPatterns };
}

/** The patterns of the document, which are fast. Empty if no overlay can add other patterns. */
export const documentPatterns = new Set<string>();

/** Creates a pattern for Ajv; `code` is its name in generated code. */
export function createPattern(pattern: string, flags: string): { test(text: string): boolean; toString(): string } {
  if (documentPatterns.has(pattern)) return new RegExp(pattern, flags);
  let compiledPattern: ReturnType<typeof compilePattern> | undefined;
  return {
    // Ajv distinguishes patterns by this text.
    toString: () => `/${pattern}/u`,
    test(text) {
      compiledPattern ??= compilePattern(pattern);
      endOfTimeMs ??= readProcessorMs() + MAX_MS_PER_BODY;
      const maxSteps = text.length * compiledPattern.states;
      if (maxSteps <= MAX_STEPS_PER_TEXT && readProcessorMs() < endOfTimeMs)
        return compiledPattern.set.match(text).length > 0;
      undecidedPatterns.add(pattern);
      return true;
    },
  };
}
createPattern.code = 'patternOf';
