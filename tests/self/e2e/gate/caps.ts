/** Runs under small caps: a full verdict from the smallest that the plan names, and reasons that name the cap below that. */
import { conformance } from '../../support/command.ts';
import type { GateCase } from './case.ts';

const capped = (cap: number, verdict: 'conformant' | 'inconclusive', says: RegExp): GateCase => ({
  name: `At most ${cap} of each kind may be created`,
  status: verdict === 'conformant' ? 0 : 2,
  verdict,
  says,
  // Caps at the bank are examined with the safety limits.
  isInTests: false,
  run: () => {
    const most = String(cap);
    const caps = { MAX_APPLICATIONS: most, MAX_DISBURSEMENTS: most, MAX_LINKS: most };
    return conformance({ ...caps, AREAS: 'loans,payment-links', SEED: '2', RUNS: '2' });
  },
});

export const capCases: readonly GateCase[] = [
  capped(0, 'inconclusive', /requestLoan, .* never succeeded: no request was sent, because MAX_APPLICATIONS is 0/),
  capped(1, 'inconclusive', /and MAX_APPLICATIONS \(1\) was used up/),
  capped(3, 'conformant', /^Verdict: conformant/m),
  capped(5, 'conformant', /^Verdict: conformant/m),
];
