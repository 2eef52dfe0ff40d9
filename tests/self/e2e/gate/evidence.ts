/** What lies in the folder of the report before a run begins, and what another run writes there meanwhile. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { conformance, conformanceOf } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import type { GateCase } from './case.ts';

const short = { AREAS: 'atms', RUNS: '1', SEED: '1' };

/** A folder that holds the report and the journals of a run that the embedded bank passed. */
async function usedFolder(): Promise<string> {
  const folder = makeTempDir();
  await conformance({ ...short, REPORT_DIR: folder });
  return folder;
}

function lockedBy(pid: number): string {
  const folder = makeTempDir();
  mkdirSync(folder, { recursive: true });
  const lock = { run: 'another', pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(join(folder, '.lock'), JSON.stringify(lock));
  return folder;
}

/** No process has this id: it is above the highest that Linux gives. */
const NO_PROCESS = 2 ** 30;

export const evidenceCases: readonly GateCase[] = [
  {
    name: 'The journals of a conformant run lie in the folder, with times in the future, and the bank answers 500',
    status: 2,
    verdict: 'inconclusive',
    // The tests of the reporter show journals of other runs that are not read.
    isInTests: false,
    says: /findAtms never succeeded: all \d+ requests got 500/,
    async run() {
      const folder = await usedFolder();
      const [journals, tomorrow] = [join(folder, 'journal'), new Date(Date.now() + 86_400_000)];
      for (const name of readdirSync(journals)) utimesSync(join(journals, name), tomorrow, tomorrow);
      const failing = { fetch: () => Response.json({ error: 'failed' }, { status: 500 }) };
      return conformanceOf(failing, { ...short, REPORT_DIR: folder });
    },
  },
  {
    name: 'Another run writes into the folder',
    status: 2,
    verdict: null,
    says: /REPORT_DIR \(\S+\) is that of another run, which began at \S+ and is under way/,
    run: () => conformance({ ...short, REPORT_DIR: lockedBy(process.pid) }),
  },
  {
    name: 'A run that was killed left its lock in the folder',
    status: 0,
    verdict: 'conformant',
    isInTests: false,
    says: /^Verdict: conformant/m,
    run: () => conformance({ ...short, REPORT_DIR: lockedBy(NO_PROCESS) }),
  },
  {
    name: 'The configuration is at fault, and the folder holds a report',
    status: 2,
    verdict: 'conformant',
    // The tests of the reporter show a run without results beside the report of one before it.
    isInTests: false,
    says: /RUNS is "many"[^]*The report of the last run with results is still in/,
    run: async () => conformance({ ...short, REPORT_DIR: await usedFolder(), RUNS: 'many' }),
  },
];
