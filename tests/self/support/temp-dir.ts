/** Folders outside the repository, in which a test may write what it likes; they go with the process. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder. */
export function makeTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bank-open-api-workroom-'));
  made.push(folder);
  return folder;
}

/** A file with this text, in a new folder. */
export function tempFile(name: string, text: string): string {
  const file = join(makeTempDir(), name);
  writeFileSync(file, text);
  return file;
}

/** A new folder in which modules find the packages of this repository. */
export function tempDir(): string {
  const folder = makeTempDir();
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}
