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
  const isInBody = pointer === '' || pointer?.startsWith('/') === true;
  const layout = new Layout(isInBody ? stepsOf(pointer) : null);
  for (const [piece] of text.matchAll(token)) if (piece.trim() !== '') layout.take(piece);
  const { lines } = layout;
  const lacks = lines.some((line) => line.missing !== undefined);
  const has = lines.some((line) => line.marked && line.missing === undefined);
  if (lacks && has) for (const line of lines) if ((line.missing === undefined) === missing) unmark(line);
  return lines.filter((line, at) => line.text !== '' || at === 0);
}

/** The lines of a text whose pieces are taken one after the other. */
class Layout {
  readonly lines: Draft[] = [{ indent: 0, text: '', marked: false }];
  /** The steps of the pointer, or null. */
  readonly #wanted: readonly string[] | null;
  readonly #open: Frame[] = [];
  /** How deep below MAX_DEPTH. */
  #below = 0;

  constructor(wanted: readonly string[] | null) {
    this.#wanted = wanted;
  }

  take(piece: string): void {
    const opens = piece === '{' || piece === '[';
    const closes = piece === '}' || piece === ']';
    if (this.#below > 0 || (opens && this.#open.length === MAX_DEPTH)) {
      this.#below += opens ? 1 : closes ? -1 : 0;
      this.#write(piece);
    } else if (opens) this.#begin(piece === '{' ? 'object' : 'array', piece);
    else if (closes) this.#end(piece);
    else if (piece === ',') this.#separate();
    else if (piece === ':') this.#write(': ');
    else this.#name(piece);
  }

  get #last(): Draft {
    return this.lines[this.lines.length - 1]!;
  }

  #write(piece: string): void {
    this.#last.text += piece;
  }

  #newLine(): void {
    this.lines.push({ indent: this.#open.length, text: '', marked: false });
  }

  /** The path of the value that comes next. */
  get #path(): readonly string[] {
    const frame = this.#open.at(-1);
    if (frame === undefined) return [];
    return [...frame.path, frame.kind === 'array' ? String(frame.index) : (frame.key ?? '')];
  }

  /** Writes what a value begins with, on a line that is marked where the pointer leads to it. */
  #value(piece: string): void {
    const wanted = this.#wanted;
    if (wanted !== null && wanted.length > 0 && matches(this.#path, wanted)) this.#last.marked = true;
    this.#write(piece);
  }

  #begin(kind: Frame['kind'], piece: string): void {
    this.#value(piece);
    this.#open.push({ kind, line: this.lines.length - 1, path: this.#path, keys: new Set(), key: null, index: 0 });
    this.#newLine();
  }

  #end(piece: string): void {
    const closed = this.#open.pop();
    if (this.#last.text === '') this.lines.pop();
    if (closed !== undefined && this.#wanted !== null) noteMissing(closed, this.#wanted, this.lines);
    // What is empty closes on the line on which it began.
    if (closed?.line !== this.lines.length - 1) this.#newLine();
    this.#write(piece);
  }

  #separate(): void {
    this.#write(',');
    const frame = this.#open.at(-1);
    if (frame === undefined) return;
    frame.index += 1;
    frame.key = null;
    this.#newLine();
  }

  /** The name of a member, or a value that is no array and no object. */
  #name(piece: string): void {
    const frame = this.#open.at(-1);
    if (frame?.kind !== 'object' || frame.key !== null) return this.#value(piece);
    frame.key = unquoted(piece);
    frame.keys.add(frame.key);
    this.#write(piece);
  }
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
