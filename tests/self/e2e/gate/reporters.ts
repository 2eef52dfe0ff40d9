/** Other reporters in the place of ours, on a bank that breaks a promise. */
import { respond } from '../../../../fixtures/banks/lib/exchange.ts';
import { intercept } from '../../../../fixtures/banks/lib/intercept.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { serve } from '../../../../fixtures/reference-bank/http/serve.ts';
import { conformance, sandbox } from '../../support/command.ts';
import type { GateCase } from './case.ts';

const reporters = ['list', 'line', 'junit', 'html', 'github', 'dot', 'blob'] as const;

const shown: ReadonlySet<string> = new Set(['list', 'blob']);

const shouting = intercept({
  operation: 'findAtms',
  onAnswer: async (answer) => respond(answer, (await answer.text()).replaceAll('"atm_city"', '"ATM_CITY"')),
});

export const reporterCases: readonly GateCase[] = reporters.map((reporter) => ({
  name: `A broken promise under --reporter=${reporter}`,
  status: 1,
  verdict: 'non-conformant',
  ...(shown.has(reporter) ? {} : { isInTests: false }),
  // These two say nothing on the terminal but where their files are.
  says: reporter === 'html' || reporter === 'blob' ? /(?:)/ : /Verdict: non-conformant/,
  async run() {
    const served = await serve(shouting(createBank()));
    try {
      return await conformance(
        {
          ...sandbox(served.url),
          AREAS: 'atms',
          RUNS: '1',
          PLAYWRIGHT_HTML_OPEN: 'never',
        },
        { more: [`--reporter=${reporter}`] },
      );
    } finally {
      await served.close();
    }
  },
}));
