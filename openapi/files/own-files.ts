/** Writes the files of the suite: only the user can read them, and no symbolic link is followed. */
import { closeSync, constants, lstatSync, openSync, writeFileSync } from 'node:fs';

/** From now on, only the user can read the files that this process and its child processes write. */
export function writePrivately(): void {
  process.umask(process.umask() | 0o077);
}

/** True for a symbolic link, also a broken one. */
export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** True for a regular file: no folder, link, pipe or device. */
export const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Writes a file. Throws if the path is a symbolic link. */
export function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, OVERWRITE);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Flags that replace the content of a file and fail at a symbolic link (not on Windows). */
export const OVERWRITE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | ((constants.O_NOFOLLOW as number | undefined) ?? 0);
