/** Texts of ATMs that change places from one answer to another, or are cut or read from another column in some answers. */
import type { AtmFact, FactRecord } from '../../model/facts.ts';
import type { ResultCollector } from '../result-collector.ts';

const fields = ['atm_name', 'atm_address'] as const;

/** ATMs of one answer that have to have texts of others: one alone may have what any may have, as "out of service". */
const MIN_EXCHANGED = 2;

/** ATMs that have, in a later answer, the text that an earlier one gave to another ATM beside their own. */
function exchanged(answers: readonly FactRecord<AtmFact>[], index: 0 | 1) {
  const first = new Map<string, { text: string; answer: FactRecord<AtmFact> }>();
  return answers.flatMap((answer) => {
    const found = answer.fact.atms.flatMap(([no, , , , , { [index]: text }]) => {
      if (text === null) return [];
      const before = first.get(no);
      if (before === undefined) first.set(no, { text, answer });
      if (before === undefined || before.text === text) return [];
      const other = before.answer.fact.atms.find((atm) => atm[0] !== no && atm[5][index] === text);
      return other === undefined
        ? []
        : [{ no, text, other: other[0], exchange: answer.exchange, contrast: before.answer.exchange }];
    });
    return new Set(found.map(({ text }) => text)).size < MIN_EXCHANGED ? [] : found;
  });
}

/** ATMs whose addresses have to be cut, before it is the length of a column and no other spelling. */
const MIN_CUT = 5;
/** More of them, where it is a length in bytes, of which a letter that did not fit leaves one unused. */
const MIN_CUT_BY_BYTES = 8;
/** Lengths that their whole addresses have to have: without the town at their end, say, addresses are shorter by one length. */
const MIN_LENGTHS = 3;

/** The addresses that queries of one form gave, by ATM. */
function addressesIn(answers: readonly FactRecord<AtmFact>[]) {
  return new Map(
    answers.flatMap(({ fact, exchange }) =>
      fact.atms.flatMap(([no, , , , , , head]) =>
        head === null ? [] : [[no, { length: head[0], head: head[1], bytes: head[2], exchange }] as const],
      ),
    ),
  );
}

/** Addresses that begin alike in both forms of the query, and of which one form shows no more than its longest, all equally long in characters or bytes. */
function cutAddresses(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  const isByPosition = ({ fact }: FactRecord<AtmFact>): boolean => typeof fact.asked[0] === 'number';
  const forms = [answers.filter(isByPosition), answers.filter((one) => !isByPosition(one))].map(addressesIn);
  for (const [short, long] of [forms, forms.toReversed()]) {
    if (short === undefined || long === undefined) continue;
    const shorter = [...short].flatMap(([no, one]) => {
      const other = long.get(no);
      return other !== undefined && other.head === one.head && one.length < other.length ? [{ one, other }] : [];
    });
    const longest = Math.max(...[...short.values()].map(({ length }) => length));
    const widest = Math.max(...[...short.values()].map(({ bytes }) => bytes));
    const isByBytes =
      shorter.length >= MIN_CUT_BY_BYTES &&
      shorter.every(({ one: { bytes } }) => bytes === widest || bytes === widest - 1);
    const [first] = shorter;
    if (first === undefined || shorter.length < MIN_CUT) continue;
    if (!isByBytes && shorter.some(({ one }) => one.length !== longest)) continue;
    if (new Set(shorter.map(({ other }) => other.length)).size < MIN_LENGTHS) continue;
    results.break({
      clause: 'service.filled-texts',
      operation: 'findAtms',
      pointer: '/data/*/atm_address',
      expected: `the ${first.other.length} characters of the address that the other form of the query brings`,
      received: isByBytes
        ? `addresses that end after ${widest} bytes`
        : `addresses that end after ${longest} characters`,
      exchange: first.one.exchange,
      contrast: first.other.exchange,
      count: shorter.length,
    });
  }
}

/** ATMs that have it, before it is a column read for another. */
const MIN_SWAPPED = 3;

/** ATMs whose city in one answer is their district in another, and the other way round. */
function swappedPlaces(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  const seen = new Map<string, { city: string; district: string; exchange: string }>();
  const swapped = new Map<string, readonly [exchange: string, contrast: string]>();
  for (const { fact, exchange } of answers)
    for (const [no, , , , , [, , city, district]] of fact.atms) {
      if (city === null || district === null || city === district) continue;
      const before = seen.get(no);
      if (before === undefined) seen.set(no, { city, district, exchange });
      else if (before.city === district && before.district === city) swapped.set(no, [exchange, before.exchange]);
    }
  const [first] = swapped;
  if (first === undefined || swapped.size < MIN_SWAPPED) return;
  const [no, [exchange, contrast]] = first;
  results.break({
    clause: 'atms.no.one-place',
    operation: 'findAtms',
    pointer: '/data/*/atm_city',
    expected: `the city that the ATM ${no} had in another answer`,
    received: 'what was its district there, and the city in the place of the district',
    exchange,
    contrast,
    count: swapped.size,
  });
}

const isOneColumn = ({ fact }: FactRecord<AtmFact>): boolean =>
  fact.atms.length > 0 && fact.atms.every(([, , , , , [, , city, district]]) => city !== null && city === district);

/**
 * Answers in which no ATM has a district but its city, or the other way round, though other answers tell the two apart. Of one
 * district that proves nothing: that of the centre may have the name of its city.
 */
function oneColumnForBoth(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  const known = new Map(
    answers.flatMap(({ fact, exchange }) =>
      fact.atms.flatMap(([no, , , , , [, , city, district]]) =>
        city === null || district === null || city === district ? [] : [[no, { city, district, exchange }] as const],
      ),
    ),
  );
  const found = new Map(
    answers.filter(isOneColumn).flatMap(({ fact, exchange }) =>
      fact.atms.flatMap(([no, , , , , [, , both]]) => {
        const other = known.get(no);
        return other === undefined || (both !== other.city && both !== other.district)
          ? []
          : [[no, { isCity: both === other.city, other, exchange }] as const];
      }),
    ),
  );
  const [first] = found;
  const districts = new Set([...found.values()].map(({ other }) => other.district));
  if (first === undefined || found.size < MIN_SWAPPED || districts.size < 2) return;
  const [no, { isCity, other, exchange }] = first;
  results.break({
    clause: 'atms.no.one-place',
    operation: 'findAtms',
    pointer: isCity ? '/data/*/atm_district' : '/data/*/atm_city',
    expected: `the ${isCity ? 'district' : 'city'} that the ATM ${no} has in another answer`,
    received: `its ${isCity ? 'city' : 'district'}, as at every ATM of the answer`,
    exchange,
    contrast: other.exchange,
    count: found.size,
  });
}

/** Another spelling or a new name is no mistake; the name of another ATM is. */
export function evaluateTexts(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  cutAddresses(results, answers);
  swappedPlaces(results, answers);
  oneColumnForBoth(results, answers);
  for (const index of [0, 1] as const) {
    const found = exchanged(answers, index);
    const [one] = found;
    if (one === undefined) continue;
    const { no, other, exchange, contrast } = one;
    results.break({
      clause: 'atms.no.one-place',
      operation: 'findAtms',
      pointer: `/data/*/${fields[index]}`,
      expected: `what the ATM ${no} had in another answer`,
      received: `what that answer gave to the ATM ${other}`,
      exchange,
      contrast,
      count: found.length,
    });
  }
}
