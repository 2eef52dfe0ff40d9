/** The real command examines banks of every kind, and finds what the proof finds. */
import { expect, test } from '@playwright/test';
import type { Mutant, MutantKind } from '../../../fixtures/banks/lib/mutant.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import { judgeBank } from '../support/command.ts';
import { runMutant } from './run-mutant.ts';
import { decideMutantOutcome } from './outcomes.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';

const MUTANT_KINDS: readonly MutantKind[] = ['derived', 'manual', 'conditional', 'expectation', 'rejecting'];

/** Returns `count` mutants of a kind, spread evenly over all of them. */
function selectSpreadMutants(kind: MutantKind, count: number): readonly Mutant[] {
  const all = mutants.filter((mutant) => mutant.kind === kind);
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / count)] as Mutant);
}

for (const mutant of MUTANT_KINDS.flatMap((kind) => selectSpreadMutants(kind, 1)))
  test(`The command has the findings of the proof: ${mutant.name}`, THOROUGH_ONLY, async () => {
    const proven = await runMutant(mutant);
    const env = { AREAS: operations[mutant.operation].area, SEED: '1' };
    const { report, status } = await judgeBank(mutant.mutate(createBank()), env);
    if (report === null) throw new Error('No report was written');
    expect(decideMutantOutcome(mutant, report).outcome, report.reasons.join('\n')).toBe('caught');
    expect(report.findings.map(({ id }) => id).sort()).toEqual(proven.findings.map(({ id }) => id).sort());
    // A broken clause may leave others untested: an empty token allows no judgement.
    expect(status).toBe(mutant.kind === 'expectation' ? (proven.verdict === 'conformant' ? 0 : 2) : 1);
  });
