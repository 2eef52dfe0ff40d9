/** The checks over the ATM answers of a run. */
import type { Check } from '../../model/check.ts';
import { codesMatter, districtsMatter } from './codes.ts';
import { distanceChecks } from './distances.ts';
import { numberChecks } from './numbers.ts';
import { swappedAtms } from './outliers.ts';
import { textChecks } from './texts.ts';

export const atmChecks: readonly Check[] = [
  ...numberChecks,
  codesMatter,
  districtsMatter,
  swappedAtms,
  ...textChecks,
  ...distanceChecks,
];
