/** The checks over the ATM answers of a run. */
import type { Check } from '../../model/check.ts';
import { provinceCheck, districtCheck } from './codes.ts';
import { distanceChecks } from './distances.ts';
import { numberChecks } from './numbers.ts';
import { swappedAtmCheck } from './outliers.ts';
import { textChecks } from './texts.ts';

export const atmChecks: readonly Check[] = [
  ...numberChecks,
  provinceCheck,
  districtCheck,
  swappedAtmCheck,
  ...textChecks,
  ...distanceChecks,
];
