/** What a job of GitHub Actions shows: annotations from its log, and a summary from a file. */
import { appendFileSync } from 'node:fs';
import { printAnnotations } from '../../openapi/foreign/print.ts';
import type { Report } from '../model/report.ts';
import { oneLine } from '../text/sanitize.ts';

/** Writes the summary and the annotations of the job. A summary that cannot be written is said, and fails nothing. */
export async function writeJobSummary(
  report: Report,
  { summaryFile }: { readonly summaryFile: string | null },
  print: (text: string) => void,
): Promise<void> {
  const { annotations }: typeof import('../formats/github.ts') = require('../formats/github.ts');
  printAnnotations(annotations(report));
  if (summaryFile === null) return;
  try {
    const { jobSummary }: typeof import('../formats/markdown.ts') = require('../formats/markdown.ts');
    appendFileSync(summaryFile, jobSummary(report));
  } catch (error) {
    print(`The summary of the job could not be written: ${oneLine((error as Error).message)}\n`);
  }
}
