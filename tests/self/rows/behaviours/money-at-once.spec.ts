/** Tests the clauses about the limit after concurrent disbursements, and after concurrent queries of an outcome. */
import { askingCostsNothing } from '../../../../openapi/bank/behaviours/loans/asking.ts';
import { parallelSum, parallelWithinLimit } from '../../../../openapi/bank/behaviours/loans/parallel-disbursements.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { PENDING_TEXT } from './outcome-rows.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const ACCOUNT = '7';
const SECOND = 1000;

interface Step {
  /** The amounts of the disbursements, in cents. All are in flight together. */
  readonly amounts: readonly number[];
  readonly fall: number;
  /** What is special about the disbursement with this index. */
  readonly refused?: Readonly<Record<number, number>>;
  readonly failed?: readonly number[];
  readonly isInRow?: boolean;
  /** The outcome is queried twice at once before, or the first answer is not final. */
  readonly asking?: 'twice at once' | 'too early';
  /** How many seconds later the limit is read once more. */
  readonly again?: number;
  readonly looks?: number;
}

/** Makes the readings, disbursements and outcomes of one account. Each disbursement has an application of its own. */
function makeAccount(limit: number, ...steps: readonly Step[]) {
  let [limitNow, tick, id, now] = [limit, 0, 100, 0];
  const looks: Exchange[] = [];
  const disbursed: Exchange[] = [];
  const outcomes: Exchange[] = [];
  const byStep: Exchange[][] = [];
  const readLimit = (): void => {
    const infos = [{ account_id: ACCOUNT, avaliable_limit: (limitNow / 100).toFixed(2) }];
    const asked = { amount: 100, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: true };
    const made = exchange('requestLoan', { data: { application_id: String((id += 1)), infos } }, { asked });
    looks.push({ ...made, ticks: [(tick += 1), (tick += 1)], startedAt: now });
  };
  const query = (application_id: string, result: string, isFailed: boolean, ticks: readonly [number, number]): void => {
    const answer = { data: { application_id, result }, ...(isFailed ? { errors: [{ message: 'R036;' }] } : {}) };
    outcomes.push({ ...exchange('queryDisbursement', answer, { asked: { application_id } }), ticks, startedAt: now });
  };
  readLimit();
  readLimit();
  for (const { amounts, fall, refused = {}, failed = [], isInRow = false, asking, again, looks: count = 2 } of steps) {
    const from = tick;
    const sent = amounts.map((amount, nth): Exchange => {
      const asked = { amount: amount / 100, account_id: ACCOUNT, application_id: `9${id}${disbursed.length + nth}` };
      const status = refused[nth] ?? 200;
      const made = exchange('disburse', status === 200 ? body('disburse') : {}, { asked, status });
      const ticks = isInRow ? ([(tick += 1), (tick += 1)] as const) : ([from + 1 + nth, from + 10 + nth] as const);
      return { ...made, ticks, startedAt: now };
    });
    tick = Math.max(tick, from + 10 + amounts.length);
    byStep.push(sent);
    disbursed.push(...sent);
    for (const [nth, { answer, request }] of sent.entries()) {
      if (answer?.status !== 200) continue;
      const application = String(request.asked['application_id']);
      const isFailed = failed.includes(nth);
      const text = isFailed ? 'Not possible' : 'Completed';
      if (asking === 'too early') query(application, PENDING_TEXT, false, [(tick += 1), (tick += 1)]);
      if (asking === 'twice at once') query(application, text, isFailed, [tick + 1, tick + 3]);
      query(application, text, isFailed, [(tick += 2), (tick += 2)]);
    }
    limitNow -= fall;
    for (let nth = 0; nth < count; nth += 1) readLimit();
    now += SECOND;
    if (again !== undefined) {
      now += again * SECOND;
      readLimit();
    }
  }
  return { looks, contracts: [], disbursed, outcomes, byStep };
}
const single = (amount: number, more: Partial<Step> = {}): Step => ({ amounts: [amount], fall: amount, ...more });
const fitting = [single(1000), single(2500), single(120)];

const series = (...steps: readonly Step[]) => {
  const { byStep: _, ...evidence } = makeAccount(900_000, ...fitting, ...steps);
  return evidence;
};
const atOnce = { amounts: [3000, 4000, 5500], fall: 12_500 };
const NO_STEP =
  'no disbursements were made at the same time between two limits that were each confirmed by a second reading';
const NO_RULE = 'fewer than three disbursements lowered the limit by one rule';

rows(parallelSum, {
  'the limit decreases by the sum of three concurrent disbursements': kept(series(atOnce)),
  'the limit shows that some of three concurrent disbursements are lost or counted twice': [
    broken(series({ ...atOnce, fall: 9500, again: 4 })),
    broken(series({ ...atOnce, fall: 3000, again: 4 })),
    broken(series({ ...atOnce, fall: 15_500, again: 4 })),
    broken(series({ ...atOnce, fall: 19_500, again: 4 })),
  ],
  'one of three concurrent disbursements is refused, and the limit decreases by the two others': [409, 423, 429].map(
    (status) => kept(series({ ...atOnce, fall: 9500, refused: { 0: status } })),
  ),
  'one of three is lost, but the limit was not read again some seconds later': notTested(
    series({ ...atOnce, fall: 9500 }),
    'the limit was not read again some seconds after the disbursements at the same time',
  ),
  'the limit decreases by an amount that no lost disbursement explains, once': kept(
    series({ ...atOnce, fall: 12_345, again: 4 }),
  ),
  'one of the disbursements failed, the limit was read only once, or they were not concurrent': [
    notTested(series({ ...atOnce, failed: [1] }), NO_STEP),
    notTested(series({ ...atOnce, looks: 1 }), NO_STEP),
    notTested(series({ ...atOnce, isInRow: true }), NO_STEP),
  ],
  'single disbursements show no rule for the limit': notTested(
    (({ byStep: _, ...all }) => all)(makeAccount(900_000, atOnce)),
    NO_RULE,
  ),
});

/** A limit of 100.00 after the fitting disbursements: 60.00 in a row, and then at once what is left. */
const exceed = (inRow: Step, last: Step) => {
  const { byStep, ...evidence } = makeAccount(13_620, ...fitting, inRow, last);
  const [row = [], parallel = []] = byStep.slice(fitting.length);
  return { ...evidence, inRow: row, atOnce: parallel };
};
const inRow: Step = { amounts: [6000, 6000], fall: 6000, failed: [1], isInRow: true };
const beyond = { amounts: [3000, 3000] };
const ALL_IN_ROW = 'disbursements in a row that together exceed the limit were all made, or none';

rows(parallelWithinLimit, {
  'one of two concurrent disbursements, together above the limit, fails': [
    kept(exceed(inRow, { ...beyond, fall: 3000, failed: [1] })),
    kept(exceed({ ...inRow, failed: [], refused: { 1: 422 } }, { ...beyond, fall: 3000, failed: [1] })),
  ],
  'one of two concurrent disbursements, together above the limit, is refused': [409, 422, 423].map((status) =>
    kept(exceed(inRow, { ...beyond, fall: 3000, refused: { 0: status } })),
  ),
  'both of two concurrent disbursements, together above the limit, are made': [
    broken(exceed(inRow, { ...beyond, fall: 4000 }), { received: '2 made, and a limit of 0.00' }),
    broken(exceed(inRow, { ...beyond, fall: 6000 }), { received: '2 made, and a limit of -20.00' }),
    broken(exceed(inRow, { amounts: [3000, 3000, 3000], fall: 4000, failed: [1] })),
  ],
  'one of two concurrent disbursements fails, but the limit is below zero': broken(
    exceed(inRow, { ...beyond, fall: 5000, failed: [1] }),
    { received: '1 made, and a limit of -10.00' },
  ),
  'one of the concurrent disbursements gets 503 or 429': [
    notTested(exceed(inRow, { ...beyond, fall: 4000, refused: { 1: 503 } }), NO_STEP),
    notTested(
      exceed(inRow, { ...beyond, fall: 4000, refused: { 1: 429 } }),
      'one of the disbursements at the same time had no final outcome',
    ),
  ],
  'both concurrent disbursements have the outcome of success, but the limit shows only one': notTested(
    exceed(inRow, { ...beyond, fall: 3000 }),
    'the limit does not show that the disbursements at the same time were made',
  ),
  'two disbursements above the limit, in a row, are both made, or none is': [
    notTested(exceed({ ...inRow, failed: [], fall: 10_000 }, { ...beyond, fall: 0 }), ALL_IN_ROW),
    notTested(exceed({ ...inRow, failed: [0, 1], fall: 0 }, { ...beyond, fall: 6000 }), ALL_IN_ROW),
    notTested(exceed({ ...inRow, failed: [], refused: { 1: 429 } }, { ...beyond, fall: 4000 }), ALL_IN_ROW),
    notTested(
      exceed({ ...inRow, amounts: [6000, 6000, 6000], refused: { 2: 429 } }, { ...beyond, fall: 4000 }),
      ALL_IN_ROW,
    ),
  ],
  'the concurrent disbursements are together within the limit': notTested(
    exceed(inRow, { amounts: [1000, 1500], fall: 2500 }),
    'the disbursements at the same time do not exceed the limit',
  ),
  'single disbursements show no rule for the limit': notTested(
    (({ byStep: [row = [], parallel = []], ...all }) => ({ ...all, inRow: row, atOnce: parallel }))(
      makeAccount(10_000, inRow, { ...beyond, fall: 4000 }),
    ),
    NO_RULE,
  ),
  'the limit was read only once after the disbursements, or they were not concurrent': [
    notTested(exceed(inRow, { ...beyond, fall: 4000, looks: 1 }), NO_STEP),
    notTested(exceed(inRow, { ...beyond, fall: 4000, isInRow: true }), NO_STEP),
  ],
});

const askTwice = (amount: number, fall = amount): Step => single(amount, { fall, asking: 'twice at once' });
const TOO_FEW_AT_REST =
  'disbursements lowered the limit by one rule, but fewer than three of them were queried only at rest';
const NOT_DECIDED = 'it is not clear that the queries change how much the limit falls';
rows(askingCostsNothing, {
  'two concurrent queries of an open outcome do not change how the limit decreases': kept(
    series(askTwice(3300), askTwice(470)),
  ),
  'both disbursements whose outcome was queried twice at once lower the limit twice': broken(
    series(askTwice(3300, 6600), askTwice(470, 940), single(50)),
  ),
  'only one of the disbursements queried twice at once lowers the limit twice': notTested(
    series(askTwice(3300, 6600), askTwice(470)),
    NOT_DECIDED,
  ),
  'a disbursement queried only at rest lowers the limit twice too, and not each one queried twice at once': notTested(
    series(askTwice(3300, 6600), askTwice(470, 940), askTwice(500), single(600, { fall: 1200 }), single(50)),
    NOT_DECIDED,
  ),
  'disbursements that were queried once lower the limit twice too': notTested(
    series(askTwice(3300, 6600), askTwice(470, 940), single(600, { fall: 1200 }), single(50, { fall: 100 })),
    NOT_DECIDED,
  ),
  'no outcome was queried twice at once, or too few were queried only at rest': [
    notTested(
      series(...[3300, 470].map((amount) => single(amount, { fall: 2 * amount, asking: 'too early' })), single(50)),
      'no open disbursement was queried twice at the same time',
    ),
    notTested(series(single(50)), 'no open disbursement was queried twice at the same time'),
    notTested(
      (({ byStep: _, ...all }) => all)(
        makeAccount(900_000, ...fitting.map((step): Step => ({ ...step, asking: 'too early' })), askTwice(50)),
      ),
      TOO_FEW_AT_REST,
    ),
  ],
  'no three disbursements show a rule, however they were queried': notTested(
    (({ byStep: _, ...all }) => all)(makeAccount(900_000, single(1000), askTwice(50))),
    NO_RULE,
  ),
});
