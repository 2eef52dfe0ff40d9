/** All checks. */
import type { Check } from '../model/check.ts';
import { contractChecks } from './contracts.ts';
import { requestFormChecks } from './forms.ts';
import { outcomeChecks } from './loans/outcomes.ts';
import { stuckCheck } from './loans/stuck.ts';
import { missingOperationChecks } from './missing-operations.ts';
import { probeChecks } from './probes.ts';
import { raceChecks } from './races.ts';
import { belongingChecks } from './loans/belonging.ts';
import { refusedChecks } from './refused.ts';

export const allChecks: readonly Check[] = [
  ...belongingChecks,
  ...probeChecks,
  ...refusedChecks,
  ...contractChecks,
  ...missingOperationChecks,
  ...requestFormChecks,
  ...raceChecks,
  ...outcomeChecks,
  stuckCheck,
];
