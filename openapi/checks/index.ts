/** All checks. */
import type { Check } from '../model/check.ts';
import { contractChecks } from './contracts.ts';
import { requestFormChecks } from './forms.ts';
import { isolationChecks } from './isolation.ts';
import { outcomeChecks } from './loans/outcomes.ts';
import { stuckCheck } from './loans/stuck.ts';
import { missingOperationChecks } from './missing-operations.ts';
import { probeChecks } from './probes.ts';
import { raceChecks } from './races.ts';
import { answerChecks } from './service/answers.ts';
import { belongingChecks } from './loans/belonging.ts';
import { listChecks } from './service/lists.ts';
import { statusChecks } from './service/statuses.ts';
import { refusedChecks } from './refused.ts';
import { serviceChecks } from './service/availability.ts';

export const allChecks: readonly Check[] = [
  ...answerChecks,
  ...statusChecks,
  ...belongingChecks,
  ...listChecks,
  ...probeChecks,
  ...refusedChecks,
  ...contractChecks,
  ...missingOperationChecks,
  ...requestFormChecks,
  ...serviceChecks,
  ...raceChecks,
  ...outcomeChecks,
  stuckCheck,
  ...isolationChecks,
];
