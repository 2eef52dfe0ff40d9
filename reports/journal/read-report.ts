/** Reads the report document from a file. */
import { readFileSync } from 'node:fs';
import type { Violation } from '../../openapi/model/finding.ts';
import { format, type Report } from '../model/report.ts';
import type { RequestOrigin } from '../model/view-model.ts';

/** The objects and lists that every report holds. */
const parts = [
  ...['gate', 'suite', 'target', 'reasons', 'configuration', 'counts', 'notExercised', 'operations', 'clauses'],
  ...['findings', 'observations', 'createdResources', 'scenarios', 'flows', 'covers', 'exchanges', 'errors'],
] as const satisfies readonly (keyof Report)[];

function faultOf(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `There is no file ${file}.`;
  if (error.code === 'EISDIR') return `${file} is a folder: give the conformance.json in it.`;
  return `${file} is not a report: ${error instanceof SyntaxError ? 'it is not JSON' : error.message}.`;
}

/** The format before this one: what the judge said of each exchange stood beside the exchanges. */
const FORMAT_1 = 'bank-open-api-conformance/1';

interface Report1 extends Omit<Report, 'format'> {
  readonly format: typeof FORMAT_1;
  readonly judged?: Readonly<
    Record<string, { way: RequestOrigin; broken: readonly Pick<Violation, 'clause' | 'pointer' | 'kind'>[] }>
  >;
  readonly clauseSets?: unknown;
}

function converted({ judged = {}, clauseSets: _, ...report }: Report1): Report {
  const exchanges = Object.entries(report.exchanges ?? {}).map(([id, record]) => {
    const property = judged[id]?.way === 'property' ? { property: '' } : {};
    return [id, { ...record, ...property }] as const;
  });
  const findings = report.findings?.map((finding) => {
    const { clause, pointer, kind } = finding;
    const isAlone = judged[finding.exchange]?.broken.some(
      (one) => one.clause === clause && one.pointer === pointer && one.kind === kind,
    );
    return isAlone === true ? { ...finding, alone: isAlone } : finding;
  });
  return { ...report, format, findings, exchanges: Object.fromEntries(exchanges) };
}

/** A report from a file. Throws an error of one sentence where it is none, or of an older format where that cannot be used. */
export function readReport(file: string, { isOlderUsable = true } = {}): Report {
  let report: Partial<Report | Report1> | null;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as typeof report;
  } catch (error) {
    throw new Error(faultOf(file, error as NodeJS.ErrnoException), { cause: error });
  }
  if (report?.format === FORMAT_1) {
    const { version = 'that made it' } = report.suite ?? {};
    if (!isOlderUsable)
      throw new Error(`${file} has the format ${FORMAT_1}: use version ${version} of the suite for it.`);
    report = converted(report as Report1);
  }
  if (report?.format !== format) throw new Error(`${file} is not a report of the format ${format}.`);
  const whole = report;
  const missing = parts.find((part) => typeof whole[part] !== 'object' || whole[part] === null);
  if (missing !== undefined) throw new Error(`${file} is not a whole report: it lacks ${missing}.`);
  return report as Report;
}
