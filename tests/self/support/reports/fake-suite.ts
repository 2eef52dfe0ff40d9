/** Makes very small test suites for tests of the real reporter. Each suite runs in its own folder and process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clauses } from '../../../../openapi/catalogue.ts';
import { operationIds } from '../../../../openapi/api.ts';
import {
  PLAYWRIGHT_CLI,
  TYPESCRIPT_LOADER,
  readReport,
  ROOT_FOLDER,
  runProcess,
  type Ended,
  type Ran,
  type StartOptions,
} from '../command.ts';
import { makeTempDirWithPackages } from '../temp-dir.ts';
import { makeEntryLine, RUN_FACTS as facts, makeLines, attachBrokenClauses } from './sample-report.ts';

export const REPORTER_FILE = path.join(ROOT_FOLDER, 'reports/reporter.ts');

/** Returns the text of a journal in which every clause of the catalogue was tested. `more` are additional lines. */
export function renderJournal(scenario: string, ...more: readonly Record<string, unknown>[]): string {
  const lines = attachBrokenClauses(
    makeLines(
      { line: 'scenario', run: 'a-run', scenario, title: scenario },
      ...operationIds.map((operation) =>
        makeEntryLine(`${scenario}-${operation}`, operation, { exercised: Object.keys(clauses) }),
      ),
      ...more,
      { line: 'end', scenario, durationMs: 5 },
    ),
  );
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** A violation of a `must` clause, with text that must not become mark-up. */
export const FINDING_LINE = {
  line: 'broken',
  clause: Object.keys(clauses).find((id) => clauses[id as keyof typeof clauses].level === 'must'),
  operation: 'findAtms',
  pointer: '/data',
  kind: 'type',
  expected: 'an array',
  received: '::error::an object \u001b[31m',
  exchange: 's-findAtms',
};

/** Returns the code of a scenario that writes a journal and attaches the file to the test result. */
export const keepJournal = (name: string, text: string): string => `
  const file = path.join(folder, '${name}.jsonl');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, ${JSON.stringify(text)});
  await info.attach('journal', { path: file, contentType: 'application/jsonl' });
`;

interface TinySuite {
  /** The code of the tests, by title. */
  readonly scenarios?: Readonly<Record<string, string>>;
  readonly reporter?: string;
  readonly config?: string;
}

/** Writes a very small suite into a new folder, and returns the folder. */
export function makeTinySuite({ scenarios = {}, reporter: reporters, config = '' }: TinySuite): string {
  const folder = makeTempDirWithPackages();
  mkdirSync(path.join(folder, 'scenarios'));
  const reporterSetting = reporters ?? `[[${JSON.stringify(REPORTER_FILE)}, { reportDir: 'out' }]]`;
  writeFileSync(
    path.join(folder, 'playwright.config.js'),
    // The reporter is compiled as in a run of the suite, and the result is kept.
    `import { createRequire } from 'node:module'; createRequire(import.meta.url)(${JSON.stringify(TYPESCRIPT_LOADER)});
    export default { metadata: { conformance: ${JSON.stringify({ run: 'a-run', ...facts })} }, workers: 1, fullyParallel: true, reporter: ${reporterSetting}, ${config}
      projects: [{ name: 'conformance', testDir: 'scenarios' }, { name: 'self', testDir: 'other' }] };`,
  );
  Object.entries(scenarios).forEach(([title, body], at) => {
    writeFileSync(
      path.join(folder, 'scenarios', `${at}.spec.js`),
      `import fs from 'node:fs'; import path from 'node:path'; import { test } from '@playwright/test';
      const folder = path.resolve('out/journal');
      test(${JSON.stringify(title)}, async ({}, info) => {${body}});`,
    );
  });
  return folder;
}

/** The end of a test run, and its report. */
type JudgedRun = Ended & Pick<Ran, 'report'>;

/** Runs Playwright in a folder. `meanwhile` may act on the process. */
export async function runPlaywright(
  folder: string,
  args: readonly string[],
  meanwhile?: StartOptions['meanwhile'],
): Promise<JudgedRun> {
  const ended = await runProcess(
    [PLAYWRIGHT_CLI, ...args],
    {},
    { cwd: folder, ...(meanwhile === undefined ? {} : { meanwhile }) },
  );
  return { ...ended, report: readReport(path.join(folder, 'out')) };
}

/** Runs the scenarios of a tiny suite. */
export const judgeFolder = (folder: string): Promise<JudgedRun> =>
  runPlaywright(folder, ['test', '--project=conformance']);
