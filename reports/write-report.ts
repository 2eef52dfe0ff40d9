/** Writes the report: each file whole or not at all. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createdCsv } from './formats/created-csv.ts';
import { behaviourProfileOf } from './baseline/behaviour-profile.ts';
import { fileNames, write } from './formats/paths.ts';
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
import { attestation } from './verify/attestation.ts';
import { asJson } from './text/sanitize.ts';

export { fileNames } from './formats/paths.ts';

/** The renderings that are made when asked for: the name of the file, and what stands in it. */
export const moreRenderings: Readonly<Record<string, readonly [file: string, render: (report: Report) => string]>> = {
  ctrf: ['ctrf-report.json', ctrf],
  sarif: ['conformance.sarif', sarif],
  har: ['conformance.har', har],
  summary: ['summary.md', jobSummary],
  annotations: ['annotations.txt', annotations],
};

interface Beside {
  /** Names of renderings that are made when asked for. */
  readonly more?: readonly string[] | undefined;
  /** Signs the attestation. */
  readonly seal?: Sealer | undefined;
  readonly history?: History | undefined;
}

/** Writes a report and its renderings into a folder. Throws where a file cannot be written. */
export function writeReport(report: Report, folder: string, { more = [], seal, history }: Beside = {}): void {
  mkdirSync(folder, { recursive: true });
  if (history !== undefined) write(path.join(folder, fileNames.history), history.packed());
  const text = asJson(report);
  write(path.join(folder, fileNames.json), text);
  if (seal !== undefined && more.includes('attestation') && report.requests > 0)
    write(path.join(folder, fileNames.attestation), attestation(report, text, seal));
  write(path.join(folder, fileNames.dialect), `${JSON.stringify(behaviourProfileOf(report), null, 2)}\n`);
  write(path.join(folder, fileNames.overlay), overlayText(report));
  write(path.join(folder, fileNames.junit), junit(report));
  for (const name of more) {
    const [file, render] = moreRenderings[name] ?? [];
    if (file !== undefined && render !== undefined) write(path.join(folder, file), render(report));
  }
  write(path.join(folder, fileNames.html), page(report));
  write(path.join(folder, fileNames.created), createdCsv(report));
}

/** The page, with the figures of the proof where they hold for this run. */
export function page(report: Report): string {
  return renderHtml(report, strengthOf(report));
}

/** Where a proof of this suite may lie: with the suite, or where its self-examination just wrote it. */
const proofFiles = ['./proof/proof.json', './out/proof.json'].map((file) => path.join(__dirname, file));

/** How well this very suite, asking at most as much as this run, is proven to notice each clause. */
function strengthOf({ suite, createdResources, target }: Report): ReadonlyMap<string, string> {
  const { digest, runs } = suite;
  const caps = { ...createdResources.caps };
  for (const file of proofFiles) {
    const strength = strengthInWords(readProof(file), { digest, runs, caps, areas: target.areas });
    if (strength.size > 0) return strength;
  }
  return new Map();
}
