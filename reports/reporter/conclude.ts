/** From the journals of a run to its report in its folder: what the reporter and the test of the gate have in common. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fold } from '../fold/index.ts';
import { fileNames, holdsJudgement } from '../formats/paths.ts';
import { summary } from '../formats/terminal.ts';
import { writeReport, type WriteOptions } from '../write-report.ts';
import { collect, type Attached } from '../journal/collect.ts';
import { withheldFrom, type Withhold } from '../journal/history.ts';
import type { RunFacts } from '../model/description.ts';
import type { Report, SuiteError } from '../model/report.ts';
import { oneLine } from '../text/sanitize.ts';

/** How a report is written, whoever concludes the run. */
export interface FolderOptions extends Omit<WriteOptions, 'history'> {
  /**
   * The last search for secrets in what is about to be written: the document without each text in which one stands that was not
   * masked before, and where (JSON pointer) which secret stood.
   */
  readonly withhold?: Withhold | undefined;
  /** False if the folder is that of another run, which is under way. */
  readonly ownsFolder?: (() => boolean) | undefined;
}

interface ConcludeOptions extends FolderOptions {
  readonly folder: string;
  /** The run whose journals are read; null under merging. */
  readonly run: string | null;
  readonly attached: readonly Attached[];
  /** What is known of the run beside its journals, given what was wrong with those. */
  readonly factsOf: (faults: readonly SuiteError[]) => RunFacts;
  readonly color: boolean;
}

/** Where the report goes of a run that judged nothing, while the last one that did lies in the folder. */
const ATTEMPT_FOLDER = 'last-attempt';

/** The report of a run, and the history that it was made from: both without the secrets that were found in them. */
function foldedSafely({ run, folder, attached, factsOf, withhold }: ConcludeOptions & { readonly withhold: Withhold }) {
  const collected = collect(run === null ? null : folder, run, attached);
  const { history, withheld } = withheldFrom(collected.history, withhold);
  let facts = factsOf(collected.faults);
  const addLeaks = (leaks: readonly string[]): void => {
    const errors = leaks.map((one) => ({
      scenario: null,
      message: `${one} stood unmasked, and the text was withheld there.`,
    }));
    if (leaks.length > 0)
      facts = { ...facts, leaks: [...(facts.leaks ?? []), ...leaks], errors: [...(facts.errors ?? []), ...errors] };
  };
  addLeaks(withheld);
  let isSearched = false;
  const folded = (): Report => {
    const { document, withheld: found } = withhold(fold({ lines: history.lines, run: facts, history: history.sha256 }));
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

/** Draws the verdict, writes the report and says what the terminal shows. */
export function conclude(options: ConcludeOptions): { readonly report: Report; readonly text: string } {
  const { render, seal, keep, color, ownsFolder, withhold = (document) => ({ document, withheld: [] }) } = options;
  const { history, withErrors, ...folded } = foldedSafely({ ...options, withhold });
  let { report } = folded;
  const attempts = path.join(options.folder, ATTEMPT_FOLDER);
  const isAttempt = report.requests === 0 && holdsJudgement(options.folder);
  const folder = isAttempt ? attempts : options.folder;
  let isWritten = false;
  if (ownsFolder?.() ?? true)
    try {
      if (report.requests > 0) rmSync(attempts, { recursive: true, force: true });
      writeReport(report, folder, { render, seal, keep, history });
      isWritten = true;
    } catch (error) {
      // One more fault of the suite, unless the configuration is to blame anyway.
      const message = `The report could not be written to ${oneLine(folder)}: ${oneLine((error as Error).message)}`;
      if (report.configuration.length === 0) report = withErrors([{ scenario: null, message }]);
    }
  const page = path.join(folder, fileNames.html);
  const near = path.relative(process.cwd(), page);
  const width = process.stdout.columns;
  const text = summary(report, {
    color,
    ...(width ? { width } : {}),
    ...(isWritten ? { path: near.startsWith('..') ? page : near } : {}),
  });
  const kept = `The report of the last run with results is still in ${oneLine(options.folder)}.\n`;
  return { report, text: isAttempt && isWritten ? `${text}${kept}` : text };
}
