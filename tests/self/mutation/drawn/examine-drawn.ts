/** Generates banks from a seed and examines them. */
import { drawAdmissible, type AdmissibleBank } from '../../../../fixtures/banks/drawn/admissible.ts';
import { drawBugs, type Bug } from '../../../../fixtures/banks/drawn/bugs.ts';
import { getProcessEnvironment, readRunData } from '../../../../fixtures/run/config/process-env.ts';
import { getOperationName } from '../../../../openapi/contract/operations.ts';
import type { Drawn, DrawnBank, DrawnBug } from '../../proof/proof.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { examineBank, createInstantClock } from '../../support/examine.ts';
import { formatFinding, reportOfFault } from '../outcomes.ts';
import { runOptions, inFlightSetting } from '../run-mutant.ts';

/** The seed for `npm run prove`: `DRAW=<seed>`, or a new seed for each run. All processes of the run use the same seed. */
export const freshSeed = getProcessEnvironment()['DRAW'] ?? readRunData()?.nonce ?? 'unknown';
/** The seed for `npm test`. The seed is fixed, so that the result is always the same. */
export const fixedSeed = 'daily';

/** The numbers of drawn banks for `npm run prove` and for `npm test`. `hands` is the number of batches. */
export const drawSizes = {
  whole: { seed: freshSeed, hands: 20, count: 10 },
  inTests: { seed: fixedSeed, hands: 2, count: 3 },
} as const;

const runBug = (bug: Bug): Promise<Report> => {
  const clock = createInstantClock(bug.from);
  return examineBank(bug.open(clock), { ...runOptions, clock, env: { AREAS: bug.area, ...inFlightSetting } });
};
const runBank = (bank: AdmissibleBank): Promise<Report> => {
  const clock = createInstantClock();
  return examineBank(bank.open(clock), { ...runOptions, clock, env: { AREAS: bank.areas.join(), ...inFlightSetting } });
};

function decideBugOutcome({ name, seed, class: kind, level, blamed }: Bug, { findings, errors }: Report): DrawnBug {
  const isNoticed = findings.some(({ operation }) => blamed.some((id) => getOperationName(id) === operation));
  const outcome = errors.length > 0 ? 'broken' : isNoticed ? 'noticed' : findings.length > 0 ? 'misblamed' : 'missed';
  const found = [...errors.map(({ message }) => message), ...findings.slice(0, 4).map(formatFinding)];
  return { name, seed, class: kind, level, outcome, found };
}

function decideBankOutcome({ name, seed, families }: AdmissibleBank, { findings, errors }: Report): DrawnBank {
  const alarms = findings.map((finding) => ({
    clause: finding.clause,
    level: finding.level,
    found: formatFinding(finding),
  }));
  return { name, seed, families, alarms, isBroken: errors.length > 0 };
}

/** Draws `count` bugs and `count` admissible banks, and examines them one after the other. */
export async function examineDrawn(seed: string, count: number): Promise<Drawn> {
  const [bugs, banks]: [DrawnBug[], DrawnBank[]] = [[], []];
  for (const bug of await drawBugs(seed, count))
    bugs.push(decideBugOutcome(bug, await runBug(bug).catch(reportOfFault)));
  for (const bank of drawAdmissible(seed, count))
    banks.push(decideBankOutcome(bank, await runBank(bank).catch(reportOfFault)));
  return { seed, bugs, banks };
}
