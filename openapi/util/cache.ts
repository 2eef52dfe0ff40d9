/** What is slow to make and the same in every run is kept beside the installed packages, by what it was made from. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPackage } from './installation.ts';

const folder = join(__dirname, '../../node_modules/.cache/bank-open-api');
/** What comes along with the package. */
const prebuilt = join(__dirname, '../../prebuilt');

/** The name under which something made from `sources` is kept. */
export function keyOf(name: string, ...sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(`${source.length} `).update(source);
  return `${name}-${hash.digest('hex').slice(0, 32)}`;
}

/** What was kept under `key`, or null. */
export function kept(key: string): string | null {
  for (const place of isPackage ? [prebuilt, folder] : [folder])
    try {
      return readFileSync(join(place, key), 'utf8');
    } catch {
      // Not there.
    }
  return null;
}

/** Keeps `text` under `key`, whole or not at all; where nothing can be written it is made again next time. */
export function keep(key: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    const half = join(folder, `.${key}.${process.pid}`);
    writeFileSync(half, text);
    renameSync(half, join(folder, key));
  } catch {
    // The installed packages may be read-only.
  }
}
