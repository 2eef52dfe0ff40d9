/** Reads text files of the user. */
import { readFileSync, statSync } from 'node:fs';

/** The maximum size of a file, in MiB. A report with thousands of findings is smaller. */
const MAX_FILE_MEBIBYTES = 64;

const REASON_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'is not there: correct the path',
  EISDIR: 'is a folder: name a file in it',
  ENODEV: 'is a device: name a file',
  EACCES: 'may not be read: change its permissions',
  EFBIG: `has more than ${MAX_FILE_MEBIBYTES} MiB: give a smaller file`,
};

/** Formats of files that are not text, by their first bytes (in hexadecimal digits). */
const BINARY_FORMATS: readonly (readonly [start: RegExp, fault: string])[] = [
  [/^(?:fffe|feff)/, 'is in UTF-16: save it in UTF-8'],
  [/^504b0[35]/, 'is a zip archive: unpack it and name the file in it'],
  [/^1f8b/, 'is packed by gzip: unpack it'],
];

/** Reads a UTF-8 file. Error messages are the end of a sentence about the file: what is wrong and what to do. */
export function readTextFile(file: string): string {
  let bytes: Buffer;
  try {
    const entry = statSync(file);
    if (entry.isCharacterDevice() || entry.isBlockDevice()) throw Object.assign(new Error(), { code: 'ENODEV' });
    if (entry.size > MAX_FILE_MEBIBYTES * 2 ** 20) throw Object.assign(new Error(), { code: 'EFBIG' });
    bytes = readFileSync(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(REASON_BY_ERROR_CODE[code] ?? `cannot be read (${code}): name another file`, { cause: error });
  }
  const [, fault] = BINARY_FORMATS.find(([start]) => start.test(bytes.toString('hex', 0, 4))) ?? [];
  if (fault !== undefined) throw new Error(fault);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {}
  throw new Error('is no text in UTF-8: save it in UTF-8');
}
