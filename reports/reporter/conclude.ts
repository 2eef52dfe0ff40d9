/** From the journals of a run to its report in its folder: what the reporter and the test of the gate have in common. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fold } from '../fold/index.ts';
import { fileNames, holdsJudgement } from '../formats/paths.ts';
import { summary } from '../formats/terminal.ts';
import type { Sealer } from '../../openapi/util/dsse.ts';
import { writeReport } from '../write-report.ts';
import { collect } from '../journal/collect.ts';
import { withheldFrom, type Withhold } from '../journal/history.ts';
import type { Report, SuiteError } from '../model/report.ts';
import { oneLine } from '../text/sanitize.ts';
import type { RunFacts } from '../model/description.ts';

export interface ConcludeOptions {
  readonly folder: string;
  /** The run whose journals are read; null under merging. */
  readonly run: string | null;
  readonly attached: readonly { readonly path?: string; readonly body?: Buffer }[];
  /** What is known of the run beside its journals, given what was wrong with those. */
  readonly factsOf: (faults: readonly SuiteError[]) => RunFacts;
  readonly render?: readonly string[] | undefined;
  /** Signs the attestation. */
  readonly seal?: Sealer | undefined;
  /** Files that stay where they are in the folder of the report: the user named them. */
  readonly keep?: readonly string[] | undefined;
  /**
   * The last look for secrets at what is about to be written: the document without each text in which one stands that was not
   * masked before, and where (JSON pointer) which secret stood.
   */
  readonly withhold?: Withhold | undefined;
  /** False where the folder is that of another run, which is under way. */
  readonly ownsFolder?: (() => boolean) | undefined;
  readonly color: boolean;
}

export interface Concluded {
  readonly report: Report;
  /** What the terminal shows. */
  readonly text: string;
}

/** Where the report goes of a run that judged nothing, while the last one that did lies in the folder. */
const ATTEMPT_FOLDER = 'last-attempt';

/** Draws the verdict, writes the report and says what the terminal shows. */
export function conclude(options: ConcludeOptions): Concluded {
  const { render, seal, keep, color, ownsFolder, withhold = (document) => ({ document, withheld: [] }) } = options;
  const collected = collect(options.run === null ? null : options.folder, options.run, options.attached);
  const { history, withheld: leaksOfHistory } = withheldFrom(collected.history, withhold);
  const { lines, sha256 } = history;
  let run = options.factsOf(collected.faults);
  const learnLeaks = (leaks: readonly string[]): void => {
    const errors = leaks.map((one) => ({
      scenario: null,
      message: `${one} stood unmasked, and the text was withheld there.`,
    }));
    run = { ...run, leaks: [...(run.leaks ?? []), ...leaks], errors: [...(run.errors ?? []), ...errors] };
  };
  if (leaksOfHistory.length > 0) learnLeaks(leaksOfHistory);
  let isSearched = false;
  const folded = (): Report => {
    const { document, withheld } = withhold(fold({ lines, run, history: sha256 }));
    if (isSearched || withheld.length === 0) return document;
    isSearched = true;
    learnLeaks(withheld.map(({ secret, pointer }) => `${secret} at ${pointer} of ${fileNames.json}`));
    return folded();
  };
  let report = folded();
  const learn = (more: Partial<RunFacts>): void => {
    run = { ...run, ...more };
    report = folded();
  };
  const aside = report.requests === 0 && holdsJudgement(options.folder);
  const folder = aside ? path.join(options.folder, ATTEMPT_FOLDER) : options.folder;
  /** False where it cannot be done: one more fault of the suite, unless the configuration is to blame anyway. */
  const write = (): boolean => {
    try {
      if (report.requests > 0) rmSync(path.join(options.folder, ATTEMPT_FOLDER), { recursive: true, force: true });
      writeReport(report, folder, { render, seal, keep, history });
      return true;
    } catch (error) {
      const message = `The report could not be written to ${oneLine(folder)}: ${oneLine((error as Error).message)}`;
      if (report.configuration.length === 0) learn({ errors: [...(run.errors ?? []), { scenario: null, message }] });
      return false;
    }
  };
  const written = (ownsFolder?.() ?? true) && write();
  const page = path.join(folder, fileNames.html);
  const near = path.relative(process.cwd(), page);
  const shown = near.startsWith('..') ? page : near;
  const width = process.stdout.columns;
  const text = summary(report, { color, ...(width ? { width } : {}), ...(written ? { path: shown } : {}) });
  const kept = `The report of the last run with results is still in ${oneLine(options.folder)}.\n`;
  return { report, text: aside && written ? `${text}${kept}` : text };
}
