/** Names and writes the files in the report folder. */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const fileNames = {
  json: 'conformance.json',
  html: 'conformance.html',
  junit: 'junit.xml',
  created: 'created.csv',
  dialect: 'dialect.json',
  history: 'history.jsonl.gz',
} as const;

/** Replaces a file in one step, so that nobody reads an incomplete file. Replaces a symbolic link and does not follow it. */
export function writeReportFile(file: string, text: string | Buffer): void {
  const half = `${file}.${process.pid}.tmp`;
  try {
    rmSync(half, { force: true });
    writeFileSync(half, text, { flag: 'wx' });
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
}

export function hasJudgement(folder: string): boolean {
  try {
    const stated = JSON.parse(readFileSync(path.join(folder, fileNames.json), 'utf8')) as { requests?: unknown };
    return Number(stated.requests) > 0;
  } catch {
    return false;
  }
}

/** True if one of these paths leads to the file, directly or through symbolic links. */
export const containsFile = (files: readonly string[], file: string): boolean =>
  existsSync(file) && files.some((one) => existsSync(one) && realpathSync(one) === realpathSync(file));

/** Removes the report of an earlier run, so that nobody takes it for the report of this run. Files in `keep` stay. */
export function removeReport(folder: string, keep: readonly string[] = []): void {
  for (const name of Object.values(fileNames)) {
    const file = path.join(folder, name);
    if (!containsFile(keep, file)) rmSync(file, { force: true });
  }
}
