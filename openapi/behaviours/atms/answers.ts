/** Answers of the ATM locator, and how exact the positions of ATMs are. */
import { measureKm, type Position } from '../../util/geo.ts';
import { countDecimals } from '../../util/counted.ts';
import type { RunRecord } from '../../model/record.ts';

export type AtmAnswer = RunRecord<'atmAnswers'>;
export type PositionAnswer = AtmAnswer & { readonly asked: Position };
export type CodesAnswer = AtmAnswer & { readonly asked: { readonly province: string; readonly district: string } };

export const isByPosition = (answer: AtmAnswer): answer is PositionAnswer => 'latitude' in answer.asked;
export const isByCodes = (answer: AtmAnswer): answer is CodesAnswer => 'province' in answer.asked;

export const joinInputs = ({ asked }: AtmAnswer): string => Object.values(asked).join(' ');

/** The distance on a sphere differs from the distance on an ellipsoid by at most this share. */
export const ELLIPSOID_TOLERANCE = 0.012;

export function estimateErrorKm({ latitude, longitude }: Position): number {
  const decimals = Math.max(countDecimals(latitude), countDecimals(longitude));
  return 0.8 * 111.2 * 10 ** -decimals;
}

/** Two positions of the same ATM may differ by this many kilometres, in addition to the rounding of coordinates. */
const MAX_POSITION_DIFFERENCE_KM = 0.15;

export const areAtOnePlace = (a: Position, b: Position): boolean =>
  (a.latitude === b.latitude && a.longitude === b.longitude) ||
  measureKm(a, b) <= MAX_POSITION_DIFFERENCE_KM + estimateErrorKm(a) + estimateErrorKm(b);
