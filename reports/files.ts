/** Writes the report: each file whole or not at all. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { judgeScript } from './html/judging/bundle.ts';
import { renderHtml } from './html/page.ts';
import { junit } from './junit.ts';
import type { Report } from './report.ts';

/** The names of the renderings in the folder of the report. */
export const fileNames = { json: 'conformance.json', html: 'conformance.html', junit: 'junit.xml' } as const;

/** Writes a report and its renderings into a folder. Rejects where a file cannot be written. */
export async function writeReport(report: Report, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  write(path.join(folder, fileNames.json), `${JSON.stringify(report, null, 2)}\n`);
  write(path.join(folder, fileNames.junit), junit(report));
  write(path.join(folder, fileNames.html), await page(report));
}

/** The page, with the judge in it where one can be made: a report without it is better than none. */
export async function page(report: Report): Promise<string> {
  try {
    return renderHtml(report, { judge: await judgeScript() });
  } catch {
    return renderHtml(report);
  }
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
