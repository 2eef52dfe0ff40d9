/** Tests the clauses about payment links, and about the lists of merchants, branches and installments. */
import {
  branchListsDiffer,
  branchNamesNotExchanged,
} from '../../../../openapi/bank/behaviours/payment-links/branches.ts';
import {
  foreignBranchRefused,
  otherListRefused,
  unknownMerchantLists,
} from '../../../../openapi/bank/behaviours/payment-links/foreign-entities.ts';
import { lifetimeConsistent } from '../../../../openapi/bank/behaviours/payment-links/lifetime.ts';
import { refusedLinks } from '../../../../openapi/bank/behaviours/service/refused.ts';
import {
  orderIdUnique,
  tokenNotCounted,
  tokenUnique,
} from '../../../../openapi/bank/behaviours/payment-links/unique.ts';
import { body, exchange, NOON } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows, runRows } from './rows.ts';

const control = exchange('createPaymentLink');
const linkRefusal = exchange('createPaymentLink', {}, { status: 400, kind: 'probe' });
const { data: linkData } = body('createPaymentLink') as { data: object };
const { asked } = control.request;

rows(refusedLinks.amount, {
  'a payment link for the amount zero is made': broken({ probe: control, control }),
  'a payment link for the amount zero is refused, or is_success is false': [
    kept({ probe: linkRefusal, control }),
    kept({ probe: exchange('createPaymentLink', body('createPaymentLink', '/data/is_success', false)), control }),
  ],
});

const lists = exchange('listBranches');
rows(unknownMerchantLists.branches, {
  'the branch list of an unknown merchant has branches': broken({
    unknown: exchange('listBranches', body('listBranches'), { kind: 'probe' }),
    control: lists,
  }),
  'the branch list of an unknown merchant is empty or refused': [
    kept({
      unknown: exchange('listBranches', body('listBranches', '/data/branches', []), { kind: 'probe' }),
      control: lists,
    }),
    kept({ unknown: exchange('listBranches', {}, { status: 404, kind: 'probe' }), control: lists }),
  ],
  'the bank answers with 500': notTested(
    { unknown: exchange('listBranches', {}, { status: 500, kind: 'probe' }), control: lists },
    'the bank neither answered the request for an unknown merchant nor refused it',
  ),
  'a similar merchant number gets the branches of the merchant': broken({ similar: lists, control: lists }),
});

const foreign = exchange('createPaymentLink', body('createPaymentLink'), {
  asked: { ...asked, branch_no: '999999' },
  kind: 'probe',
});
const [listed] = (body('listBranches') as { data: { branches: { no: string }[] } }).data.branches;
const ownBranchLink = exchange('createPaymentLink', body('createPaymentLink'), {
  asked: { ...asked, branch_no: String(listed?.no) },
  kind: 'probe',
});
const otherNumber = exchange('createPaymentLink', body('createPaymentLink'), {
  asked: { ...asked, installment: 6 },
  kind: 'probe',
});
const listOf = (...numbers: readonly number[]) =>
  exchange('listInstallments', { data: { installments: numbers.map((value) => ({ value, text: `${value}` })) } });
const difference = 'domestic cards';
rows(otherListRefused, {
  'the bank accepts a number of installments that only another list has': broken(
    { probe: otherNumber, control, unknown: linkRefusal, list: listOf(1), difference },
    { pointer: 'request/body/installment', expected: 'a refusal: only the list for domestic cards has 6 installments' },
  ),
  'the bank refuses a number of installments that only another list has': kept({
    probe: linkRefusal,
    control,
    unknown: linkRefusal,
    difference,
  }),
  'the list has the number later, or the bank accepts numbers of no list': [
    notTested(
      { probe: otherNumber, control, unknown: linkRefusal, list: listOf(1, 6), difference },
      'the number of installments may be on this list too',
    ),
    notTested(
      { probe: otherNumber, control, unknown: control, list: listOf(1), difference },
      'the bank accepts numbers of installments that are on no list',
    ),
  ],
  'the bank refuses a listed number of installments too': notTested(
    { probe: linkRefusal, control: linkRefusal, unknown: linkRefusal, difference },
    'the bank did not accept a link with a listed number of installments',
  ),
});

rows(foreignBranchRefused, {
  'the bank accepts a link for a branch of another merchant': broken({
    foreign,
    control,
    branches: lists,
    unknown: linkRefusal,
  }),
  'the branch is also on the list of this merchant': notTested(
    { foreign: ownBranchLink, control, branches: lists, unknown: linkRefusal },
    'the branch may be a branch of this merchant too',
  ),
  'the bank refuses the other branch; not tested if it also refuses the own branch, or answers 500': [
    kept({ foreign: linkRefusal, control }),
    notTested(
      { foreign: linkRefusal, control: linkRefusal },
      'the bank did not accept a link for a branch of this merchant',
    ),
    notTested(
      { foreign: exchange('createPaymentLink', {}, { status: 500, kind: 'probe' }), control },
      'the bank neither made the link nor refused it',
    ),
  ],
  'the bank accepts any branch number': notTested(
    { foreign, control, branches: lists, unknown: control },
    'the bank accepts links for any branch',
  ),
});

const makeLink = (id: number, payment_token: string) =>
  exchange('createPaymentLink', {
    data: {
      ...linkData,
      order_id: `0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d${id}`,
      ...{ payment_token, payment_link: `https://pay.example/${payment_token}` },
    },
  });
const notMade = exchange('createPaymentLink', body('createPaymentLink', '/data/is_success', false));
runRows(orderIdUnique, {
  'two links have the same order id': broken([makeLink(1, 'one'), makeLink(1, 'two')], {
    pointer: '/data/order_id',
    count: 1,
  }),
  'each link has another value': kept([makeLink(1, 'one'), makeLink(2, 'two')]),
  'is_success is false in all links': notTested([notMade, notMade], 'the run made fewer than two payment links'),
});
runRows(tokenUnique, {
  'two links have the same token': broken([makeLink(1, 'one'), makeLink(2, 'one')], { pointer: '/data/payment_token' }),
  'each link has another value': kept([makeLink(1, 'one'), makeLink(2, 'two')]),
});
const listTokens = (...tokens: readonly string[]) => tokens.map((token, nth) => makeLink(nth, token));
runRows(tokenNotCounted, {
  'four tokens count up': broken(listTokens('t-098', 't-099', 't-100', 't-101'), { count: 3 }),
  'only two of four tokens follow each other': kept(listTokens('t-098', 't-099', 't-7', 't-12')),
  'the run saw only three tokens': notTested(
    listTokens('t-1', 't-2', 't-3'),
    'the run saw fewer than four different tokens, too few to show whether the bank only counts them up',
  ),
});

/** Makes a link that the bank created at `minutes` after noon, with its time of expiry. */
const expiring = (minutes: number, end_date: string, amount = 10) =>
  exchange(
    'createPaymentLink',
    { data: { ...linkData, end_date } },
    { asked: { ...asked, amount }, at: NOON + minutes * 60_000 },
  );
runRows(lifetimeConsistent, {
  'an equal second link expires after a longer time': broken(
    [expiring(0, '01.06.2030 13:00:11'), expiring(1, '01.06.2030 15:01:11')],
    {
      received: 'an expiry 180 minutes after it',
    },
  ),
  'both links expire after an hour': kept([expiring(0, '01.06.2030 13:00:11'), expiring(1, '01.06.2030 13:01:11')]),
  'both links expire at midnight': kept([expiring(0, '01.06.2030 23:59:59'), expiring(1, '01.06.2030 23:59:59')]),
  'the links are for different amounts': notTested(
    [expiring(0, '01.06.2030 13:00:11'), expiring(1, '01.06.2030 15:01:11', 11)],
    'the run made no two payment links for identical requests',
  ),
});

type Names = Readonly<Record<string, string>>;
const OWN_BRANCHES: Names = { '1 12': 'Harbour', '1 13': 'Mill', '2 31': 'Market', '3 44': 'Airport' };
/** Makes the merchant list and the branch lists. The keys of the names are merchant number and branch number. */
function listNames(merchants: Names, branches: Names = OWN_BRANCHES) {
  const split = (names: Names) =>
    Object.entries(names).map(([key, name]) => [...key.split(' '), name] as [string, string, string]);
  const [example] = (body('listMerchants') as { data: { merchants: object[] } }).data.merchants;
  const listedMerchants = split(merchants).map(([no, branch, branch_name]) => ({
    ...example,
    merchant_no: Number(no),
    branch_code: Number(branch),
    branch_name,
  }));
  const numbers = [...new Set(split(branches).map(([no]) => no))];
  return [
    exchange('listMerchants', body('listMerchants', '/data/merchants', listedMerchants)),
    ...numbers.map((merchant_no) => {
      const branchesOfMerchant = split(branches).filter(([no]) => no === merchant_no);
      return exchange(
        'listBranches',
        { data: { branches: branchesOfMerchant.map(([, no, name]) => ({ no: Number(no), name })) } },
        { asked: { merchant_no } },
      );
    }),
  ];
}
runRows(branchNamesNotExchanged, {
  'each branch of the merchant list has its name of the branch lists': kept(
    listNames({ '1 12': 'Harbour', '2 31': 'Market', '3 44': 'Airport' }),
  ),
  'a branch of the merchant list has the name of another branch': broken(
    listNames({ '1 12': 'Mill', '2 31': 'Market', '3 44': 'Airport' }),
    {
      count: 1,
    },
  ),
  'three branches of the merchant list have the names of each other': broken(
    listNames({ '1 12': 'Market', '2 31': 'Airport', '3 44': 'Harbour' }),
    {
      count: 3,
    },
  ),
  'a branch of the merchant list has a number that no branch of the merchant has': broken(
    listNames({ '1 12': 'Harbour', '2 99': 'Market', '3 44': 'Airport' }),
    { count: 1 },
  ),
  'a branch of the merchant list is not in the branch list, with number or name': [
    kept(listNames({ '1 12': 'Harbour', '2 99': 'Outlet', '3 44': 'Airport' })),
    kept(listNames({ '1 12': 'Harbour', '2 99': 'Market', '3 5044': 'Airport' })),
  ],
  'a branch of the merchant list has a new name': kept(
    listNames({ '1 12': 'Old Harbour', '2 31': 'Market', '3 44': 'Airport' }),
  ),
  'no number of the merchant list is in a branch list': notTested(
    listNames({ '1 5012': 'Market', '2 5031': 'Airport', '3 5044': 'Harbour' }),
    'no branch is both in the merchant list and in a branch list',
  ),
  'the numbers of the merchant list agree with branch lists only by chance': [
    kept(listNames({ '1 12': 'Market', '2 31': 'Mill', '3 44': 'Harbour' })),
    kept(listNames({ '1 12': 'Harbour', '2 31': 'Mill' })),
  ],
  'branches of two merchants have the same number, or all have the same name': [
    kept(listNames({ '1 1': 'East', '2 1': 'West' }, { '1 1': 'East', '2 1': 'West' })),
    kept(listNames({ '1 12': 'Main', '2 31': 'Main' }, { '1 12': 'Main', '2 31': 'Main', '3 44': 'Main' })),
  ],
  'the entry of the merchant list has no branch number': notTested(
    [
      exchange(
        'listMerchants',
        body('listMerchants', '/data/merchants', [{ merchant_no: 1, branch_code: null, branch_name: 'Mill' }]),
      ),
      ...listNames({}).slice(1),
    ],
    'no branch is both in the merchant list and in a branch list',
  ),
});

const LISTED_BRANCHES: Names = { '1 12': 'Harbour', '2 31': 'Market', '3 44': 'Airport', '4 55': 'Station' };
const THIRD_FOR_FOURTH: Names = { ...LISTED_BRANCHES, '4 55': '', '4 44': 'Airport' };
/** Makes the branch lists of all merchants, and then the same lists again. */
const twice = (branches: Names) =>
  [0, 1].flatMap((round) =>
    listNames(LISTED_BRANCHES, branches).map((list, nth) => ({ ...list, startedAt: NOON + round * 1000 + nth })),
  );
runRows(branchListsDiffer, {
  'two merchants have the same branch list in two rounds': broken(twice(THIRD_FOR_FOURTH), { count: 1 }),
  'each merchant has its own branches': kept(twice(LISTED_BRANCHES)),
  'two merchants have the same branch list, requested only once': kept(listNames(LISTED_BRANCHES, THIRD_FOR_FOURTH)),
  'each merchant numbers its branches by itself': notTested(
    twice({ ...LISTED_BRANCHES, '1 31': 'Mill', '2 44': 'Mill', '3 12': 'Mill' }),
    'several merchants have the same branch number',
  ),
});
