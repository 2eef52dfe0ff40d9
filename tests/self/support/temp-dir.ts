/** Makes temporary folders outside of the repository, and removes them when the process ends. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const tempFolders: string[] = [];
process.once('exit', () => {
  for (const folder of tempFolders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a new empty folder. */
export function makeTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bank-open-api-workroom-'));
  tempFolders.push(folder);
  return folder;
}

/** Writes a file with this text into a new folder. */
export function makeTempFile(name: string, text: string | Buffer): string {
  const file = join(makeTempDir(), name);
  writeFileSync(file, text);
  return file;
}

/** Returns the files in a folder and below it, with their texts. */
export const readTexts = (folder: string): readonly (readonly [file: string, text: string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => [file, readFileSync(file, 'utf8')] as const);

/** Makes a folder in which modules find the packages of this repository. */
export function makeTempDirWithPackages(): string {
  const folder = makeTempDir();
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}
