/** Reads a report from any file, and checks it by its JSON Schema. */
import path from 'node:path';
import { explainHarFile, findSchemaFault } from '../../openapi/files/json-schema.ts';
import { parseJson } from '../../openapi/files/parse.ts';
import { readNamed, readUserText } from '../../openapi/files/user-file.ts';
import { replaceCommands } from '../../openapi/util/installation.ts';
import { hashText } from '../../openapi/util/hash.ts';
import { shortenText } from '../text/sanitize.ts';
import { REPORT_FORMAT, type Report } from '../model/report.ts';

const SCHEMA_FILE = path.join(__dirname, '../conformance.schema.json');

/** Copies members to an object without a prototype, so that it has no inherited members. */
const copyWithoutPrototype = <T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, members);

/** Checks a report by its JSON Schema. `sourceName` begins the error message, which is one sentence. */
export function checkReport(value: unknown, sourceName: string): Report {
  if ((value as Partial<Report> | null)?.format !== REPORT_FORMAT)
    throw new Error(
      `${sourceName} ${replaceCommands(explainHarFile(value) ?? `is not a report of the format ${REPORT_FORMAT}`)}.`,
    );
  const fault = findSchemaFault(value, SCHEMA_FILE);
  if (fault !== null) throw new Error(`${sourceName} is not a whole report: ${fault}.`);
  const report = value as Report;
  return { ...report, exchanges: copyWithoutPrototype(report.exchanges) };
}

/** Reads a report from a file. Throws an error of one sentence if the file is not a report. */
export const readReportFile = (file: string): Report =>
  checkReport(
    readNamed(file, () => parseJson(readUserText(file, 'report'))),
    file,
  );

/** Returns the text of the overlay of a report; null if it has none. Throws an error of one sentence if the file is another overlay. */
export function readOverlay({ suite: { overlay } }: Report, file: string | null): string | null {
  if (overlay === undefined) {
    if (file !== null) throw new Error('The run had no overlay: leave out --overlay or OVERLAY.');
    return null;
  }
  if (file === null)
    throw new Error(
      `The run was judged with the overlay “${shortenText(overlay.title, 100)}”: name its file with --overlay.`,
    );
  const text = readNamed(file, () => readUserText(file, 'overlay'));
  if (hashText(text) === overlay.digest) return text;
  throw new Error(`${file} is not the overlay that the run was judged with.`);
}
