/** Sends steps of a loan too early, or again. */
import {
  claimUnused,
  coversAmount,
  findOpenings,
  groupBy,
  hasErrors,
  isPending,
  isRefusal,
  limits,
  listOutcomeQueries,
  mapAll,
  parseTurns,
  readApplication,
  scenario,
  steps,
  test,
  UNKNOWN_ID,
  type Application,
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
  type Disbursement,
} from '../loans/account-ledger.ts';
import { areLimitsFixed } from '../loans/limit-ledger.ts';
import { listOfferedAccounts } from '../loans/offered-accounts.ts';
import {
  completeAlone,
  completeOnAccount,
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
  'Applications with a step that comes too early, and applications with steps in the right order',
  ...scenario('loan-early-steps', { area: 'loans', stage: 'accounts' }, async (tools) => {
    const { length: count } = earlySteps;
    claimUnused(tools.run, 'loans');
    const taken = await takeSteps(tools, count, { mayShare: true });
    const first = await mapAll(taken, count, (step, nth) => completeOnAccount(tools, step, earlySteps[nth]));
    for (const [nth, extra] of earlySteps.entries()) {
      const [again] = first[nth] == null ? await takeSteps(tools, 1) : [];
      const seen = first[nth] ?? (again === undefined ? null : await completeAlone(tools, again, extra));
      if (seen?.early !== undefined) await compareEarly(tools, extra, { ...seen, early: seen.early });
    }
  }),
);

/** An application with a final outcome, and the values of its loan request. */
interface Made extends Disbursement {
  readonly opening: Values;
}

/** Sends a step of an application again; null if it has none. */
type Repeat = (tools: Tools, made: Made) => Promise<Reply> | null;

const repeats = {
  check: ({ bank }, { opening }) => bank.validateLoan(opening),
  application: ({ bank }, { opening }) => bank.ask('requestLoan', opening, { probe: true }),
  disbursement: ({ loans }, { application, offer, amount }) =>
    loans.disburse(application, offer, { amount }, { probe: true }),
  'another contract': ({ loans }, { application, offer }) => {
    const other = application.offers.find(({ account }) => account !== offer.account);
    return other === undefined ? null : loans.approve(application, other, { probe: true });
  },
  contract: ({ loans }, { application, offer }) => loans.approve(application, offer, { probe: true }),
} as const satisfies Readonly<Record<string, Repeat>>;
type StepName = keyof typeof repeats;
/** The bank may hold the amount again. So this step is repeated after the limit is read. */
const LAST_REPEAT = 'contract';
/** Each step is repeated for an application of its own, if the run has enough. */
const FIRST_REPEATS = ['check', 'application', 'disbursement', 'another contract'] as const;
/** If the bank accepts one of these repetitions, it is a new step that may change the outcome and the limit. */
const NEW_STEPS: readonly StepName[] = ['disbursement', 'another contract'];

/** The limit must cover this many disbursements, because a bank may make each repeated disbursement. */
const MIN_TIMES = 8;
/** The number of fresh applications: each step is repeated for as many, because one outcome may change by chance. */
const LANE_COUNT = 2;

type Session = Tools['run']['session'];

/** Lists the disbursements from earlier in the run that are the only ones of their applications, the smallest first. */
function listEarlier({ requests }: Session): readonly Made[] {
  const openings = findOpenings(requests);
  const disbursements = requests.filter(({ operation }) => operation === 'disburse');
  const byApplication = [...groupBy(disbursements, ({ values }) => String(values['application_id']))];
  const earlier = byApplication.flatMap(([id, [{ outcome, overLimit, values }, ...more]]): readonly Made[] => {
    const opening = openings.get(id);
    if (outcome !== 'accepted' || overLimit === true || more.length > 0 || opening === undefined) return [];
    return readApplication(opening).flatMap((application) => {
      const offer = application.offers.find(({ account }) => account === String(values['account_id']));
      return offer === undefined
        ? []
        : [{ application, offer, amount: Number(values['amount']), opening: opening.values }];
    });
  });
  return earlier.toSorted((a, b) => a.amount - b.amount);
}

/** Returns the earlier disbursements with the same outcome as the first. */
function selectAlike({ requests }: Session, [first, ...others]: readonly Made[]): readonly Made[] {
  const results = new Map(requests.map(({ result, values }) => [result && String(values['application_id']), result]));
  return others.filter(({ application }) => results.get(application.id) === results.get(first?.application.id));
}

type Compared = Readonly<Record<'before' | 'after' | 'earlier', Reply<'queryDisbursement'>>> & {
  readonly repeat: Reply;
};

/** What the lanes of the scenario have in common. */
interface Shared {
  readonly tools: Tools;
  readonly earlierId: string;
  /** The names of the steps that were new to the bank. */
  readonly news: Set<StepName>;
  readonly compared: Compared[];
  /** The last outcome of each application. */
  readonly outcomes: Map<string, Reply<'queryDisbursement'>>;
  /** The number of requests of the run before the scenario. */
  readonly firstRequest: number;
}

/** Takes the application to its outcome; null if a step was refused or failed. */
async function makeDisbursement(
  { outcomes }: Shared,
  ledger: AccountLedger,
  step: PlannedDisbursement,
): Promise<Made | null> {
  const { loans, run } = ledger.tools;
  await loans.approve(step.application, step.offer);
  const made = await ledger.disburse([step]);
  const opening = findOpenings(run.session.requests).get(step.application.id)?.values;
  const [outcome] = made?.outcomes ?? [];
  if (outcome === undefined || made?.hasFailed !== false || opening === undefined) return null;
  outcomes.set(step.application.id, outcome);
  return { ...step, opening };
}

/** Repeats the steps, and queries the outcome after each. Stops at a step that is new to the bank. */
async function repeatSteps(shared: Shared, made: Made, names: readonly StepName[]): Promise<void> {
  const { tools, earlierId, news, compared, outcomes } = shared;
  const { bank, loans } = tools;
  const chosen = names.filter((name) => !news.has(name));
  if (chosen.length === 0) return;
  const { id } = made.application;
  let before = outcomes.get(id) ?? (await loans.settled(id));
  for (const name of chosen) {
    if (!before.accepted || tools.run.session.isPending(before.data.result)) return;
    const send: Repeat = repeats[name];
    const repeat = await send(tools, made);
    if (repeat === null || repeat.outcome === 'not-sent') continue;
    if (NEW_STEPS.includes(name) && !isRefusal(repeat)) {
      news.add(name);
      return;
    }
    const [earlier, first] = await Promise.all([
      bank.queryDisbursement({ application_id: earlierId }),
      loans.outcome(made.application),
    ]);
    // Another machine may still know the outcome.
    const after = first.accepted ? first : await loans.outcome(made.application);
    compared.push({ before, repeat, after, earlier });
    before = after;
    outcomes.set(id, after);
  }
}

/** Disburses from one account, and repeats steps of its applications. */
async function repeatOfAccount(shared: Shared, step: PlannedDisbursement, older: readonly Made[]): Promise<void> {
  const { tools, firstRequest } = shared;
  const { session } = tools.run;
  const { account } = step.offer;
  const ledger = new AccountLedger(tools, step.application.terms, [account]);
  const isFixed = areLimitsFixed(session);
  const isFresh = findOpenings(session.requests.slice(firstRequest)).has(step.application.id);
  const readLimit = async (times = 1): Promise<unknown> =>
    isFixed ? null : ledger.readLimit(account, step.application.terms.amount, times);
  const make = async (): Promise<Made | null> => {
    await Promise.all([isFresh ? null : readLimit(), queryUnknownOutcomes(tools, [account])]);
    return makeDisbursement(shared, ledger, step);
  };
  const repeat = async (made: Made | null): Promise<void> =>
    made === null ? undefined : repeatAll(shared, ledger, [made, ...older], readLimit);
  // Repeated steps must not disturb a limit that is read; if it is not read, nobody needs to wait for them.
  if (isFixed) await repeat(await session.accounts.use([account], make));
  else await session.accounts.use([account], async () => repeat(await make()));
}

/** Repeats all steps of the applications, and reads the limit of their account before and after. */
async function repeatAll(
  shared: Shared,
  ledger: AccountLedger,
  [made, ...older]: readonly [Made, ...Made[]],
  readLimit: (times?: number) => Promise<unknown>,
): Promise<void> {
  const stepsOf = groupBy(FIRST_REPEATS, (name) => [made, ...older][FIRST_REPEATS.indexOf(name)] ?? made);
  const repeatFirst = (): Promise<unknown> =>
    Promise.all([...stepsOf].map(([application, names]) => repeatSteps(shared, application, names)));
  await readLimit(2);
  const [limitBefore] = ledger.listLimits();
  await repeatFirst();
  await readLimit();
  if (ledger.listLimits()[0] !== limitBefore) await readLimit();
  if (shared.news.size > 0) {
    // A new step may have lowered the limit: the others are repeated without it.
    await repeatFirst();
    await readLimit();
  }
  await repeatSteps(shared, made, [LAST_REPEAT]);
}

/** Opens applications for accounts of their own, if the bank has enough, and for amounts that their limits cover several times. */
async function openLanes({ loans, run }: Tools): Promise<readonly PlannedDisbursement[]> {
  const terms = await loans.terms();
  const { accounts } = run.session;
  const offered = listOfferedAccounts(run.session, terms.currency).flatMap((offers) => offers.accounts);
  const chosen = accounts.freeFirst(offered.filter(({ limit }) => limit >= MIN_TIMES)).slice(0, LANE_COUNT);
  chosen.forEach(({ account }) => accounts.choose(account));
  const opened = await mapAll(Array.from({ length: LANE_COUNT }), LANE_COUNT, async (_, nth) => {
    const { account, currency = terms.currency, limit = Infinity } = chosen[nth] ?? chosen[0] ?? {};
    const open = (highest: number): Promise<Application | null> => {
      const amount = highest < MIN_TIMES * terms.amount ? 2 * roundDown(highest / MIN_TIMES / 2) : terms.amount;
      return loans.apply({ ...terms, currency, amount: Math.max(amount, 1) });
    };
    const first = await open(limit);
    const highest = Math.max(...(first?.offers ?? []).map((offer) => offer.limit ?? Infinity));
    const application = first !== null && highest < first.terms.amount ? await open(highest) : first;
    const offers = application?.offers.filter((offer) => coversAmount(offer, application.terms.amount)) ?? [];
    const offer = offers.find((same) => same.account === account) ?? accounts.freeFirst(offers)[0];
    return application === null || offer === undefined
      ? []
      : [{ application, offer, amount: application.terms.amount }];
  });
  return opened.flat();
}

async function compareRepeats(tools: Tools): Promise<void> {
  const { run } = tools;
  const { session } = run;
  const earlier = listEarlier(session);
  const [{ application } = {}] = earlier;
  if (application === undefined) return;
  const firstRequest = session.requests.length;
  const shared: Shared = {
    tools,
    earlierId: application.id,
    news: new Set(),
    compared: [],
    outcomes: new Map(),
    firstRequest,
  };
  const alike = selectAlike(session, earlier);
  // If no limit is read, applications for other accounts will do.
  const older = groupBy(alike, ({ offer }) => (areLimitsFixed(session) ? '' : offer.account));
  const taken = await openLanes(tools);
  await mapAll(taken, LANE_COUNT, (step) => {
    const { account } = step.offer;
    // Each lane has applications of its own.
    const left = older.get(account) ?? older.get('');
    const ofAccount = left?.splice(0, FIRST_REPEATS.length - 1) ?? [];
    return repeatOfAccount(shared, step, ofAccount);
  });
  const { compared } = shared;
  run.compare(steps.outcomeStaysAfterRepeat, { repeats: compared, told: listOutcomeQueries(session.requests) });
  if (session.shard.total > 1) return run.unexercised(limits.repeatCostsNothing.id, OTHER_SHARDS_TEXT);
  // Other scenarios repeat steps too: only the readings of this one show what its steps did.
  run.compare(limits.repeatCostsNothing, {
    ...listLimitSeries(session, firstRequest),
    repeats: compared.map(({ repeat }) => repeat),
  });
}

test(
  'All steps of a loan again, after its outcome is final',
  ...scenario('repeated-steps', { area: 'loans', stage: 'accounts' }, async (tools) => {
    // Ledgers beside it use all that is left.
    claimUnused(tools.run, 'loans', { applications: 12, disbursements: 4 });
    await compareRepeats(tools);
  }),
);
