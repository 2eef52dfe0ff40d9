/** Tests the clauses that a step which the bank refuses a second time in a row is not accepted twice concurrently. */
import {
  applicationOnce,
  contractOnce,
  disbursementEffectOnce,
  sameApplication,
} from '../../../../openapi/bank/behaviours/races/once.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

type Ticks = readonly [from: number, until: number];
const inFlight = (answer: Exchange, ticks?: Ticks): Exchange => (ticks === undefined ? answer : { ...answer, ticks });
/** Makes the answer with the new application `id`. `ticks` are the times of the request and of the answer. */
const open = (id: string, ticks?: Ticks): Exchange =>
  inFlight(exchange('requestLoan', body('requestLoan', '/data/application_id', id)), ticks);
const refusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const otherRefusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const pair = (first: Exchange, second: Exchange) => ({ first, second });

const inSequence = [pair(open('1'), refusal), pair(open('2'), refusal)];
const sameInSequence = [pair(open('1'), open('1')), pair(open('2'), open('2'))];
const again = pair(open('5'), refusal);
const atOnce = pair(open('3', [1, 3]), open('4', [2, 4]));
const sameAtOnce = pair(open('3', [1, 3]), open('3', [2, 4]));
const oneRefusedAtOnce = pair(open('3', [1, 3]), inFlight(refusal, [2, 4]));

const OTHER_RESULT = 'not all pairs of requests that were sent one after the other had this result';
const NOT_AT_ONCE = 'the two requests were not in flight at the same time';

rows(applicationOnce, {
  'two concurrent requests are both accepted, and the second in a row is refused': broken(
    { inSequence, swapped: [], atOnce, again },
    { received: 'both were accepted' },
  ),
  'one of two concurrent requests is refused': kept({ inSequence, swapped: [], atOnce: oneRefusedAtOnce }),
  'neither of two concurrent requests is accepted, or one gets no answer': [
    notTested(
      { inSequence, swapped: [], atOnce: pair(inFlight(refusal, [1, 3]), inFlight(otherRefusal, [2, 4])) },
      'neither of the two requests at the same time was accepted',
    ),
    notTested(
      { inSequence, swapped: [], atOnce: pair(open('3', [1, 3]), inFlight(exchange('requestLoan', null), [2, 4])) },
      'one of the two requests at the same time was neither accepted nor refused',
    ),
  ],
  'both concurrent answers name the same application': kept({ inSequence, swapped: [], atOnce: sameAtOnce, again }),
  'the two requests were not in flight at the same time, or this is unknown': [
    notTested({ inSequence, swapped: [], atOnce: pair(open('3', [1, 2]), open('4', [3, 4])), again }, NOT_AT_ONCE),
    notTested({ inSequence, swapped: [], atOnce: pair(open('3'), open('4')), again }, NOT_AT_ONCE),
  ],
  'the second request in a row is not always refused': [
    notTested({ swapped: [], inSequence: [inSequence[0]!, pair(open('2'), open('6'))], atOnce, again }, OTHER_RESULT),
    notTested({ swapped: [], inSequence: inSequence.slice(1), atOnce: oneRefusedAtOnce }, OTHER_RESULT),
    notTested({ swapped: [], inSequence: [pair(refusal, refusal), ...inSequence], atOnce, again }, OTHER_RESULT),
    notTested({ swapped: [], inSequence: sameInSequence, atOnce }, OTHER_RESULT),
  ],
  'afterwards the second request in a row is not refused again': [
    notTested(
      { inSequence, swapped: [], atOnce },
      'the bank did not refuse the second request again when the requests were sent one after the other',
    ),
    notTested(
      { inSequence, swapped: [], atOnce, again: pair(open('5'), open('6')) },
      'the bank did not refuse the second request again when the requests were sent one after the other',
    ),
  ],
});

rows(sameApplication, {
  'two concurrent requests open two applications, and two in a row open one': broken(
    { swapped: [], inSequence: sameInSequence, atOnce },
    { received: 'two values of application_id' },
  ),
  'two concurrent requests open one application': kept({ swapped: [], inSequence: sameInSequence, atOnce: sameAtOnce }),
  'all pairs in a row got the same id': notTested(
    { swapped: [], inSequence: [sameInSequence[0]!, sameInSequence[0]!], atOnce },
    'different pairs got the same id',
  ),
  'the second request in a row got another id, or was refused': [
    notTested({ swapped: [], inSequence: [sameInSequence[0]!, pair(open('2'), open('3'))], atOnce }, OTHER_RESULT),
    notTested({ inSequence, swapped: [], atOnce, again }, OTHER_RESULT),
  ],
});

const contract = (ticks?: Ticks): Exchange => inFlight(exchange('approveContract'), ticks);
const contractRefusal = exchange('approveContract', { message: 'No' }, { status: 409 });
const contracts = [pair(contract(), contractRefusal), pair(contract(), contractRefusal)];
/** Makes a contract for an account that is not the account of the example. */
const otherContract = (ticks?: Ticks): Exchange =>
  inFlight(
    exchange('approveContract', body('approveContract'), { asked: { application_id: '1', account_id: '99' } }),
    ticks,
  );
const contractsAtOnce = pair(contract([1, 3]), otherContract([2, 4]));
rows(contractOnce, {
  'two concurrent requests are both accepted, and the second in a row is refused': broken({
    inSequence: contracts.slice(1),
    swapped: [pair(otherContract(), contractRefusal)],
    atOnce: contractsAtOnce,
    again: pair(contract(), contractRefusal),
  }),
  'the bank never accepted the second contract alone': notTested(
    { inSequence: contracts, swapped: [], atOnce: contractsAtOnce },
    'the bank may refuse the second request even without the first request',
  ),
});

const asked = { application_id: '7', account_id: '1', amount: 10 };
const disburse = (status = 200, ticks?: Ticks): Exchange =>
  inFlight(exchange('disburse', body('disburse'), { asked, status }), ticks);
const offer = (limit: string): Exchange =>
  exchange('requestLoan', { data: { infos: [{ account_id: '1', avaliable_limit: limit }] } });
const measure = (from: number, fall: number, second = disburse(409), first = disburse(200, [1, 3])) => ({
  before: offer(`${from}.00`),
  first,
  second,
  after: offer(`${from - fall}.00`),
});
const twinsInSequence = [measure(900, 10), measure(890, 10)];
const twin = disburse(200, [2, 4]);
const NOT_THE_SAME = 'one disbursement does not always lower the limit by the same amount';
rows(disbursementEffectOnce, {
  'two concurrent disbursements of one application lower the limit twice': broken({
    inSequence: twinsInSequence,
    atOnce: measure(880, 20, twin),
  }),
  'two concurrent disbursements of one application lower the limit once': kept({
    inSequence: twinsInSequence,
    atOnce: measure(880, 10, twin),
  }),
  'one of two concurrent requests is refused': kept({
    inSequence: twinsInSequence,
    atOnce: measure(880, 10, disburse(409, [2, 4])),
  }),
  'the two disbursements were not in flight at the same time, or both were refused': [
    notTested({ inSequence: twinsInSequence, atOnce: measure(880, 20, disburse(200, [4, 5])) }, NOT_AT_ONCE),
    notTested(
      { inSequence: twinsInSequence, atOnce: measure(880, 0, disburse(409, [2, 4]), disburse(409, [1, 3])) },
      'neither of the two requests at the same time was accepted',
    ),
  ],
  'the second of two disbursements in a row is accepted once, or only one such pair was sent': [
    [measure(900, 10), measure(890, 10, disburse())],
    [measure(890, 10)],
  ].map((inSequence) =>
    notTested(
      { inSequence, atOnce: measure(880, 20, twin) },
      'the second of two identical disbursements in a row was not always refused',
    ),
  ),
  'disbursements do not lower the limit, or by different amounts': [
    notTested({ inSequence: [measure(900, 0), measure(900, 0)], atOnce: measure(900, 0, twin) }, NOT_THE_SAME),
    notTested({ inSequence: [measure(900, 10), measure(890, 11)], atOnce: measure(880, 20, twin) }, NOT_THE_SAME),
  ],
  'two concurrent disbursements lower the limit neither once nor twice': notTested(
    { inSequence: twinsInSequence, atOnce: measure(880, 15, twin) },
    'the limit fell neither once nor twice',
  ),
});
