/** Sends steps of a loan too early, or a second time, and compares outcomes and limits. */
import {
  claimUnused,
  coversAmount,
  findOpenings,
  groupBy,
  hasErrors,
  isPending,
  isRefusal,
  listOutcomeQueries,
  mapAll,
  parseTurns,
  readApplication,
  scenario,
  test,
  UNKNOWN_ID,
  type Application,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import * as limits from '../../openapi/bank/behaviours/loans/limit-ledger.ts';
import * as steps from '../../openapi/bank/behaviours/loans/steps.ts';
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
  chooseSimilarStep,
  chooseSteps,
  type EarlyStep,
  type CompletedDisbursement,
  type PlannedDisbursement,
} from './carried-through.ts';

/**
 * Says which applications have an early step (A) and which do not (B), after the first application with an early step. They do not
 * alternate: at some banks, each second disbursement fails.
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
      const accountsOfApplication = application.offers.map(({ account }) => account);
      const accountsOfRun = run.session.requests.flatMap(({ opened }) => opened?.accounts ?? []);
      const account = accountsOfRun.find((candidate) => !accountsOfApplication.includes(candidate)) ?? UNKNOWN_ID;
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

/** An outcome is stuck if it is pending this many times as long as other outcomes, and at least this many milliseconds. */
const STUCK = { factor: 10, minMs: 10_000 };

type CompletedWithEarlyStep = CompletedDisbursement & { readonly early: Reply };

/** If the outcome is pending, queries it much later than the outcomes of other disbursements became final. */
async function queryPendingOutcome(
  { bank, run }: Tools,
  { early, reply, step }: CompletedWithEarlyStep,
  othersMs: number | null,
) {
  if (othersMs === null || !reply.accepted || hasErrors(reply.body) || hasWorked(reply)) return { early, end: reply };
  const { clock, waiting } = run.session;
  await waiting.until(clock.now() + Math.max(STUCK.factor * othersMs, STUCK.minMs));
  return { early, end: await bank.queryDisbursement({ application_id: step.application.id }) };
}

/** If the first application with an early step failed, compares more such applications with applications without an early step. */
async function compareEarly(tools: Tools, earlyStep: EarlyStep, first: CompletedWithEarlyStep): Promise<void> {
  const { clock } = tools.run.session;
  const isHarmless = hasWorked(first.reply) || !isRefusal(first.early);
  const early = [first];
  const without: Reply[] = [];
  let slowestMs = 0;
  for (const side of isHarmless ? [] : EARLY_TURNS) {
    const models = early.map(({ step }) => step).toReversed();
    const startedAt = clock.now();
    const [newStep] = side === 'A' ? await chooseSteps(tools, 1) : [];
    const step = side === 'A' ? newStep : await chooseSimilarStep(tools, models, without.length === 0);
    const completed = step == null ? null : await completeAlone(tools, step, side === 'A' ? earlyStep : undefined);
    if (completed === null) break;
    if (completed.early !== undefined) early.push({ ...completed, early: completed.early });
    else without.push(completed.reply);
    if (completed.early === undefined) slowestMs = Math.max(slowestMs, clock.now() - startedAt);
    if (hasWorked(completed.reply) === (side === 'A')) break;
  }
  // If the other disbursements succeeded in this time, a pending outcome is not explained by a slow bank.
  const othersMs = without.length > 0 && without.every(hasWorked) ? slowestMs : null;
  const withEarly = await Promise.all(early.map((completed) => queryPendingOutcome(tools, completed, othersMs)));
  tools.run.compare(steps.earlyStepHarmless, { withEarly, without, what: earlyStep.what });
}

test(
  'Applications with a step that comes too early, and applications with steps in the right order',
  ...scenario('loan-early-steps', { area: 'loans', stage: 'accounts' }, async (tools) => {
    const { length: count } = earlySteps;
    claimUnused(tools.run, 'loans');
    const chosenSteps = await chooseSteps(tools, count, { mayShare: true });
    const first = await mapAll(chosenSteps, count, (step, index) => completeOnAccount(tools, step, earlySteps[index]));
    for (const [index, earlyStep] of earlySteps.entries()) {
      const [repeatedStep] = first[index] == null ? await chooseSteps(tools, 1) : [];
      const completed =
        first[index] ?? (repeatedStep === undefined ? null : await completeAlone(tools, repeatedStep, earlyStep));
      if (completed?.early !== undefined)
        await compareEarly(tools, earlyStep, { ...completed, early: completed.early });
    }
  }),
);

/** A disbursement with a final outcome, and the values of its loan request. */
interface CompletedLoan extends Disbursement {
  readonly opening: Values;
}

/** Sends a step of an application again. Returns null if the application has no such step. */
type Repeat = (tools: Tools, loan: CompletedLoan) => Promise<Reply> | null;

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
/** This step is repeated last, after a reading of the limit, because the bank may hold the amount a second time. */
const LAST_REPEAT = 'contract';
/** Each of these steps is repeated for another application, if the run has enough applications. */
const FIRST_REPEATS = ['check', 'application', 'disbursement', 'another contract'] as const;
/** If the bank accepts one of these, the request is not a repetition: it may change the outcome and the limit. */
const NEW_STEPS: readonly StepName[] = ['disbursement', 'another contract'];

/** The limit must cover this many disbursements, because a bank may make each repeated disbursement. */
const MIN_AMOUNTS = 8;
/** The number of new applications. Each step is repeated for all of them, because one outcome may change by chance. */
const LANE_COUNT = 2;

type Session = Tools['run']['session'];

/** Lists earlier disbursements, the smallest first. Each is the only disbursement of its application. */
function listEarlierLoans({ requests }: Session): readonly CompletedLoan[] {
  const openings = findOpenings(requests);
  const disbursements = requests.filter(({ operation }) => operation === 'disburse');
  const byApplication = [...groupBy(disbursements, ({ values }) => String(values['application_id']))];
  const earlier = byApplication.flatMap(([id, [{ outcome, overLimit, values }, ...more]]): readonly CompletedLoan[] => {
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

/** Returns the disbursements with the same outcome as the first. */
function selectWithSameOutcome(
  { requests }: Session,
  [firstLoan, ...otherLoans]: readonly CompletedLoan[],
): readonly CompletedLoan[] {
  const results = new Map(requests.map(({ result, values }) => [result && String(values['application_id']), result]));
  return otherLoans.filter(({ application }) => results.get(application.id) === results.get(firstLoan?.application.id));
}

type RepeatComparison = Readonly<Record<'before' | 'after' | 'earlier', Reply<'queryDisbursement'>>> & {
  readonly repeat: Reply;
};

/** What the lanes of the scenario share. A lane uses one account. */
interface Shared {
  readonly tools: Tools;
  readonly earlierId: string;
  /** The steps that the bank accepted as new requests. */
  readonly newSteps: Set<StepName>;
  readonly compared: RepeatComparison[];
  /** The last outcome of each application. */
  readonly outcomes: Map<string, Reply<'queryDisbursement'>>;
  /** The number of requests of the run before the scenario. */
  readonly firstRequest: number;
}

/** Takes an application to its outcome. Returns null if the bank refused a step, or if the disbursement failed. */
async function makeDisbursement(
  { outcomes }: Shared,
  ledger: AccountLedger,
  step: PlannedDisbursement,
): Promise<CompletedLoan | null> {
  const { loans, run } = ledger.tools;
  await loans.approve(step.application, step.offer);
  const result = await ledger.disburse([step]);
  const opening = findOpenings(run.session.requests).get(step.application.id)?.values;
  const [outcome] = result?.outcomes ?? [];
  if (outcome === undefined || result?.hasFailed !== false || opening === undefined) return null;
  outcomes.set(step.application.id, outcome);
  return { ...step, opening };
}

/** Repeats steps, and queries the outcome after each. Stops if the bank accepts a repetition as a new request. */
async function repeatSteps(shared: Shared, loan: CompletedLoan, names: readonly StepName[]): Promise<void> {
  const { tools, earlierId, newSteps, compared, outcomes } = shared;
  const { bank, loans } = tools;
  const namesToRepeat = names.filter((name) => !newSteps.has(name));
  if (namesToRepeat.length === 0) return;
  const { id } = loan.application;
  let before = outcomes.get(id) ?? (await loans.queryUntilFinal(id));
  for (const name of namesToRepeat) {
    if (!before.accepted || tools.run.session.isPending(before.data.result)) return;
    const send: Repeat = repeats[name];
    const repeat = await send(tools, loan);
    if (repeat === null || repeat.outcome === 'not-sent') continue;
    if (NEW_STEPS.includes(name) && !isRefusal(repeat)) {
      newSteps.add(name);
      return;
    }
    const [earlier, firstQuery] = await Promise.all([
      bank.queryDisbursement({ application_id: earlierId }),
      loans.outcome(loan.application),
    ]);
    // Another machine of the bank may know the outcome.
    const after = firstQuery.accepted ? firstQuery : await loans.outcome(loan.application);
    compared.push({ before, repeat, after, earlier });
    before = after;
    outcomes.set(id, after);
  }
}

/** Disburses from one account, and repeats steps of its applications. `older`: earlier disbursements from the account. */
async function repeatOfAccount(
  shared: Shared,
  step: PlannedDisbursement,
  older: readonly CompletedLoan[],
): Promise<void> {
  const { tools, firstRequest } = shared;
  const { session } = tools.run;
  const { account } = step.offer;
  const ledger = new AccountLedger(tools, step.application.terms, [account]);
  const isFixed = areLimitsFixed(session);
  const isFresh = findOpenings(session.requests.slice(firstRequest)).has(step.application.id);
  const readLimit = async (times = 1): Promise<unknown> =>
    isFixed ? null : ledger.readLimit(account, step.application.terms.amount, times);
  const disburseOnce = async (): Promise<CompletedLoan | null> => {
    await Promise.all([isFresh ? null : readLimit(), queryUnknownOutcomes(tools, [account])]);
    return makeDisbursement(shared, ledger, step);
  };
  const repeat = async (loan: CompletedLoan | null): Promise<void> =>
    loan === null ? undefined : repeatAll(shared, ledger, [loan, ...older], readLimit);
  // If the limit is read, repeated steps must not change it meanwhile. If it is fixed, nothing needs to wait for them.
  if (isFixed) await repeat(await session.accounts.use([account], disburseOnce));
  else await session.accounts.use([account], async () => repeat(await disburseOnce()));
}

/** Repeats all steps of the applications, and reads the limit of their account before and after. */
async function repeatAll(
  shared: Shared,
  ledger: AccountLedger,
  [loan, ...older]: readonly [CompletedLoan, ...CompletedLoan[]],
  readLimit: (times?: number) => Promise<unknown>,
): Promise<void> {
  const namesByLoan = groupBy(FIRST_REPEATS, (name) => [loan, ...older][FIRST_REPEATS.indexOf(name)] ?? loan);
  const repeatFirst = (): Promise<unknown> =>
    Promise.all([...namesByLoan].map(([target, names]) => repeatSteps(shared, target, names)));
  await readLimit(2);
  const [limitBefore] = ledger.listLimits();
  await repeatFirst();
  await readLimit();
  if (ledger.listLimits()[0] !== limitBefore) await readLimit();
  if (shared.newSteps.size > 0) {
    // A new request may have lowered the limit. The other steps are repeated without this request.
    await repeatFirst();
    await readLimit();
  }
  await repeatSteps(shared, loan, [LAST_REPEAT]);
}

/** Opens applications for different accounts, if the bank has enough. Their limits cover the amount several times. */
async function openLanes({ loans, run }: Tools): Promise<readonly PlannedDisbursement[]> {
  const terms = await loans.terms();
  const { accounts } = run.session;
  const offeredAccounts = listOfferedAccounts(run.session, terms.currency).flatMap((offers) => offers.accounts);
  const chosenAccounts = accounts
    .sortByUse(offeredAccounts.filter(({ limit }) => limit >= MIN_AMOUNTS))
    .slice(0, LANE_COUNT);
  chosenAccounts.forEach(({ account }) => accounts.choose(account));
  const opened = await mapAll(Array.from({ length: LANE_COUNT }), LANE_COUNT, async (_, index) => {
    const { account, currency = terms.currency, limit = Infinity } = chosenAccounts[index] ?? chosenAccounts[0] ?? {};
    const open = (highestLimit: number): Promise<Application | null> => {
      const amount =
        highestLimit < MIN_AMOUNTS * terms.amount ? 2 * roundDown(highestLimit / MIN_AMOUNTS / 2) : terms.amount;
      return loans.apply({ ...terms, currency, amount: Math.max(amount, 1) });
    };
    const firstApplication = await open(limit);
    const highestLimit = Math.max(...(firstApplication?.offers ?? []).map((offer) => offer.limit ?? Infinity));
    const application =
      firstApplication !== null && highestLimit < firstApplication.terms.amount
        ? await open(highestLimit)
        : firstApplication;
    const offers = application?.offers.filter((offer) => coversAmount(offer, application.terms.amount)) ?? [];
    const offer = offers.find((candidate) => candidate.account === account) ?? accounts.sortByUse(offers)[0];
    return application === null || offer === undefined
      ? []
      : [{ application, offer, amount: application.terms.amount }];
  });
  return opened.flat();
}

async function compareRepeats(tools: Tools): Promise<void> {
  const { run } = tools;
  const { session } = run;
  const earlier = listEarlierLoans(session);
  const [{ application } = {}] = earlier;
  if (application === undefined) return;
  const firstRequest = session.requests.length;
  const shared: Shared = {
    tools,
    earlierId: application.id,
    newSteps: new Set(),
    compared: [],
    outcomes: new Map(),
    firstRequest,
  };
  const loansWithSameOutcome = selectWithSameOutcome(session, earlier);
  // If limits are fixed, no limit is read, and the account of an older application does not matter.
  const older = groupBy(loansWithSameOutcome, ({ offer }) => (areLimitsFixed(session) ? '' : offer.account));
  const chosenSteps = await openLanes(tools);
  await mapAll(chosenSteps, LANE_COUNT, (step) => {
    const { account } = step.offer;
    // Each lane has applications of its own.
    const olderLoans = older.get(account) ?? older.get('');
    const loansOfLane = olderLoans?.splice(0, FIRST_REPEATS.length - 1) ?? [];
    return repeatOfAccount(shared, step, loansOfLane);
  });
  const { compared } = shared;
  run.compare(steps.outcomeStaysAfterRepeat, { repeats: compared, told: listOutcomeQueries(session.requests) });
  if (session.shard.total > 1) return run.unexercised(limits.repeatCostsNothing, OTHER_SHARDS_TEXT);
  // Other scenarios repeat steps too. So only readings from this scenario count.
  run.compare(limits.repeatCostsNothing, {
    ...listLimitSeries(session, firstRequest),
    repeats: compared.map(({ repeat }) => repeat),
  });
}

test(
  'All steps of a loan again, after its outcome is final',
  ...scenario('repeated-steps', { area: 'loans', stage: 'accounts' }, async (tools) => {
    // Ledgers that run at the same time use all that is left of the caps.
    claimUnused(tools.run, 'loans', { applications: 12, disbursements: 4 });
    await compareRepeats(tools);
  }),
);
