/** From the journals of a run to its report in its folder: what the reporter and the test of the gate have in common. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fold } from '../fold/index.ts';
import { fileNames, holdsJudgement } from '../formats/paths.ts';
import { summary } from '../formats/terminal.ts';
import type { Sealer } from '../../openapi/util/dsse.ts';
import { writeReport } from '../write-report.ts';
import { collect } from '../journal/collect.ts';
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
  /** Looks for secrets in what was written, names the files where it found one, and empties those written after `since`. */
  readonly scan?: ((folder: string, since: number) => readonly string[] | Promise<readonly string[]>) | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number;
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
export async function conclude(options: ConcludeOptions): Promise<Concluded> {
  const { scan, since, render, seal, color, ownsFolder } = options;
  const { history, faults } = collect(options.run === null ? null : options.folder, options.run, options.attached);
  let run = options.factsOf(faults);
  const { lines, sha256 } = history;
  let report = fold({ lines, run, history: sha256 });
  const learn = (more: Partial<RunFacts>): void => {
    run = { ...run, ...more };
    report = fold({ lines, run, history: sha256 });
  };
  const aside = report.requests === 0 && holdsJudgement(options.folder);
  const folder = aside ? path.join(options.folder, ATTEMPT_FOLDER) : options.folder;
  /** False where it cannot be done: one more fault of the suite, unless the configuration is to blame anyway. */
  const write = (): boolean => {
    try {
      if (report.requests > 0) rmSync(path.join(options.folder, ATTEMPT_FOLDER), { recursive: true, force: true });
      writeReport(report, folder, { more: render, seal, history });
      return true;
    } catch (error) {
      const message = `The report could not be written to ${oneLine(folder)}: ${oneLine((error as Error).message)}`;
      if (report.configuration.length === 0) learn({ errors: [...(run.errors ?? []), { scenario: null, message }] });
      return false;
    }
  };
  let written = (ownsFolder?.() ?? true) && write();
  const leaks = written ? ((await scan?.(options.folder, since)) ?? []) : [];
  if (leaks.length > 0) {
    learn({ leaks });
    written = write();
    await scan?.(options.folder, since);
  }
  const page = path.join(folder, fileNames.html);
  const near = path.relative(process.cwd(), page);
  const shown = near.startsWith('..') ? page : near;
  const width = process.stdout.columns;
  const text = summary(report, { color, ...(width ? { width } : {}), ...(written ? { path: shown } : {}) });
  const kept = `The report of the last run with results is still in ${oneLine(options.folder)}.\n`;
  return { report, text: aside && written ? `${text}${kept}` : text };
}
