/** Folders outside the repository, in which a test may write what it likes. */
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A new empty folder. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'bank-open-api-'));
}

/** A new folder in which modules find the packages of this repository. */
export function workroom(): string {
  const folder = emptyFolder();
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}
