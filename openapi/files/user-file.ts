/**
 * Reads the files that a user names. Accepts only regular files up to a maximum size, and links to them. Never waits for a pipe.
 * An error message is the end of a sentence that begins with the file name: it says what is wrong and what to do.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** The maximum size of each kind of file, in MiB. A report with thousands of findings is smaller than 64 MiB. */
const MAX_MEBIBYTES = {
  variables: 1,
  knownFindings: 1,
  overlay: 1,
  report: 64,
  recording: 256,
  history: 256,
  tls: 1,
  hooks: 16,
} as const;

export type FileKind = keyof typeof MAX_MEBIBYTES;

export const getMaxBytes = (kind: FileKind): number => MAX_MEBIBYTES[kind] * 2 ** 20;

/** Flags to open a file without waiting. Windows does not have the last two. */
const READ_FLAGS =
  constants.O_RDONLY |
  ((constants.O_NONBLOCK as number | undefined) ?? 0) |
  ((constants.O_NOCTTY as number | undefined) ?? 0);

const REASON_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'is not there: correct the path',
  ENOTDIR: 'is not there: correct the path',
  EISDIR: 'is a folder: name a file in it',
  EACCES: 'may not be read: change its permissions',
  ELOOP: 'is a link that leads to itself: name a file',
  ENXIO: 'is a socket or a device: name a file',
  ENODEV: 'is a socket or a device: name a file',
  EOPNOTSUPP: 'is a socket or a device: name a file',
};

/** Opens a file to read it, and returns its descriptor. */
export function openUserFile(file: string, kind: FileKind): number {
  const descriptor = explainErrors(() => openSync(file, READ_FLAGS));
  const fault = describeFileFault(fstatSync(descriptor), kind);
  if (fault === null) return descriptor;
  closeSync(descriptor);
  throw new Error(fault);
}

function describeFileFault(stats: Stats, kind: FileKind): string | null {
  if (stats.isDirectory()) return 'is a folder: name a file in it';
  if (!stats.isFile()) return `is a ${stats.isFIFO() ? 'pipe' : 'device'}: name a file`;
  if (stats.size <= getMaxBytes(kind)) return null;
  return `has more than ${MAX_MEBIBYTES[kind]} MiB: give a smaller one, or a part of it`;
}

/** Calls `access`, and changes its errors to the end of a sentence. */
function explainErrors<T>(access: () => T): T {
  try {
    return access();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(REASON_BY_ERROR_CODE[code] ?? `cannot be read (${code}): name another file`, { cause: error });
  }
}

/** Returns why a file cannot be read; null if it can be opened. */
export function findFileFault(file: string, kind: FileKind): string | null {
  try {
    closeSync(openUserFile(file, kind));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

export function readUserFile(file: string, kind: FileKind): Buffer {
  const descriptor = openUserFile(file, kind);
  try {
    return explainErrors(() => readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Recognises files that are no text by their first bytes, in hexadecimal digits. */
const BINARY_FORMATS: readonly (readonly [start: RegExp, fault: string])[] = [
  [/^(?:fffe|feff)/, 'is in UTF-16: save it in UTF-8'],
  [/^504b0[35]/, 'is a zip archive: unpack it and name the file in it'],
  [/^1f8b/, 'is packed by gzip: unpack it'],
];

/** Reads a text file in UTF-8. */
export function readUserText(file: string, kind: FileKind): string {
  const bytes = readUserFile(file, kind);
  const [, fault] = BINARY_FORMATS.find(([start]) => start.test(bytes.toString('hex', 0, 4))) ?? [];
  if (fault !== undefined) throw new Error(fault);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {}
  throw new Error('is no text in UTF-8: save it in UTF-8');
}

/** Returns the result of `read`. If `read` throws, puts the name of the file before the message: the message is then a sentence. */
export function readNamed<T>(file: string, read: (file: string) => T): T {
  try {
    return read(file);
  } catch (error) {
    throw new Error(`${file} ${(error as Error).message}.`, { cause: error });
  }
}
