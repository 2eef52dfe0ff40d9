/** Makes the report from the journals of a run and writes it, for the reporter and for the test of the gate. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { hasColours } from '../../openapi/foreign/print.ts';
import { foldReport } from '../fold/index.ts';
import { fileNames, hasJudgement } from '../formats/paths.ts';
import { writeTerminalSummary } from '../formats/terminal.ts';
import { writeCreatedCsv, writeReport, type WriteOptions } from '../write-report.ts';
import {
  collectJournals,
  type Attached,
  removeSecretsFromJournals,
  type RunHistory,
  type Withhold,
} from '../journal/history.ts';
import type { RunFacts } from '../model/description.ts';
import { omitUndefined, type Report, type SuiteError } from '../model/report.ts';
import { toOneLine } from '../text/sanitize.ts';

export interface FolderOptions extends Omit<WriteOptions, 'history'> {
  /**
   * Searches for secrets before the report is written. Returns the document without each text with a secret, and which secret was
   * where (JSON pointer).
   */
  readonly withhold?: Withhold | undefined;
  /** False if another run uses the folder now. */
  readonly ownsFolder?: (() => boolean) | undefined;
}

interface ConcludeOptions extends FolderOptions {
  readonly folder: string;
  /** The run whose journals are read; null if shards are merged. */
  readonly run: string | null;
  readonly attached: readonly Attached[];
  /** Returns the data about the run that is not in its journals. `faults` are faults of the journals. */
  readonly factsOf: (faults: readonly SuiteError[]) => RunFacts;
  /** Whether the text has colours. By default, only on a terminal. */
  readonly color?: boolean;
}

/** For a run that judged nothing, if the report folder has the report of a run that judged something. */
const ATTEMPT_FOLDER = 'last-attempt';

function makeReportSafely({
  run,
  folder,
  attached,
  factsOf,
  withhold,
}: ConcludeOptions & { readonly withhold: Withhold }) {
  const { history, withheld, faults } = collectJournals(run === null ? null : folder, run, attached, withhold);
  if (withheld.length > 0 && run !== null) removeSecretsFromJournals(folder, run, withhold);
  const { leaks: ofShards = [], ...stated } = factsOf(faults);
  let facts: RunFacts = stated;
  const addLeaks = (leaks: readonly string[]): void => {
    const errors = leaks.map((one) => ({
      scenario: null,
      message: `${one} stood unmasked, and the text was withheld there.`,
    }));
    if (leaks.length > 0)
      facts = { ...facts, leaks: [...(facts.leaks ?? []), ...leaks], errors: [...(facts.errors ?? []), ...errors] };
  };
  addLeaks([...ofShards, ...withheld]);
  let isSearched = false;
  const folded = (): Report => {
    const { document, withheld: found } = withhold(
      foldReport({ lines: history.lines, run: facts, history: history.sha256 }),
    );
    if (isSearched || found.length === 0) return document;
    isSearched = true;
    addLeaks(found.map(({ secret, pointer }) => `${secret} at ${pointer} of ${fileNames.json}`));
    return folded();
  };
  const withErrors = (errors: readonly SuiteError[]): Report => {
    facts = { ...facts, errors: [...(facts.errors ?? []), ...errors] };
    return folded();
  };
  return { history, report: folded(), withErrors };
}

/** Decides the verdict and writes the report. Returns the report, and the text for the terminal. */
export function concludeRun(options: ConcludeOptions): { readonly report: Report; readonly text: string } {
  const { color = hasColours(), withhold = (document) => ({ document, withheld: [] }) } = options;
  const { history, report: made, withErrors } = makeReportSafely({ ...options, withhold });
  const isAttempt = made.requests === 0 && hasJudgement(options.folder);
  const folder = isAttempt ? path.join(options.folder, ATTEMPT_FOLDER) : options.folder;
  const written = writeFiles(made, history, folder, options);
  const isWritten = written === 'written';
  // A report that could not be written is a fault of the suite, except if the configuration is wrong.
  const isFault = written instanceof Error && made.configuration.length === 0;
  const report = isFault ? withErrors([{ scenario: null, message: written.message }]) : made;
  const page = path.join(folder, fileNames.html);
  const near = path.relative(process.cwd(), page);
  const { columns } = process.stdout;
  const text = writeTerminalSummary(report, {
    color,
    ...omitUndefined({ width: columns > 0 ? columns : undefined }),
    ...omitUndefined({ path: isWritten ? (near.startsWith('..') ? page : near) : undefined }),
  });
  const kept = `The report of the last run with results is still in ${toOneLine(options.folder)}.\n`;
  return {
    report,
    text: `${text}${isAttempt && isWritten ? kept : ''}${isWritten ? '' : listCreatedResources(report)}`,
  };
}

/** Without the file, the terminal is the only place that says what to clean up at the bank. */
function listCreatedResources(report: Report): string {
  if (report.createdResources.items.length === 0) return '';
  const rows = writeCreatedCsv(report).replaceAll('\r\n', '\n');
  return `\n${fileNames.created} could not be written. It would say what the run created at the bank:\n\n${rows}`;
}

/** Returns an error of one sentence if the files cannot be written. */
function writeFiles(
  report: Report,
  history: RunHistory,
  folder: string,
  { folder: own, render, keep, ownsFolder }: ConcludeOptions,
): 'written' | 'not ours' | Error {
  if (ownsFolder?.() === false) return 'not ours';
  try {
    if (report.requests > 0) rmSync(path.join(own, ATTEMPT_FOLDER), { recursive: true, force: true });
    writeReport(report, folder, { render, keep, history });
    return 'written';
  } catch (error) {
    const why = toOneLine((error as Error).message);
    return new Error(`The report could not be written to ${toOneLine(folder)}: ${why}`, { cause: error });
  }
}
