/** All checks. */
import type { Check } from '../model/check.ts';
import { contractChecks } from './contracts.ts';
import { formChecks } from './forms.ts';
import { isolationChecks } from './isolation.ts';
import { limitLedger } from './loans/limit-ledger.ts';
import { linkChecks } from './links.ts';
import { disbursementChecks } from './loans/disbursements.ts';
import { outcomeChecks } from './loans/outcomes.ts';
import { stuckCheck } from './loans/stuck.ts';
import { missingOperationChecks } from './missing-operations.ts';
import { probeChecks } from './probes.ts';
import { raceChecks } from './races.ts';
import { noteChecks } from '../run-rules/index.ts';
import { refusedChecks } from './refused.ts';
import { serviceChecks } from './service.ts';

export const checks: readonly Check[] = [
  ...noteChecks,
  ...probeChecks,
  ...refusedChecks,
  ...linkChecks,
  ...contractChecks,
  ...missingOperationChecks,
  ...formChecks,
  ...serviceChecks,
  ...raceChecks,
  ...disbursementChecks,
  ...outcomeChecks,
  stuckCheck,
  ...isolationChecks,
  limitLedger,
];
