/** Tests the clause that a value which the bank accepted at first is not refused later. */
import { staysAccepted } from '../../../../openapi/behaviours/service/stays-accepted.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange, NOON } from '../../support/judge-harness.ts';
import { broken, kept, notTested, runRows } from './rows.ts';

type Operation = 'validateLoan' | 'requestLoan';
/** A request with both flags. The order id is new in each request. */
interface Request {
  readonly flag?: boolean;
  readonly amount?: number;
  readonly currency?: string;
  readonly status?: number;
  readonly order?: number;
}
const ask = (operation: Operation, requests: readonly Request[]): readonly Exchange[] =>
  requests.map(({ flag = true, amount = 100, currency = 'EUR', status = 200, order }, nth) =>
    exchange(operation, status === 200 ? body(operation) : {}, {
      asked: {
        commercial_disbursement: flag,
        disbursement_purpose: true,
        amount,
        currency,
        order_id: `order ${order ?? nth}`,
      },
      status,
      at: NOON + nth * 1000,
    }),
  );
const times = (count: number, request: Request): readonly Request[] => Array.from({ length: count }, () => request);

const refused: Request = { status: 422 };
const otherFlag: Request = { flag: false };
const accepted = times(3, {});
const inTurn = [refused, refused, otherFlag, otherFlag, refused, otherFlag];
/** The same turns, but the requests with the other flag are changed. */
const replaceOther = (change: Request): readonly Request[] =>
  inTurn.map((request) => (request === otherFlag ? { ...request, ...change } : request));
/** The same turns, but the refused requests are in EUR and the others in USD. */
const currenciesInTurn = inTurn.map((request): Request => ({
  ...request,
  flag: true,
  currency: request.flag === false ? 'USD' : 'EUR',
}));
const NOT_SENT_AGAIN =
  'commercial_disbursement true was accepted and later refused, and too few further requests had this value';
const SELDOM = 'no value was accepted often enough';

runRows(staysAccepted, {
  'one value of a flag is refused from one moment on, and the other value is accepted': [
    broken(ask('validateLoan', [...accepted, ...inTurn]), { count: 3 }),
    broken(ask('requestLoan', [...accepted, ...inTurn])),
  ],
  'both values of the flag are accepted to the end': kept(ask('validateLoan', [...times(6, {}), otherFlag])),
  'the refused value of the flag is accepted again': kept(ask('validateLoan', [...accepted, ...inTurn, ...accepted])),
  'the other value is refused too, or was accepted only before': [
    notTested(
      ask('validateLoan', [...accepted, otherFlag, ...times(3, refused), { ...otherFlag, status: 422 }]),
      NOT_SENT_AGAIN,
    ),
    notTested(ask('validateLoan', [...accepted, ...times(3, otherFlag), ...times(3, refused)]), NOT_SENT_AGAIN),
  ],
  'the other value is accepted in turn, but once before the refusals, refused, or with another amount': [
    notTested(ask('validateLoan', [...accepted, otherFlag, refused, refused, otherFlag, refused]), NOT_SENT_AGAIN),
    notTested(ask('validateLoan', [...accepted, ...replaceOther({ status: 422 })]), NOT_SENT_AGAIN),
    notTested(ask('validateLoan', [...accepted, ...replaceOther({ amount: 200 })]), NOT_SENT_AGAIN),
  ],
  'the refused requests also differ in the amount': [
    notTested(ask('validateLoan', [...accepted, ...times(3, refused), { flag: false, amount: 200 }]), NOT_SENT_AGAIN),
    notTested(ask('validateLoan', [...accepted, ...inTurn.map((request) => ({ ...request, amount: 9000 }))]), SELDOM),
  ],
  'the value was accepted only twice, or refused only twice': [
    notTested(ask('validateLoan', [...times(2, {}), ...inTurn]), SELDOM),
    notTested(ask('validateLoan', [...accepted, refused, otherFlag, refused, otherFlag]), NOT_SENT_AGAIN),
  ],
  'the value was refused only twice, and the other value was accepted to the end': notTested(
    ask('validateLoan', [...accepted, refused, refused, ...times(6, otherFlag)]),
    NOT_SENT_AGAIN,
  ),
  'a currency is refused from one moment on; for loan requests this is not tested': [
    broken(ask('validateLoan', [...accepted, ...currenciesInTurn])),
    notTested(ask('requestLoan', [...accepted, ...currenciesInTurn]), SELDOM),
  ],
  'the refused loan requests repeat an order_id': notTested(
    ask('requestLoan', [
      ...accepted,
      ...inTurn.map((request) => (request === refused ? { ...request, order: 0 } : request)),
    ]),
    SELDOM,
  ),
  'the value gets 429': notTested(
    ask('validateLoan', [...accepted, ...inTurn.map((request) => (request === refused ? { status: 429 } : request))]),
    SELDOM,
  ),
});
