/** Tests runs with KNOWN and BASELINE of an earlier day: the finding of that day is unchanged, worse, mended, expired or not alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Handler } from '../../../../../fixtures/banks/lib/mutant.ts';
import { findMutant } from '../../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { knownCommand } from '../../../../../reports/cli/known.ts';
import { listRootCauses } from '../../../../../reports/build/causes.ts';
import { writeTerminalSummary } from '../../../../../reports/formats/terminal.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import { runInProcess } from '../../../support/command.ts';
import { examineBank } from '../../../support/examine.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';

const NULL_CITY = 'find-atms-by-latitude-entry-atm-city-null';

/** Judges the ATM locator of a bank with these faults. Another seed sends other positions and codes than on the day before. */
const examine = (faults: readonly string[], seed: number, env: Readonly<Record<string, string>> = {}) => {
  const bank = faults.map(findMutant).reduce<Handler>((mutated, { mutate }) => mutate(mutated), createBank());
  return examineBank(bank, { seed, env: { AREAS: 'atms', RUNS: '10', ...env } });
};

/** Leaves out the latencies: a busy machine may be slower on day two. */
const omitLatencies = (report: Report): Report => ({
  ...report,
  operations: report.operations.map((operation) => ({ ...operation, latencyMs: null })),
});

/** Judges the bank on day one, and writes its report and its known findings to files. */
const tolerate = async (faults: readonly string[]) => {
  const BASELINE = makeTempFile('conformance.json', JSON.stringify(omitLatencies(await examine(faults, 1))));
  const KNOWN = makeTempFile('known.yaml', '');
  await runInProcess(knownCommand, BASELINE, '--owner', 'QA', '--out', KNOWN);
  return { BASELINE, KNOWN };
};

let dayOne: ReturnType<typeof tolerate> | undefined;

const readText = (report: Report): string => writeTerminalSummary(report, { color: false, path: 'conformance.html' });

interface Day {
  readonly title: string;
  readonly faults: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The exit status, and the reasons of the gate. */
  readonly gate: readonly [exit: number, ...reasons: readonly string[]];
  /** What the terminal says of the change since day one. */
  readonly texts: readonly string[];
}

const TOLERATED = 'the bank is non-conformant, but known findings tolerate 1 broken clause';
const MENDED = '1 known finding did not show any more (atms.city)';
const days: readonly Day[] = [
  { title: 'the finding is tolerated', faults: [NULL_CITY], gate: [0, TOLERATED], texts: [': nothing\n'] },
  {
    title: 'the finding has another value, which is not tolerated',
    faults: ['find-atms-by-latitude-entry-atm-city-as-number'],
    gate: [1, 'the bank breaks 1 clause of the document: atms.city (new, a number; tolerated is null)'],
    texts: ['atms.city: before null only where latitude is given, now a number only where latitude is given (GET'],
  },
  {
    title: 'the finding is in more answers, and stays tolerated',
    faults: [NULL_CITY, 'find-atms-by-province-code-entry-atm-city-null'],
    gate: [0, TOLERATED, 'atms.city came in more answers than KNOWN says'],
    texts: [
      'null comes no longer only where latitude is given',
      'atms.city: before null only where latitude is given, now null in all answers (GET',
    ],
  },
  {
    title: 'a new finding is in the same answers, and is not tolerated',
    faults: [NULL_CITY, 'find-atms-by-latitude-entry-atm-name-null'],
    gate: [1, 'the bank breaks 1 clause of the document: atms.name (new); 1 more broken clause is tolerated by KNOWN'],
    texts: ['atms.name: before kept, now broken', 'This command shows finding 1 with'],
  },
  {
    title: 'the finding is mended',
    faults: [],
    gate: [0, 'the bank is conformant', `${MENDED}, which would fail with STRICT=1`],
    texts: ['If the bank is mended, delete lines 2 to 9 in the file of KNOWN.'],
  },
  {
    title: 'the finding is mended, with STRICT=1',
    faults: [],
    env: { STRICT: '1' },
    gate: [1, `${MENDED}, and STRICT=1 is set`],
    texts: ['delete lines 2 to 9'],
  },
];

test.describe.configure({ mode: 'serial' });
for (const { title, faults, env, gate, texts } of days)
  test(`With KNOWN and BASELINE of day one, gate and terminal on day two say: ${title}`, async () => {
    const report = await examine(faults, 2, { ...(await (dayOne ??= tolerate([NULL_CITY]))), ...env });
    const [exitStatus, ...reasons] = gate;
    expect(report.gate).toEqual({ pass: exitStatus === 0, exitStatus, reasons });
    for (const text of texts) expect(readText(report)).toContain(text);
    // What the gate names stands first, and on its own.
    const { causes } = listRootCauses(report.findings);
    expect(causes.map((cause) => [cause[0].known === undefined, cause.length])).toEqual(
      report.findings.map(({ known }) => [known === undefined, 1]),
    );
  });

test('A finding whose entry in KNOWN has expired fails the gate', async () => {
  const { KNOWN } = await (dayOne ??= tolerate([NULL_CITY]));
  const expired = makeTempFile('known.yaml', '');
  writeFileSync(expired, readFileSync(KNOWN, 'utf8').replace(/expires: .*/, 'expires: 2020-01-31'));
  expect((await examine([NULL_CITY], 2, { KNOWN: expired })).gate).toMatchObject({
    exitStatus: 1,
    reasons: [
      'the bank breaks 1 clause of the document: atms.city',
      'the known finding atms.city at GET /api/v1/atms expired on 2020-01-31 (QA)',
    ],
  });
});
