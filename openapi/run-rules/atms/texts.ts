/** Texts of ATMs that change places from one answer to another, or are cut or read from another column in some answers. */
import type { AtmFact, FactRecord } from '../../model/facts.ts';
import { digest } from '../../util/hash.ts';
import type { ResultCollector } from '../result-collector.ts';

const fields = ['atm_name', 'atm_address'] as const;

/** ATMs of one answer that have to have texts of others: one alone may have what any may have, as "out of service". */
const MIN_EXCHANGED = 2;

/** Texts that several ATMs of one answer have: those of machines that stand side by side, say. */
function sharedIn(answers: readonly FactRecord<AtmFact>[], index: 0 | 1): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const { fact } of answers) {
    const holders = new Map<string, string>();
    for (const [no, , , , , { [index]: text }] of fact.atms) {
      if (text === null) continue;
      if ((holders.get(text) ?? no) === no) holders.set(text, no);
      else shared.add(text);
    }
  }
  return shared;
}

/** ATMs that have, in a later answer, the text that an earlier one gave to another ATM beside their own. */
function exchanged(answers: readonly FactRecord<AtmFact>[], index: 0 | 1) {
  const shared = sharedIn(answers, index);
  const first = new Map<string, { text: string; answer: FactRecord<AtmFact> }>();
  return answers.flatMap((answer) => {
    const found = answer.fact.atms.flatMap(([no, , , , , { [index]: text }]) => {
      if (text === null || shared.has(text)) return [];
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

/** Pairs of columns that are read the wrong way round: which of the texts of an ATM they are, and what they are called. */
const columns = [
  { of: [2, 3], what: ['city', 'district'] },
  { of: [0, 1], what: ['name', 'address'] },
] as const;

/** ATMs whose city in one answer is their district in another, and the other way round; or their name the address. */
function swappedColumns(
  results: ResultCollector,
  answers: readonly FactRecord<AtmFact>[],
  { of: [one, other], what }: (typeof columns)[number],
): void {
  const seen = new Map<string, { first: string; second: string; exchange: string }>();
  const swapped = new Map<string, readonly [exchange: string, contrast: string]>();
  for (const { fact, exchange } of answers)
    for (const [no, , , , , texts] of fact.atms) {
      const [first, second] = [texts[one], texts[other]];
      if (first === null || second === null || first === second) continue;
      const before = seen.get(no);
      if (before === undefined) seen.set(no, { first, second, exchange });
      else if (before.first === second && before.second === first) swapped.set(no, [exchange, before.exchange]);
    }
  const [found] = swapped;
  if (found === undefined || swapped.size < MIN_SWAPPED) return;
  const [no, [exchange, contrast]] = found;
  results.break({
    clause: 'atms.no.one-place',
    operation: 'findAtms',
    pointer: `/data/*/atm_${what[0]}`,
    expected: `the ${what[0]} that the ATM ${no} had in another answer`,
    received: `what was its ${what[1]} there, and the ${what[0]} in the place of the ${what[1]}`,
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

/** ATMs whose city or district is the very code that was asked for, where an answer to a position has another text. */
function codesForNames(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  const named = new Map(
    answers.flatMap(({ fact, exchange }) =>
      typeof fact.asked[0] === 'string'
        ? []
        : fact.atms.map(([no, , , , , texts]) => [no, { texts, exchange }] as const),
    ),
  );
  for (const [at, index, name] of [
    [0, 2, 'city'],
    [1, 3, 'district'],
  ] as const) {
    const found = answers.flatMap(({ fact, exchange }) => {
      const code = typeof fact.asked[at] === 'string' ? digest(fact.asked[at]) : null;
      return fact.atms.flatMap(([no, , , , , texts]) => {
        const other = named.get(no);
        const isCode = code !== null && texts[index] === code && other !== undefined && other.texts[index] !== code;
        return isCode ? [{ no, exchange, contrast: other.exchange }] : [];
      });
    });
    const [first] = found;
    if (first === undefined || new Set(found.map(({ no }) => no)).size < MIN_SWAPPED) continue;
    results.break({
      clause: 'atms.no.one-place',
      operation: 'findAtms',
      pointer: `/data/*/atm_${name}`,
      expected: `the ${name} that the ATM ${first.no} has in another answer`,
      received: 'the code that was asked for',
      exchange: first.exchange,
      contrast: first.contrast,
      count: found.length,
    });
  }
}

/** Another spelling or a new name is no mistake; the name of another ATM is. */
export function evaluateTexts(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  cutAddresses(results, answers);
  for (const pair of columns) swappedColumns(results, answers, pair);
  oneColumnForBoth(results, answers);
  codesForNames(results, answers);
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
