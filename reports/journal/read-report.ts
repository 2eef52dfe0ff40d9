/** Reads the report document from a file. */
import { readFileSync } from 'node:fs';
import { format } from '../model/report.ts';
import type { Report } from '../model/report.ts';

/** A report from a file. Throws an error of one sentence where it is none. */
export function readReport(file: string): Report {
  let report: Partial<Report>;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(missing ? `There is no file ${file}.` : `${file} is not a report: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  if (report?.format !== format) throw new Error(`${file} is not a report of the format ${format}.`);
  return report as Report;
}
