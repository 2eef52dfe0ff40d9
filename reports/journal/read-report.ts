/** Reads the report document from a file. */
import { readFileSync } from 'node:fs';
import { format, type Report } from '../model/report.ts';

/** The objects and lists that every report holds. */
const parts = [
  ...['gate', 'suite', 'target', 'reasons', 'configuration', 'counts', 'notExercised', 'operations', 'clauses'],
  ...['findings', 'observations', 'createdResources', 'scenarios', 'flows', 'covers', 'exchanges', 'judged'],
  ...['clauseSets', 'errors'],
] as const satisfies readonly (keyof Report)[];

function faultOf(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `There is no file ${file}.`;
  if (error.code === 'EISDIR') return `${file} is a folder: give the conformance.json in it.`;
  return `${file} is not a report: ${error instanceof SyntaxError ? 'it is not JSON' : error.message}.`;
}

/** A report from a file. Throws an error of one sentence where it is none. */
export function readReport(file: string): Report {
  let report: Partial<Report>;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>;
  } catch (error) {
    throw new Error(faultOf(file, error as NodeJS.ErrnoException), { cause: error });
  }
  if (report?.format !== format) throw new Error(`${file} is not a report of the format ${format}.`);
  const missing = parts.find((part) => typeof report[part] !== 'object' || report[part] === null);
  if (missing !== undefined) throw new Error(`${file} is not a whole report: it lacks ${missing}.`);
  return report as Report;
}
