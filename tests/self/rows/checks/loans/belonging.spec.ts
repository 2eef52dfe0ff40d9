/** Answers meant for others, lost outcomes, changing references: what a few exchanges show about them. */
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { body, evaluated, exchange } from '../../../support/judge-harness.ts';

/** Places an exchange at a tick of the run. */
const atTick = (tick: number, one: Exchange): Exchange => ({ ...one, ticks: [tick, tick + 1] });
const askedOf = (application_id: string) => ({ asked: { application_id, account_id: '1', amount: '10' } });

const opened = (id: string): Exchange => exchange('requestLoan', body('requestLoan', '/data/application_id', id));
const disbursed = (id: string, tick = 0, asked: object = {}, answered = id): Exchange =>
  atTick(
    tick,
    exchange('disburse', { data: { application_id: answered } }, { asked: { ...askedOf(id).asked, ...asked } }),
  );
const givenOutcome = (id: string, tick: number): Exchange =>
  atTick(tick, exchange('queryDisbursement', { data: { application_id: id, result: 'Done' } }, askedOf(id)));
const missingOutcome = (id: string, tick: number): Exchange =>
  atTick(tick, exchange('queryDisbursement', { message: 'No' }, { ...askedOf(id), status: 404 }));
const errorsWithoutData = (id: string, tick: number): Exchange =>
  atTick(tick, exchange('queryDisbursement', { errors: [{ message: 'R036;' }] }, askedOf(id)));
let applications = 900;
/** A loan answer with one offer, each time for another application. */
const offer = (account_id: string, account: string, interest_rate = '1.50000', commission_rate = '0.25000') => {
  const { data } = body('requestLoan') as { data: { infos: [object] } };
  const infos = [{ ...data.infos[0], account_id, account, interest_rate, commission_rate }];
  return exchange('requestLoan', { data: { ...data, infos, application_id: String((applications += 1)) } });
};

/** A disbursement that is accepted and found, or missing twice. */
const foundDisbursement = (id: string, tick: number, asked?: object) => [
  disbursed(id, tick, asked),
  givenOutcome(id, 30),
];
const lostDisbursement = (id: string, tick: number, asked?: object) => [
  disbursed(id, tick, asked),
  missingOutcome(id, 40),
  missingOutcome(id, 50),
];
const disbursementsBetween = [
  ...foundDisbursement('1', 10),
  ...lostDisbursement('2', 12),
  ...lostDisbursement('3', 14),
];
const twoOffers = [offer('7', 'a'), offer('8', 'b', '2.10000', '0.30000')];

const rows: Readonly<Record<string, readonly (readonly [clauses: readonly string[], ...exchanges: Exchange[]])[]>> = {
  'An id of another application or an account of the run breaks the field, and an unknown one does not': [
    [['loans.disbursement.application-id'], opened('1'), opened('2'), disbursed('1', 0, {}, '2')],
    [['loans.disbursement.application-id'], opened('1'), offer('7', 'TR7'), disbursed('1', 0, {}, '7')],
    [[], opened('1'), opened('2'), disbursed('1', 0, {}, '3')],
    [[], opened('2'), disbursed('1', 0, {}, '2')],
  ],
  'A given outcome is found again, unless an earlier query missed it or its application changed': [
    [['loans.outcome.found-again'], givenOutcome('1', 10), missingOutcome('1', 20)],
    // The order of the scenarios does not matter.
    [['loans.outcome.found-again'], givenOutcome('1', 30), missingOutcome('1', 20), givenOutcome('1', 10)],
    [['loans.outcome.found-again'], givenOutcome('1', 10), disbursed('1', 5), missingOutcome('1', 20)],
    [['loans.outcome.found-again'], givenOutcome('1', 10), disbursed('2', 15), missingOutcome('1', 20)],
    [[], givenOutcome('1', 10), missingOutcome('1', 5)],
    [[], givenOutcome('1', 10), missingOutcome('2', 20)],
    [[], givenOutcome('1', 10), disbursed('1', 15), missingOutcome('1', 20)],
  ],
  'An id of two applications proves nothing about either': [
    [['loans.outcome.found-again'], opened('1'), opened('2'), givenOutcome('1', 10), missingOutcome('1', 20)],
    [['loans.application.id.distinct'], opened('1'), opened('1'), givenOutcome('1', 10), missingOutcome('1', 20)],
  ],
  'Errors have data beside them after a disbursement, and are a refusal before': [
    [['loans.outcome.data'], disbursed('1', 10), errorsWithoutData('1', 20)],
    [['service.refusal-status'], disbursed('1', 30), errorsWithoutData('1', 20)],
    [['service.refusal-status'], disbursed('2', 10), errorsWithoutData('1', 20)],
  ],
  'An accepted disbursement is found if similar ones before and after it are found': [
    [['loans.outcome.reached'], ...disbursementsBetween, ...foundDisbursement('4', 16)],
    // Later disbursements may exceed a daily share, and other values may need a clerk.
    [[], ...disbursementsBetween],
    [[], ...disbursementsBetween, ...foundDisbursement('4', 6)],
    [[], ...disbursementsBetween, ...foundDisbursement('4', 16, { amount: '5' })],
    [
      [],
      ...[
        ...foundDisbursement('1', 10),
        ...lostDisbursement('2', 12, { amount: '99' }),
        ...lostDisbursement('3', 14, { amount: '99' }),
      ],
      ...foundDisbursement('4', 16, { amount: '999' }),
    ],
  ],
  'One account has one reference': [
    [['loans.offer.account.same-reference'], offer('7', 'a'), offer('7', 'b')],
    [[], offer('7', 'a'), offer('8', 'b'), offer('7', 'a')],
  ],
  'Rates of several accounts are not swapped, and keep their unit': [
    [
      ['loans.offer.rates-stay'],
      ...[...twoOffers, offer('7', 'a', '0.25000', '1.50000'), offer('8', 'b', '0.30000', '2.10000')],
    ],
    [
      ['loans.offer.rates-stay'],
      ...[...twoOffers, offer('7', 'a', '150.00000', '0.25000'), offer('8', 'b', '2.10000', '0.00300')],
    ],
    // On one account this may be chance; and rates may change otherwise.
    [[], ...twoOffers, offer('7', 'a', '0.25000', '1.50000')],
    [[], ...twoOffers, offer('7', 'a', '15.00000', '0.25000'), offer('8', 'b', '2.20000', '0.30000')],
  ],
};

for (const [title, some] of Object.entries(rows))
  test(title, () => {
    for (const [nth, [clauses, ...exchanges]] of some.entries()) {
      const broken = evaluated(...exchanges).broken.map((one) => one.split(' ')[0]);
      expect([nth, broken]).toEqual([nth, clauses]);
    }
  });
