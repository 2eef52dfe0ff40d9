/**
 * Defines the answers of the ATM locator, how exact their positions are, and the mistakes with positions that programs make. A
 * mistake changes the text of a finding, and never decides whether there is a finding.
 */
import type { RunRecord } from '../../../model/record.ts';
import { countDecimals } from '../../../util/counted.ts';
import { measureKm, type Position, measureFlatKm } from '../../../util/geo.ts';

export type AtmAnswer = RunRecord<'atmAnswers'>;
export type PositionAnswer = AtmAnswer & { readonly asked: Position };
export type CodesAnswer = AtmAnswer & { readonly asked: { readonly province: string; readonly district: string } };

export const isByPosition = (answer: AtmAnswer): answer is PositionAnswer => 'latitude' in answer.asked;
export const isByCodes = (answer: AtmAnswer): answer is CodesAnswer => 'province' in answer.asked;

export const joinInputs = ({ asked }: AtmAnswer): string => Object.values(asked).join(' ');

/** The distance on a sphere differs from the distance on an ellipsoid by at most this share. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Returns the largest error of a rounded position, in kilometres: 0.9 km for two decimals. A degree has 111.2 km. */
export function estimateErrorKm({ latitude, longitude }: Position): number {
  const decimals = Math.max(countDecimals(latitude), countDecimals(longitude));
  return 0.8 * 111.2 * 10 ** -decimals;
}

/** Two positions of the same ATM may differ by this many kilometres, in addition to the rounding of coordinates. */
const MAX_POSITION_DIFFERENCE_KM = 0.15;

export const areAtOnePlace = (a: Position, b: Position): boolean =>
  (a.latitude === b.latitude && a.longitude === b.longitude) ||
  measureKm(a, b) <= MAX_POSITION_DIFFERENCE_KM + estimateErrorKm(a) + estimateErrorKm(b);

type Move = (position: Position) => Position;

const changeBothCoordinates =
  (move: (degrees: number) => number): Move =>
  ({ latitude, longitude }) => ({ latitude: move(latitude), longitude: move(longitude) });
const roundToGrid = (cells: number): Move => changeBothCoordinates((degrees) => Math.round(degrees * cells) / cells);

const changesOfPosition: Readonly<Record<string, Move>> = {
  'were exchanged': ({ latitude, longitude }) => ({ latitude: longitude, longitude: latitude }),
  'were cut to whole degrees': changeBothCoordinates(Math.trunc),
  'were cut to one decimal': changeBothCoordinates((degrees) => Math.trunc(degrees * 10) / 10),
  'were rounded to whole degrees': roundToGrid(1),
  'stood on a grid of half a degree': roundToGrid(2),
  'stood on a grid of 0.1 degrees': roundToGrid(10),
  'were both the latitude': ({ latitude }) => ({ latitude, longitude: latitude }),
  'were both the longitude': ({ longitude }) => ({ latitude: longitude, longitude }),
  'had no signs': changeBothCoordinates(Math.abs),
  'had the other sign at the latitude': ({ latitude, longitude }) => ({ latitude: -latitude, longitude }),
  'had the other sign at the longitude': ({ latitude, longitude }) => ({ latitude, longitude: -longitude }),
};

/** A wrong way to measure from the position of a query to an ATM. The unit of the result does not matter. */
export interface Mistake {
  /** The end of a sentence: `as if …`. */
  readonly what: string;
  readonly measure: (query: Position, atm: Position) => number;
  /** With this mistake, an error of the position changes the distance by this factor more than without the mistake. */
  readonly sensitivity?: number;
}

/** `measureKm` converts degrees to radians. This factor reverses the conversion. */
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

export const positionMistakes: readonly Mistake[] = [
  ...Object.entries(changesOfPosition).flatMap(([what, move]): readonly Mistake[] => [
    {
      what: `as if latitude and longitude of the query ${what}`,
      measure: (query, atm) => measureKm(move(query), atm),
    },
    {
      what: `as if latitude and longitude of query and ATMs ${what}`,
      measure: (query, atm) => measureKm(move(query), move(atm)),
    },
    { what: `as if latitude and longitude of the ATMs ${what}`, measure: (query, atm) => measureKm(query, move(atm)) },
  ]),
  {
    what: 'as if degrees were radians',
    measure: (query, atm) => measureKm(changeBothCoordinates(toDegrees)(query), changeBothCoordinates(toDegrees)(atm)),
    sensitivity: toDegrees(1),
  },
  { what: 'as if the earth were flat, with degrees of one length', measure: measureFlatKm },
];

/** A mistake must explain at least this many distances or answers, because a few may fit by chance. */
export const MIN_MISTAKEN_ANSWERS = 5;
