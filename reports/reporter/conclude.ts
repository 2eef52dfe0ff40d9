/** Makes the report from the journals of a run and writes it, for the reporter and for the test of the gate. */
import path from 'node:path';
import { hasColours } from '../../openapi/foreign/print.ts';
import { foldReport } from '../fold/index.ts';
import { fileNames } from '../formats/paths.ts';
import { summarize } from '../formats/terminal.ts';
import { writeReport, type WriteOptions } from '../write-report.ts';
import { collectJournals, type Attached } from '../journal/collect.ts';
import { withholdIn, type Withhold } from '../journal/history.ts';
import type { RunFacts } from '../model/description.ts';
import type { Report, SuiteError } from '../model/report.ts';
import { toOneLine } from '../text/sanitize.ts';

/** Options for writing a report. */
export interface FolderOptions extends Omit<WriteOptions, 'history'> {
  /**
   * Searches for secrets before the report is written. Returns the document without each text with an unmasked secret, and which secret
   * was where (JSON pointer).
   */
  readonly withhold?: Withhold | undefined;
  /** False if another run uses the folder now. */
  readonly ownsFolder?: (() => boolean) | undefined;
}

interface ConcludeOptions extends FolderOptions {
  readonly folder: string;
  /** The run whose journals are read; null under merging. */
  readonly run: string | null;
  readonly attached: readonly Attached[];
  /** Returns the data about the run that is not in its journals. `faults` are faults of the journals. */
  readonly factsOf: (faults: readonly SuiteError[]) => RunFacts;
  /** Whether the text has colours. The default is that of the output. */
  readonly color?: boolean;
}

/** Adds secrets that were found unmasked, each with its place. */
const withLeaks = (facts: RunFacts, leaks: readonly string[]): RunFacts => {
  const message = (leak: string): string => `${leak} stood unmasked, and the text was withheld there.`;
  const errors = leaks.map((leak) => ({ scenario: null, message: message(leak) }));
  return leaks.length === 0
    ? facts
    : { ...facts, leaks: [...(facts.leaks ?? []), ...leaks], errors: [...(facts.errors ?? []), ...errors] };
};

/** Makes the report and the history of a run, and removes the secrets that were found in them. */
function foldSafely({ run, folder, attached, factsOf, withhold }: ConcludeOptions & { readonly withhold: Withhold }) {
  const collected = collectJournals(run === null ? null : folder, run, attached);
  const { history, withheld } = withholdIn(collected.history, withhold);
  const fold = (facts: RunFacts) => withhold(foldReport({ lines: history.lines, run: facts, history: history.sha256 }));
  const searched = withLeaks(factsOf(collected.faults), withheld);
  const first = fold(searched);
  const found = first.withheld.map(({ secret, pointer }) => `${secret} at ${pointer} of ${fileNames.json}`);
  const facts = withLeaks(searched, found);
  return {
    history,
    report: found.length === 0 ? first.document : fold(facts).document,
    /** Makes the report again with one more fault of the suite. */
    withError: (message: string): Report =>
      fold({ ...facts, errors: [...(facts.errors ?? []), { scenario: null, message }] }).document,
  };
}

/** Decides the verdict and writes the report. Returns the report and the text for the terminal. */
export function concludeRun(options: ConcludeOptions): { readonly report: Report; readonly text: string } {
  const {
    render,
    seal,
    keep,
    color = hasColours(),
    ownsFolder,
    withhold = (document) => ({ document, withheld: [] }),
  } = options;
  const { folder } = options;
  const { history, withError, ...folded } = foldSafely({ ...options, withhold });
  let { report } = folded;
  let isWritten = false;
  if (ownsFolder?.() ?? true)
    try {
      writeReport(report, folder, { render, seal, keep, history });
      isWritten = true;
    } catch (error) {
      // Adds a fault of the suite, unless the configuration is wrong.
      const message = `The report could not be written to ${toOneLine(folder)}: ${toOneLine((error as Error).message)}`;
      if (report.configuration.length === 0) report = withError(message);
    }
  const page = path.join(folder, fileNames.html);
  const near = path.relative(process.cwd(), page);
  const width = process.stdout.columns;
  const text = summarize(report, {
    color,
    ...(width ? { width } : {}),
    ...(isWritten ? { path: near.startsWith('..') ? page : near } : {}),
  });
  return { report, text };
}
