/** Writes the files of the suite. Only the user can read them. Nothing is written through a symbolic link. */
import { closeSync, constants, lstatSync, openSync, writeFileSync } from 'node:fs';

/** Makes sure that only the user can read the files that this process and its child processes write from now on. */
export function restrictNewFiles(): void {
  process.umask(process.umask() | 0o077);
}

/** True for a symbolic link, even if its target does not exist. */
export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

export const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Writes a file; an existing file keeps its mode. Throws an error of one sentence if the path is a link, a pipe or another special file. */
export function overwriteFile(file: string, text: string): void {
  // The flags alone refuse links too, but not on Windows, and not with a clear error message.
  if (isLink(file))
    throw new Error(`${file} is a symbolic link, and nothing is written through a link: name the file itself.`);
  // Opening a pipe waits for its reader.
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${file} is a folder, a pipe or a device: name a file.`);
  const descriptor = openSync(file, OVERWRITE_FLAGS);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Flags to open a file: replace its content, and fail if it is a symbolic link (not on Windows). */
export const OVERWRITE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | ((constants.O_NOFOLLOW as number | undefined) ?? 0);
