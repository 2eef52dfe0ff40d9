/**
 * Formats a JSON text in lines, and marks the lines of a pointer. Works on the received text: numbers lose no digits, and an
 * incomplete text is shown to its end.
 */

export interface JsonLine {
  readonly indent: number;
  text: string;
  /** True if the pointer leads to this line. */
  marked: boolean;
  /** The member that is missing here, if the pointer leads to a missing member. */
  missing?: string;
}

/** An object or array that has not ended. */
interface Frame {
  readonly isArray: boolean;
  /** The line of its opening bracket. */
  readonly line: JsonLine;
  readonly path: readonly string[];
  readonly keys: Set<string>;
  /** The name or the index of the next member; null if its name is still unread. */
  next: string | number | null;
}

/** This many levels get their own lines. Deeper levels stay on one line. */
const MAX_JSON_DEPTH = 64;

const JSON_TOKEN = /\s+|"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gsy;

/**
 * Formats a JSON text and marks the values at a pointer (with `*` for any index). With `missing`, marks the objects that lack the
 * member, if there are any.
 */
export function splitJson(text: string, pointer: string | null, missing = false): JsonLine[] {
  const lines = layOut(text, pointer !== null && /^$|^\//.test(pointer) ? splitPointer(pointer) : null);
  const marked = lines.filter((line) => line.marked);
  const isMixed = new Set(marked.map((line) => line.missing === undefined)).size > 1;
  for (const line of isMixed ? marked : [])
    if ((line.missing === undefined) === missing) {
      line.marked = false;
      delete line.missing;
    }
  return lines.filter((line, at) => line.text !== '' || at === 0);
}

function layOut(text: string, wanted: readonly string[] | null): JsonLine[] {
  let last: JsonLine = { indent: 0, text: '', marked: false };
  const lines = [last];
  const open: Frame[] = [];
  let tooDeep = 0;
  const newLine = (): void => {
    last = { indent: open.length, text: '', marked: false };
    lines.push(last);
  };
  const pathOf = (frame: Frame | undefined): string[] =>
    frame === undefined ? [] : [...frame.path, String(frame.next ?? '')];
  const isWanted = (path: readonly string[], steps: readonly string[] | null): boolean =>
    path.length === steps?.length && steps.every((step, at) => step === '*' || step === path[at]);
  const close = ({ isArray, path, keys, line }: Frame): void => {
    const member = wanted?.at(-1);
    if (isArray || member === undefined || member === '*' || keys.has(member)) return;
    if (isWanted(path, wanted!.slice(0, -1))) Object.assign(line, { marked: true, missing: member });
  };
  for (const [piece] of text.matchAll(JSON_TOKEN)) {
    if (piece.trim() === '') continue;
    const [opens, closes] = [piece === '{' || piece === '[', piece === '}' || piece === ']'];
    const frame = open.at(-1);
    if (tooDeep > 0 || (opens && open.length === MAX_JSON_DEPTH)) {
      tooDeep += Number(opens) - Number(closes);
      last.text += piece;
    } else if (closes) {
      open.pop();
      if (last.text === '') last = (lines.pop(), lines.at(-1)!);
      if (frame !== undefined) close(frame);
      // An empty object or array ends on the line of its opening bracket.
      if (frame?.line !== last) newLine();
      last.text += piece;
    } else if (piece === ',') {
      last.text += piece;
      if (frame === undefined) continue;
      frame.next = typeof frame.next === 'number' ? frame.next + 1 : null;
      newLine();
    } else if (piece === ':') last.text += ': ';
    else if (frame !== undefined && frame.next === null && !opens) {
      frame.next = unquote(piece);
      frame.keys.add(frame.next);
      last.text += piece;
    } else {
      const path = pathOf(frame);
      if (path.length > 0 && isWanted(path, wanted)) last.marked = true;
      last.text += piece;
      if (!opens) continue;
      open.push({ isArray: piece === '[', line: last, path, keys: new Set(), next: piece === '[' ? 0 : null });
      newLine();
    }
  }
  return lines;
}

const splitPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function unquote(piece: string): string {
  try {
    return String(JSON.parse(piece));
  } catch {
    return piece;
  }
}

/** Numbers of shown lines: of a long text, at its beginning if marks follow, around each mark, and around all marks. */
const [MAX_LINES, MAX_HEAD, AROUND, MAX_AROUND_MARKS] = [60, 12, 6, 120];

/** Chooses the lines of a long text to show: the beginning, and lines around marks. A number means: this many lines are hidden. */
export function selectLines(lines: readonly JsonLine[]): (JsonLine | number)[] {
  if (lines.length <= MAX_LINES) return [...lines];
  const hasMarks = lines.some(({ marked }) => marked);
  const keep = new Set(lines.slice(0, hasMarks ? MAX_HEAD : MAX_LINES).keys());
  lines.forEach((line, at) => {
    if (!line.marked || keep.size > MAX_AROUND_MARKS) return;
    for (let near = Math.max(0, at - AROUND); near <= at + AROUND; near += 1) keep.add(near);
  });
  const shown: (JsonLine | number)[] = [];
  lines.forEach((line, at) => {
    const before = shown.at(-1);
    if (keep.has(at)) shown.push(line);
    else if (typeof before === 'number') shown[shown.length - 1] = before + 1;
    else shown.push(1);
  });
  return shown;
}
