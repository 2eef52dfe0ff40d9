/**
 * A JSON text laid out in lines, with the lines that a pointer leads to marked. Works on the text as received, so that
 * no number loses a digit and a text that breaks off is shown as far as it goes.
 */

export interface JsonLine {
  readonly indent: number;
  readonly text: string;
  /** True where the pointer leads to. */
  readonly marked: boolean;
  /** The member that is missing here, where the pointer leads to what is not there. */
  readonly missing?: string;
}

interface Frame {
  readonly kind: 'object' | 'array';
  /** The line on which it began. */
  readonly line: number;
  readonly path: readonly string[];
  readonly keys: Set<string>;
  key: string | null;
  index: number;
}

interface Draft {
  indent: number;
  text: string;
  marked: boolean;
  missing?: string;
}

/** Levels that are laid out; what is nested deeper stays on one line. */
const MAX_DEPTH = 64;

const token = /\s+|"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gsy;

/**
 * Lays a JSON text out and marks what a pointer (with `*` for any index) leads to: where `missing`, the objects that
 * lack it, as far as there are any; else the values that are there.
 */
export function jsonLines(text: string, pointer: string | null, missing = false): JsonLine[] {
  const wanted = pointer === null || (pointer !== '' && !pointer.startsWith('/')) ? null : stepsOf(pointer);
  const lines: Draft[] = [{ indent: 0, text: '', marked: false }];
  const open: Frame[] = [];
  let below = 0;
  const last = (): Draft => lines[lines.length - 1]!;
  const next = (): void => {
    lines.push({ indent: open.length, text: '', marked: false });
  };
  const begin = (path: readonly string[]): void => {
    if (wanted !== null && matches(path, wanted) && wanted.length > 0) last().marked = true;
  };
  const pathNow = (): readonly string[] => {
    const frame = open.at(-1);
    if (!frame) return [];
    return [...frame.path, frame.kind === 'array' ? String(frame.index) : (frame.key ?? '')];
  };
  for (const [piece] of text.matchAll(token)) {
    if (piece.trim() === '') continue;
    const frame = open.at(-1);
    if (below > 0 || (open.length === MAX_DEPTH && (piece === '{' || piece === '['))) {
      if (piece === '{' || piece === '[') below += 1;
      if (piece === '}' || piece === ']') below -= 1;
      last().text += piece;
    } else if (piece === '{' || piece === '[') {
      begin(pathNow());
      last().text += piece;
      open.push({
        kind: piece === '{' ? 'object' : 'array',
        line: lines.length - 1,
        path: pathNow(),
        keys: new Set(),
        key: null,
        index: 0,
      });
      next();
    } else if (piece === '}' || piece === ']') {
      const closed = open.pop();
      if (last().text === '') lines.pop();
      if (closed && wanted !== null) noteMissing(closed, wanted, lines);
      if (closed && closed.line === lines.length - 1) last().text += piece;
      else {
        next();
        last().text = piece;
      }
    } else if (piece === ',') {
      last().text += ',';
      if (frame) {
        frame.index += 1;
        frame.key = null;
        next();
      }
    } else if (piece === ':') last().text += ': ';
    else if (frame?.kind === 'object' && frame.key === null) {
      frame.key = unquoted(piece);
      frame.keys.add(frame.key);
      last().text += piece;
    } else {
      begin(pathNow());
      last().text += piece;
    }
  }
  const lacks = lines.some((line) => line.missing !== undefined);
  const has = lines.some((line) => line.marked && line.missing === undefined);
  if (lacks && has) for (const line of lines) if ((line.missing === undefined) === missing) unmark(line);
  return lines.filter((line, at) => line.text !== '' || at === 0);
}

function unmark(line: Draft): void {
  line.marked = false;
  delete line.missing;
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function matches(path: readonly string[], wanted: readonly string[]): boolean {
  return path.length === wanted.length && wanted.every((step, at) => step === '*' || step === path[at]);
}

/** Where an object closes that should have had the last member of the pointer, says so on its first line. */
function noteMissing(closed: Frame, wanted: readonly string[], lines: Draft[]): void {
  const member = wanted.at(-1);
  if (closed.kind !== 'object' || member === undefined || member === '*' || closed.keys.has(member)) return;
  if (!matches(closed.path, wanted.slice(0, -1))) return;
  const line = lines[closed.line];
  if (line) {
    line.marked = true;
    line.missing = member;
  }
}

function unquoted(piece: string): string {
  try {
    return String(JSON.parse(piece));
  } catch {
    return piece;
  }
}

/** The lines to show of very many: the beginning, and what is around each mark. A number stands for so many lines left out. */
export function windowed(lines: readonly JsonLine[]): (JsonLine | number)[] {
  const [most, around] = [60, 6];
  if (lines.length <= most) return [...lines];
  const keep = new Set<number>();
  for (let at = 0; at < Math.min(12, lines.length); at += 1) keep.add(at);
  let marks = 0;
  lines.forEach((line, at) => {
    if (!line.marked || keep.size > most * 2) return;
    marks += 1;
    for (let near = Math.max(0, at - around); near <= Math.min(lines.length - 1, at + around); near += 1)
      keep.add(near);
  });
  if (marks === 0) for (let at = 0; at < most; at += 1) keep.add(at);
  const shown: (JsonLine | number)[] = [];
  let left = 0;
  lines.forEach((line, at) => {
    if (keep.has(at)) {
      if (left > 0) shown.push(left);
      left = 0;
      shown.push(line);
    } else left += 1;
  });
  if (left > 0) shown.push(left);
  return shown;
}
