/** Files that the suite writes: for its user alone, and never through a symbolic link that somebody put in their place. */
import { closeSync, constants, lstatSync, openSync, writeFileSync } from 'node:fs';

/** Lets this process, and those that it starts, write files and folders that only its user can read. */
export function writePrivately(): void {
  process.umask(process.umask() | 0o077);
}

/** True of a symbolic link, wherever it leads. */
export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** True of a file that stands there itself: no folder, link, pipe or device. */
export const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Writes a file anew. Throws where a symbolic link stands in its place. */
export function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, OVERWRITE);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Flags that open a file for new content and fail at a symbolic link (Windows has no such flag). */
export const OVERWRITE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | ((constants.O_NOFOLLOW as number | undefined) ?? 0);
