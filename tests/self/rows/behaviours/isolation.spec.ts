/** Tests the clauses that concurrent queries get their own answers, and not those of other queries. */
import { isolatedOffers } from '../../../../openapi/bank/behaviours/races/isolated-offers.ts';
import { isolatedByArea } from '../../../../openapi/bank/behaviours/races/isolation.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

/** Makes an answer to the branch list of merchant 1 or 2, with one branch. */
const makeList = (merchant_no: '1' | '2', name: string, status = 200): Exchange =>
  exchange('listBranches', body('listBranches', '/data/branches', [{ no: '1', name }]), {
    asked: { merchant_no },
    status,
  });
const [north, south] = [makeList('1', 'North'), makeList('2', 'South')];
/** Merchant 1 gets the list of merchant 2, and merchant 2 the list of merchant 1. */
const [southForFirst, northForSecond] = [makeList('1', 'South'), makeList('2', 'North')];
/** Returns the exchanges as concurrent exchanges: all requests are sent before the first answer. */
const atOnce = (...answers: readonly Exchange[]): readonly Exchange[] =>
  answers.map((answer, nth) => ({ ...answer, id: `${answer.id}-${nth}`, ticks: [nth, 10 + nth] as const }));
const alone = [north, south];
const evidence = (...answers: readonly Exchange[]) => ({ before: alone, atOnce: atOnce(...answers), after: alone });

const NO_DIFFERENCE = 'no two of the queries have different answers when they are sent alone';
const NOT_AT_ONCE = 'no two different queries were in flight at the same time';

rows(isolatedByArea['payment-links'], {
  'concurrent queries get the lists of their own merchants': kept(evidence(north, south, north, south)),
  'two concurrent queries get the list of another merchant': [
    broken(evidence(southForFirst, south, southForFirst, south)),
    broken(evidence(southForFirst, northForSecond, north, south)),
  ],
  'only one concurrent query gets the list of another merchant': kept(evidence(southForFirst, south)),
  'concurrent queries get lists of no merchant, or are refused': [
    kept(evidence(makeList('1', 'East'), makeList('2', 'West'), makeList('1', 'East'), makeList('2', 'West'))),
    kept(evidence(makeList('1', 'South', 503), south, makeList('1', 'South', 429), south)),
  ],
  'the list of a merchant is another one afterwards': notTested(
    { before: alone, atOnce: atOnce(southForFirst, south), after: [southForFirst, south] },
    NO_DIFFERENCE,
  ),
  'both merchants have the same list': notTested(
    { before: [north, northForSecond], atOnce: atOnce(north, northForSecond), after: [north, northForSecond] },
    NO_DIFFERENCE,
  ),
  'the queries were not in flight at the same time': notTested({ ...evidence(), atOnce: [north, south] }, NOT_AT_ONCE),
});

const validate = (amount: number, result: string): Exchange =>
  exchange('validateLoan', body('validateLoan', '/data/result', result), { asked: { amount } });
const [small, large, largeTrue] = [validate(10, 'true'), validate(10_000, 'false'), validate(10_000, 'true')];
const checks = (...answers: readonly Exchange[]) => ({
  before: [small, large],
  atOnce: atOnce(...answers),
  after: [small, large],
});
rows(isolatedByArea.loans, {
  'validations that are answered false alone are answered true among concurrent ones': broken(
    checks(largeTrue, small, largeTrue),
  ),
  'validations that are answered true alone are answered false among concurrent ones': kept(
    checks(large, validate(10, 'false'), validate(10, 'false')),
  ),
});

/** Makes a loan answer from tick `from` to tick `until` with offers of these accounts. */
function offer(currency: string, accounts: readonly string[], [from, until]: readonly [number, number]): Exchange {
  const infos = accounts.map((account_id) => ({ account_id, avaliable_limit: '100.00' }));
  const asked = { currency, amount: 10 };
  return {
    ...exchange('requestLoan', { data: { application_id: `${from}`, infos } }, { asked }),
    ticks: [from, until],
  };
}
const ACCOUNTS = { EUR: ['1', '2'], USD: ['3'] } as const;
const offerAlone = (from: number): readonly Exchange[] => [
  offer('EUR', ACCOUNTS.EUR, [from, from + 1]),
  offer('USD', ACCOUNTS.USD, [from + 2, from + 3]),
];
const OFFERS_NOT_AT_ONCE = 'no two requests in currencies with different accounts were in flight at the same time';
/** Sends pairs of requests in both currencies at the same time. Single requests come before and after. EUR has these accounts. */
const offersBeside = (...accountsOfEur: readonly (readonly string[])[]) => ({
  answers: [
    ...offerAlone(0),
    ...accountsOfEur.flatMap((accounts, nth) => [
      offer('EUR', accounts, [10 + 10 * nth, 15 + 10 * nth]),
      offer('USD', ACCOUNTS.USD, [11 + 10 * nth, 16 + 10 * nth]),
    ]),
    ...offerAlone(100),
  ],
});

rows(isolatedOffers, {
  'each currency has its own accounts': kept(offersBeside(ACCOUNTS.EUR, ACCOUNTS.EUR)),
  'two requests get the accounts of another currency': [
    broken(offersBeside(ACCOUNTS.USD, ACCOUNTS.USD), { count: 2 }),
    broken(offersBeside(ACCOUNTS.USD, ACCOUNTS.EUR, ACCOUNTS.USD)),
  ],
  'refusals and answers without offers come between them': kept({
    answers: [
      ...offersBeside(ACCOUNTS.EUR, ACCOUNTS.EUR).answers,
      offer('EUR', [], [50, 51]),
      exchange('requestLoan', {}, { asked: { currency: 'EUR' }, status: 422 }),
    ],
  }),
  'no request came alone before the requests with the accounts of another currency': kept({
    answers: offersBeside(ACCOUNTS.USD, ACCOUNTS.USD, ACCOUNTS.USD).answers.slice(1),
  }),
  'one mixed-up answer may be chance, as may accounts of no other currency': [
    kept(offersBeside(ACCOUNTS.USD, ACCOUNTS.EUR)),
    kept(offersBeside(['4'], ['5'])),
    kept(offersBeside(['1'], ['2'])),
  ],
  'more answers have accounts of no currency than have those of their own currency: the offers may be any': notTested(
    offersBeside(ACCOUNTS.USD, ACCOUNTS.USD, ['4'], ['5'], ['6']),
    OFFERS_NOT_AT_ONCE,
  ),
  'the accounts of a currency changed, or no request came alone after them': [
    notTested(
      { answers: [...offersBeside(ACCOUNTS.USD, ACCOUNTS.USD).answers, offer('EUR', ['3'], [200, 201])] },
      OFFERS_NOT_AT_ONCE,
    ),
    notTested({ answers: offersBeside(ACCOUNTS.USD, ACCOUNTS.USD).answers.slice(0, -2) }, OFFERS_NOT_AT_ONCE),
  ],
  'the currencies share an account, or the requests followed each other': [
    notTested(
      {
        answers: [
          ...[0, 100].map((from) => offer('EUR', ['1', '3'], [from, from + 1])),
          ...[4, 104].map((from) => offer('USD', ['3'], [from, from + 1])),
          ...[10, 20].flatMap((from) => [offer('EUR', ['3'], [from, from + 5]), offer('USD', ['3'], [from, from + 5])]),
        ],
      },
      OFFERS_NOT_AT_ONCE,
    ),
    notTested({ answers: [...offerAlone(0), ...offerAlone(100)] }, OFFERS_NOT_AT_ONCE),
  ],
});
