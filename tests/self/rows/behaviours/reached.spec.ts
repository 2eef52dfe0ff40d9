/** Tests the clauses that each disbursement gets an outcome, and that its outcome does not depend on other disbursements. */
import {
  failureExplained,
  independentOfFailure,
  outcomeForEachValue,
  disbursementsNotBlocked,
  outcomeNotLost,
  outcomeReached,
  outcomeWhenAskedEarly,
  outcomeWithoutNext,
  queryForEachValue,
} from '../../../../openapi/bank/behaviours/loans/reached.ts';
import { sameIdAfterRepeat } from '../../../../openapi/bank/behaviours/loans/belonging.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import {
  makeDisbursement,
  makeFailure,
  makeMissingOutcome,
  makeOutcome,
  makeRefusedDisbursement,
  PENDING_TEXT,
  SUCCESS_TEXT,
} from './outcome-rows.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const applicationIds = ['1', '2', '3', '4'];
const makeForEachId = (make: (id: string, nth: number) => Exchange, ids = applicationIds): readonly Exchange[] =>
  ids.map(make);
/** Makes the outcomes of two applications whose result text changed to `text`. */
const makeOutcomesFollowedBy = (text: string): readonly Exchange[] =>
  ['8', '9'].flatMap((id) => [makeOutcome(id, text, 1), makeOutcome(id, SUCCESS_TEXT, 2)]);

const finalOutcomes = makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT));
const NOT_FINAL = 'some disbursements had no final outcome when the run ended';
rows(outcomeReached, {
  'each disbursement has an outcome at the end of the run': kept({ followed: finalOutcomes, told: [] }),
  'there are too few disbursements': notTested(
    { followed: finalOutcomes.slice(0, 2), told: [] },
    'too few disbursements were accepted',
  ),
  'one disbursement is still pending at the end of the run': [
    notTested({ followed: [...finalOutcomes, makeOutcome('5', PENDING_TEXT)], told: [] }, NOT_FINAL),
    notTested(
      { followed: [...finalOutcomes, makeOutcome('5', 'Matkalla')], told: makeOutcomesFollowedBy('Matkalla') },
      NOT_FINAL,
    ),
  ],
});

const [unknown, crashes] = [makeMissingOutcome('2', 500), [makeMissingOutcome('1', 500), makeMissingOutcome('2', 500)]];
const settled = [makeOutcome('3', SUCCESS_TEXT), makeOutcome('4', SUCCESS_TEXT)];
const pairOfKinds = { open: [makeOutcome('1', PENDING_TEXT), unknown], settled, told: [] };
const missing = { ...pairOfKinds, again: [], what: 'an amount of 5' };
const crashed = { ...missing, open: crashes, again: [...crashes, ...crashes] };
const [TOO_FEW, OTHER_REASON] = [
  'too few disbursements have no outcome, or too few have one',
  'the difference between the disbursements did not decide each outcome',
];

rows(outcomeForEachValue, {
  'two disbursements of one value never have an outcome, and two others have one': [
    broken(missing, { received: 'none for an amount of 5' }),
    broken({
      ...missing,
      open: [makeOutcome('1', 'Matkalla'), unknown],
      told: makeOutcomesFollowedBy('Matkalla'),
    }),
  ],
  'there is only one disbursement with the value, or without it': [
    notTested({ ...missing, open: missing.open.slice(1) }, TOO_FEW),
    notTested({ ...missing, settled: settled.slice(1) }, TOO_FEW),
  ],
  'one disbursement without the value has no outcome either': notTested(
    { ...missing, settled: [...settled, makeOutcome('5', PENDING_TEXT)] },
    OTHER_REASON,
  ),
  'the queries with the value get a server error each time': notTested(crashed, 'the queries crashed each time'),
  'the queries with the value get a server error only sometimes': [
    broken({ ...crashed, again: crashed.again.slice(1) }),
    broken({ ...crashed, open: [makeMissingOutcome('1', 503), makeMissingOutcome('2', 503)] }),
  ],
});

rows(queryForEachValue, {
  'the queries with the value get a server error each time': broken(crashed, {
    pointer: 'request/path/application_id',
  }),
  'the queries with the value get a server error only sometimes, or 503': [
    { again: crashed.again.slice(1) },
    { open: [makeMissingOutcome('1', 503), makeMissingOutcome('2', 503)] },
  ].map((changed) => notTested({ ...crashed, ...changed }, 'the queries did not crash each time')),
  'only one disbursement without the value has an outcome': notTested(
    { ...crashed, settled: settled.slice(1) },
    TOO_FEW,
  ),
});

const waiting = makeForEachId((id) => makeOutcome(id, PENDING_TEXT));
rows(outcomeWithoutNext, {
  'each disbursement has an outcome only after the next disbursement': broken({
    open: waiting,
    settled: finalOutcomes,
    told: [],
  }),
  'there are too few disbursements': notTested({ open: waiting, settled, told: [] }, TOO_FEW),
});

rows(outcomeWhenAskedEarly, {
  'no disbursement that was queried at once ever has an outcome': broken({
    open: waiting,
    settled: finalOutcomes,
    told: [],
  }),
  'only one disbursement was queried later': notTested(
    { open: waiting, settled: finalOutcomes.slice(0, 1), told: [] },
    TOO_FEW,
  ),
});

const before = makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT, 30));
const sent = makeForEachId((id, nth) => makeDisbursement(id, nth));
const knownOutcomes = makeForEachId((id, nth) => makeOutcome(id, SUCCESS_TEXT, nth + 1));
const blocked = {
  ...{
    before,
    disbursed: sent,
    told: knownOutcomes,
    cause: makeDisbursement('5', 10),
    next: makeDisbursement('6', 11),
  },
  behind: makeForEachId((id) => makeOutcome(id, PENDING_TEXT, 40), ['6', '7', '8']),
  which: 'one above the limit',
};
const failing = { ...blocked, behind: makeForEachId((id) => makeFailure(id), ['6', '7', '8']) };

rows(disbursementsNotBlocked, {
  'no disbursement after the cause has an outcome': broken(blocked),
  'the disbursements after the cause fail': notTested(failing, 'the later disbursements have an outcome'),
});
const NOT_ALL = 'an earlier disbursement was not made, or a later disbursement was made';
rows(independentOfFailure, {
  'all disbursements after the cause fail, and all before it are made': broken(failing),
  'no disbursement after the cause has an outcome': notTested(blocked, 'the later disbursements have no outcome'),
  'a disbursement before the cause failed, or one after it was made': [
    notTested({ ...failing, before: [...before.slice(1), makeFailure('1')] }, NOT_ALL),
    notTested({ ...failing, behind: [...failing.behind, makeOutcome('9', SUCCESS_TEXT)] }, NOT_ALL),
  ],
  'a disbursement that was sent after the cause was made': notTested(
    { ...failing, disbursed: [...sent.slice(1), makeDisbursement('4', 20)], next: undefined },
    'the suspected disbursement was not sent between the last successful and the first failed disbursement',
  ),
  'too few outcomes were known before the cause': notTested(
    { ...failing, told: knownOutcomes.slice(2) },
    'too few outcomes of earlier and later disbursements are known',
  ),
});

const lost = {
  ...{ lost: [makeMissingOutcome('1'), makeMissingOutcome('1')], idle: makeMissingOutcome('2') },
  ...{ sent: makeDisbursement('1', 1), later: makeDisbursement('3', 2) },
  ...{ overtaking: makeOutcome('3', SUCCESS_TEXT), told: [makeOutcome('3', PENDING_TEXT)] },
};
const NOT_ALIKE = 'the bank does not answer the query like a query for an application without a disbursement';
rows(outcomeNotLost, {
  'an accepted disbursement is answered like an application without disbursement': [
    broken(lost),
    broken({ ...lost, told: makeOutcomesFollowedBy('Matkalla') }),
  ],
  'an accepted disbursement is answered otherwise than an application without disbursement': [
    { lost: [makeMissingOutcome('1'), makeOutcome('1', SUCCESS_TEXT)] },
    { lost: [makeMissingOutcome('1', 500), makeMissingOutcome('1', 500)], idle: makeMissingOutcome('2', 500) },
    { idle: makeMissingOutcome('2', 404, 'No disbursement') },
  ].map((changed) => notTested({ ...lost, ...changed }, NOT_ALIKE)),
  'no later disbursement has an outcome': notTested(
    { ...lost, sent: makeDisbursement('1', 2) },
    'no later disbursement has an outcome',
  ),
});

const explained = {
  failed: makeForEachId((id) => makeFailure(id), ['1', '2', '3']),
  made: makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT), ['4', '5']),
  ...{ told: [], what: 'a value' },
};
const NOT_DECIDED = 'the value did not decide each outcome';
rows(failureExplained, {
  'three disbursements of one value fail, and two others are made': broken(explained),
  'only two disbursements of the value failed': notTested(
    { ...explained, failed: explained.failed.slice(1) },
    'too few failed and successful disbursements alternate',
  ),
  'a disbursement of the value was made, or one without it failed': [
    notTested({ ...explained, failed: [...explained.failed, makeOutcome('6', SUCCESS_TEXT)] }, NOT_DECIDED),
    notTested({ ...explained, made: [...explained.made, makeFailure('6')] }, NOT_DECIDED),
  ],
});

rows(sameIdAfterRepeat, {
  'the answer to a repeated disbursement names another application': broken({
    first: makeDisbursement('12'),
    second: makeDisbursement('13'),
  }),
  'the answer to a repeated disbursement names the same application': kept({
    first: makeDisbursement('12'),
    second: makeDisbursement('12'),
  }),
  'the repeated disbursement is refused': notTested(
    { first: makeDisbursement('12'), second: makeRefusedDisbursement('12') },
    'the bank did not accept a disbursement twice',
  ),
});
