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

export const areAtOnePlace = (position: Position, otherPosition: Position): boolean =>
  (position.latitude === otherPosition.latitude && position.longitude === otherPosition.longitude) ||
  measureKm(position, otherPosition) <=
    MAX_POSITION_DIFFERENCE_KM + estimateErrorKm(position) + estimateErrorKm(otherPosition);

type PositionChange = (position: Position) => Position;

const changeBothCoordinates =
  (changeDegrees: (degrees: number) => number): PositionChange =>
  ({ latitude, longitude }) => ({ latitude: changeDegrees(latitude), longitude: changeDegrees(longitude) });
const roundToGrid = (cellsPerDegree: number): PositionChange =>
  changeBothCoordinates((degrees) => Math.round(degrees * cellsPerDegree) / cellsPerDegree);

const positionChanges: Readonly<Record<string, PositionChange>> = {
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
export interface PositionMistake {
  /** The end of a sentence: `as if …`. */
  readonly asIfText: string;
  readonly measureDistance: (query: Position, atm: Position) => number;
  /** With this mistake, an error of the position changes the distance by this factor more than without the mistake. */
  readonly sensitivity?: number;
}

/** `measureKm` converts degrees to radians. This factor reverses the conversion. */
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

export const positionMistakes: readonly PositionMistake[] = [
  ...Object.entries(positionChanges).flatMap(([changeText, changePosition]): readonly PositionMistake[] => [
    {
      asIfText: `as if latitude and longitude of the query ${changeText}`,
      measureDistance: (query, atm) => measureKm(changePosition(query), atm),
    },
    {
      asIfText: `as if latitude and longitude of query and ATMs ${changeText}`,
      measureDistance: (query, atm) => measureKm(changePosition(query), changePosition(atm)),
    },
    {
      asIfText: `as if latitude and longitude of the ATMs ${changeText}`,
      measureDistance: (query, atm) => measureKm(query, changePosition(atm)),
    },
  ]),
  {
    asIfText: 'as if degrees were radians',
    measureDistance: (query, atm) =>
      measureKm(changeBothCoordinates(toDegrees)(query), changeBothCoordinates(toDegrees)(atm)),
    sensitivity: toDegrees(1),
  },
  { asIfText: 'as if the earth were flat, with degrees of one length', measureDistance: measureFlatKm },
];

/** A mistake must explain at least this many distances or answers, because a few may fit by chance. */
export const MIN_MISTAKEN_ANSWERS = 5;
