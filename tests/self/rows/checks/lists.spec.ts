/** Rows for the checks of lists: dependence on a parameter, stable places and names, and what a bank may do. */
import { expect, test } from '@playwright/test';
import { body, evaluate, exchange } from '../../support/judge-harness.ts';

const makeBranchList = (merchant_no: string, names: Readonly<Record<number, string>>) =>
  exchange(
    'listBranches',
    { data: { branches: Object.entries(names).map(([no, name]) => ({ no: Number(no), name })) } },
    { asked: { merchant_no } },
  );

test('One branch number of one merchant has one name', () => {
  const own = makeBranchList('1', { 12: 'Harbour', 13: 'Mill' });
  const brokenBy = (other: ReturnType<typeof makeBranchList>) => evaluate(own, other).broken;
  expect(brokenBy(makeBranchList('1', { 12: 'Harbour', 13: 'Market' }))).toEqual(['links.lists-repeat /data']);
  expect(brokenBy(makeBranchList('1', { 13: 'Mill', 12: 'Harbour' }))).toEqual([]);
  // Another merchant has its own branches.
  expect(brokenBy(makeBranchList('2', { 12: 'Airport', 13: 'Mill' }))).toEqual([]);
});

/** ATMs by number, all close to one another. */
const makeAtmList = (province_code: string, district_code: string, numbers: readonly number[]) => {
  const [atm] = (body('findAtms') as { data: Record<string, unknown>[] }).data;
  const { atm_distance: _, ...plain } = atm ?? {};
  const data = numbers.map((no) => ({ ...plain, atm_no: `00${no}`, atm_latitude: 38 + no / 100, atm_longitude: 27 }));
  return exchange('findAtms', { data }, { asked: { province_code, district_code } });
};

const listNumbersUpTo = (most: number): readonly number[] => Array.from({ length: most }, (_, at) => at + 1);

test('Different province and district codes bring different lists; the answer to unknown codes, and its length, is open', () => {
  const three = [makeAtmList('34', '01', [1, 2]), makeAtmList('06', '02', [3]), makeAtmList('35', '03', [4])];
  expect(evaluate(...three).broken).toEqual([]);
  expect(evaluate(...three.slice(1), makeAtmList('34', '01', [4])).broken).toEqual(['atms.codes-tell /data']);
  // Unknown codes may bring the first ten of all ATMs: neither list then contains the other, however often it is requested.
  const capped = [
    makeAtmList('34', '01', [8, 9, 10, 11, 12]),
    makeAtmList('99', '99', listNumbersUpTo(10)),
    makeAtmList('35', '03', [20]),
  ];
  expect(evaluate(...capped, ...capped).broken).toEqual([]);
  // The document does not limit the ATMs in an answer: ten in every answer are no page of a longer list.
  const tens = [
    makeAtmList('34', '01', listNumbersUpTo(10)),
    makeAtmList('06', '02', listNumbersUpTo(30).slice(20)),
    makeAtmList('35', '03', [11]),
  ];
  expect(evaluate(...tens).broken).toEqual([]);
});
