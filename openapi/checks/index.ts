/** All checks. */
import type { Check } from './check.ts';
import { linkChecks } from './links.ts';
import { disbursementChecks } from './loans/disbursements.ts';
import { outcomeChecks } from './loans/outcomes.ts';
import { probeChecks } from './probes.ts';
import { raceChecks } from './races.ts';
import { refusedChecks } from './refused.ts';

export const checks: readonly Check[] = [
  ...probeChecks,
  ...refusedChecks,
  ...linkChecks,
  ...raceChecks,
  ...disbursementChecks,
  ...outcomeChecks,
];
