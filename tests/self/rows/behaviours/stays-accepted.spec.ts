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
const other: Request = { flag: false };
const accepted = times(3, {});
const inTurn = [refused, refused, other, other, refused, other];
const AGAIN =
  'commercial_disbursement true was refused after it had been accepted, and was not asked for often enough again';
const SELDOM = 'no value was accepted often enough';

runRows(staysAccepted, {
  'a flag is refused from one moment on, and the other one is accepted': [
    broken(ask('validateLoan', [...accepted, ...inTurn]), { count: 3 }),
    broken(ask('requestLoan', [...accepted, ...inTurn])),
  ],
  'both flags are accepted to the end': kept(ask('validateLoan', [...times(6, {}), other])),
  'the flag is accepted again': kept(ask('validateLoan', [...accepted, ...inTurn, ...accepted])),
  'the other requests stop too, or were accepted only before': [
    notTested(ask('validateLoan', [...accepted, other, ...times(3, refused), { ...other, status: 422 }]), AGAIN),
    notTested(ask('validateLoan', [...accepted, ...times(3, other), ...times(3, refused)]), AGAIN),
  ],
  'the refused requests differ in more, or were never accepted with all their values': [
    notTested(ask('validateLoan', [...accepted, ...times(3, refused), { flag: false, amount: 200 }]), AGAIN),
    notTested(ask('validateLoan', [...accepted, ...inTurn.map((one) => ({ ...one, amount: 9000 }))]), SELDOM),
  ],
  'accepted twice, or refused twice': [
    notTested(ask('validateLoan', [...times(2, {}), ...inTurn]), SELDOM),
    notTested(ask('validateLoan', [...accepted, refused, other, refused, other]), AGAIN),
  ],
  'a currency in a check, and in what creates': [
    broken(
      ask('validateLoan', [
        ...accepted,
        ...inTurn.map((one) => ({ ...one, flag: true, currency: one.flag === false ? 'USD' : 'EUR' })),
      ]),
    ),
    notTested(
      ask('requestLoan', [
        ...accepted,
        ...inTurn.map((one) => ({ ...one, flag: true, currency: one.flag === false ? 'USD' : 'EUR' })),
      ]),
      SELDOM,
    ),
  ],
  'an order that is repeated': notTested(
    ask('requestLoan', [...accepted, ...inTurn.map((one) => (one === refused ? { ...one, order: 0 } : one))]),
    SELDOM,
  ),
  'the bank asks to wait': notTested(
    ask('validateLoan', [...accepted, ...inTurn.map((one) => (one === refused ? { status: 429 } : one))]),
    SELDOM,
  ),
});
