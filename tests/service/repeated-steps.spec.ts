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
  type Offer,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
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
 * The order of the applications that follow the first application with an early step. A: the application has an early step. B: it has
 * none. A and B do not alternate, because at some banks every second disbursement fails.
 */
const EARLY_TURNS = parseTurns('BAAB');
/** The order if the bank offers the account of the first application to no other one: later turns have more accounts to choose from. */
const LATE_CONTROL_TURNS = parseTurns('AABAB');

const earlySteps: readonly EarlyStep[] = [
  {
    description: 'a disbursement before the contract',
    send: ({ loans }, { application, offer, amount }) =>
      loans.disburse(application, offer, { amount }, { isProbe: true }),
  },
  {
    description: 'a contract for an account that was not offered',
    send({ loans, run }, { application }) {
      const accountsOfApplication = application.offers.map(({ account }) => account);
      const accountsOfRun = run.session.requests.flatMap(({ opened }) => opened?.accounts ?? []);
      const account = accountsOfRun.find((accountOfRun) => !accountsOfApplication.includes(accountOfRun)) ?? UNKNOWN_ID;
      return loans.approve(application, { account, limit: null }, { isProbe: true });
    },
  },
  { description: 'a query before the disbursement', isAfterContract: true, send: queryOutcome },
  {
    description: 'a disbursement to an account without a contract',
    isAfterContract: true,
    send({ loans }, { application, offer, amount }) {
      const otherOffer = application.offers.find(({ account }) => account !== offer.account);
      return loans.disburse(
        application,
        otherOffer ?? { ...offer, account: UNKNOWN_ID },
        { amount },
        { isProbe: true },
      );
    },
  },
];

const hasSucceeded = ({ accepted, body, data }: Reply): boolean =>
  accepted && !hasErrors(body) && !isPending((data as { readonly result?: unknown }).result);

/** An outcome is stuck if it is pending this many times as long as other outcomes, and at least this many milliseconds. */
const STUCK_TIME = { factor: 10, minMs: 10_000 };

type CompletedWithEarlyStep = CompletedDisbursement & { readonly early: Reply };

/** If the outcome is pending, queries it much later than the outcomes of other disbursements became final. */
async function queryPendingOutcome(
  { bank, run }: Tools,
  { early, reply, step }: CompletedWithEarlyStep,
  otherDisbursementsMs: number | null,
) {
  if (otherDisbursementsMs === null || !reply.accepted || hasErrors(reply.body) || hasSucceeded(reply))
    return { early, end: reply };
  const { clock, waiting } = run.session;
  await waiting.waitUntil(clock.now() + Math.max(STUCK_TIME.factor * otherDisbursementsMs, STUCK_TIME.minMs));
  return { early, end: await bank.queryDisbursement({ application_id: step.application.id }) };
}

/** Chooses the next application: with an early step (A), or without one and similar to one of the `compared` (B). */
async function chooseStepOfSide(
  tools: Tools,
  side: 'A' | 'B',
  compared: readonly CompletedWithEarlyStep[],
  isFirstControl: boolean,
): Promise<PlannedDisbursement | null> {
  if (side === 'A') return (await chooseSteps(tools, 1))[0] ?? null;
  const models = compared.map(({ step }) => step).toReversed();
  return chooseSimilarStep(tools, models, isFirstControl);
}

/** Completes more applications with an early step (`withEarly`), and similar applications without one, until one decides the question. */
async function completeInTurns(tools: Tools, earlyStep: EarlyStep, firstCompleted: CompletedWithEarlyStep) {
  const { clock } = tools.run.session;
  const withEarly = [firstCompleted];
  const without: Reply[] = [];
  let slowestMs = 0;
  const chooseStep = (side: 'A' | 'B') => chooseStepOfSide(tools, side, withEarly, without.length === 0);
  let step = await chooseStep('B');
  const turns = step === null ? LATE_CONTROL_TURNS : EARLY_TURNS;
  for (const side of turns) {
    const startedAt = clock.now();
    step ??= await chooseStep(side);
    const completed = step && (await completeAlone(tools, step, side === 'A' ? earlyStep : undefined));
    step = null;
    if (completed === null) break;
    if (completed.early !== undefined) withEarly.push({ ...completed, early: completed.early });
    else without.push(completed.reply);
    if (completed.early === undefined) slowestMs = Math.max(slowestMs, clock.now() - startedAt);
    if (hasSucceeded(completed.reply) === (side === 'A')) break;
  }
  return { withEarly, without, slowestMs };
}

/** If the first application with an early step failed, compares more such applications with applications without an early step. */
async function compareEarly(tools: Tools, earlyStep: EarlyStep, firstCompleted: CompletedWithEarlyStep): Promise<void> {
  const isHarmless = hasSucceeded(firstCompleted.reply) || !isRefusal(firstCompleted.early);
  const { withEarly, without, slowestMs } = isHarmless
    ? { withEarly: [firstCompleted], without: [], slowestMs: 0 }
    : await completeInTurns(tools, earlyStep, firstCompleted);
  // If the other disbursements succeeded in this time, a pending outcome is not explained by a slow bank.
  const otherDisbursementsMs = without.length > 0 && without.every(hasSucceeded) ? slowestMs : null;
  const sequencesWithEarlyStep = await Promise.all(
    withEarly.map((completed) => queryPendingOutcome(tools, completed, otherDisbursementsMs)),
  );
  tools.run.compare(steps.earlyStepHarmless, {
    withEarly: sequencesWithEarlyStep,
    without,
    what: earlyStep.description,
  });
}

test(
  'Applications with a step that comes too early, and applications with steps in the right order',
  ...scenario('loan-early-steps', { area: 'loans', stage: 'accounts' }, async (tools) => {
    const { length: count } = earlySteps;
    claimUnused(tools.run, 'loans');
    const chosenSteps = await chooseSteps(tools, count, { mayShare: true });
    const firstCompleted = await mapAll(chosenSteps, count, (step, index) =>
      completeOnAccount(tools, step, earlySteps[index]),
    );
    for (const [index, earlyStep] of earlySteps.entries()) {
      const [repeatedStep] = firstCompleted[index] == null ? await chooseSteps(tools, 1) : [];
      const completed =
        firstCompleted[index] ??
        (repeatedStep === undefined ? null : await completeAlone(tools, repeatedStep, earlyStep));
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
type RepeatStep = (tools: Tools, loan: CompletedLoan) => Promise<Reply> | null;

const repeatByStepName = {
  check: ({ bank }, { opening }) => bank.validateLoan(opening),
  application: ({ bank }, { opening }) => bank.ask('requestLoan', opening, { isProbe: true }),
  disbursement: ({ loans }, { application, offer, amount }) =>
    loans.disburse(application, offer, { amount }, { isProbe: true }),
  'another contract': ({ loans }, { application, offer }) => {
    const otherOffer = application.offers.find(({ account }) => account !== offer.account);
    return otherOffer === undefined ? null : loans.approve(application, otherOffer, { isProbe: true });
  },
  contract: ({ loans }, { application, offer }) => loans.approve(application, offer, { isProbe: true }),
} as const satisfies Readonly<Record<string, RepeatStep>>;
type StepName = keyof typeof repeatByStepName;
/** This step is repeated last, after a reading of the limit, because the bank may hold the amount a second time. */
const LAST_REPEAT = 'contract';
/** These steps are repeated first. If the run has enough applications, each step is repeated for a different application. */
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
  const disbursementsByApplication = [...groupBy(disbursements, ({ values }) => String(values['application_id']))];
  const earlierLoans = disbursementsByApplication.flatMap(
    ([
      applicationId,
      [{ outcome, isOverLimit: overLimit, values }, ...otherDisbursements],
    ]): readonly CompletedLoan[] => {
      const opening = openings.get(applicationId);
      const isOnlyDisbursement = outcome === 'accepted' && overLimit !== true && otherDisbursements.length === 0;
      if (!isOnlyDisbursement || opening === undefined) return [];
      return readApplication(opening).flatMap((application) => {
        const offer = application.offers.find(({ account }) => account === String(values['account_id']));
        if (offer === undefined) return [];
        return [{ application, offer, amount: Number(values['amount']), opening: opening.values }];
      });
    },
  );
  return earlierLoans.toSorted((a, b) => a.amount - b.amount);
}

/** Returns the disbursements with the same outcome as the first. */
function selectWithSameOutcome(
  { requests }: Session,
  [firstLoan, ...otherLoans]: readonly CompletedLoan[],
): readonly CompletedLoan[] {
  const resultByApplicationId = new Map(
    requests.map(({ result, values }) => [result && String(values['application_id']), result]),
  );
  return otherLoans.filter(
    ({ application }) =>
      resultByApplicationId.get(application.id) === resultByApplicationId.get(firstLoan?.application.id),
  );
}

type RepeatComparison = Readonly<Record<'before' | 'after' | 'earlier', Reply<'queryDisbursement'>>> & {
  readonly repeat: Reply;
};

/** What the lanes of the scenario share. A lane uses one account. */
interface SharedState {
  readonly tools: Tools;
  readonly earlierId: string;
  /** The steps that the bank accepted as new requests. */
  readonly newSteps: Set<StepName>;
  readonly comparisons: RepeatComparison[];
  /** The last outcome of each application. */
  readonly outcomeByApplicationId: Map<string, Reply<'queryDisbursement'>>;
  /** The number of requests of the run before the scenario. */
  readonly requestCountBefore: number;
}

/** Takes an application to its outcome. Returns null if the bank refused a step, or if the disbursement failed. */
async function makeDisbursement(
  { outcomeByApplicationId }: SharedState,
  ledger: AccountLedger,
  step: PlannedDisbursement,
): Promise<CompletedLoan | null> {
  const { loans, run } = ledger.tools;
  await loans.approve(step.application, step.offer);
  const result = await ledger.disburse([step], { queryTiming: 'at rest' });
  const opening = findOpenings(run.session.requests).get(step.application.id)?.values;
  const [outcome] = result?.outcomes ?? [];
  if (outcome === undefined || result?.hasFailed !== false || opening === undefined) return null;
  outcomeByApplicationId.set(step.application.id, outcome);
  return { ...step, opening };
}

/** Returns the last outcome of a disbursement. Queries the outcome if this scenario did not query it yet. */
async function findLastOutcome(
  { outcomeByApplicationId, tools }: SharedState,
  { application: { id } }: CompletedLoan,
): Promise<Reply<'queryDisbursement'>> {
  const outcome = outcomeByApplicationId.get(id) ?? (await tools.loans.queryUntilFinal(id));
  outcomeByApplicationId.set(id, outcome);
  return outcome;
}

/** Repeats steps, and queries the outcome after each step. Stops if the bank accepts a repetition as a new request. */
async function repeatSteps(shared: SharedState, loan: CompletedLoan, names: readonly StepName[]): Promise<void> {
  const { tools, earlierId, newSteps, comparisons, outcomeByApplicationId } = shared;
  const { bank, loans } = tools;
  const namesToRepeat = names.filter((name) => !newSteps.has(name));
  if (namesToRepeat.length === 0) return;
  const { id: applicationId } = loan.application;
  let outcomeBefore = await findLastOutcome(shared, loan);
  for (const name of namesToRepeat) {
    if (!outcomeBefore.accepted || tools.run.session.isPending(outcomeBefore.data.result)) return;
    const send: RepeatStep = repeatByStepName[name];
    const repeatedReply = await send(tools, loan);
    if (repeatedReply === null || repeatedReply.outcome === 'not-sent') continue;
    if (NEW_STEPS.includes(name) && !isRefusal(repeatedReply)) {
      newSteps.add(name);
      return;
    }
    const [earlierOutcome, firstQuery] = await Promise.all([
      bank.queryDisbursement({ application_id: earlierId }),
      loans.outcome(loan.application),
    ]);
    // Another machine of the bank may know the outcome.
    const outcomeAfter = firstQuery.accepted ? firstQuery : await loans.outcome(loan.application);
    comparisons.push({ before: outcomeBefore, repeat: repeatedReply, after: outcomeAfter, earlier: earlierOutcome });
    outcomeBefore = outcomeAfter;
    outcomeByApplicationId.set(applicationId, outcomeAfter);
  }
}

/** Reads the limit of an account in this many new loan answers. */
type ReadLimit = (times?: number) => Promise<unknown>;

/** Disburses from one account, and repeats steps of its applications. `olderLoans`: earlier disbursements from the account. */
async function repeatOfAccount(
  shared: SharedState,
  step: PlannedDisbursement,
  olderLoans: readonly CompletedLoan[],
): Promise<void> {
  const { tools, requestCountBefore } = shared;
  const { session } = tools.run;
  const { account } = step.offer;
  const ledger = new AccountLedger(tools, step.application.terms, [account]);
  const hasFixedLimits = areLimitsFixed(session);
  // The offer of a new application contains the limit, so the limit is not read again.
  const isNewApplication = findOpenings(session.requests.slice(requestCountBefore)).has(step.application.id);
  const readLimit: ReadLimit | null = hasFixedLimits
    ? null
    : (times = 1) => ledger.readLimit(account, step.application.terms.amount, times);
  const disburseOnce = async (): Promise<CompletedLoan | null> => {
    if (readLimit !== null)
      await Promise.all([isNewApplication ? null : readLimit(), queryUnknownOutcomes(tools, [account])]);
    // The last outcomes of the older disbursements are queried meanwhile.
    const [loan] = await Promise.all([
      makeDisbursement(shared, ledger, step),
      mapAll(olderLoans, olderLoans.length, (olderLoan) => findLastOutcome(shared, olderLoan)),
    ]);
    return loan;
  };
  const repeatStepsOf = async (loan: CompletedLoan | null): Promise<void> =>
    loan === null ? undefined : repeatAll(shared, ledger, [loan, ...olderLoans], readLimit);
  // While the limit is read, repeated steps must not change it. If the limit is fixed, no reading needs to wait for these steps.
  if (hasFixedLimits) await repeatStepsOf(await session.accounts.use([account], disburseOnce));
  else await session.accounts.use([account], async () => repeatStepsOf(await disburseOnce()));
}

/**
 * Repeats all steps of the applications. If the limit of their account is not fixed, `readLimit` reads it before and after. If the
 * limit is fixed, no step has to wait for a reading.
 */
async function repeatAll(
  shared: SharedState,
  ledger: AccountLedger,
  [loan, ...olderLoans]: readonly [CompletedLoan, ...CompletedLoan[]],
  readLimit: ReadLimit | null,
): Promise<void> {
  const firstNames: readonly StepName[] = readLimit === null ? [...FIRST_REPEATS, LAST_REPEAT] : FIRST_REPEATS;
  const namesByLoan = groupBy(firstNames, (name) => olderLoans[firstNames.indexOf(name)] ?? loan);
  const repeatFirst = (): Promise<unknown> =>
    Promise.all([...namesByLoan].map(([target, names]) => repeatSteps(shared, target, names)));
  await readLimit?.(2);
  const [limitBefore] = ledger.listLimits();
  await repeatFirst();
  await readLimit?.();
  if (ledger.listLimits()[0] !== limitBefore) await readLimit?.();
  if (shared.newSteps.size > 0) {
    // A new request may have lowered the limit. The other steps are repeated without this request.
    await repeatFirst();
    await readLimit?.();
  }
  if (readLimit !== null) await repeatSteps(shared, loan, [LAST_REPEAT]);
}

/** Opens an application for an amount that this limit covers several times. */
function openForLimit({ loans }: Tools, terms: LoanTerms, limit: number): Promise<Application | null> {
  const isLimitLow = limit < MIN_AMOUNTS * terms.amount;
  const amount = isLimitLow ? 2 * roundDown(limit / MIN_AMOUNTS / 2) : terms.amount;
  return loans.apply({ ...terms, amount: Math.max(amount, 1) });
}

const listCoveringOffers = ({ offers, terms }: Application): readonly Offer[] =>
  offers.filter((offer) => coversAmount(offer, terms.amount));

/** Opens an application with `terms`, whose account is `account` or another free account. Opens at most two applications. */
async function openLane(
  tools: Tools,
  terms: LoanTerms,
  { account, limit }: { readonly account?: string; readonly limit: number },
): Promise<readonly PlannedDisbursement[]> {
  const { accounts } = tools.run.session;
  const isUsable = (offer: Offer): boolean => offer.account === account || accounts.isFree(offer.account);
  let application = await openForLimit(tools, terms, limit);
  if (application !== null && !listCoveringOffers(application).some(isUsable)) {
    const highestLimit = Math.max(...application.offers.map((offer) => offer.limit ?? Infinity));
    application = await openForLimit(tools, terms, Math.min(limit, highestLimit));
  }
  const offers = application === null ? [] : accounts.sortByUse(listCoveringOffers(application));
  const offer = offers.find((coveringOffer) => coveringOffer.account === account) ?? offers[0];
  if (account !== undefined) accounts.release(account);
  if (application === null || offer === undefined) return [];
  accounts.choose(offer.account);
  return [{ application, offer, amount: application.terms.amount }];
}

/** Opens applications for different accounts, if the bank has enough. Their limits cover the amount several times. */
async function openLanes(tools: Tools): Promise<readonly PlannedDisbursement[]> {
  const { loans, run } = tools;
  const terms = await loans.terms();
  const { accounts } = run.session;
  const offeredAccounts = listOfferedAccounts(run.session, terms.currency).flatMap((offers) => offers.accounts);
  const freeAccounts = accounts.sortByUse(offeredAccounts.filter(({ limit }) => limit >= MIN_AMOUNTS));
  const chosenAccounts = Array.from({ length: LANE_COUNT }, (_, index) => freeAccounts[index] ?? freeAccounts[0]);
  for (const chosenAccount of chosenAccounts) if (chosenAccount !== undefined) accounts.choose(chosenAccount.account);
  const openedSteps = await mapAll(chosenAccounts, LANE_COUNT, (chosenAccount) => {
    const { currency } = chosenAccount ?? terms;
    return openLane(tools, { ...terms, currency }, chosenAccount ?? { limit: Infinity });
  });
  return openedSteps.flat();
}

async function compareRepeats(tools: Tools): Promise<void> {
  const { run } = tools;
  const { session } = run;
  const earlierLoans = listEarlierLoans(session);
  const [{ application } = {}] = earlierLoans;
  if (application === undefined) return;
  const requestCountBefore = session.requests.length;
  const shared: SharedState = {
    tools,
    earlierId: application.id,
    newSteps: new Set(),
    comparisons: [],
    outcomeByApplicationId: new Map(),
    requestCountBefore,
  };
  const loansWithSameOutcome = selectWithSameOutcome(session, earlierLoans);
  // If limits are fixed, no limit is read, and the account of an older application does not matter.
  const olderLoansByAccount = groupBy(loansWithSameOutcome, ({ offer }) =>
    areLimitsFixed(session) ? '' : offer.account,
  );
  const chosenSteps = await openLanes(tools);
  await mapAll(chosenSteps, LANE_COUNT, (step) => {
    const { account } = step.offer;
    // Each lane has applications of its own.
    const olderLoans = olderLoansByAccount.get(account) ?? olderLoansByAccount.get('');
    const loansOfLane = olderLoans?.splice(0, FIRST_REPEATS.length) ?? [];
    return repeatOfAccount(shared, step, loansOfLane);
  });
  const { comparisons } = shared;
  run.compare(steps.outcomeStaysAfterRepeat, { repeats: comparisons, told: listOutcomeQueries(session.requests) });
  if (session.shard.total > 1) return run.unexercised(limits.repeatCostsNothing, OTHER_SHARDS_TEXT);
  // Other scenarios repeat steps too. So only readings from this scenario count.
  run.compare(limits.repeatCostsNothing, {
    ...listLimitSeries(session, requestCountBefore),
    repeats: comparisons.map(({ repeat }) => repeat),
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
