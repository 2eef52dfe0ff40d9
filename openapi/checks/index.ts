/** All checks. */
import type { Check } from '../model/check.ts';
import { contractChecks } from './contracts.ts';
import { requestFormChecks } from './forms.ts';
import { isolationChecks } from './isolation.ts';
import { limitLedgerCheck } from './loans/limit-ledger.ts';
import { linkChecks } from './links.ts';
import { disbursementChecks } from './loans/disbursements.ts';
import { outcomeChecks } from './loans/outcomes.ts';
import { stuckCheck } from './loans/stuck.ts';
import { missingOperationChecks } from './missing-operations.ts';
import { probeChecks } from './probes.ts';
import { raceChecks } from './races.ts';
import { answerChecks } from './service/answers.ts';
import { districtCheck, provinceCheck } from './atms/codes.ts';
import { distanceChecks } from './atms/distances.ts';
import { numberChecks } from './atms/numbers.ts';
import { swappedAtmCheck } from './atms/outliers.ts';
import { textChecks } from './atms/texts.ts';
import { belongingChecks } from './loans/belonging.ts';
import { ownBranchCheck } from './payment-links/branches.ts';
import { lifetimeCheck } from './payment-links/expiry.ts';
import { listChecks } from './service/lists.ts';
import { loanChecks } from './loans/final-outcomes.ts';
import { paymentLinkChecks } from './payment-links/unique.ts';
import { statusChecks } from './service/statuses.ts';
import { refusedChecks } from './refused.ts';
import { serviceChecks } from './service/availability.ts';

export const allChecks: readonly Check[] = [
  ...answerChecks,
  ...statusChecks,
  ...loanChecks,
  ...belongingChecks,
  ...paymentLinkChecks,
  ownBranchCheck,
  lifetimeCheck,
  ...numberChecks,
  provinceCheck,
  districtCheck,
  swappedAtmCheck,
  ...textChecks,
  ...distanceChecks,
  ...listChecks,
  ...probeChecks,
  ...refusedChecks,
  ...linkChecks,
  ...contractChecks,
  ...missingOperationChecks,
  ...requestFormChecks,
  ...serviceChecks,
  ...raceChecks,
  ...disbursementChecks,
  ...outcomeChecks,
  stuckCheck,
  ...isolationChecks,
  limitLedgerCheck,
];
