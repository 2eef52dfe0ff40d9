/** Writes the report: each file whole or not at all. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderHtml } from './html/page.ts';
import { junit } from './junit.ts';
import type { Report } from './report.ts';

/** The names of the renderings in the folder of the report. */
export const fileNames = { json: 'conformance.json', html: 'conformance.html', junit: 'junit.xml' } as const;

/** Writes a report and its renderings into a folder. Throws where a file cannot be written. */
export function writeReport(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true });
  write(path.join(folder, fileNames.json), `${JSON.stringify(report, null, 2)}\n`);
  write(path.join(folder, fileNames.html), renderHtml(report));
  write(path.join(folder, fileNames.junit), junit(report));
}

/** Replaces a file in one step, so that nobody reads half of it. */
export function write(file: string, text: string): void {
  const half = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(half, text);
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
}
