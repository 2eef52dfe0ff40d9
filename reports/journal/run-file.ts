/** Stores the description of a run when it starts, so that a report can be made even if the run ends abnormally. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { isFile, isLink, overwriteFile } from '../../openapi/files/own-files.ts';
import { readUserText } from '../../openapi/files/user-file.ts';
import { readDescription, METADATA_KEY, type RunDescription } from '../model/description.ts';
import { JOURNAL_FOLDER } from './read.ts';

/** What is known about a run when it starts. */
export interface RunStart {
  readonly description: RunDescription;
  readonly startedAt: string;
  readonly scenarios: readonly string[];
}

const getRunFile = (folder: string): string => path.join(folder, JOURNAL_FOLDER, 'run.json');

/** Writes the description. If this fails, the report says so later. */
export function writeRunFile(folder: string, { description, startedAt, scenarios }: RunStart): void {
  try {
    const journals = path.dirname(getRunFile(folder));
    if (isLink(journals)) return;
    mkdirSync(journals, { recursive: true });
    overwriteFile(
      getRunFile(folder),
      `${JSON.stringify({ [METADATA_KEY]: description, startedAt, scenarios }, null, 2)}\n`,
    );
  } catch {
    // The report has a sentence about this fault.
  }
}

export function readRunFile(folder: string): RunStart | null {
  const file = getRunFile(folder);
  if (!isFile(file)) return null;
  try {
    const { startedAt, scenarios = [], ...fileContent } = JSON.parse(readUserText(file, 'report')) as Partial<RunStart>;
    return { description: readDescription(fileContent), startedAt: String(startedAt), scenarios };
  } catch {
    return null;
  }
}
