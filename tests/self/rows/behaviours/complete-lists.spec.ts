/** Tests the clauses that the list of a district, and the branch list of a merchant, are complete. */
import { districtComplete } from '../../../../openapi/bank/behaviours/atms/complete-lists.ts';
import { branchesComplete } from '../../../../openapi/bank/behaviours/payment-links/complete-branches.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange, NOON } from '../../support/judge-harness.ts';
import { broken, kept, notTested, runRows } from './rows.ts';

const [example] = (body('findAtms') as { data: object[] }).data;
const makeAtm = (no: number, district: string | null, atm_no = String(no)) => ({
  ...example,
  atm_no,
  atm_name: `ATM ${no}`,
  atm_latitude: 41.00001 + no / 10,
  atm_longitude: 28.00001,
  atm_distance: 100 * no,
  atm_city: 'Alder',
  atm_district: district,
});
type Atm = ReturnType<typeof makeAtm>;

/** Makes the answer to a query by position, at a second of the run. */
const queryPosition = (second: number, ...atms: readonly Atm[]): Exchange =>
  exchange('findAtms', { data: atms }, { asked: { latitude: '41', longitude: '28' }, at: NOON + second * 1000 });
/** Makes the answer to a query by district, at a second of the run. */
const listDistrict = (second: number, district_code: string, ...atms: readonly Atm[]): Exchange =>
  exchange(
    'findAtms',
    { data: atms.map(({ atm_distance: _, ...atm }) => atm) },
    { asked: { province_code: '1', district_code }, at: NOON + second * 1000 },
  );

const [first, second, third] = [1, 2, 3].map((no) => makeAtm(no, 'Mill')) as [Atm, Atm, Atm];
const longestList = [11, 12, 13, 14].map((no) => makeAtm(no, 'Harbour'));
/** Makes the longest list, then by turns the list of the district Mill (`listed`) and a query by position (`shown`). */
const listAndQueryByTurns = (listed: readonly Atm[], shown: readonly Atm[], turns = 2, apart = 3) => [
  listDistrict(0, '9', ...longestList),
  ...Array.from({ length: turns }, (_, turn) => [
    listDistrict(2 * turn * apart, '1', ...listed),
    queryPosition((2 * turn + 1) * apart, ...shown),
  ]).flat(),
];
const NOT_SHOWN = 'no query by position showed an ATM of a district with a shorter list';
const NOT_AGAIN = 'an ATM was missing in the list of its district, and the run did not ask again both ways';

runRows(districtComplete, {
  'two position queries show an ATM of the district that its list lacks': broken(
    listAndQueryByTurns([first, second], [first, third]),
  ),
  'the list of the district has each of its ATMs that position queries show': kept(
    listAndQueryByTurns([first, second], [first, longestList[0] as Atm]),
  ),
  'the list has the number of the ATM at another place, with other leading zeros, or its place with another number': [
    kept(listAndQueryByTurns([first, makeAtm(3, 'Mill', '002')], [second])),
    kept(listAndQueryByTurns([first, makeAtm(2, 'Mill', '7')], [second])),
  ],
  'the list was requested only once, or again after one second': [
    notTested(listAndQueryByTurns([first, second], [third], 1), NOT_AGAIN),
    notTested(listAndQueryByTurns([first, second], [third], 2, 1), NOT_AGAIN),
    notTested(listAndQueryByTurns([first, second], [third]).slice(0, -1), NOT_AGAIN),
  ],
  'the list may be cut, because no list is longer': notTested(
    [...listAndQueryByTurns([first, second], [third]).slice(1)],
    NOT_SHOWN,
  ),
  'the name of the district is not the same on all of its list, or is also on another list': [
    notTested(listAndQueryByTurns([first, makeAtm(2, 'Mill End')], [third]), NOT_SHOWN),
    notTested([...listAndQueryByTurns([first], [third]), listDistrict(40, '2', second)], NOT_SHOWN),
  ],
  'the ATMs have no district name': notTested(listAndQueryByTurns([makeAtm(1, null)], [makeAtm(2, null)]), NOT_SHOWN),
  'a later list of the district has the missing ATM': notTested(
    [...listAndQueryByTurns([first, second], [third]), listDistrict(40, '1', first, third)],
    NOT_SHOWN,
  ),
});

type Branches = Readonly<Record<string, string>>;
/** The merchant list: each merchant with a branch. The keys are the numbers of merchants and branches. */
function listMerchants(second: number): Exchange {
  const [merchant] = (body('listMerchants') as { data: { merchants: object[] } }).data.merchants;
  const merchants = [1, 2, 3, 4].map((no) => ({
    ...merchant,
    merchant_no: no,
    branch_code: 10 * no,
    branch_name: `Branch ${no}`,
  }));
  return exchange('listMerchants', body('listMerchants', '/data/merchants', merchants), { at: NOON + second * 1000 });
}
const listBranches = (second: number, merchant_no: number, branches: Branches): Exchange =>
  exchange(
    'listBranches',
    { data: { branches: Object.entries(branches).map(([no, name]) => ({ no: Number(no), name })) } },
    { asked: { merchant_no: String(merchant_no) }, at: NOON + second * 1000 },
  );
/** The merchant list and the branch lists, by turns. The last merchant has other branches. */
const askMerchants = (lastBranches: Branches, turns = 2, otherMerchants = [1, 2, 3]) =>
  Array.from({ length: turns }, (_, turn) => [
    listMerchants(10 * turn),
    ...otherMerchants.map((no) => listBranches(10 * turn + no, no, { [10 * no]: `Branch ${no}` })),
    listBranches(10 * turn + 4, 4, lastBranches),
  ]).flat();
const TOO_FEW = 'too few merchants have a branch of the merchant list in their branch list';

runRows(branchesComplete, {
  'the branch of one merchant is not in its branch list, while those of three merchants are': [
    broken(askMerchants({ 41: 'Mill' }), { count: 1 }),
    broken(askMerchants({}), { count: 1 }),
  ],
  'the branch of each merchant is in its branch list': kept(askMerchants({ 40: 'Branch 4', 41: 'Mill' })),
  'the branch list has the branch with another number or another name': [
    notTested(askMerchants({ 41: 'Branch 4' }), TOO_FEW),
    notTested(askMerchants({ 40: 'Old Mill' }), TOO_FEW),
  ],
  'the branches of only two other merchants are in their branch lists': notTested(
    askMerchants({ 41: 'Mill' }, 2, [1, 2]),
    TOO_FEW,
  ),
  'the lists were requested only once, or only the merchant list again': [
    askMerchants({ 41: 'Mill' }, 1),
    [...askMerchants({ 41: 'Mill' }, 1), listMerchants(10)],
  ].map((lists) => notTested(lists, 'a branch was missing in a branch list, and the run did not ask again')),
  'a branch of the list has no name': notTested(askMerchants({ 41: 'Mill', 42: ' ' }), TOO_FEW),
});
