/** Sends steps of a loan too early, or again. */
import {
  claimUnused,
  findOpenings,
  hasErrors,
  isPending,
  isRefusal,
  limits,
  listTold,
  mapAll,
  parseTurns,
  scenario,
  steps,
  test,
  UNKNOWN_ID,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import {
  AccountLedger,
  listLimitSeries,
  OTHER_SHARDS_TEXT,
  queryUnknownOutcomes,
  roundDown,
  type Draw,
} from '../loans/account-ledger.ts';
import { areLimitsFixed, drawSingle } from '../loans/limit-ledger.ts';
import {
  completeAlone,
  queryOutcome,
  takeAlike,
  takeSteps,
  type EarlyStep,
  type CompletedDisbursement,
  type PlannedDisbursement,
} from './carried-through.ts';

/**
 * The order of applications with an early step (A) and without one (B) after the first. They do not alternate, because every
 * second disbursement may fail.
 */
const EARLY_TURNS = parseTurns('BAAB');

const earlySteps: readonly EarlyStep[] = [
  {
    what: 'a disbursement before the contract',
    send: ({ loans }, { application, offer, amount }) =>
      loans.disburse(application, offer, { amount }, { probe: true }),
  },
  {
    what: 'a contract for an account that was not offered',
    send({ loans, run }, { application }) {
      const own = application.offers.map(({ account }) => account);
      const known = run.session.requests.flatMap(({ opened }) => opened?.accounts ?? []);
      const account = known.find((one) => !own.includes(one)) ?? UNKNOWN_ID;
      return loans.approve(application, { account, limit: null }, { probe: true });
    },
  },
  { what: 'a query before the disbursement', isAfterContract: true, send: queryOutcome },
  {
    what: 'a disbursement to an account without a contract',
    isAfterContract: true,
    send({ loans }, { application, offer, amount }) {
      const other = application.offers.find(({ account }) => account !== offer.account);
      return loans.disburse(application, other ?? { ...offer, account: UNKNOWN_ID }, { amount }, { probe: true });
    },
  },
];

const hasWorked = ({ accepted, body, data }: Reply): boolean =>
  accepted && !hasErrors(body) && !isPending((data as { readonly result?: unknown }).result);

/** An outcome is stuck if it is pending `times` times as long as other outcomes, and at least `leastMs` milliseconds. */
const STUCK = { times: 10, leastMs: 10_000 };

type SeenEarly = CompletedDisbursement & { readonly early: Reply };

/** Queries a pending outcome again, much later than the outcomes of other disbursements became final. */
async function findEnd({ bank, run }: Tools, { early, reply, step }: SeenEarly, othersMs: number | null) {
  if (othersMs === null || !reply.accepted || hasErrors(reply.body) || hasWorked(reply)) return { early, end: reply };
  const { clock, waiting } = run.session;
  await waiting.until(clock.now() + Math.max(STUCK.times * othersMs, STUCK.leastMs));
  return { early, end: await bank.queryDisbursement({ application_id: step.application.id }) };
}

/** Compares applications with an early step with applications without one, if the first application with an early step failed. */
async function compareEarly(tools: Tools, extra: EarlyStep, first: SeenEarly): Promise<void> {
  const { clock } = tools.run.session;
  const isHarmless = hasWorked(first.reply) || !isRefusal(first.early);
  if (!isHarmless)
    claimUnused(tools.run, 'loans', { applications: 2 * EARLY_TURNS.length, disbursements: 2 * EARLY_TURNS.length });
  const early = [first];
  const without: Reply[] = [];
  let slowestMs = 0;
  for (const side of isHarmless ? [] : EARLY_TURNS) {
    const models = early.map(({ step }) => step).toReversed();
    const startedAt = clock.now();
    const [fresh] = side === 'A' ? await takeSteps(tools, 1) : [];
    const next = side === 'A' ? fresh : await takeAlike(tools, models, without.length === 0);
    const seen = next == null ? null : await completeAlone(tools, next, side === 'A' ? extra : undefined);
    if (seen === null) break;
    if (seen.early !== undefined) early.push({ ...seen, early: seen.early });
    else without.push(seen.reply);
    if (seen.early === undefined) slowestMs = Math.max(slowestMs, clock.now() - startedAt);
    if (hasWorked(seen.reply) === (side === 'A')) break;
  }
  // A pause follows only if the other disbursements succeeded, because this bank may be slow.
  const othersMs = without.length > 0 && without.every(hasWorked) ? slowestMs : null;
  const withEarly = await Promise.all(early.map((one) => findEnd(tools, one, othersMs)));
  tools.run.compare(steps.earlyStepHarmless, { withEarly, without, what: extra.what });
}

test(
  'Applications with a step that comes too early, compared with applications without one',
  ...scenario('loan-early-steps', { area: 'loans', exclusive: true }, async (tools) => {
    const most = earlySteps.length;
    claimUnused(tools.run, 'loans', { applications: 2 * most, disbursements: 2 * most });
    const taken = await takeSteps(tools, most);
    const complete = async (extra: EarlyStep, step?: PlannedDisbursement): Promise<CompletedDisbursement | null> =>
      step === undefined ? null : completeAlone(tools, step, extra);
    const first = await Promise.all(earlySteps.map((extra, nth) => complete(extra, taken[nth])));
    for (const [nth, extra] of earlySteps.entries()) {
      // There are too few accounts for simultaneous applications.
      const [later] = taken[nth] === undefined ? await takeSteps(tools, 1) : [];
      const seen = first[nth] ?? (await complete(extra, later));
      if (seen?.early !== undefined) await compareEarly(tools, extra, { ...seen, early: seen.early });
    }
  }),
);

/** The second round leaves out the steps that were new to the bank. */
const ROUNDS = 2;
/** The limit must cover this many disbursements, because a bank may make each repeated disbursement. */
const MIN_TIMES = 8;

/** An application with a final outcome, and the values of its loan request. */
interface Made extends Draw {
  readonly opening: Values;
}

/** Sends a step of an application again; null if it has none. */
type Repeat = (tools: Tools, made: Made) => Promise<Reply> | null;

const repeats: Readonly<Record<string, Repeat>> = {
  check: ({ bank }, { opening }) => bank.validateLoan(opening),
  application: ({ bank }, { opening }) => bank.ask('requestLoan', opening, { probe: true }),
  disbursement: ({ loans }, { application, offer, amount }) =>
    loans.disburse(application, offer, { amount }, { probe: true }),
  'another contract': ({ loans }, { application, offer }) => {
    const other = application.offers.find(({ account }) => account !== offer.account);
    return other === undefined ? null : loans.approve(application, other, { probe: true });
  },
  contract: ({ loans }, { application, offer }) => loans.approve(application, offer, { probe: true }),
};
/** The bank may hold the amount again. So this step is repeated after the limit is read. */
const LAST_REPEAT = 'contract';
/** If the bank accepts one of these repetitions, it is a new step that may change the outcome and the limit. */
const NEW_STEPS = ['disbursement', 'another contract'];

/** Returns a small disbursement from earlier in the run that is the only one of its application: its outcome is final. */
function findEarlier({ requests }: Tools['run']['session']): string | undefined {
  const disbursements = requests.filter(({ operation }) => operation === 'disburse');
  const readId = ({ values }: (typeof disbursements)[number]) => String(values['application_id']);
  const single = disbursements.filter(
    (sent) => sent.outcome === 'accepted' && disbursements.filter((same) => readId(same) === readId(sent)).length === 1,
  );
  const bySize = single.toSorted((a, b) => Number(a.values['amount']) - Number(b.values['amount']));
  return bySize[0] && readId(bySize[0]);
}

/** Disburses an amount that the limit of the account covers several times. */
async function makeDisbursement(ledger: AccountLedger): Promise<Made | null> {
  const { terms, tools } = ledger;
  const highest = ledger.listLimits()[0] ?? Infinity;
  const amount = highest < MIN_TIMES * terms.amount ? 2 * roundDown(highest / MIN_TIMES / 2) : terms.amount;
  const made = await drawSingle(ledger, { amount: Math.max(amount, 1), kind: terms });
  if (made == null || made.hasFailed) return null;
  const [draw] = made.accepted;
  const opening = findOpenings(tools.run.session.requests).get(draw?.application.id ?? '')?.values;
  return draw === undefined || opening === undefined ? null : { ...draw, opening };
}

/** Repeats the steps, and queries the outcome after each. Stops at a step that is new to the bank, and adds its name to `news`. */
async function repeatSteps(tools: Tools, made: Made, earlierId: string, news: Set<string>, isLast: boolean) {
  const { bank, loans } = tools;
  let before = await loans.settled(made.application.id);
  const compared = [];
  const chosen = Object.entries(repeats).filter(([name]) => !news.has(name) && (name === LAST_REPEAT) === isLast);
  for (const [name, send] of chosen) {
    if (!before.accepted || isPending(before.data.result)) break;
    const repeat = await send(tools, made);
    if (repeat === null || repeat.outcome === 'not-sent') continue;
    if (NEW_STEPS.includes(name) && !isRefusal(repeat)) {
      news.add(name);
      break;
    }
    const [earlier, first] = await Promise.all([
      bank.queryDisbursement({ application_id: earlierId }),
      loans.outcome(made.application),
    ]);
    // Another machine may still know the outcome.
    const after = first.accepted ? first : await loans.outcome(made.application);
    compared.push({ before, repeat, after, earlier });
    before = after;
  }
  return compared;
}

async function compareRepeats(tools: Tools, earlierId: string): Promise<void> {
  const { loans, run } = tools;
  await queryUnknownOutcomes(tools);
  const ledger = new AccountLedger(tools, await loans.terms());
  const firstRequest = run.session.requests.length;
  const news = new Set<string>();
  const compared: Awaited<ReturnType<typeof repeatSteps>> = [];
  for (let round = 0; round < ROUNDS && (round === 0 || news.size > 0); round += 1) {
    const all = [await makeDisbursement(ledger), await makeDisbursement(ledger)].filter((made) => made !== null);
    const { amount } = ledger.terms;
    const accounts = new Set(all.map(({ offer }) => offer.account));
    const readLimits = async (times = 1): Promise<unknown> =>
      areLimitsFixed(run.session) || mapAll([...accounts], 1, (account) => ledger.look(account, amount, times));
    await readLimits(2);
    const limitsBefore = ledger.listLimits().join();
    // The wait is short, because a text that other applications no longer have is not final.
    const repeat = (isLast: boolean) =>
      Promise.all(all.map((made) => repeatSteps(tools, made, earlierId, news, isLast)));
    compared.push(...(await repeat(false)).flat());
    await readLimits();
    if (ledger.listLimits().join() !== limitsBefore) await readLimits();
    compared.push(...(await repeat(true)).flat());
  }
  run.compare(steps.outcomeStaysAfterRepeat, { repeats: compared, told: listTold(run.session.requests) });
  if (run.session.shard.total > 1) return run.unexercised(limits.repeatCostsNothing.id, OTHER_SHARDS_TEXT);
  const repeats = compared.map(({ repeat }) => repeat);
  // Other scenarios repeat steps too: only the readings of this one show what its steps did.
  run.compare(limits.repeatCostsNothing, { ...listLimitSeries(run.session, firstRequest), repeats });
}

test(
  'All steps of a loan again, after its disbursement has a final outcome',
  ...scenario('repeated-steps', { area: 'loans', exclusive: true }, async (tools) => {
    claimUnused(tools.run, 'loans', { applications: 12, disbursements: 12 });
    const earlierId = findEarlier(tools.run.session);
    if (earlierId !== undefined) await compareRepeats(tools, earlierId);
  }),
);
