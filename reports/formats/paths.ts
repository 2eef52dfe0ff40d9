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
  const unfinishedFile = `${file}.${process.pid}.tmp`;
  try {
    rmSync(unfinishedFile, { force: true });
    writeFileSync(unfinishedFile, text, { flag: 'wx' });
    renameSync(unfinishedFile, file);
  } catch (error) {
    rmSync(unfinishedFile, { force: true });
    throw error;
  }
}

/** True if the folder has the report of a run that sent at least one request. */
export function hasJudgement(folder: string): boolean {
  try {
    const report = JSON.parse(readFileSync(path.join(folder, fileNames.json), 'utf8')) as { requests?: unknown };
    return Number(report.requests) > 0;
  } catch {
    return false;
  }
}

/** True if one of these paths leads to the file, directly or through symbolic links. */
export const containsFile = (candidates: readonly string[], file: string): boolean =>
  existsSync(file) &&
  candidates.some((candidate) => existsSync(candidate) && realpathSync(candidate) === realpathSync(file));

/** Removes the report of an earlier run, so that nobody takes it for the report of this run. Files in `keep` stay. */
export function removeReport(folder: string, keep: readonly string[] = []): void {
  for (const name of Object.values(fileNames)) {
    const file = path.join(folder, name);
    if (!containsFile(keep, file)) rmSync(file, { force: true });
  }
}
