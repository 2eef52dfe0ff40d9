/** Other reporters in the place of ours, on a bank that breaks a promise. */
import { mutantNamed } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { conformanceOf } from '../../support/command.ts';
import type { GateCase } from './case.ts';

const reporters = ['list', 'line', 'junit', 'html', 'github', 'dot', 'blob'] as const;

export const reporterCases: readonly GateCase[] = reporters.map((reporter) => ({
  name: `A broken promise under --reporter=${reporter}`,
  status: 1,
  verdict: 'non-conformant',
  ...(reporter === 'list' ? {} : { isInTests: false }),
  // These two say nothing on the terminal but where their files are.
  says: reporter === 'html' || reporter === 'blob' ? /(?:)/ : /Verdict: non-conformant[^]*requests in (?!0\.[0-3] s)/,
  run: () =>
    conformanceOf(
      mutantNamed('find-atms-by-latitude-entry-atm-name-missing').mutate(createBank()),
      { AREAS: 'atms', RUNS: '1', PLAYWRIGHT_HTML_OPEN: 'never' },
      { more: [`--reporter=${reporter}`] },
    ),
}));
