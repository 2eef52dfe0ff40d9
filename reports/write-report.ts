/** Writes the files of a report. Each file is written completely or not at all. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isFile } from '../openapi/files/own-files.ts';
import { makeBehaviourProfile } from './baseline/behaviour-profile.ts';
import { fileNames, containsFile, writeReportFile } from './formats/paths.ts';
import { renderHtml } from './formats/html/index.ts';
import { toJunit } from './formats/junit.ts';
import { writeAnnotations } from './formats/github.ts';
import { toCodeQuality, writeBadge } from './formats/gitlab.ts';
import { toHar } from './formats/har.ts';
import { toSarif } from './formats/sarif.ts';
import { writeSummary } from './formats/markdown.ts';
import type { PackedHistory, RunHistory } from './journal/history.ts';
import type { Report } from './model/report.ts';
import { hashText } from '../openapi/util/hash.ts';
import { toJson, toOneLine } from './text/sanitize.ts';

export { fileNames } from './formats/paths.ts';

interface Rendering {
  readonly file: string;
  render(report: Report, history?: RunHistory): string;
}

/** Optional output files, by their names in RENDER. */
export const RENDERINGS: Readonly<Record<string, Rendering>> = {
  sarif: { file: 'conformance.sarif', render: toSarif },
  har: { file: 'conformance.har', render: toHar },
  summary: { file: 'summary.md', render: writeSummary },
  annotations: { file: 'annotations.txt', render: writeAnnotations },
  gitlab: { file: 'gl-code-quality-report.json', render: toCodeQuality },
  badge: { file: 'verdict.json', render: writeBadge },
};

/** The names of all files that the suite writes to the folder of a report. */
const REPORT_FILE_NAMES = new Set<string>([
  ...Object.values(fileNames),
  ...Object.values(RENDERINGS).map(({ file }) => file),
]);

export interface WriteOptions {
  /** Output files besides the page and JUnit, by their names in `RENDERINGS`. */
  readonly render?: readonly string[] | undefined;
  /** Files that the user named. They stay unchanged in the folder of the report. */
  readonly keep?: readonly string[] | undefined;
  readonly history?: PackedHistory | undefined;
}

/** Writes a report and its other files into a folder, and removes the files of an earlier run. Throws if this fails. */
export function writeReport(
  report: Report,
  folder: string,
  { render = [], keep = [], history }: WriteOptions = {},
): void {
  mkdirSync(folder, { recursive: true });
  /** The SHA-256 of each written file, by its name. */
  const digests: Record<string, string> = {};
  const write = (name: string, text: string | Buffer): void => {
    // The user may have named a file of an earlier run, which then stays. The report always replaces an earlier report.
    if (name !== fileNames.json && containsFile(keep, path.join(folder, name))) return;
    writeReportFile(path.join(folder, name), text);
    digests[name] = hashText(text);
  };
  if (history !== undefined) write(fileNames.history, history.packed);
  write(fileNames.json, toJson(report));
  write(fileNames.dialect, toJson(makeBehaviourProfile(report)));
  write(fileNames.junit, toJunit(report));
  for (const name of render) {
    const rendering = RENDERINGS[name];
    if (rendering !== undefined) write(rendering.file, rendering.render(report, history));
  }
  write(fileNames.html, renderHtml(report));
  write(fileNames.created, writeCreatedCsv(report));
  removeOldFiles(folder, digests, keep);
}

/** The file with the SHA-256 of each file of the last report in a folder. */
const FILE_LIST_NAME = '.report-files.json';

/** Removes the files of an earlier report that the new report does not have. Keeps files that somebody changed. */
function removeOldFiles(folder: string, digests: Readonly<Record<string, string>>, keep: readonly string[]): void {
  const listFile = path.join(folder, FILE_LIST_NAME);
  const earlierDigests = readFileList(listFile);
  const isSameReport = earlierDigests[fileNames.json] === digests[fileNames.json];
  const filesToCheck = isSameReport ? [] : Object.entries(earlierDigests);
  for (const [name, digest] of filesToCheck) {
    const file = path.join(folder, name);
    const isOldReportFile = digests[name] === undefined && REPORT_FILE_NAMES.has(name) && isFile(file);
    if (!isOldReportFile || containsFile(keep, file)) continue;
    const isUnchanged = hashText(readFileSync(file)) === digest;
    if (isUnchanged) rmSync(file);
  }
  writeReportFile(listFile, toJson(isSameReport ? { ...earlierDigests, ...digests } : digests));
}

function readFileList(file: string): Readonly<Record<string, unknown>> {
  try {
    return isFile(file) ? { ...(JSON.parse(readFileSync(file, 'utf8')) as object) } : {};
  } catch {
    return {};
  }
}

/** Matches the beginning of a formula in a spreadsheet cell, for any separator, also with full-width signs. */
const FORMULA_START = /(^|[,;|"'])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Writes a field of a CSV file (RFC 4180). Changes formulas to plain text, and shows harmful characters as escapes. */
function writeField(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safeText = toOneLine(value).replace(FORMULA_START, "$1'$2");
  return /[",;|]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}

/** Writes `created.csv`: first what the bank created, then what it perhaps created, then what it refused; each by kind of resource. */
export function writeCreatedCsv({ createdResources: { counts, items, refused = [] } }: Report): string {
  const resourcesByState = {
    created: items.filter(({ perhaps }) => !perhaps),
    perhaps: items.filter(({ perhaps }) => perhaps),
    refused,
  };
  const lines = ['what,id,amount,currency,exchange,state'];
  for (const [state, resources] of Object.entries(resourcesByState))
    for (const kind of Object.keys(counts))
      for (const { what, id, amount, currency, exchange } of resources)
        if (what === kind) lines.push([what, id, amount, currency, exchange, state].map(writeField).join(','));
  return lines.map((line) => `${line}\r\n`).join('');
}
