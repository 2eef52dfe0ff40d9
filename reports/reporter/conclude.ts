/** Makes the report from the journals of a run, and writes its files. Used by the reporter, and by the gate if the gate is a test. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { hasColours } from '../../openapi/foreign/print.ts';
import { buildReport } from '../build/index.ts';
import { fileNames, hasJudgement } from '../formats/paths.ts';
import { writeTerminalSummary } from '../formats/terminal.ts';
import { writeCreatedCsv, writeReport, type WriteOptions } from '../write-report.ts';
import {
  collectJournals,
  type AttachedJournal,
  removeSecretsFromJournals,
  type PackedHistory,
  type Withhold,
} from '../journal/history.ts';
import type { RunFacts } from '../model/description.ts';
import { omitUndefined, type Report, type SuiteError } from '../model/report.ts';
import { toOneLine } from '../text/sanitize.ts';

export interface FolderOptions extends Omit<WriteOptions, 'history'> {
  /**
   * Searches for secrets before the report is written. Returns the document without the texts that contain a secret, and for each
   * secret its place (JSON pointer).
   */
  readonly withhold?: Withhold | undefined;
  /** False if another run uses the folder now. */
  readonly ownsFolder?: (() => boolean) | undefined;
}

interface ConcludeOptions extends FolderOptions {
  readonly folder: string;
  /** The run whose journals are read; null if shards are merged. */
  readonly run: string | null;
  readonly attached: readonly AttachedJournal[];
  /** Returns the data about the run that is not in its journals. `faults` are faults of the journals. */
  readonly makeFacts: (faults: readonly SuiteError[]) => RunFacts;
  /** Whether the text has colours. By default, only on a terminal. */
  readonly color?: boolean;
}

/** A run that judged nothing writes its report to this folder if the report folder has the report of a run that judged something. */
const ATTEMPT_FOLDER = 'last-attempt';

/**
 * Makes the report without secrets. If the report itself contains a secret, makes the report once more, so that the leak is one of its
 * errors. `withErrors` makes the report again with more errors.
 */
function makeReportSafely({
  run,
  folder,
  attached,
  makeFacts,
  withhold,
}: ConcludeOptions & { readonly withhold: Withhold }) {
  const { history, withheld, faults } = collectJournals(run === null ? null : folder, run, attached, withhold);
  if (withheld.length > 0 && run !== null) removeSecretsFromJournals(folder, run, withhold);
  const { leaks: leaksOfShards = [], ...factsWithoutLeaks } = makeFacts(faults);
  let facts: RunFacts = factsWithoutLeaks;
  const addLeaks = (leaks: readonly string[]): void => {
    const errors = leaks.map((leak) => ({
      scenario: null,
      message: `${leak} stood unmasked, and the text was withheld there.`,
    }));
    if (leaks.length > 0)
      facts = { ...facts, leaks: [...(facts.leaks ?? []), ...leaks], errors: [...(facts.errors ?? []), ...errors] };
  };
  addLeaks([...leaksOfShards, ...withheld]);
  let wasMadeAgain = false;
  const makeReport = (): Report => {
    const { document, withheld: foundSecrets } = withhold(
      buildReport({ lines: history.lines, run: facts, history: history.sha256 }),
    );
    if (wasMadeAgain || foundSecrets.length === 0) return document;
    wasMadeAgain = true;
    addLeaks(foundSecrets.map(({ secret, pointer }) => `${secret} at ${pointer} of ${fileNames.json}`));
    return makeReport();
  };
  const withErrors = (errors: readonly SuiteError[]): Report => {
    facts = { ...facts, errors: [...(facts.errors ?? []), ...errors] };
    return makeReport();
  };
  return { history, report: makeReport(), withErrors };
}

/** Decides the verdict and writes the report. Returns the report, and the text for the terminal. */
export function concludeRun(options: ConcludeOptions): { readonly report: Report; readonly text: string } {
  const { color = hasColours(), withhold = (document) => ({ document, withheld: [] }) } = options;
  const { history, report: firstReport, withErrors } = makeReportSafely({ ...options, withhold });
  const judgedNothing = firstReport.requests === 0 && hasJudgement(options.folder);
  const folder = judgedNothing ? path.join(options.folder, ATTEMPT_FOLDER) : options.folder;
  const writeResult = writeFiles(firstReport, history, folder, options);
  const isWritten = writeResult === 'written';
  // A report that could not be written is a fault of the suite, except if the configuration is wrong.
  const isWriteFault = writeResult instanceof Error && firstReport.configuration.length === 0;
  const report = isWriteFault ? withErrors([{ scenario: null, message: writeResult.message }]) : firstReport;
  const page = path.join(folder, fileNames.html);
  const relativePage = path.relative(process.cwd(), page);
  const shownPage = relativePage.startsWith('..') ? page : relativePage;
  const { columns } = process.stdout;
  const text = writeTerminalSummary(report, {
    color,
    ...omitUndefined({ width: columns > 0 ? columns : undefined, path: isWritten ? shownPage : undefined }),
  });
  const attemptNote = `The report of the last run with results is still in ${toOneLine(options.folder)}.\n`;
  if (!isWritten) return { report, text: `${text}${listCreatedResources(report)}` };
  return { report, text: judgedNothing ? `${text}${attemptNote}` : text };
}

/** Returns the content of `created.csv` for the terminal: if the file is missing, nothing else says what to clean up at the bank. */
function listCreatedResources(report: Report): string {
  if (report.createdResources.items.length === 0) return '';
  const rows = writeCreatedCsv(report).replaceAll('\r\n', '\n');
  return `\n${fileNames.created} could not be written. It would say what the run created at the bank:\n\n${rows}`;
}

/** Writes the files. Returns an error of one sentence if this is impossible, and `not ours` if another run uses the folder. */
function writeFiles(
  report: Report,
  history: PackedHistory,
  folder: string,
  { folder: reportFolder, render, keep, ownsFolder }: ConcludeOptions,
): 'written' | 'not ours' | Error {
  if (ownsFolder?.() === false) return 'not ours';
  try {
    if (report.requests > 0) rmSync(path.join(reportFolder, ATTEMPT_FOLDER), { recursive: true, force: true });
    writeReport(report, folder, { render, keep, history });
    return 'written';
  } catch (error) {
    const why = toOneLine((error as Error).message);
    return new Error(`The report could not be written to ${toOneLine(folder)}: ${why}`, { cause: error });
  }
}
