/** Writes what a job of GitHub Actions shows: annotations in its log, and a summary in a file. */
import { appendFileSync } from 'node:fs';
import { printAnnotations } from '../../openapi/foreign/print.ts';
import type { Report } from '../model/report.ts';
import { toOneLine } from '../text/sanitize.ts';

/** Writes the summary and the annotations of the job. If the summary cannot be written, prints this and continues. */
export async function writeJobSummary(
  report: Report,
  { summaryFile }: { readonly summaryFile: string | null },
  print: (text: string) => void,
): Promise<void> {
  const { writeAnnotations: annotate }: typeof import('../formats/github.ts') = require('../formats/github.ts');
  printAnnotations(annotate(report));
  if (summaryFile === null) return;
  try {
    const { writeSummary }: typeof import('../formats/markdown.ts') = require('../formats/markdown.ts');
    appendFileSync(summaryFile, writeSummary(report));
  } catch (error) {
    print(`The summary of the job could not be written: ${toOneLine((error as Error).message)}\n`);
  }
}
