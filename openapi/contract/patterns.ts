/**
 * Runs the regular expressions of an overlay in linear time: with backtracking, one text could take years. Each expression becomes
 * an automaton (Thompson, 1968). JavaScript decides which characters a class or an escape means. Expressions that need
 * backtracking are refused before the run.
 */

/** One pattern has at most this many states, with repetitions written out: `[a-z]{1,4000}` has 8000. */
const MAX_AUTOMATON_STATES = 10_000;
/** All patterns together may take this many steps for one body (one state at one character): about two seconds. */
const MAX_STEPS_PER_BODY = 30_000_000;

type Assertion = '^' | '$' | '\\b' | '\\B';
type State =
  | { readonly matches: (character: string) => boolean; readonly next: number }
  | { readonly assertion: Assertion; readonly next: number }
  | { readonly either: readonly number[] };

/** Adds the states of a part of a pattern, before the state `next`. Returns the index of the first new state. */
type Part = (states: State[], next: number) => number;

function addState(states: State[], state: State): number {
  if (states.length >= MAX_AUTOMATON_STATES) throw new Error('it is too long, with its repetitions written out');
  return states.push(state) - 1;
}

const addAlternatives =
  (parts: readonly Part[]): Part =>
  (states, next) =>
    addState(states, { either: parts.map((part) => part(states, next)) });

const addSequence =
  (parts: readonly Part[]): Part =>
  (states, next) =>
    parts.reduceRight((then, part) => part(states, then), next);

const addRepetition =
  (part: Part): Part =>
  (states, next) => {
    const ways: number[] = [next];
    const loop = addState(states, { either: ways });
    ways.push(part(states, loop));
    return loop;
  };

const repeatPart =
  (part: Part, least: number, most: number): Part =>
  (states, next) => {
    let start = most === Infinity ? addRepetition(part)(states, next) : next;
    for (let times = most; times > least && times !== Infinity; times -= 1)
      start = addState(states, { either: [part(states, start), next] });
    for (let times = 0; times < least; times += 1) start = part(states, start);
    return start;
  };

/** Matches one character, an escape, a class, the beginning of a group, or a quantifier, in the syntax of the flag `u`. */
const PATTERN_TOKEN =
  /\\u\{[^}]+\}|\\u[Dd][89ABab][^]{2}\\u[Dd][C-Fc-f][^]{2}|\\u[^]{4}|\\x[^]{2}|\\c[^]|\\[pP]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:<?[=!]|<[^>]*>|[^:<]*:)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu;
const PATTERN_QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/;

function parseCharacter(token: string): Part {
  const isItself = [...token].length === 1 && token !== '.';
  const expression = isItself ? null : new RegExp(`^${token}$`, 'u');
  const known = new Map<string, boolean>();
  const matches = (character: string): boolean => {
    if (expression === null) return character === token;
    let is = known.get(character);
    if (is === undefined) known.set(character, (is = expression.test(character)));
    return is;
  };
  return (states, next) => addState(states, { matches, next });
}

/** Parses alternatives up to the end of their group. */
function parseAlternatives(tokens: string[]): Part {
  const ways: Part[][] = [[]];
  for (let token = tokens.pop(); token !== undefined && token !== ')'; token = tokens.pop()) {
    if (token === '|') {
      ways.push([]);
      continue;
    }
    let part: Part;
    if (/^\(\?(?:<?[=!]|[^<:]+:)/.test(token)) throw new Error('it looks ahead or behind, or sets flags');
    if (/^\\[1-9k]/.test(token)) throw new Error('it refers back to a group');
    if (token.startsWith('(')) part = parseAlternatives(tokens);
    else if (/^(?:[$^]|\\[bB])$/.test(token)) {
      const assertion = token as Assertion;
      part = (states, next) => addState(states, { assertion, next });
    } else part = parseCharacter(token);
    const [quantifier, sign, least, comma, most] = PATTERN_QUANTIFIER.exec(tokens.at(-1) ?? '') ?? [];
    if (quantifier !== undefined) {
      tokens.pop();
      const from = Number(least ?? (sign === '+' ? 1 : 0));
      const to =
        sign === '?' ? 1 : sign !== undefined || (comma !== '' && most === '') ? Infinity : Number(most || least);
      part = repeatPart(part, from, to);
    }
    ways.at(-1)?.push(part);
  }
  return ways.length === 1 ? addSequence(ways[0] ?? []) : addAlternatives(ways.map(addSequence));
}

interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  /** The state at the end of the pattern. */
  readonly end: number;
}

/** The members of a RegExp that Ajv uses. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** Makes the automaton of a pattern. Throws if the pattern is not supported; the message is the end of a sentence. */
export function buildAutomaton(pattern: string): Automaton {
  const { source } = new RegExp(pattern, 'u');
  const states: State[] = [{ either: [] }];
  const tokens = (source.match(PATTERN_TOKEN) ?? []).toReversed();
  return { states, start: parseAlternatives(tokens)(states, 0), end: 0 };
}

const isWordCharacter = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);

const isAssertionTrue = (assertion: Assertion, before: string | undefined, after: string | undefined): boolean =>
  assertion === '^'
    ? before === undefined
    : assertion === '$'
      ? after === undefined
      : (isWordCharacter(before) !== isWordCharacter(after)) === (assertion === '\\b');

let steps = 0;
let undecided = new Set<string>();

/** Returns the result of `of`, and the patterns for which no steps were left. Such a pattern counts as matched. */
export function runWithStepLimit<T>(of: () => T): { readonly result: T; readonly undecided: ReadonlySet<string> } {
  steps = 0;
  undecided = new Set();
  return { result: of(), undecided };
}

/** True if `text` matches the pattern; null if no steps are left. */
function matchesPattern({ states, start, end }: Automaton, text: string): boolean | null {
  if (steps > MAX_STEPS_PER_BODY) return null;
  const reachedAt = new Int32Array(states.length).fill(-1);
  const first = states[start] as State;
  const isAtStart = 'assertion' in first && first.assertion === '^';
  let open: number[] = [];
  let before: string | undefined;
  for (let at = 0; ;) {
    const code = text.codePointAt(at);
    const after = code === undefined ? undefined : String.fromCodePoint(code);
    if (at === 0 || !isAtStart) open.push(start);
    const entered: number[] = [];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      if (number === end) return true;
      if (reachedAt[number] === at) continue;
      reachedAt[number] = at;
      if ((steps += 1) > MAX_STEPS_PER_BODY) return null;
      const state = states[number] as State;
      if ('either' in state) open.push(...state.either);
      else if ('matches' in state) {
        if (after !== undefined && state.matches(after)) entered.push(state.next);
      } else if (isAssertionTrue(state.assertion, before, after)) open.push(state.next);
    }
    if (after === undefined || (isAtStart && entered.length === 0)) return false;
    before = after;
    at += after.length;
    open = entered;
  }
}

function compileLinearPattern(pattern: string): Pattern {
  let automaton: Automaton | undefined;
  return {
    // Ajv distinguishes patterns by this text.
    toString: () => `/${pattern}/u`,
    test(text) {
      const found = matchesPattern((automaton ??= buildAutomaton(pattern)), text);
      if (found === null) undecided.add(pattern);
      return found ?? true;
    },
  };
}

/** The patterns of the document: they are fast. Empty if no overlay can add other patterns. */
export const documentPatterns = new Set<string>();

/** Creates a pattern for Ajv; `code` is its name in generated code. */
export function createPattern(pattern: string, flags: string): Pattern {
  return documentPatterns.has(pattern) ? new RegExp(pattern, flags) : compileLinearPattern(pattern);
}
createPattern.code = 'patternOf';
