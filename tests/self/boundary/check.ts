/** Refuses words of the bank in files of the engine: `npm run boundary`, a part of `npm run check`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptions } from './exceptions.ts';
import { isBankFile } from './files.ts';
import { findBankWords } from './words.ts';

/** Returns what is wrong: new words of the bank in the engine, and exceptions that are no longer needed. */
export function checkBoundary(): readonly string[] {
  const files = ['openapi', 'fixtures', 'reports']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('reports', 'out')) && !isBankFile(file));
  const gone = Object.keys(exceptions).filter((file) => !files.includes(file));
  return [
    ...gone.map((file) => `${file} is no file of the engine: remove it from exceptions.ts.`),
    ...files.flatMap((file) => {
      const found = findBankWords(readFileSync(file, 'utf8'));
      const allowed = exceptions[file]?.words ?? [];
      const stray = found.filter((word) => !allowed.includes(word));
      const stale = allowed.filter((word) => !found.includes(word));
      return [
        ...stray.map((word) => `${file} names ${word}: a file of the engine knows no bank.`),
        ...stale.map((word) => `${file} no longer names ${word}: remove it from exceptions.ts.`),
      ];
    }),
  ];
}

if (require.main === module) {
  const faults = checkBoundary();
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
