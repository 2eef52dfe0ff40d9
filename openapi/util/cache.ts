/** Keeps slow results in files beside the installed packages. The key of a result is a digest of its sources. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPackage } from './installation.ts';

const cacheFolder = join(__dirname, '../../node_modules/.cache/bank-open-api');
const prebuiltFolder = join(__dirname, '../../prebuilt');

export function makeCacheKey(name: string, ...sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(`${source.length} `).update(source);
  return `${name}-${hash.digest('hex').slice(0, 32)}`;
}

export function loadCached(key: string): string | null {
  for (const folder of isPackage ? [prebuiltFolder, cacheFolder] : [cacheFolder])
    try {
      return readFileSync(join(folder, key), 'utf8');
    } catch {
      // This folder does not have the file.
    }
  return null;
}

export function saveCached(key: string, text: string): void {
  try {
    mkdirSync(cacheFolder, { recursive: true });
    const unfinishedFile = join(cacheFolder, `.${key}.${process.pid}`);
    writeFileSync(unfinishedFile, text);
    renameSync(unfinishedFile, join(cacheFolder, key));
  } catch {
    // The folder may be read-only. In this case, the next process computes the text again.
  }
}
