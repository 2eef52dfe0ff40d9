import { applicationOnce, contractOnce, sameApplication } from '../../../../openapi/behaviours/races/once.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

type Ticks = readonly [from: number, until: number];
const inFlight = (one: Exchange, ticks?: Ticks): Exchange => (ticks === undefined ? one : { ...one, ticks });
/** Makes the answer that opens the application `id`; `ticks` are its start and its end in the run. */
const open = (id: string, ticks?: Ticks): Exchange =>
  inFlight(exchange('requestLoan', body('requestLoan', '/data/application_id', id)), ticks);
const refusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const pair = (first: Exchange, second: Exchange) => ({ first, second });

const inSequence = [pair(open('1'), refusal), pair(open('2'), refusal)];
const sameInSequence = [pair(open('1'), open('1')), pair(open('2'), open('2'))];
const again = pair(open('5'), refusal);
const atOnce = pair(open('3', [1, 3]), open('4', [2, 4]));
const sameAtOnce = pair(open('3', [1, 3]), open('3', [2, 4]));
const oneRefusedAtOnce = pair(open('3', [1, 3]), inFlight(refusal, [2, 4]));

const OTHER_RESULT = 'pairs one after the other did not all have this result';
const NOT_AT_ONCE = 'the two requests were not in flight at the same time';

rows(applicationOnce, {
  'both were accepted at once': broken({ inSequence, atOnce, again }, { received: 'both were accepted' }),
  'one of two at once is refused': kept({ inSequence, atOnce: oneRefusedAtOnce }),
  'both answers name the same application': kept({ inSequence, atOnce: sameAtOnce, again }),
  'the two were not in flight at the same time, or this is unknown': [
    notTested({ inSequence, atOnce: pair(open('3', [1, 2]), open('4', [3, 4])), again }, NOT_AT_ONCE),
    notTested({ inSequence, atOnce: pair(open('3'), open('4')), again }, NOT_AT_ONCE),
  ],
  'the second in a row is not always refused': [
    notTested({ inSequence: [inSequence[0]!, pair(open('2'), open('6'))], atOnce, again }, OTHER_RESULT),
    notTested({ inSequence: inSequence.slice(1), atOnce: oneRefusedAtOnce }, OTHER_RESULT),
    notTested({ inSequence: [pair(refusal, refusal), ...inSequence], atOnce, again }, OTHER_RESULT),
    notTested({ inSequence: sameInSequence, atOnce }, OTHER_RESULT),
  ],
  'after both at once, the second in a row is not refused again': [
    notTested({ inSequence, atOnce }, 'the second of a pair one after the other was not refused again'),
    notTested(
      { inSequence, atOnce, again: pair(open('5'), open('6')) },
      'the second of a pair one after the other was not refused again',
    ),
  ],
});

rows(sameApplication, {
  'two at once open two applications': broken(
    { inSequence: sameInSequence, atOnce },
    { received: 'another application_id for each' },
  ),
  'two at once open one application': kept({ inSequence: sameInSequence, atOnce: sameAtOnce }),
  'every pair got one id': notTested(
    { inSequence: [sameInSequence[0]!, sameInSequence[0]!], atOnce },
    'different pairs got the same id',
  ),
  'the second in a row got another id, or was refused': [
    notTested({ inSequence: [sameInSequence[0]!, pair(open('2'), open('3'))], atOnce }, OTHER_RESULT),
    notTested({ inSequence, atOnce, again }, OTHER_RESULT),
  ],
});

const contract = (ticks?: Ticks): Exchange => inFlight(exchange('approveContract'), ticks);
const contractRefusal = exchange('approveContract', { message: 'No' }, { status: 409 });
const contracts = [pair(contract(), contractRefusal), pair(contract(), contractRefusal)];
rows(contractOnce, {
  'both were accepted at once': broken({
    inSequence: contracts,
    atOnce: pair(contract([1, 3]), contract([2, 4])),
    again: pair(contract(), contractRefusal),
  }),
});
