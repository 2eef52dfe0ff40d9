/** Writes the report: each file completely or not at all. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isFile } from '../openapi/files/own-files.ts';
import { createdCsv } from './formats/created-csv.ts';
import { behaviourProfileOf } from './baseline/behaviour-profile.ts';
import { fileNames, isAmong, write } from './formats/paths.ts';
import { renderHtml } from './formats/html/index.ts';
import { junit } from './formats/junit.ts';
import { overlayText } from './baseline/overlay.ts';
import { readProof, strengthInWords } from './proof/strength.ts';
import { annotations } from './formats/github.ts';
import { ctrf } from './formats/ctrf.ts';
import { har } from './formats/har.ts';
import { sarif } from './formats/sarif.ts';
import { jobSummary } from './formats/markdown.ts';
import type { History } from './journal/history.ts';
import type { Report } from './model/report.ts';
import type { Sealer } from '../openapi/util/dsse.ts';
import { sha256OfText } from '../openapi/util/hash.ts';
import { attestation } from './verify/attestation.ts';
import { asJson } from './text/sanitize.ts';

export { fileNames } from './formats/paths.ts';

/** Optional renderings: the name of the file, and a function for its content. */
export const moreRenderings: Readonly<
  Record<string, readonly [file: string, render: (report: Report, history?: History) => string]>
> = {
  ctrf: ['ctrf-report.json', ctrf],
  sarif: ['conformance.sarif', sarif],
  har: ['conformance.har', har],
  summary: ['summary.md', jobSummary],
  annotations: ['annotations.txt', annotations],
};

/** All file names that this suite uses beside a report. */
const ownNames = new Set<string>([...Object.values(fileNames), ...Object.values(moreRenderings).map(([file]) => file)]);

export interface WriteOptions {
  /** Renderings besides the page and JUnit: ctrf, sarif, har, summary, annotations. */
  readonly render?: readonly string[] | undefined;
  /** Signs the attestation. */
  readonly seal?: Sealer | undefined;
  /** Files that the user named. They stay unchanged in the folder of the report. */
  readonly keep?: readonly string[] | undefined;
  readonly history?: History | undefined;
}

/** Writes a report and its renderings into a folder, and removes what an earlier run left there. Throws if it cannot. */
export function writeReport(
  report: Report,
  folder: string,
  { render = [], seal, keep = [], history }: WriteOptions = {},
): void {
  mkdirSync(folder, { recursive: true });
  const written: Record<string, string> = {};
  const put = (name: string, text: string | Buffer): void => {
    // PINS may name the profile of an earlier run: it stays. The report always replaces an earlier report.
    if (name !== fileNames.json && isAmong(keep, path.join(folder, name))) return;
    write(path.join(folder, name), text);
    written[name] = sha256OfText(text);
  };
  if (history !== undefined) put(fileNames.history, history.packed());
  const text = asJson(report);
  put(fileNames.json, text);
  if (seal !== undefined && render.includes('attestation') && report.requests > 0)
    put(fileNames.attestation, attestation(report, text, seal));
  put(fileNames.dialect, asJson(behaviourProfileOf(report)));
  put(fileNames.overlay, overlayText(report));
  put(fileNames.junit, junit(report));
  for (const name of render) {
    const [file, rendered] = moreRenderings[name] ?? [];
    if (file !== undefined && rendered !== undefined) put(file, rendered(report, history));
  }
  put(fileNames.html, page(report));
  put(fileNames.created, createdCsv(report));
  removeStale(folder, written, keep);
}

/** The file with the SHA-256 of each file of the last report in a folder. */
const LIST = '.report-files.json';

/** Removes files of an earlier report that this report does not have, if nobody changed them. */
function removeStale(folder: string, written: Readonly<Record<string, string>>, keep: readonly string[]): void {
  const list = path.join(folder, LIST);
  const before = readList(list);
  // True if the same report is rendered again.
  const isSame = before[fileNames.json] === written[fileNames.json];
  for (const [name, digest] of isSame ? [] : Object.entries(before)) {
    const file = path.join(folder, name);
    if (written[name] !== undefined || !ownNames.has(name) || !isFile(file) || isAmong(keep, file)) continue;
    if (sha256OfText(readFileSync(file)) === digest) rmSync(file);
  }
  write(list, asJson(isSame ? { ...before, ...written } : written));
}

function readList(file: string): Readonly<Record<string, unknown>> {
  try {
    return isFile(file) ? { ...(JSON.parse(readFileSync(file, 'utf8')) as object) } : {};
  } catch {
    return {};
  }
}

/** Possible files with a proof of this suite: part of the suite, or just written by its self-examination. */
const proofFiles = ['./proof/proof.json', './out/proof.json'].map((file) => path.join(__dirname, file));

/** Renders the page, with the proven strength of this suite for each clause, if the proof holds for this run. */
export function page(report: Report): string {
  const { suite, createdResources, target } = report;
  const run = { digest: suite.digest, runs: suite.runs, caps: { ...createdResources.caps }, areas: target.areas };
  const strengths = proofFiles.map((file) => strengthInWords(readProof(file), run));
  return renderHtml(
    report,
    strengths.find(({ size }) => size > 0),
  );
}
