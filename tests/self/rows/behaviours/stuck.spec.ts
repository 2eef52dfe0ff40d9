/** Tests the clause that a disbursement does not stay pending when others are completed. */
import { outcomeNotStuck } from '../../../../openapi/bank/behaviours/loans/stuck.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { exchange, NOON } from '../../support/judge-harness.ts';
import { SUCCESS_TEXT, FAILURE_TEXT, makeFailure, PENDING_TEXT, makeOutcome } from './outcome-rows.ts';
import { broken, notTested, rows } from './rows.ts';

const AMOUNT = 100;

/** The loan answer, the disbursement and the outcomes of one application. */
interface Loan {
  readonly opening: Exchange;
  readonly disbursement: Exchange;
  readonly queries: readonly Exchange[];
}

interface LoanChanges {
  readonly account?: string;
  /** The limit of the account in the loan answer. */
  readonly limit?: string;
  readonly inputs?: Exchange['request']['asked'];
  readonly kind?: Exchange['kind'];
}

/** Makes a disbursement at the second `at` of the run, and its queries, each with the text and the second of the answer. */
function makeLoan(
  id: string,
  at: number,
  texts: readonly (readonly [text: string, second: number])[],
  { account = `1${id}`, limit = '1000.00', inputs = {}, kind = 'positive' }: LoanChanges = {},
): Loan {
  const opening = exchange(
    'requestLoan',
    { data: { application_id: id, result: 'true', infos: [{ account_id: account, avaliable_limit: limit }] } },
    { asked: { amount: AMOUNT }, at: NOON + at * 1000 - 100 },
  );
  const disbursement = exchange(
    'disburse',
    { data: { application_id: id } },
    {
      asked: { application_id: id, account_id: account, amount: AMOUNT, contract_approved: true, ...inputs },
      at: NOON + at * 1000,
      kind,
    },
  );
  const queries = texts.map(([text, second]) =>
    text === FAILURE_TEXT ? makeFailure(id, text, second) : makeOutcome(id, text, second),
  );
  return { opening, disbursement, queries };
}

const makeEvidence = (...loans: readonly Loan[]) => ({
  looks: loans.map(({ opening }) => opening),
  contracts: [],
  disbursed: loans.map(({ disbursement }) => disbursement),
  outcomes: loans.flatMap(({ queries }) => queries),
});

/** Makes three disbursements, one after the other from the second `at` on, that are complete after `seconds`. */
const makeCompleted = (at: number, seconds = 1, endText = SUCCESS_TEXT): readonly Loan[] =>
  ['1', '2', '3'].map((id, nth) => {
    const sentAt = at + 4 * nth;
    return makeLoan(id, sentAt, [
      [PENDING_TEXT, sentAt + 0.6 * seconds],
      [endText, sentAt + seconds],
    ]);
  });
/** Makes disbursements at the second 0 that are pending until the second `until`. */
const makePending = (ids: readonly string[], until: number, changes: LoanChanges = {}): readonly Loan[] =>
  ids.map((id) =>
    makeLoan(
      id,
      0,
      [
        [PENDING_TEXT, 1],
        [PENDING_TEXT, until],
      ],
      changes,
    ),
  );
const twoPending = makePending(['4', '5'], 40);
/** Disbursements at the same time as those that stay pending. The same bank completes them. */
const restOfBurst = ['6', '7', '8'].map((id) =>
  makeLoan(id, 0, [
    [PENDING_TEXT, 0.2],
    [SUCCESS_TEXT, 1],
  ]),
);
/** A disbursement that nobody queried between the seconds 4 and 9. */
const notObserved = makeLoan('9', 1, [
  [PENDING_TEXT, 1.6],
  [SUCCESS_TEXT, 9],
]);

const NOT_LONG =
  'the disbursements do not keep their outcome text much longer, and in more queries, than other disbursements';
const NOT_OVERTAKEN = 'too few pending disbursements were overtaken by later ones';
const NOT_COVERED = 'no disbursement that the limit of its account covers is pending';
const NOT_OBSERVED =
  'the outcome text of too few other disbursements changed between two queries that were close together';

rows(outcomeNotStuck, {
  'two disbursements of a burst stay pending, and later ones complete': broken(
    makeEvidence(...twoPending, ...restOfBurst, ...makeCompleted(4)),
    {
      expected: 'another text, as 6 others had within 1.0 s',
      received: `"${PENDING_TEXT}" of 2 disbursements, still after 40.0 s`,
    },
  ),
  'the limit covers the disbursements without one that failed, and without one that was sent ten seconds later': broken(
    makeEvidence(
      ...makePending(['4', '5'], 40, { account: '14', limit: '400.00' }),
      makeLoan('6', 1, [[FAILURE_TEXT, 2]], { account: '14', limit: '400.00' }),
      makeLoan('7', 10, [[SUCCESS_TEXT, 12]], { account: '14', limit: '400.00' }),
      ...makeCompleted(4),
    ),
  ),
  'nobody queried another disbursement for a long time before it was complete': broken(
    makeEvidence(...twoPending, notObserved, ...makeCompleted(4)),
    { expected: 'another text, as 3 others had within 1.0 s' },
  ),
  'another disbursement was pending for a tenth of the time, although nobody saw when it became complete': notTested(
    makeEvidence(
      ...twoPending,
      makeLoan('9', 1, [
        [PENDING_TEXT, 6],
        [SUCCESS_TEXT, 30],
      ]),
      ...makeCompleted(4),
    ),
    NOT_LONG,
  ),
  'nobody saw when the other disbursements became complete, except two': notTested(
    makeEvidence(
      ...twoPending,
      ...makeCompleted(4).slice(1),
      ...['6', '7', '8'].map((id) =>
        makeLoan(id, 4, [
          [PENDING_TEXT, 4.2],
          [SUCCESS_TEXT, 9],
        ]),
      ),
    ),
    NOT_OBSERVED,
  ),
  'no other disbursement was seen pending': notTested(
    makeEvidence(...twoPending, ...['1', '2', '3'].map((id) => makeLoan(id, 4, [[SUCCESS_TEXT, 5]]))),
    NOT_OBSERVED,
  ),
  'no disbursement was complete': notTested(makeEvidence(...makePending(['1', '2', '3', '4', '5'], 40)), NOT_OBSERVED),
  'others left the pending text only by failing': notTested(
    makeEvidence(...twoPending, ...makeCompleted(4, 1, FAILURE_TEXT)),
    NOT_OBSERVED,
  ),
  'only one disbursement stays pending': notTested(
    makeEvidence(...twoPending.slice(1), ...makeCompleted(4)),
    NOT_OVERTAKEN,
  ),
  'one application with two disbursements stays pending, and another one': notTested(
    makeEvidence(...twoPending, ...twoPending.slice(1), ...makeCompleted(4)),
    NOT_OVERTAKEN,
  ),
  'a batch completes all earlier disbursements, and the later ones wait for the next batch': notTested(
    makeEvidence(
      ...['1', '2', '3'].map((id, nth) =>
        makeLoan(id, nth, [
          [PENDING_TEXT, 6],
          [SUCCESS_TEXT, 7],
        ]),
      ),
      ...['4', '5'].map((id) =>
        makeLoan(id, 8, [
          [PENDING_TEXT, 9],
          [PENDING_TEXT, 100],
        ]),
      ),
    ),
    NOT_OVERTAKEN,
  ),
  'only one later disbursement completed': notTested(
    makeEvidence(...twoPending, ...restOfBurst, ...makeCompleted(4).slice(2)),
    NOT_OVERTAKEN,
  ),
  'two disbursements stay pending for more than ten times as long as others, but less than ten seconds': notTested(
    makeEvidence(...makePending(['4', '5'], 9.5), ...makeCompleted(0.1, 0.2)),
    NOT_LONG,
  ),
  'two disbursements stay pending for eight times as long as others': notTested(
    makeEvidence(...twoPending, ...makeCompleted(4, 5)),
    NOT_LONG,
  ),
  'the disbursements were not pending all the time, or are not all pending with this text': [
    notTested(
      makeEvidence(
        ...['4', '5'].map((id) =>
          makeLoan(id, 0, [
            [PENDING_TEXT, 1],
            [SUCCESS_TEXT, 2],
            [PENDING_TEXT, 40],
          ]),
        ),
        ...makeCompleted(4),
      ),
      NOT_OVERTAKEN,
    ),
    notTested(
      makeEvidence(
        ...twoPending.slice(1),
        makeLoan('6', 0, [
          [PENDING_TEXT, 40],
          ['Waiting for approval', 41],
        ]),
        ...makeCompleted(4),
      ),
      NOT_OVERTAKEN,
    ),
  ],
  'the pending text has errors': notTested(
    makeEvidence(
      ...twoPending.map((loan, nth) => ({ ...loan, queries: [makeOutcome(`${4 + nth}`, PENDING_TEXT, 40, true)] })),
      ...makeCompleted(4),
    ),
    NOT_COVERED,
  ),
  'the pending disbursements were not queried more often than others were before their text changed': notTested(
    makeEvidence(
      ...makePending(['4', '5'], 40),
      ...makeCompleted(4).map((loan) => ({ ...loan, queries: [loan.queries[0] as Exchange, ...loan.queries] })),
    ),
    'the disbursements do not keep their outcome text much longer, and in more queries, than other disbursements',
  ),
  'the limit does not cover the pending disbursements': [
    // The limit covers each disbursement, but not both, and not with one that nobody queried.
    notTested(
      makeEvidence(...makePending(['4', '5'], 40, { account: '14', limit: '399.99' }), ...makeCompleted(4)),
      NOT_COVERED,
    ),
    notTested(
      makeEvidence(
        ...makePending(['4', '5'], 40, { account: '14', limit: '400.00' }),
        makeLoan('6', 9, [], { account: '14', limit: '400.00' }),
        ...makeCompleted(4),
      ),
      NOT_COVERED,
    ),
    // A reading of the limit does not cover the amount.
    notTested(
      makeEvidence(
        ...makePending(['4', '5'], 40, { account: '14' }),
        ...makeCompleted(4),
        makeLoan('9', 20, [], { account: '14', limit: '199.99', inputs: { amount: 1 } }),
      ),
      NOT_COVERED,
    ),
    notTested(
      makeEvidence(...makePending(['4', '5'], 40, { inputs: { amount: AMOUNT + 0.01 } }), ...makeCompleted(4)),
      NOT_COVERED,
    ),
  ],
  'the contracts of the pending disbursements are not approved, or their requests are not as documented': [
    notTested(
      makeEvidence(...makePending(['4', '5'], 40, { inputs: { contract_approved: false } }), ...makeCompleted(4)),
      NOT_COVERED,
    ),
    notTested(makeEvidence(...makePending(['4', '5'], 40, { kind: 'probe' }), ...makeCompleted(4)), NOT_COVERED),
  ],
});
