/** What lies in the folder of the report before a run begins, and what another run writes there meanwhile. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { conformance } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import type { GateCase } from './case.ts';

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
    name: 'Another run writes into the folder',
    status: 2,
    verdict: null,
    says: /REPORT_DIR \(\S+\) is that of another run, which began at \S+ and is under way/,
    run: () => conformance({ AREAS: 'atms', RUNS: '1', SEED: '1', REPORT_DIR: lockedBy(process.pid) }),
  },
  {
    name: 'A run that was killed left its lock in the folder',
    status: 0,
    verdict: 'conformant',
    isInTests: false,
    says: /^Verdict: conformant/m,
    run: () => conformance({ AREAS: 'atms', RUNS: '1', SEED: '1', REPORT_DIR: lockedBy(NO_PROCESS) }),
  },
];
