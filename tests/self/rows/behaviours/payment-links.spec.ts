import { branchesOwn, branchNamesOwn } from '../../../../openapi/behaviours/payment-links/branches.ts';
import {
  foreignBranchRefused,
  otherListRefused,
  unknownMerchantLists,
} from '../../../../openapi/behaviours/payment-links/foreign-entities.ts';
import { lifetimeConsistent } from '../../../../openapi/behaviours/payment-links/lifetime.ts';
import { refusedLinks } from '../../../../openapi/behaviours/service/refused.ts';
import { orderIdUnique, tokenNotCounted, tokenUnique } from '../../../../openapi/behaviours/payment-links/unique.ts';
import { body, exchange, NOON } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows, runRows } from './rows.ts';

const control = exchange('createPaymentLink');
const linkRefusal = exchange('createPaymentLink', {}, { status: 400, kind: 'probe' });
const { data: linkData } = body('createPaymentLink') as { data: object };
const { asked } = control.request;

rows(refusedLinks.amount, {
  'a link for zero is made': broken({ probe: control, control }),
  'it is refused, or is_success is false': [
    kept({ probe: linkRefusal, control }),
    kept({ probe: exchange('createPaymentLink', body('createPaymentLink', '/data/is_success', false)), control }),
  ],
});

const lists = exchange('listBranches');
rows(unknownMerchantLists.branches, {
  'an unknown merchant has branches': broken({
    unknown: exchange('listBranches', body('listBranches'), { kind: 'probe' }),
    control: lists,
  }),
  'the list of an unknown merchant is empty or refused': [
    kept({
      unknown: exchange('listBranches', body('listBranches', '/data/branches', []), { kind: 'probe' }),
      control: lists,
    }),
    kept({ unknown: exchange('listBranches', {}, { status: 404, kind: 'probe' }), control: lists }),
  ],
  'the bank does not answer': notTested(
    { unknown: exchange('listBranches', {}, { status: 500, kind: 'probe' }), control: lists },
    'the bank neither answered the request for an unknown merchant nor refused it',
  ),
  'a similar number shows the branches of the merchant': broken({ similar: lists, control: lists }),
});

const foreign = exchange('createPaymentLink', body('createPaymentLink'), {
  asked: { ...asked, branch_no: '999999' },
  kind: 'probe',
});
const [listed] = (body('listBranches') as { data: { branches: { no: string }[] } }).data.branches;
const own = exchange('createPaymentLink', body('createPaymentLink'), {
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
  'a number that only another list has is taken': broken(
    { probe: otherNumber, control, unknown: linkRefusal, list: listOf(1), difference },
    { pointer: 'request/body/installment', expected: 'a refusal: only the list for domestic cards has 6 installments' },
  ),
  'it is refused': kept({ probe: linkRefusal, control, unknown: linkRefusal, difference }),
  'the list has the number by now, or the bank takes numbers that no list has': [
    notTested(
      { probe: otherNumber, control, unknown: linkRefusal, list: listOf(1, 6), difference },
      'the number may be on this list too',
    ),
    notTested(
      { probe: otherNumber, control, unknown: control, list: listOf(1), difference },
      'the bank accepts numbers of installments that are on no list',
    ),
  ],
  'the request with a listed number is refused too': notTested(
    { probe: linkRefusal, control: linkRefusal, unknown: linkRefusal, difference },
    'the bank did not accept a link with a listed number of installments',
  ),
});

rows(foreignBranchRefused, {
  'a branch of another merchant is taken': broken({ foreign, control, branches: lists, unknown: linkRefusal }),
  'the branch is on the list after all': notTested(
    { foreign: own, control, branches: lists, unknown: linkRefusal },
    'the branch may be a branch of this merchant too',
  ),
  'it is refused, and the bank accepts a branch of this merchant': [
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
  'the bank takes any branch': notTested(
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
  'two links have one order id': broken([makeLink(1, 'one'), makeLink(1, 'two')], {
    pointer: '/data/order_id',
    count: 1,
  }),
  'each link has its own': kept([makeLink(1, 'one'), makeLink(2, 'two')]),
  'links that were not made': notTested([notMade, notMade], 'the run made fewer than two payment links'),
});
runRows(tokenUnique, {
  'two links have one token': broken([makeLink(1, 'one'), makeLink(2, 'one')], { pointer: '/data/payment_token' }),
  'each link has its own': kept([makeLink(1, 'one'), makeLink(2, 'two')]),
});
const listTokens = (...tokens: readonly string[]) => tokens.map((token, nth) => makeLink(nth, token));
runRows(tokenNotCounted, {
  'four tokens count': broken(listTokens('t-098', 't-099', 't-100', 't-101'), { count: 3 }),
  'one token follows another by chance': kept(listTokens('t-098', 't-099', 't-7', 't-12')),
  'three tokens': notTested(
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
  'the second link lives longer': broken([expiring(0, '01.06.2030 13:00:11'), expiring(1, '01.06.2030 15:01:11')], {
    received: 'an expiry 180 minutes after it',
  }),
  'both live an hour': kept([expiring(0, '01.06.2030 13:00:11'), expiring(1, '01.06.2030 13:01:11')]),
  'all expire at midnight': kept([expiring(0, '01.06.2030 23:59:59'), expiring(1, '01.06.2030 23:59:59')]),
  'the requests differ': notTested(
    [expiring(0, '01.06.2030 13:00:11'), expiring(1, '01.06.2030 15:01:11', 11)],
    'the run made no two payment links for identical requests',
  ),
});

type Names = Readonly<Record<string, string>>;
const OWN: Names = { '1 12': 'Harbour', '1 13': 'Mill', '2 31': 'Market', '3 44': 'Airport' };
/** Makes the merchant list and the branch lists. The keys of the names are merchant number and branch number. */
function listNames(merchants: Names, branches: Names = OWN) {
  const split = (names: Names) =>
    Object.entries(names).map(([key, name]) => [...key.split(' '), name] as [string, string, string]);
  const [example] = (body('listMerchants') as { data: { merchants: object[] } }).data.merchants;
  const shown = split(merchants).map(([no, branch, branch_name]) => ({
    ...example,
    merchant_no: Number(no),
    branch_code: Number(branch),
    branch_name,
  }));
  const numbers = [...new Set(split(branches).map(([no]) => no))];
  return [
    exchange('listMerchants', body('listMerchants', '/data/merchants', shown)),
    ...numbers.map((merchant_no) => {
      const own = split(branches).filter(([no]) => no === merchant_no);
      return exchange(
        'listBranches',
        { data: { branches: own.map(([, no, name]) => ({ no: Number(no), name })) } },
        { asked: { merchant_no } },
      );
    }),
  ];
}
runRows(branchNamesOwn, {
  'the names agree': kept(listNames({ '1 12': 'Harbour', '2 31': 'Market', '3 44': 'Airport' })),
  'one branch has the name of another': broken(listNames({ '1 12': 'Mill', '2 31': 'Market', '3 44': 'Airport' }), {
    count: 1,
  }),
  'three names have changed places': broken(listNames({ '1 12': 'Market', '2 31': 'Airport', '3 44': 'Harbour' }), {
    count: 3,
  }),
  'a number that no branch of the merchant has': broken(
    listNames({ '1 12': 'Harbour', '2 99': 'Market', '3 44': 'Airport' }),
    { count: 1 },
  ),
  'the number of a branch that is not on the list of the merchant': [
    kept(listNames({ '1 12': 'Harbour', '2 99': 'Outlet', '3 44': 'Airport' })),
    kept(listNames({ '1 12': 'Harbour', '2 99': 'Market', '3 5044': 'Airport' })),
  ],
  'a new name, or another spelling': kept(listNames({ '1 12': 'Old Harbour', '2 31': 'Market', '3 44': 'Airport' })),
  'branches of the bank with other numbers': notTested(
    listNames({ '1 5012': 'Market', '2 5031': 'Airport', '3 5044': 'Harbour' }),
    'no branch is both in the merchant list and in a branch list',
  ),
  'branches of the bank with the same numbers by chance': [
    kept(listNames({ '1 12': 'Market', '2 31': 'Mill', '3 44': 'Harbour' })),
    kept(listNames({ '1 12': 'Harbour', '2 31': 'Mill' })),
  ],
  'branches of two merchants with one number, and branches with one name': [
    kept(listNames({ '1 1': 'East', '2 1': 'West' }, { '1 1': 'East', '2 1': 'West' })),
    kept(listNames({ '1 12': 'Main', '2 31': 'Main' }, { '1 12': 'Main', '2 31': 'Main', '3 44': 'Main' })),
  ],
  'an entry without a number': notTested(
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

const SHOWN: Names = { '1 12': 'Harbour', '2 31': 'Market', '3 44': 'Airport', '4 55': 'Station' };
const THIRD_FOR_FOURTH: Names = { ...SHOWN, '4 55': '', '4 44': 'Airport' };
/** Makes the branch lists of all merchants, and then the same lists again. */
const twice = (branches: Names) =>
  [0, 1].flatMap((round) =>
    listNames(SHOWN, branches).map((one, nth) => ({ ...one, startedAt: NOON + round * 1000 + nth })),
  );
runRows(branchesOwn, {
  'a merchant has the branch list of another one': broken(twice(THIRD_FOR_FOURTH), { count: 1 }),
  'each merchant has its own branches': kept(twice(SHOWN)),
  'the equal lists were asked for once': kept(listNames(SHOWN, THIRD_FOR_FOURTH)),
  'branches are numbered for each merchant': notTested(
    twice({ ...SHOWN, '1 31': 'Mill', '2 44': 'Mill', '3 12': 'Mill' }),
    'several merchants have the same branch number',
  ),
});
