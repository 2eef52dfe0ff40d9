/** Tests clauses about answers that belong to another application, about lost outcomes, and about references that change. */
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, evaluate, exchange } from '../../support/judge-harness.ts';

/** Returns a copy of the exchange that was sent at `tick`. */
const setTick = (tick: number, exchange: Exchange): Exchange => ({ ...exchange, ticks: [tick, tick + 1] });
const makeInputs = (application_id: string) => ({ asked: { application_id, account_id: '1', amount: '10' } });

const openApplication = (id: string): Exchange =>
  exchange('requestLoan', body('requestLoan', '/data/application_id', id));
const makeDisbursement = (id: string, tick = 0, asked: object = {}, answeredId = id): Exchange =>
  setTick(
    tick,
    exchange('disburse', { data: { application_id: answeredId } }, { asked: { ...makeInputs(id).asked, ...asked } }),
  );
const makeOutcome = (id: string, tick: number): Exchange =>
  setTick(tick, exchange('queryDisbursement', { data: { application_id: id, result: 'Done' } }, makeInputs(id)));
const makeMissingOutcome = (id: string, tick: number): Exchange =>
  setTick(tick, exchange('queryDisbursement', { message: 'No' }, { ...makeInputs(id), status: 404 }));
const makeErrorsWithoutData = (id: string, tick: number): Exchange =>
  setTick(tick, exchange('queryDisbursement', { errors: [{ message: 'R036;' }] }, makeInputs(id)));
let applications = 900;
/** Makes a loan answer with one offer, each time for another application. */
const makeOffer = (account_id: string, account: string, interest_rate = '1.50000', commission_rate = '0.25000') => {
  const { data } = body('requestLoan') as { data: { infos: [object] } };
  const infos = [{ ...data.infos[0], account_id, account, interest_rate, commission_rate }];
  return exchange('requestLoan', { data: { ...data, infos, application_id: String((applications += 1)) } });
};

/** Makes an accepted disbursement and a query for its outcome that the bank answers. */
const makeFoundDisbursement = (id: string, tick: number, asked?: object) => [
  makeDisbursement(id, tick, asked),
  makeOutcome(id, 30),
];
const makeLostDisbursement = (id: string, tick: number, asked?: object) => [
  makeDisbursement(id, tick, asked),
  makeMissingOutcome(id, 40),
  makeMissingOutcome(id, 50),
];
const disbursementsBetween = [
  ...makeFoundDisbursement('1', 10),
  ...makeLostDisbursement('2', 12),
  ...makeLostDisbursement('3', 14),
];
const twoOffers = [makeOffer('7', 'a'), makeOffer('8', 'b', '2.10000', '0.30000')];

const rowsByTitle: Readonly<
  Record<string, readonly (readonly [clauses: readonly string[], ...exchanges: Exchange[]])[]>
> = {
  'A disbursement answered with the id of another application or account of the run breaks a clause; an unknown id does not':
    [
      [
        ['loans.disbursement.application-id'],
        openApplication('1'),
        openApplication('2'),
        makeDisbursement('1', 0, {}, '2'),
      ],
      [
        ['loans.disbursement.application-id'],
        openApplication('1'),
        makeOffer('7', 'TR7'),
        makeDisbursement('1', 0, {}, '7'),
      ],
      [[], openApplication('1'), openApplication('2'), makeDisbursement('1', 0, {}, '3')],
    ],
  'An outcome that a later query does not find breaks loans.outcome.found-again, unless a disbursement came between': [
    [['loans.outcome.found-again'], makeOutcome('1', 10), makeMissingOutcome('1', 20)],
    // The order of the scenarios does not matter.
    [['loans.outcome.found-again'], makeOutcome('1', 30), makeMissingOutcome('1', 20), makeOutcome('1', 10)],
    [[], makeOutcome('1', 10), makeMissingOutcome('1', 5)],
    [[], makeOutcome('1', 10), makeDisbursement('1', 15), makeMissingOutcome('1', 20)],
  ],
  'If two loan requests got the same application id, a lost outcome of this id is no finding': [
    [
      ['loans.outcome.found-again'],
      openApplication('1'),
      openApplication('2'),
      makeOutcome('1', 10),
      makeMissingOutcome('1', 20),
    ],
    [
      ['loans.application.id.distinct'],
      openApplication('1'),
      openApplication('1'),
      makeOutcome('1', 10),
      makeMissingOutcome('1', 20),
    ],
  ],
  'Errors without data break loans.outcome.data after a disbursement, and are a refusal before it': [
    [['loans.outcome.data'], makeDisbursement('1', 10), makeErrorsWithoutData('1', 20)],
    [['service.refusal-status'], makeDisbursement('1', 30), makeErrorsWithoutData('1', 20)],
  ],
  'Two disbursements without outcome break loans.outcome.reached if equal ones before and after have outcomes': [
    [['loans.outcome.reached'], ...disbursementsBetween, ...makeFoundDisbursement('4', 16)],
    // Later disbursements may exceed a daily limit, and other values may need more time.
    [[], ...disbursementsBetween],
    [[], ...disbursementsBetween, ...makeFoundDisbursement('4', 16, { amount: '5' })],
  ],
  'An account with two references breaks loans.offer.account.same-reference': [
    [['loans.offer.account.same-reference'], makeOffer('7', 'a'), makeOffer('7', 'b')],
    [[], makeOffer('7', 'a'), makeOffer('8', 'b'), makeOffer('7', 'a')],
  ],
  'Rates of two accounts that are swapped or in another unit later break loans.offer.rates-stay': [
    [
      ['loans.offer.rates-stay'],
      ...[...twoOffers, makeOffer('7', 'a', '0.25000', '1.50000'), makeOffer('8', 'b', '0.30000', '2.10000')],
    ],
    [
      ['loans.offer.rates-stay'],
      ...[...twoOffers, makeOffer('7', 'a', '150.00000', '0.25000'), makeOffer('8', 'b', '2.10000', '0.00300')],
    ],
    // Rates of a single account may look swapped by chance, and rates may also change for other reasons.
    [[], ...twoOffers, makeOffer('7', 'a', '0.25000', '1.50000')],
    [[], ...twoOffers, makeOffer('7', 'a', '15.00000', '0.25000'), makeOffer('8', 'b', '2.20000', '0.30000')],
  ],
};

for (const [title, rowsOfTitle] of Object.entries(rowsByTitle))
  test(title, () => {
    for (const [nth, [clauses, ...exchanges]] of rowsOfTitle.entries()) {
      const broken = evaluate(...exchanges).broken.map((text) => text.split(' ')[0]);
      expect([nth, broken]).toEqual([nth, clauses]);
    }
  });
