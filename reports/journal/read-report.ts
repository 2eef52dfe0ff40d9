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
const copyWithoutPrototype = <T>(given: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, given);

/** Checks a report by its JSON Schema. `from` names its source. Throws an error of one sentence. */
export function checkReport(value: unknown, from: string): Report {
  if ((value as Partial<Report> | null)?.format !== REPORT_FORMAT)
    throw new Error(
      `${from} ${replaceCommands(explainHarFile(value) ?? `is not a report of the format ${REPORT_FORMAT}`)}.`,
    );
  const fault = findSchemaFault(value, SCHEMA_FILE);
  if (fault !== null) throw new Error(`${from} is not a whole report: ${fault}.`);
  const report = value as Report;
  return { ...report, exchanges: copyWithoutPrototype(report.exchanges) };
}

/** Reads a report from a file. Throws an error of one sentence if the file is not a report. */
export const readReportFile = (file: string): Report =>
  checkReport(
    readNamed(file, () => parseJson(readUserText(file, 'report'))),
    file,
  );

/** Throws an error of one sentence if the file has another overlay than the run. */
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
