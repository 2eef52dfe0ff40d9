/** Splits a JSON text into lines, and marks the lines at a pointer. Numbers keep all digits. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';

export interface JsonLine {
  readonly indent: number;
  readonly text: string;
  /** True if the pointer leads to this line. */
  marked: boolean;
  /** The name of a missing member, if the object that starts here does not have the member at the pointer. */
  readonly missing?: string;
}

/**
 * Returns the lines of a JSON text; null if the text is not JSON. Marks the values at a pointer with `*` for any index. With
 * `missing`, marks the objects that do not have the member.
 */
export function splitJson(text: string, pointer: string | null, missing = false): JsonLine[] | null {
  const steps = pointer?.startsWith('/') ? pointer.slice(1).split('/').map(unescapeStep) : null;
  let lines: JsonLine[];
  try {
    lines = [...listLinesOfValue(parse(text), steps)];
  } catch {
    // The text is incomplete, has a key twice, or is nested too deeply.
    return null;
  }
  const isWanted = (line: JsonLine): boolean => line.marked && (line.missing !== undefined) === missing;
  if (lines.some(isWanted)) for (const line of lines) line.marked = isWanted(line);
  return lines;
}

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Yields the lines of a value. `steps` lead from the value to the marked place; null if the place is elsewhere. */
function* listLinesOfValue(
  value: unknown,
  steps: readonly string[] | null,
  label = '',
  end = '',
  indent = 0,
): Generator<JsonLine> {
  const isArray = Array.isArray(value);
  const isObject = typeof value === 'object' && value !== null && !isLosslessNumber(value);
  const members = isObject ? Object.entries(value) : [];
  const [step = '', ...rest] = steps ?? [];
  const isMissing = isObject && !isArray && steps?.length === 1 && step !== '*' && !Object.hasOwn(value, step);
  const mark = { marked: steps?.length === 0 || isMissing, ...(isMissing ? { missing: step } : {}) };
  if (members.length === 0) return yield { indent, text: `${label}${stringify(value)}${end}`, ...mark };
  yield { indent, text: `${label}${isArray ? '[' : '{'}`, ...mark };
  for (const [at, [name, member]] of members.entries()) {
    const isOnWay = steps !== null && steps.length > 0 && (step === '*' || step === name);
    const comma = at < members.length - 1 ? ',' : '';
    yield* listLinesOfValue(
      member,
      isOnWay ? rest : null,
      isArray ? '' : `${JSON.stringify(name)}: `,
      comma,
      indent + 1,
    );
  }
  yield { indent, text: `${isArray ? ']' : '}'}${end}`, marked: false };
}

/** How many lines of a long text are shown: in total, at its beginning, around each mark, and around all marks. */
const [MAX_LINES, MAX_HEAD, LINES_AROUND_MARK, MAX_AROUND_MARKS] = [60, 12, 6, 120];

/** Chooses the lines to show by their numbers. Of a long text, shows its beginning and the lines around marks. */
export function selectLines(lines: readonly JsonLine[]): ReadonlySet<number> {
  if (lines.length <= MAX_LINES) return new Set(lines.keys());
  const hasMarks = lines.some(({ marked }) => marked);
  const chosen = new Set(lines.slice(0, hasMarks ? MAX_HEAD : MAX_LINES).keys());
  for (const [at, { marked }] of lines.entries())
    if (marked && chosen.size <= MAX_AROUND_MARKS)
      for (let near = Math.max(0, at - LINES_AROUND_MARK); near <= at + LINES_AROUND_MARK; near += 1) chosen.add(near);
  return chosen;
}
