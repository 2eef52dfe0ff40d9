/** Answers of the ATM locator, and how exact the positions of ATMs are. */
import type { Position } from '../../util/geo.ts';
import { countDecimals } from '../../util/counted.ts';
import type { Kept } from '../run.ts';

export type AtmAnswer = Kept<'atms'>;
/** The answer to a query with a position. */
export type PositionAnswer = AtmAnswer & { readonly asked: Position };
/** The answer to a query with province and district codes. */
export type CodesAnswer = AtmAnswer & { readonly asked: { readonly province: string; readonly district: string } };

export const isByPosition = (answer: AtmAnswer): answer is PositionAnswer => 'latitude' in answer.asked;
export const isByCodes = (answer: AtmAnswer): answer is CodesAnswer => 'province' in answer.asked;

/** Joins the inputs of a query into one text. */
export const joinInputs = ({ asked }: AtmAnswer): string => Object.values(asked).join(' ');

/** The distance on a sphere differs from the distance on an ellipsoid by at most this share. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Returns the maximal rounding error (in kilometres) of coordinates with these decimals. */
export function estimateErrorKm({ latitude, longitude }: Position): number {
  const decimals = Math.max(countDecimals(latitude), countDecimals(longitude));
  return 0.8 * 111.2 * 10 ** -decimals;
}
