/** Examines mutants, conforming banks and realistic faults with the default caps and a simulated clock. */
import type { RealisticFault } from '../../../fixtures/banks/realistic-faults/index.ts';
import { openConformingBank, type ConformingBank } from '../../../fixtures/banks/lib/conforming-bank.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { getProcessEnvironment } from '../../../fixtures/run/config/process-env.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import type { Report } from '../../../reports/model/report.ts';
import { examineBank, createInstantClock, type ExamineOptions } from '../support/examine.ts';
import { decideMutantOutcome } from './outcomes.ts';

/**
 * You can repeat the proof with another maximum of requests in flight (`IN_FLIGHT=8 npm run prove`), with another seed
 * (`SEED=2 npm run prove`), and with scenarios that overlap as in an ordinary run (`OVERLAP=1 npm run prove`).
 */
const { IN_FLIGHT, OVERLAP, SEED = '1' } = getProcessEnvironment();
export const inFlightSetting = IN_FLIGHT === undefined ? {} : { IN_FLIGHT };
export const runOptions = { overlap: OVERLAP !== undefined, seed: Number(SEED) };

/** Runs the suite on a mutated bank, in the area of the mutated operation. */
export const runMutant = (mutant: Mutant): Promise<Report> =>
  examineMutated(mutant, { env: { AREAS: operations[mutant.operation].area } });

function examineMutated(
  { mutate }: Mutant,
  { env, ...options }: Pick<ExamineOptions, 'env' | 'only'>,
): Promise<Report> {
  const clock = createInstantClock();
  const bank = mutate(createBank({ now: () => clock.now() }));
  return examineBank(bank, { ...runOptions, ...options, clock, env: { ...env, ...inFlightSetting } });
}

/** Scenarios that together call every operation, and receive every field of the answers. */
const FLOWS = ['loan-flow', 'loan-over-limit', 'list-catalogue', 'link-every-choice', 'atm-positions', 'atm-provinces'];

/**
 * Runs only some scenarios on a mutated bank, for `npm test`: `FLOWS` if the contract states the broken clause, otherwise the
 * scenarios that the mutated operation needs. If these do not show the mutant, all scenarios of the area run.
 */
export async function runShortly(mutant: Mutant): Promise<Report> {
  const { kind, operation } = mutant;
  const flows = { env: { AREAS: operations[operation].area, RUNS: '2' }, only: FLOWS };
  const report = await examineMutated(mutant, kind === 'derived' ? flows : { env: { OPERATIONS: operation } });
  return decideMutantOutcome(mutant, report).outcome === 'caught' ? report : runMutant(mutant);
}

/** Runs the suite on a conformant bank, in the areas in which it differs. */
export function runConformingBank(conformingBank: ConformingBank): Promise<Report> {
  const clock = createInstantClock();
  const { env = {}, prefix, area } = conformingBank;
  const given = { ...(area === undefined ? {} : { AREAS: area }), ...inFlightSetting, ...env };
  const options = { ...runOptions, clock, env: given, ...(prefix === undefined ? {} : { prefix }) };
  return examineBank(openConformingBank(conformingBank, clock), options);
}

/** Within these 15 minutes the reference bank's links, which are valid for a day, begin to expire in another month. */
const SOAK_SECONDS = '900';
const SOAK_START = Date.UTC(2030, 10, 29, 23, 50, 10);

/** Runs the suite on a bank with a realistic fault, in the area of the fault. */
export function runRealisticFault({ area, behaviour = {}, mutate, visible }: RealisticFault): Promise<Report> {
  const isSoak = visible === 'soak';
  const clock = isSoak ? createInstantClock(SOAK_START) : createInstantClock();
  const env: Record<string, string> = {
    ...(area === 'service' ? {} : { AREAS: area }),
    ...(isSoak ? { SOAK: SOAK_SECONDS } : {}),
    ...inFlightSetting,
  };
  const bank = createBank({ behaviour, now: () => clock.now() });
  return examineBank(mutate(bank, clock), { ...runOptions, clock, env });
}
