import { districtComplete } from '../../../../openapi/behaviours/atms/complete-lists.ts';
import { branchesComplete } from '../../../../openapi/behaviours/payment-links/complete-branches.ts';
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

const near = (second: number, ...atms: readonly Atm[]): Exchange =>
  exchange('findAtms', { data: atms }, { asked: { latitude: '41', longitude: '28' }, at: NOON + second * 1000 });
const at = (second: number, district_code: string, ...atms: readonly Atm[]): Exchange =>
  exchange(
    'findAtms',
    { data: atms.map(({ atm_distance: _, ...atm }) => atm) },
    { asked: { province_code: '1', district_code }, at: NOON + second * 1000 },
  );

const [first, second, third] = [1, 2, 3].map((no) => makeAtm(no, 'Mill')) as [Atm, Atm, Atm];
const long = [11, 12, 13, 14].map((no) => makeAtm(no, 'Harbour'));
/** The list of the district Mill and a query by position, by turns; and the longest list. */
const inTurn = (listed: readonly Atm[], shown: readonly Atm[], turns = 2, apart = 3) => [
  at(0, '9', ...long),
  ...Array.from({ length: turns }, (_, turn) => [
    at(2 * turn * apart, '1', ...listed),
    near((2 * turn + 1) * apart, ...shown),
  ]).flat(),
];
const NOT_SHOWN = 'no query by position showed an ATM of such a list';
const NOT_AGAIN = 'an ATM was missing in the list of its district, and the run did not ask again both ways';

runRows(districtComplete, {
  'an ATM of the district is not on its list': broken(inTurn([first, second], [first, third])),
  'the ATMs of the district are on its list': kept(inTurn([first, second], [first, long[0] as Atm])),
  'the number has other zeros on the list': kept(inTurn([first, makeAtm(2, 'Mill', '002')], [first, second])),
  'the list was asked for once, or too soon again': [
    notTested(inTurn([first, second], [third], 1), NOT_AGAIN),
    notTested(inTurn([first, second], [third], 2, 1), NOT_AGAIN),
  ],
  'the list is the longest': notTested([...inTurn([first, second], [third]).slice(1)], NOT_SHOWN),
  'an entry of the list, or another list, has another name': [
    notTested(inTurn([first, makeAtm(2, 'Mill End')], [third]), NOT_SHOWN),
    notTested([...inTurn([first], [third]), at(40, '2', second)], NOT_SHOWN),
  ],
  'the names are missing': notTested(inTurn([makeAtm(1, null)], [makeAtm(2, null)]), NOT_SHOWN),
  'an ATM is on the list at times': notTested(
    [...inTurn([first, second], [third]), at(40, '1', first, third)],
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
const askMerchants = (last: Branches, turns = 2, others = [1, 2, 3]) =>
  Array.from({ length: turns }, (_, turn) => [
    listMerchants(10 * turn),
    ...others.map((no) => listBranches(10 * turn + no, no, { [10 * no]: `Branch ${no}` })),
    listBranches(10 * turn + 4, 4, last),
  ]).flat();
const TOO_FEW = 'too few merchants have a branch of the merchant list in their branch list';

runRows(branchesComplete, {
  'the branch of the last merchant is not on its list': [
    broken(askMerchants({ 41: 'Mill' }), { count: 1 }),
    broken(askMerchants({}), { count: 1 }),
  ],
  'each branch is on the list': kept(askMerchants({ 40: 'Branch 4', 41: 'Mill' })),
  'the branch has another number or another name': [
    notTested(askMerchants({ 41: 'Branch 4' }), TOO_FEW),
    notTested(askMerchants({ 40: 'Old Mill' }), TOO_FEW),
  ],
  'too few other merchants have their branch': notTested(askMerchants({ 41: 'Mill' }, 2, [1, 2]), TOO_FEW),
  'the lists were asked for once': notTested(
    askMerchants({ 41: 'Mill' }, 1),
    'a branch was missing in a branch list, and the run did not ask again',
  ),
  'a branch without a name': notTested(askMerchants({ 41: 'Mill', 42: ' ' }), TOO_FEW),
});
