import {
  failureCostsNothing,
  limitLedger,
  repeatCostsNothing,
} from '../../../../openapi/bank/behaviours/loans/limit-ledger.ts';
import { getBodyText, type Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

interface Step {
  /** The amounts of concurrent disbursements, and how much the limit fell (cents). `moved` is how much it fell later. */
  readonly amounts: readonly number[];
  readonly fall: number;
  readonly moved?: number;
  /** The amount of the application, if it differs from the amount of the disbursement. */
  readonly applied?: number;
  readonly isFirstRefused?: boolean;
  readonly result?: string;
  readonly kind?: { readonly commercial_disbursement?: boolean; readonly currency?: string };
  /** `at once`: every answer with an outcome has errors. `later`: only the last answer has errors. */
  readonly errors?: 'at once' | 'later';
  /** How many of the disbursements fail, if not all. */
  readonly failing?: number;
}

const ACCOUNT = '7';
const ask = (
  operation: 'disburse' | 'queryDisbursement',
  answer: unknown,
  asked: Exchange['request']['asked'],
  status = 200,
) => exchange(operation, answer, { asked, status });
const errors = [{ message: 'R036;' }];

const isFirst = (amount: number, amounts: readonly number[], last: Exchange | undefined): boolean =>
  amount === amounts[0] && last?.answer?.status !== 409;

/** Answers one query, or two if the disbursement failed. */
function answerQueries(id: string, result: string, when: Step['errors']): readonly Exchange[] {
  const answer = (hasErrors: boolean) =>
    ask(
      'queryDisbursement',
      { data: { application_id: id, result }, ...(hasErrors && { errors }) },
      { application_id: id },
    );
  return when === undefined ? [answer(false)] : [answer(when === 'at once'), answer(true)];
}

/** Makes the ledger of an account from these steps, in this order. */
function makeLedger(...steps: readonly Step[]) {
  let [limit, tick, id] = [900_000, 0, 0];
  const setTick = (one: Exchange): Exchange => ({ ...one, ticks: [(tick += 1), (tick += 1)], startedAt: 1000 * tick });
  const makeLimitReading = (kind: Step['kind'] = {}, amount = 100): Exchange => {
    const infos = [{ account_id: ACCOUNT, avaliable_limit: (limit / 100).toFixed(2) }];
    const asked = {
      amount: amount / 100,
      currency: 'EUR',
      commercial_disbursement: true,
      disbursement_purpose: true,
      order_id: '1',
      ...kind,
    };
    return setTick(exchange('requestLoan', { data: { application_id: String((id += 1)), infos } }, { asked }));
  };
  const [looks, disbursed, outcomes]: [Exchange[], Exchange[], Exchange[]] = [[], [], []];
  for (const step of steps) {
    const {
      amounts,
      fall,
      moved = 0,
      applied,
      isFirstRefused = false,
      result = 'Completed',
      kind,
      errors: whenFailed,
      failing = amounts.length,
    } = step;
    const told = outcomes.length;
    for (const [nth, amount] of amounts.entries()) {
      looks.push(makeLimitReading(kind, applied ?? amount));
      const asked = { amount: amount / 100, account_id: ACCOUNT, application_id: String(id) };
      const isRefused = isFirstRefused && isFirst(amount, amounts, disbursed.at(-1));
      disbursed.push({ ...ask('disburse', body('disburse'), asked, isRefused ? 409 : 200), ticks: [0, 0] });
      outcomes.push(...answerQueries(String(id), result, nth < failing ? whenFailed : undefined));
    }
    if (whenFailed !== undefined) looks.push(makeLimitReading(kind));
    for (const nth of amounts.keys())
      disbursed.push(setTick(disbursed.splice(disbursed.length - amounts.length, 1)[0] as Exchange & typeof nth));
    outcomes.push(...outcomes.splice(told).map(setTick));
    limit -= fall;
    looks.push(makeLimitReading(kind));
    limit -= moved;
    looks.push(makeLimitReading(kind));
  }
  return { looks, contracts: [], disbursed, outcomes };
}

const single = (amount: number, fall = amount, more: Partial<Step> = {}): Step => ({
  amounts: [amount],
  fall,
  ...more,
});
const fitting = [single(100_000), single(100), single(1250)];
const inCurrencies = (fee: number): readonly Step[] =>
  ['EUR', 'USD', 'GBP'].map((currency, nth) => {
    const amount = 100 * (nth + 1);
    return single(amount, amount + fee, { kind: { currency } });
  });
const inTry = { kind: { currency: 'TRY' } } as const;
const withFee = [100_000, 100, 1250, 700].map((amount) => single(amount, amount + 500));
const lost = { amounts: [1000, 1001], fall: 1001 };
const failedBeside = { amounts: [5000, 1000], errors: 'at once', failing: 1 } as const;
const NO_RULE = 'fewer than three disbursements lowered the limit by one rule';
const NOT_REPEATED =
  'a disbursement changed the limit in a way that no other shows, and nobody could make such a disbursement again';
const UNSTEADY = 'the limit changed without a disbursement, or a disbursement had no final outcome';

const pendingLonger = (ledger: ReturnType<typeof makeLedger>) => ({
  ...ledger,
  outcomes: ledger.outcomes.map((outcome, nth): Exchange => ({ ...outcome, ...(nth > 2 && { ticks: [1000, 1001] }) })),
});
/** Nobody understands these words. Two other disbursements show that another text follows them. */
const UNKNOWN_WORDS = 'Zlecenie przekazano';
const followedElsewhere = (ledger: ReturnType<typeof makeLedger>) => ({
  ...ledger,
  outcomes: [
    ...ledger.outcomes,
    ...['901', '902'].flatMap((application_id, nth) =>
      [UNKNOWN_WORDS, 'Completed'].map((result, time): Exchange => ({
        ...ask('queryDisbursement', { data: { application_id, result } }, { application_id }),
        ticks: [1000 + 4 * nth + 2 * time, 1001 + 4 * nth + 2 * time],
        startedAt: 1_000_000 + 1000 * time,
      })),
    ),
  ],
});
const inUnknownWords = (step: Step): Step => ({ ...step, result: UNKNOWN_WORDS });
const settledLate = makeLedger(...[...fitting, single(500, 0), single(600, 0)].map(inUnknownWords));

/** Replaces the application of all disbursements after the fitting ones: the bank answers a repeated disbursement as the first. */
const repeatFirstApplication = (ledger: ReturnType<typeof makeLedger>) => {
  const application_id = String(ledger.disbursed[0]?.request.asked['application_id']);
  const repeat = (disbursed: Exchange): Exchange => ({
    ...disbursed,
    request: { ...disbursed.request, asked: { ...disbursed.request.asked, application_id } },
  });
  const disbursements = ledger.disbursed.map((disbursed, nth) =>
    nth < fitting.length ? disbursed : repeat(disbursed),
  );
  return { ...ledger, disbursed: disbursements };
};
/** Adds disbursements of `amount` from another account, each at the time of one of `requests`: by default, of each disbursement. */
function besideOther(
  ledger: ReturnType<typeof makeLedger>,
  amount: number,
  first = 0,
  requests: readonly Exchange[] = ledger.disbursed.slice(first),
): ReturnType<typeof makeLedger> {
  const others = requests.map(({ ticks: [from = 0, until = 0] = [0, 0] }, nth) => {
    const application_id = String(900 + nth);
    const asked = { amount: amount / 100, account_id: '8', application_id };
    const disbursed: Exchange = { ...ask('disburse', body('disburse'), asked), ticks: [from, until], startedAt: from };
    const outcome = ask('queryDisbursement', { data: { application_id, result: 'Completed' } }, { application_id });
    return { disbursed, outcome: { ...outcome, ticks: [from, until] as const, startedAt: from } };
  });
  return {
    ...ledger,
    disbursed: [...ledger.disbursed, ...others.map(({ disbursed }) => disbursed)],
    outcomes: [...ledger.outcomes, ...others.map(({ outcome }) => outcome)],
  };
}

/** Adds a reading while each disbursement is in flight. It shows the limit of before. */
const readInFlight = (ledger: ReturnType<typeof makeLedger>): ReturnType<typeof makeLedger> => ({
  ...ledger,
  looks: [
    ...ledger.looks,
    ...ledger.disbursed.flatMap(({ ticks }) => {
      const before = ledger.looks.findLast((look) => (look.ticks?.[1] ?? 0) < (ticks?.[0] ?? 0));
      return before === undefined ? [] : [{ ...before, id: `${before.id}-again`, ...(ticks && { ticks }) }];
    }),
  ],
});

/** Adds each reading once more, for applications of another kind, whose limit of the account is a thousand higher. */
const readForOtherKind = (ledger: ReturnType<typeof makeLedger>): ReturnType<typeof makeLedger> => ({
  ...ledger,
  looks: ledger.looks.flatMap((look, nth) => {
    const { data } = JSON.parse(getBodyText(look.answer)) as {
      readonly data: { readonly infos: readonly { readonly avaliable_limit: string }[] };
    };
    const infos = data.infos.map((offer) => ({
      ...offer,
      avaliable_limit: (Number(offer.avaliable_limit) + 1000).toFixed(2),
    }));
    const asked = { ...look.request.asked, disbursement_purpose: false };
    const ofOtherKind = exchange('requestLoan', { data: { application_id: `${500 + nth}`, infos } }, { asked });
    const { ticks, startedAt } = look;
    return [look, { ...ofOtherKind, ...(ticks && { ticks }), startedAt }];
  }),
});
/** Joins two ledgers. The second is of account 9, and takes place at the same time, or after the first. */
function joinLedgers(
  first: ReturnType<typeof makeLedger>,
  second: ReturnType<typeof makeLedger>,
  isLater = true,
): ReturnType<typeof makeLedger> {
  const shift = isLater ? 1000 : 0;
  const move = (answer: Exchange): Exchange => {
    const { account_id, application_id, ...asked } = answer.request.asked;
    const [from = 0, until = 0] = answer.ticks ?? [];
    return {
      ...exchange(
        answer.operation,
        JSON.parse(
          getBodyText(answer.answer)
            .replace(`"${ACCOUNT}"`, '"9"')
            .replace(/"application_id":"/u, '$&9'),
        ),
        {
          asked: {
            ...asked,
            ...(account_id === undefined ? {} : { account_id: '9' }),
            ...(application_id === undefined ? {} : { application_id: `9${String(application_id)}` }),
          },
        },
      ),
      ticks: [from + shift, until + shift],
      startedAt: answer.startedAt + 1000 * shift,
    };
  };
  return {
    looks: [...first.looks, ...second.looks.map(move)],
    contracts: [],
    disbursed: [...first.disbursed, ...second.disbursed.map(move)],
    outcomes: [...first.outcomes, ...second.outcomes.map(move)],
  };
}
const twiceAtOnce = (fall: number): Step => ({ amounts: [5000, 7000], fall });

rows(limitLedger, {
  'all single disbursements lower the limit by their amount': kept(makeLedger(...fitting)),
  'other scenarios read the limit while a disbursement is in flight': [
    kept(readInFlight(makeLedger(...fitting))),
    broken(readInFlight(makeLedger(...fitting, single(110_935, 0), single(400, 0)))),
  ],
  'disbursements of an application that was disbursed before, which the bank accepts again without an effect': [
    kept(repeatFirstApplication(makeLedger(...fitting, single(100_000, 0), single(100_000, 0)))),
    broken(makeLedger(...fitting, single(100_000, 0), single(100_000, 0))),
  ],
  'one disbursement in each of three currencies: without a fee the rule is the same, a fee is of one currency': [
    kept(makeLedger(...inCurrencies(0))),
    notTested(makeLedger(...inCurrencies(500)), NO_RULE),
  ],
  'disbursements with a fee beside those from another account, after one that shows the fee': [
    kept(besideOther(makeLedger(...withFee), 5000, 1)),
    broken(besideOther(makeLedger(...withFee, single(110_935, 0), single(400, 0)), 5000, 1)),
    notTested(besideOther(makeLedger(...withFee), 5000), NO_RULE),
  ],
  'two do not lower the limit, each beside a disbursement from an account that may share the limit': kept(
    besideOther(makeLedger(...fitting, single(110_935, 0), single(400, 0)), 5000, 3),
  ),
  'two accounts share a limit, and both disburse at the same time': notTested(
    besideOther(makeLedger(...[100_000, 100, 1250].map((amount) => single(amount, amount + 500))), 500),
    NO_RULE,
  ),
  'two do not lower the limit, or only by the whole units': [
    broken(makeLedger(...fitting, single(110_935, 0), single(400, 0))),
    broken(makeLedger(...fitting, single(110_935, 110_900), single(435, 400))),
  ],
  'two at once count like two in a row; one of them may be refused': [
    kept(makeLedger(...fitting, { amounts: [1000, 1001], fall: 2001 })),
    broken(makeLedger(...fitting, lost, lost)),
    kept(makeLedger(...fitting, { ...lost, isFirstRefused: true }, { ...lost, isFirstRefused: true })),
  ],
  'disbursements of another kind follow the rule too': [
    broken(
      makeLedger(
        ...fitting,
        ...[500, 600].map((amount) => single(amount, 0, { kind: { commercial_disbursement: false } })),
      ),
    ),
    broken(makeLedger(...fitting, ...[500, 600].map((amount) => single(amount, 0, { kind: { currency: 'USD' } })))),
    kept(makeLedger(...fitting, ...[500, 600].map((amount) => single(amount, 450, { kind: { currency: 'USD' } })))),
  ],
  'three currencies of one account follow one rule: nothing is converted': [
    broken(makeLedger(...inCurrencies(0), ...[500, 600].map((amount) => single(amount, 450, inTry)))),
    kept(
      makeLedger(
        ...inCurrencies(0).slice(0, 2),
        single(300),
        ...[500, 600].map((amount) => single(amount, 450, inTry)),
      ),
    ),
  ],
  'each disbursement of the account lowers the limit by a tenth until the rule applies, or by a part of the first one below a maximum':
    [
      broken(makeLedger(single(500, 50), single(600, 60), ...inCurrencies(0))),
      kept(makeLedger(single(500, 0), single(600, 60), ...inCurrencies(0))),
      kept(makeLedger(...[500, 600].map((amount) => single(amount, amount / 10, inTry)), ...fitting)),
    ],
  'each disbursement of a second account lowers its limit by twice the amount, or by the amount and a fee': [
    broken(joinLedgers(makeLedger(...inCurrencies(0)), makeLedger(single(500, 1000), single(600, 1200)))),
    kept(joinLedgers(makeLedger(...inCurrencies(0)), makeLedger(single(500, 550), single(600, 650)))),
    kept(joinLedgers(makeLedger(...fitting), makeLedger(single(500, 1000), single(600, 1200)))),
  ],
  'the first of two accounts has a limit of its own, so the second has too; or both share one limit': [
    broken(joinLedgers(makeLedger(...inCurrencies(0)), makeLedger(single(500, 1000), single(600, 1200)), false)),
    notTested(
      joinLedgers(
        makeLedger(...[500, 600, 700].map((cents) => single(cents, 2 * cents))),
        makeLedger(...[500, 600, 700].map((cents) => single(cents, 2 * cents))),
        false,
      ),
      NO_RULE,
    ),
  ],
  'the limit stays the same, or too few disbursements show a rule': [
    notTested(makeLedger(single(100, 0), single(200, 0), single(300, 0), single(400), single(500)), NO_RULE),
    notTested(makeLedger(single(100), single(200), single(300, 0), single(400, 0)), NO_RULE),
  ],
  'the bank holds the amount of the application from its contract on, and no more': kept(
    makeLedger(...fitting, ...[5000, 6000].map((amount) => single(amount, 400, { applied: 400 }))),
  ),
  'the outcomes became final only after the limit was read': kept(
    pendingLonger(makeLedger(...fitting, single(500, 0), single(600, 0))),
  ),
  'disbursements with another outcome text do not lower the limit': kept(
    makeLedger(...fitting, ...[500, 600].map((amount) => single(amount, 0, { result: 'Waits for the contract' }))),
  ),
  'the bank gives back the amounts of failures while other disbursements lower the limit': kept(
    makeLedger(
      ...fitting,
      ...[1, 2].flatMap(() => [single(90_000, 90_000, { errors: 'at once' }), single(95_000, 5000)]),
    ),
  ),
  'a fee from some amount on, a maximum that is shown, late bookings': [
    kept(makeLedger(...fitting, single(200_000, 200_500), single(300_000, 300_500))),
    kept(makeLedger(single(500, 0), single(600, 0), ...fitting)),
    kept(makeLedger(...fitting, single(500, 0), single(600, 1100), single(700, 0), single(800, 1500))),
  ],
  'the limit lacks nothing for a failure between others, or more': [
    broken(makeLedger(...fitting, { ...failedBeside, fall: 1000 }, single(500, 0), single(600, 0))),
    kept(makeLedger(...fitting, { ...failedBeside, fall: 6000 }, single(500, 0), single(600, 0))),
  ],
  'several disbursements between two readings show a rule too, beside a single one': [
    kept(makeLedger(fitting[0] as Step, { amounts: [500, 700], fall: 1200 }, { amounts: [800, 900], fall: 1700 })),
    notTested(makeLedger(...[500, 800, 900].map((cents) => ({ amounts: [cents, 700], fall: cents + 700 }))), NO_RULE),
  ],
  'the bank makes disbursements again, also the first ones of the account, or adds a cent': [
    broken(makeLedger(single(500, 1500), single(600, 1800), ...fitting)),
    broken(makeLedger(...fitting, twiceAtOnce(22_000), twiceAtOnce(31_000), single(100_000))),
    broken(makeLedger(...fitting, twiceAtOnce(12_001), twiceAtOnce(12_001), single(100_000))),
  ],
  'a fee for the higher one of two at once': kept(
    makeLedger(...fitting, ...[1, 2].map(() => ({ amounts: [500, 200_000], fall: 200_600 })), single(100_000)),
  ),
  'readings of two kinds show the same single change': notTested(
    readForOtherKind(makeLedger(...fitting, single(500, 0))),
    NOT_REPEATED,
  ),
  'a single change is asked again': [
    kept(makeLedger(...fitting, single(500, 0), single(500))),
    broken(makeLedger(...fitting, single(500, 0), single(500, 0))),
    notTested(makeLedger(...fitting, single(500, 0)), NOT_REPEATED),
    notTested(makeLedger(...fitting, single(500), single(500, 0)), NOT_REPEATED),
  ],
  'a limit that both disbursements at once exceed is zero': kept(
    makeLedger(...fitting, { amounts: [500_000, 500_000], fall: 798_650 }),
  ),
  'the limit changes by itself, or an outcome is unknown': [
    notTested(makeLedger(...fitting, single(500, 0), single(600, 0, { moved: 50 })), UNSTEADY),
    notTested(makeLedger(single(500, 0, { result: 'Disbursement is being processed' }), ...fitting), NO_RULE),
  ],
  'the last known text of each disbursement may be final, or is not because others had another text after it': [
    broken(settledLate),
    notTested(followedElsewhere(settledLate), NO_RULE),
  ],
});

const GIVEN_BACK = 'the bank may give back the limit of a failed disbursement later';
const fails = (fall: number, more: Partial<Step> = {}) =>
  makeLedger(...fitting, single(500_000, fall, { errors: 'at once', ...more }));
/** Sends everything in the same millisecond. */
const atOnce = (ledger: ReturnType<typeof makeLedger>) => ({
  ...ledger,
  looks: ledger.looks.map((look) => ({ ...look, startedAt: 0 })),
  disbursed: ledger.disbursed.map((disbursed) => ({ ...disbursed, startedAt: 0 })),
});
/** Adds a contract between two equal readings: it does not lower the limit. */
function withContract(ledger: ReturnType<typeof makeLedger>) {
  const after = ledger.looks[1]?.ticks?.[1] ?? 0;
  const asked = { application_id: '900', account_id: ACCOUNT };
  const contract = exchange('approveContract', body('approveContract'), { asked });
  return { ...ledger, contracts: [{ ...contract, ticks: [after + 0.1, after + 0.2] as const }] };
}
const NO_FAILURE = 'no disbursement failed between equal readings of the limit';
rows(failureCostsNothing, {
  'a failure changes the limit between equal readings': [
    broken(fails(500_000)),
    broken(fails(1)),
    broken(makeLedger(...fitting, ...[1, 2].map(() => single(400_000, 400_000, { errors: 'at once' })))),
  ],
  'the limit is higher after a failure': [
    broken(withContract(fails(-500_000))),
    broken(withContract(fails(-500_000, { errors: 'later' }))),
    broken(withContract(atOnce(fails(-500_000)))),
  ],
  'the limit is higher, and the bank may have held the amount of an earlier failure, or other amounts': [
    notTested(
      withContract(
        makeLedger(
          ...fitting,
          single(500_000, 500_000, { errors: 'later' }),
          single(500_000, -500_000, { errors: 'later' }),
        ),
      ),
      GIVEN_BACK,
    ),
    notTested(withContract(fails(-400_000, { errors: 'later' })), GIVEN_BACK),
  ],
  'the limit is higher, and its contract may have lowered it': notTested(fails(-500_000), NO_FAILURE),
  'the limit stays': kept(fails(0)),
  'the limit is lower in one reading only': notTested(
    { ...fails(500_000), looks: fails(500_000).looks.slice(0, -1) },
    'the limit was not read twice before the failure and twice after it',
  ),
  'the bank gives the limit back': notTested(fails(500_000, { moved: -500_000 }), UNSTEADY),
  'nothing shows that the bank does not hold the amount for a while': notTested(
    fails(500_000, { errors: 'later' }),
    GIVEN_BACK,
  ),
  'another account that may share the limit disburses at the same time, also as much as fails': [
    notTested(besideOther(fails(300_000), 300_000, 3), NO_FAILURE),
    notTested(besideOther(fails(500_000), 500_000, 3), NO_FAILURE),
  ],
  'the limit was read only at once': notTested(atOnce(fails(500_000)), GIVEN_BACK),
  'no rule, or no failure': [
    notTested(makeLedger(single(500_000, 500_000, { errors: 'at once' })), NO_RULE),
    notTested(makeLedger(...fitting), NO_FAILURE),
  ],
});

const repeat = (status: number, operation: 'validateLoan' | 'disburse' = 'disburse', account_id = ACCOUNT): Exchange =>
  exchange(operation, status === 200 ? body(operation) : {}, { asked: { account_id }, status });
/** Repeats steps between two equal readings before and two equal readings after. `fall` is how much the limit fell (cents). */
function repeats(fall: number, ...sent: readonly Exchange[]) {
  const ledger = makeLedger(...fitting, single(500, 500), { amounts: [], fall: 0 }, { amounts: [], fall });
  const last = ledger.looks.at(-3)?.ticks?.[1] ?? 0;
  return { ...ledger, repeats: sent.map((one): Exchange => ({ ...one, ticks: [last + 0.1, last + 0.2] })) };
}
/** Another account disburses while the step is repeated. */
const besideRepeat = (ledger: ReturnType<typeof repeats>) => ({
  ...besideOther(ledger, 500, 0, ledger.repeats),
  repeats: ledger.repeats,
});
const NO_REPEAT = 'no step was repeated between equal readings of the limit';
rows(repeatCostsNothing, {
  'a refused step lowers the limit, or a check': [
    broken(repeats(100, repeat(409))),
    broken(repeats(1, repeat(200, 'validateLoan'), repeat(409))),
    broken(repeats(1, repeat(200, 'validateLoan'))),
  ],
  'the limit stays': kept(repeats(0, repeat(409))),
  'the bank accepts the step, says with status 200 that it refuses it, or answers a check with 500': [
    notTested(repeats(0, repeat(200)), NO_REPEAT),
    notTested(repeats(100, repeat(200)), UNSTEADY),
    notTested(repeats(0, repeat(500, 'validateLoan')), NO_REPEAT),
  ],
  'the repeated step is about another account': notTested(repeats(0, repeat(409, 'disburse', '8')), NO_REPEAT),
  'no disbursement lowered the limit': notTested(
    { ...makeLedger(single(500, 0), { amounts: [], fall: 0 }), repeats: [repeat(409)] },
    'no disbursement lowered the limit',
  ),
  'the limit was read only once afterwards, or another account that may share the limit disburses meanwhile': [
    notTested({ ...repeats(100, repeat(409)), looks: repeats(100, repeat(409)).looks.slice(0, -1) }, NO_REPEAT),
    notTested(besideRepeat(repeats(100, repeat(409))), NO_REPEAT),
  ],
});
