/** Rows for the checks of lists: dependence on a parameter, stable places and names, and what a bank may do. */
import { expect, test } from '@playwright/test';
import { body, evaluated, exchange } from '../../support/judge-harness.ts';

const branches = (merchant_no: string, names: Readonly<Record<number, string>>) =>
  exchange(
    'listBranches',
    { data: { branches: Object.entries(names).map(([no, name]) => ({ no: Number(no), name })) } },
    { asked: { merchant_no } },
  );

test('One branch number of one merchant has one name', () => {
  const own = branches('1', { 12: 'Harbour', 13: 'Mill' });
  const brokenBy = (other: ReturnType<typeof branches>) => evaluated(own, other).broken;
  expect(brokenBy(branches('1', { 12: 'Harbour', 13: 'Market' }))).toEqual(['links.lists-repeat /data']);
  expect(brokenBy(branches('1', { 13: 'Mill', 12: 'Harbour' }))).toEqual([]);
  // Another merchant has its own branches.
  expect(brokenBy(branches('2', { 12: 'Airport', 13: 'Mill' }))).toEqual([]);
});

/** ATMs by number, all close to one another. */
const atms = (province_code: string, district_code: string, numbers: readonly number[]) => {
  const [atm] = (body('findAtms') as { data: Record<string, unknown>[] }).data;
  const { atm_distance: _, ...plain } = atm ?? {};
  const data = numbers.map((no) => ({ ...plain, atm_no: `00${no}`, atm_latitude: 38 + no / 100, atm_longitude: 27 }));
  return exchange('findAtms', { data }, { asked: { province_code, district_code } });
};

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, at) => at + 1);

test('Different province and district codes bring different lists; the answer to unknown codes, and its length, is open', () => {
  const three = [atms('34', '01', [1, 2]), atms('06', '02', [3]), atms('35', '03', [4])];
  expect(evaluated(...three).broken).toEqual([]);
  expect(evaluated(...three.slice(1), atms('34', '01', [4])).broken).toEqual(['atms.codes-tell /data']);
  // Unknown codes may bring the first ten of all ATMs: neither list then contains the other, however often it is requested.
  const capped = [atms('34', '01', [8, 9, 10, 11, 12]), atms('99', '99', upTo(10)), atms('35', '03', [20])];
  expect(evaluated(...capped, ...capped).broken).toEqual([]);
  // The document does not limit the ATMs in an answer: ten in every answer are no page of a longer list.
  const tens = [atms('34', '01', upTo(10)), atms('06', '02', upTo(30).slice(20)), atms('35', '03', [11])];
  expect(evaluated(...tens).broken).toEqual([]);
});
