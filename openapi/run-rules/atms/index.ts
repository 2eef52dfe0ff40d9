/** What the ATM answers of a run say of one another. */
import type { Check, History } from '../../model/check.ts';
import type { FactRecord, SeenAtm, AtmFact } from '../../model/facts.ts';
import { greatCircle } from '../../util/geo.ts';
import { idText, integerOf } from '../../util/ids.ts';
import { listed } from './facts.ts';
import { distanceChecks } from './distances.ts';
import { outlierChecks } from './outliers.ts';
import { coordinateError, positionOf } from './positions.ts';
import { textChecks } from './texts.ts';
import { groupBy } from '../../util/group-by.ts';
import { contradictions } from '../notes.ts';

interface Seen {
  readonly atm: SeenAtm;
  readonly exchange: string;
}

/** Kilometres by which the same place may be given otherwise, beside what its coordinates are rounded by. */
const SAME_PLACE_KM = 0.15;

const isSamePlace = (one: SeenAtm, other: SeenAtm): boolean =>
  (one[1] === other[1] && one[2] === other[2]) ||
  greatCircle(positionOf(one), positionOf(other)) <=
    SAME_PLACE_KM + coordinateError(one[1], one[2]) + coordinateError(other[1], other[2]);

/** True where one answer shows several of them: machines that stand side by side. */
function standSideBySide(same: readonly Seen[]): boolean {
  return [...groupBy(same, ({ exchange }) => exchange).values()].some(
    (shown) => new Set(shown.map(({ atm }) => atm[0])).size > 1,
  );
}

const seenIn = ({ notes }: History): readonly Seen[] =>
  notes('atms').flatMap(({ fact, exchange }) => fact.atms.map((atm) => ({ atm, exchange })));

const onePlace: Check = {
  clause: 'atms.no.one-place',
  operation: 'findAtms',
  unit: 'comparisons',
  *of(history, tested) {
    const seen = seenIn(history);
    for (const first of seen.slice(0, 1)) tested(first, { count: seen.length });
    const numbered = contradictions(
      seen,
      ({ atm: [no] }) => no,
      (one, other) => isSamePlace(one.atm, other.atm),
    );
    for (const { first, contradicting } of numbered) {
      const [by] = contradicting;
      if (by === undefined) continue;
      yield {
        by,
        contrast: first,
        pointer: '/data/*/atm_no',
        expected: `one place for the number ${first.atm[0]}`,
        received: `${first.atm[1]}, ${first.atm[2]} and ${by.atm[1]}, ${by.atm[2]}`,
        count: contradicting.length,
      };
    }
  },
};

const sameNumber: Check = {
  clause: 'atms.no.same-text',
  operation: 'findAtms',
  unit: 'comparisons',
  *of(history, tested) {
    const seen = seenIn(history);
    for (const first of seen.slice(0, 1)) tested(first, { count: seen.length });
    const places = contradictions(
      seen,
      ({ atm: [no, latitude, longitude, name] }) => `${integerOf(no)} ${latitude} ${longitude} ${name}`,
      (one, other) => one.atm[0] === other.atm[0] || integerOf(other.atm[0]) === null,
    );
    for (const { first, others, contradicting } of places) {
      const [by] = contradicting;
      if (by === undefined || standSideBySide([first, ...others])) continue;
      const [one, other] = [first.atm[0], by.atm[0]];
      yield {
        by,
        contrast: first,
        pointer: '/data/*/atm_no',
        expected: `"${one.length > other.length ? one : other}" in every answer`,
        received: `"${one}" and "${other}" for the ATM ${first.atm[3]}`,
        count: contradicting.length,
      };
    }
  },
};

/** The ATMs of a province and district, as the answer with the most showed them; codes that differ in zeros alone are one. */
interface Place {
  readonly province: string;
  readonly district: string;
  readonly atms: string;
  readonly answer: FactRecord<AtmFact>;
}

const codeOf = (code: number | string): string => idText(String(code));

/** The ATMs of an answer by number and place, in one order: a number that stands at several places is not one ATM. */
const listedIn = ({ fact }: FactRecord<AtmFact>): string =>
  fact.drawnFrom?.digest ?? listed(fact.atms.map(([no, latitude, longitude]) => `${no} ${latitude} ${longitude}`));

function placesIn(answers: readonly FactRecord<AtmFact>[]): readonly Place[] {
  const found = answers.filter(({ fact }) => typeof fact.asked[0] === 'string' && fact.atms.length > 0);
  const first = new Map<string, Place>();
  for (const answer of found.toSorted((a, b) => b.fact.atms.length - a.fact.atms.length)) {
    const [province, district] = [codeOf(answer.fact.asked[0]), codeOf(answer.fact.asked[1])];
    const key = `${province} ${district}`;
    if (!first.has(key)) first.set(key, { province, district, atms: listedIn(answer), answer });
  }
  return [...first.values()];
}

/**
 * Two places that bring the very same ATMs although they have neither the province nor the district in common; or not the
 * province, where the ATMs are too far apart for one district.
 */
function unrelatedTwins(places: readonly Place[]): readonly Place[] {
  for (const same of groupBy(places, ({ atms }) => atms).values())
    for (const one of same) {
      const isWide = spreadOf(one) > MAX_DISTRICT_KM;
      const other = same.find(
        ({ province, district }) => province !== one.province && (isWide || district !== one.district),
      );
      if (other !== undefined) return [one, other];
    }
  return [];
}

/** Longest distance (km) between ATMs of one district, beyond all that districts measure. */
const MAX_DISTRICT_KM = 200;

const shownIn = ({ answer: { fact } }: Place): number => fact.drawnFrom?.atms ?? fact.atms.length;

const spreadOf = ({ answer: { fact } }: Place): number => {
  const [first, ...others] = fact.atms.map(positionOf);
  return first === undefined ? 0 : Math.max(0, ...others.map((other) => greatCircle(first, other)));
};

/**
 * Two places in different provinces that share some ATMs although neither holds all of the other, as a district and its
 * province may, nor lie side by side: those of one are too far apart.
 */
function mixedPlaces(places: readonly Place[]): readonly Place[] {
  // Of what was not noted nobody can say that a place does not hold it.
  const whole = places.filter(({ answer }) => answer.fact.drawnFrom === undefined);
  const wide = whole.filter((place) => spreadOf(place) > MAX_DISTRICT_KM);
  for (const one of wide) {
    const own = new Set(one.answer.fact.atms.map(([no]) => no));
    const other = whole.find(({ province, answer }) => {
      const shared = answer.fact.atms.filter(([no]) => own.has(no)).length;
      return province !== one.province && shared > 0 && shared < own.size && shared < answer.fact.atms.length;
    });
    if (other !== undefined) return [one, other];
  }
  return [];
}

const codesMatter: Check = {
  clause: 'atms.codes-tell',
  operation: 'findAtms',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const places = placesIn(notes('atms'));
    const [first, second] = places;
    if (first === undefined || second === undefined || places.length < 3) return;
    tested(first.answer, { count: places.length });
    const isOneList = places.every(({ atms }) => atms === first.atms);
    const twins = isOneList ? [first, second] : unrelatedTwins(places);
    const [one, other] = twins.length > 0 ? twins : mixedPlaces(places);
    if (one === undefined || other === undefined) return;
    const written = ({ answer }: Place): string => answer.fact.asked.join('/');
    yield {
      by: other.answer,
      contrast: one.answer,
      pointer: '/data',
      expected: 'other ATMs for other codes',
      received: isOneList
        ? `the same ${shownIn(first)} ATMs for ${places.length} pairs of codes`
        : twins.length > 0
          ? `the same ${shownIn(one)} ATMs for ${written(one)} and ${written(other)}`
          : `some ATMs both for ${written(one)} and for ${written(other)}, ${spreadOf(one).toFixed(0)} km apart`,
      ...(isOneList ? { count: places.length } : {}),
    };
  },
};

/** Districts of one province that show at least so many of them bring the same: fewer may share their few ATMs. */
const MIN_DISTRICTS = 3;

const districtsMatter: Check = {
  clause: 'atms.districts-tell',
  operation: 'findAtms',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const found = notes('atms').filter(({ fact }) => typeof fact.asked[0] === 'string' && fact.atms.length > 0);
    const provinces = [...groupBy(found, ({ fact }) => codeOf(fact.asked[0])).values()].map((all) => ({
      districts: [...groupBy(all, ({ fact }) => codeOf(fact.asked[1])).values()].flatMap(([one]) => one ?? []),
      sets: new Set(all.map(listedIn)),
    }));
    const divided = provinces.filter(({ districts }) => districts.length > 1);
    const [first, second] = divided[0]?.districts ?? [];
    if (first === undefined || second === undefined) return;
    const count = divided.reduce((sum, { districts }) => sum + districts.length - 1, 0);
    tested(first, { count });
    if (count + 1 < MIN_DISTRICTS || divided.some(({ sets }) => sets.size > 1)) return;
    yield {
      by: second,
      contrast: first,
      pointer: '/data',
      expected: 'other ATMs for other districts of a province',
      received: `the same ATMs for each of ${count + divided.length} districts`,
      count,
    };
  },
};

export const atmChecks: readonly Check[] = [
  onePlace,
  sameNumber,
  codesMatter,
  districtsMatter,
  ...outlierChecks,
  ...textChecks,
  ...distanceChecks,
];
