/** Compares unrelated applications and merchants: next to each other, and alone. */
import {
  claimUnused,
  contrast,
  hasErrors,
  isRefusal,
  isTemporaryConflict,
  isNotFound,
  scenario,
  steps,
  test,
  parseTurns,
  UNKNOWN_ID,
  type Application,
  type ClauseId,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

const clause = 'loans.independence';
/** After this many milliseconds a waiting application may have lapsed. */
const MAX_AGE_MS = 60_000;

/** Enough for one round, in addition to what other scenarios left. */
const CREATION_BUDGET = { applications: 4, disbursements: 5 } as const;

type Question = Parameters<typeof contrast>[0];

/** Side A has another request next to it, side B none. If side A is accepted at first, the clause holds. */
async function compareWithAlone(run: Tools['run'], about: ClauseId, question: Question, expected: string) {
  const seen = await contrast(question);
  if (seen.says === 'does not hold' && seen.by.accepted) run.contrast(about, { accepted: seen.by });
  if (seen.says === 'holds') run.contrast(about, seen, { expected });
}

/** Applications at the same step at once. */
const AT_ONCE = 3;
/** The limit of an account must cover this many amounts, so that it is no reason to refuse one. */
const MIN_AMOUNTS = AT_ONCE + 1;
/** At most this many applications are opened to get one with an account. */
const MAX_OPENED = 6;

/** The disbursement of an application. */
interface Step {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
}

/** Returns the limit of an account in the last loan answer that offered it. */
function findLastLimit({ session }: Tools['run'], { account, limit }: Offer): number {
  const last = session.requests.findLast(({ opened }) => opened?.accounts.includes(account))?.opened;
  return Number(last?.limits[last.accounts.indexOf(account)] ?? limit);
}

/**
 * Returns steps of `count` unused or fresh applications, each over an account of its own: a newer contract for the account may end
 * an older one. `taken` are steps that run at the same time.
 */
async function takeSteps({ loans, run }: Tools, count: number, taken: readonly Step[] = []): Promise<readonly Step[]> {
  const terms = await loans.terms();
  const steps: Omit<Step, 'amount'>[] = [];
  function add(application: Application): void {
    const isKnown = ({ account }: Offer): boolean => [...steps, ...taken].some((one) => one.offer.account === account);
    // A bank may refuse a contract over an account whose limit does not cover the application.
    const least = Math.max(2 * MIN_AMOUNTS, application.terms.amount);
    const offer = application.offers.find((one) => findLastLimit(run, one) >= least && !isKnown(one));
    const isOther =
      application.terms.currency === terms.currency && !taken.some((one) => one.application.id === application.id);
    if (isOther && offer !== undefined && steps.length < count) steps.push({ application, offer });
  }
  loans.unused().toReversed().forEach(add);
  for (let opened = 0; opened < MAX_OPENED && steps.length < count; opened += 1) {
    const next = await loans.apply(terms);
    if (next === null) break;
    add(next);
  }
  // Whole amounts, since cents may be refused; half of the last known limit, since it may have fallen.
  const highest = steps.map(({ application, offer }) =>
    Math.min(application.terms.amount, findLastLimit(run, offer) / 2 / MIN_AMOUNTS),
  );
  return steps.map((step) => ({ ...step, amount: Math.floor(Math.min(...highest)) }));
}

/**
 * Returns a step of another application for the same amount: an older one on request, else a fresh one. If several applications
 * were offered the account, it has the same account, which may be the reason to refuse. Null if there is none.
 */
async function takeAlike(
  { loans, run }: Tools,
  { offer, amount, application }: Step,
  isOlder: boolean,
): Promise<Step | null> {
  const { account } = offer;
  const isShared = run.session.requests.some(
    ({ opened }) => opened !== undefined && opened.id !== application.id && opened.accounts.includes(account),
  );
  // The limit still covers several amounts: it is no reason for a refusal.
  const stepOf = (other: Application): Step | null => {
    // A bank may contract or pay at most what was applied for.
    const least = Math.max(MIN_AMOUNTS * amount, other.terms.amount);
    const own = other.offers.find((one) => findLastLimit(run, one) >= least && (!isShared || one.account === account));
    const isCovered = own !== undefined && other.terms.amount >= application.terms.amount;
    return isCovered ? { application: other, offer: own, amount } : null;
  };
  // An earlier query for its outcome may be the reason to refuse.
  const queries = run.session.requests.filter(({ operation }) => operation === 'queryDisbursement');
  const queried = new Set(queries.map(({ values }) => String(values['application_id'])));
  const older = loans
    .unused()
    .filter(({ id, until }) => until <= application.at && !queried.has(id))
    .flatMap((one) => stepOf(one) ?? []);
  if (isOlder && older[0] !== undefined) return older[0];
  for (let opened = 0; opened < MAX_OPENED; opened += 1) {
    const other = await loans.apply(application.terms);
    const step = other && stepOf(other);
    if (other === null) return null;
    if (step === null) continue;
    // A bank may accept only the newest application: this one gets a newer one beside it, as the other has.
    if (isOlder) await loans.apply(application.terms);
    return step;
  }
  return null;
}

/** An accepted disbursement with its outcome, or its refusal. */
interface Seen {
  readonly reply: Reply;
  readonly step: Step;
  /** The answer to the request that came too early, if there was one. */
  readonly early?: Reply | undefined;
}

const disburse = (loans: Tools['loans'], { application, offer, amount }: Step): Promise<Reply> =>
  loans.disburse(application, offer, { amount });

/**
 * Sends a disbursement. Null after a temporary conflict or two refusals: the caller must wait and repeat it, since another
 * disbursement may lock the account, or two need some time between them.
 */
async function disburseOrWait({ loans }: Tools, step: Step): Promise<Reply | null> {
  const reply = await disburse(loans, step);
  return isTemporaryConflict(reply) || (isRefusal(reply) && !(await disburse(loans, step)).accepted) ? null : reply;
}

/** True if an outcome equals that of an accepted disbursement. */
const isOfMade = ({ session }: Tools['run'], { accepted, data, body }: Reply<'queryDisbursement'>): boolean =>
  accepted &&
  !hasErrors(body) &&
  session.requests.some(
    ({ result, values }) => result === data.result && session.disbursed.has(String(values['application_id'])),
  );

/** Returns the outcome of a disbursement, which is repeated if `first` is null; null if it proves nothing. */
async function observeStep({ loans, run }: Tools, step: Step, first: Reply | null): Promise<Seen | null> {
  if (first === null) await run.session.waiting.apart();
  const reply = first ?? (await disburse(loans, step));
  if (!reply.accepted && !isRefusal(reply)) return null;
  const ask = () => loans.settled(step.application.id, { probe: !reply.accepted });
  // A refused disbursement may still have been made: other scenarios judge that.
  if (!reply.accepted) {
    const outcome = await ask();
    return { reply: isOfMade(run, outcome) ? outcome : reply, step };
  }
  // A cache or data copy may not know the outcome yet.
  const outcome = await run.session.waiting.askUntil((one) => !isRefusal(one), ask);
  return outcome.accepted || isRefusal(outcome) ? { reply: outcome, step } : null;
}

/** Applications with an early step, and as many without one. */
const EARLY_ROUNDS = 2;

/** Sends a request that comes too early for an application. */
type SendEarly = (tools: Tools, step: Step) => Promise<Reply>;

const queryEarly: SendEarly = ({ bank }, { application }) =>
  bank.ask('queryDisbursement', { application_id: application.id }, { probe: true });

/** Steps that come too early, with their words in a finding. */
const earlySteps: Readonly<Record<string, SendEarly>> = {
  'a disbursement before the contract': ({ loans }, { application, offer, amount }) =>
    loans.disburse(application, offer, { amount }, { probe: true }),
  'a contract for an account that was not offered': ({ loans, run }, { application }) => {
    const own = application.offers.map(({ account }) => account);
    const known = run.session.requests.flatMap(({ opened }) => opened?.accounts ?? []);
    const account = known.find((one) => !own.includes(one)) ?? UNKNOWN_ID;
    return loans.approve(application, { account, limit: null }, { probe: true });
  },
};

/** Carries one application through alone; first sends a request that comes too early, if there is one. */
async function completeAlone(tools: Tools, step: Step, sendEarly?: SendEarly): Promise<Seen | null> {
  const { loans } = tools;
  const early = await sendEarly?.(tools, step);
  const contract = await loans.approve(step.application, step.offer);
  if (!contract.accepted) return early !== undefined && isRefusal(contract) ? { reply: contract, step, early } : null;
  // Otherwise without a pause, which might be the reason for acceptance.
  const first = early === undefined ? await disburse(loans, step) : await disburseOrWait(tools, step);
  const seen = await observeStep(tools, step, first);
  return seen && { ...seen, early };
}

/** Compares applications with an early step with others in turn, if the first one did not work. */
async function compareEarly(tools: Tools, what: string, first: Seen | null): Promise<void> {
  const withEarly: { readonly early: Reply; readonly end: Reply }[] = [];
  const without: Reply[] = [];
  let seen = first;
  while (seen?.early !== undefined) {
    const { early, reply: end, step } = seen;
    withEarly.push({ early, end });
    if (!isRefusal(early) || (end.accepted && !hasErrors(end.body))) break;
    const alike = await takeAlike(tools, step, without.length === 0);
    const alone = alike && (await completeAlone(tools, alike));
    if (alone === null) break;
    without.push(alone.reply);
    const [next] = without.length < EARLY_ROUNDS ? await takeSteps(tools, 1) : [];
    seen = next === undefined ? null : await completeAlone(tools, next, earlySteps[what]);
  }
  if (withEarly.length > 0) tools.run.compare(steps.earlyStepHarmless, { withEarly, without, what });
}

/** Carries several applications through, each step of all at once. Returns the worst outcome. */
async function completeTogether(tools: Tools, steps: readonly Step[]): Promise<Seen | null> {
  const contracts = await Promise.all(steps.map(({ application, offer }) => tools.loans.approve(application, offer)));
  if (contracts.some(({ accepted }) => !accepted)) return null;
  const firsts = await Promise.all(steps.map(async (step) => [step, await disburseOrWait(tools, step)] as const));
  const answered = firsts.filter(([, first]) => first !== null);
  const seen = await Promise.all(answered.map((one) => observeStep(tools, ...one)));
  // Repeats one refused disbursement with nothing else in flight.
  const refused = firsts.find(([, first]) => first === null);
  if (refused !== undefined) seen.push(await observeStep(tools, ...refused));
  if (seen.includes(null)) return null;
  return seen.find((one) => one?.reply.accepted === false) ?? seen[0] ?? null;
}

test(
  'Applications with an early query, and several at the same step, compared with applications alone',
  ...scenario(
    'loan-independence',
    { area: 'loans', exclusive: 'independence', creates: CREATION_BUDGET },
    async (tools) => {
      const { run } = tools;
      claimUnused(run, 'loans');
      const early = async ([step]: readonly Step[]): Promise<Seen | null> =>
        step === undefined ? null : completeAlone(tools, step, queryEarly);
      const atOneStep = async (steps: readonly Step[]): Promise<Seen | null> =>
        steps.length < 2 ? null : completeTogether(tools, steps);
      const one = await takeSteps(tools, 1);
      const several = await takeSteps(tools, AT_ONCE, one);
      // Only the first turns are at once: a refusal of both is asked for again, each alone.
      const [firstEarly, firstAtOneStep] = await Promise.all([early(one), atOneStep(several)]);
      for (const [about, when, first, beside, count] of [
        ['loans.outcome.reached', 'after its outcome was asked for early', firstEarly, early, 1],
        [clause, 'while another one is at the same step', firstAtOneStep, atOneStep, AT_ONCE],
      ] as const) {
        let last: Seen | null = null;
        const ask: Question['ask'] = async (side, turn) => {
          if (side === 'A') last = turn === 0 ? first : await beside(await takeSteps(tools, count));
          if (side === 'A' || last === null) return last?.reply ?? null;
          // First as old as the other, then fresh: the age may be the reason.
          const step = await takeAlike(tools, last.step, turn === 1);
          return step === null ? null : ((await completeAlone(tools, step))?.reply ?? null);
        };
        const expected = `an application that is carried through ${when}, as it is alone`;
        await compareWithAlone(run, about, { turns: parseTurns('ABBAB'), ask }, expected);
      }
    },
  ),
);

/** The differences between two payment link places of one merchant. */
const LIST_PARAMETERS = ['branch_no', 'currency_code', 'is_domestic'] as const;

test(
  'Links of one merchant after the lists of another merchant and after its own lists',
  ...scenario(
    'merchant-independence',
    { area: 'payment-links', exclusive: 'independence' },
    async ({ links, bank, run }) => {
      claimUnused(run, 'payment-links');
      const { combinations } = await links.catalogue();
      const terms = await links.small();
      if (terms === undefined) return;
      const differing = (one: (typeof combinations)[number]): number =>
        LIST_PARAMETERS.filter((name) => one[name] !== terms[name]).length;
      const isOwn = ({ merchant_no }: (typeof combinations)[number]): boolean => merchant_no === terms.merchant_no;
      const own = combinations.find((one) => isOwn(one) && differing(one) === 0);
      // Prefers another merchant's place with nothing in common.
      const [other] = combinations.filter((one) => !isOwn(one)).toSorted((a, b) => differing(b) - differing(a));
      if (own === undefined || other === undefined) return;
      const linkAfter = async ({ installments: _, ...query }: typeof own): Promise<Reply> => {
        const { merchant_no, is_domestic } = query;
        await Promise.all([
          bank.listCurrencies({ merchant_no, is_domestic }),
          bank.listInstallments(query),
          bank.listBranches({ merchant_no }),
        ]);
        return bank.createPaymentLink(links.values(terms));
      };
      const question: Question = {
        turns: parseTurns('AABAAB'),
        async ask(side, turn) {
          if (side === 'B' || turn % 3 === 0) return linkAfter(side === 'B' ? own : other);
          // A merchant may have a limit on links in some time.
          await run.session.waiting.apart();
          return bank.createPaymentLink(links.values(terms));
        },
      };
      const expected = 'a link after the lists of another merchant, as after those of its own';
      await compareWithAlone(run, 'links.independence', question, expected);
    },
  ),
);

test(
  'Contracts of the oldest applications, of fresh ones, and of an equally old one without others',
  ...scenario('loan-oldest', { area: 'loans', exclusive: 'independence' }, async (tools) => {
    const { loans, run } = tools;
    claimUnused(run, 'loans');
    const contract = async (application: Application | null | undefined): Promise<Reply | null> => {
      const offer = application?.offers[0];
      return application == null || offer === undefined ? null : loans.approve(application, offer);
    };
    /** Approves an application that waits as long with only one newer application: it must not have lapsed. */
    const contractAlone = async ({ at, terms }: Application): Promise<Reply | null> => {
      const ageMs = run.session.clock.now() - at;
      const waiting = await loans.apply(terms);
      await run.session.waiting.until(run.session.clock.now() + ageMs);
      await loans.apply(terms);
      return contract(waiting);
    };
    const old = loans.unused().filter(({ at }) => run.session.clock.now() - at < MAX_AGE_MS);
    const ask: Question['ask'] = async (side, turn) => {
      const application = old[turn < 2 ? 0 : 1];
      if (application === undefined) return null;
      if (side === 'A') return contract(application);
      if (turn === 4) return contractAlone(application);
      // Takes the first of two fresh ones: a target may accept only the newest.
      const [fresh] = [await loans.apply(application.terms), await loans.apply(application.terms)];
      return contract(fresh);
    };
    // Only 404 counts: another refusal may mean that the oldest was closed because too many are open.
    const isExpected: Question['isExpected'] = (side, reply) => (side === 'A' ? isNotFound(reply) : reply.accepted);
    const expected = 'the contract of an application that was opened before many others';
    await compareWithAlone(run, clause, { turns: parseTurns('ABABB'), ask, isExpected }, expected);
  }),
);

test(
  'Applications with a step that comes too early, compared with applications without one',
  ...scenario('loan-early-steps', { area: 'loans', exclusive: true }, async (tools) => {
    const kinds = Object.entries(earlySteps);
    claimUnused(tools.run, 'loans', { applications: 2 * kinds.length, disbursements: 4 * kinds.length });
    const taken = await takeSteps(tools, kinds.length);
    const complete = async ([, send]: (typeof kinds)[number], nth: number): Promise<Seen | null> => {
      const step = taken[nth];
      return step === undefined ? null : completeAlone(tools, step, send);
    };
    const first = await Promise.all(kinds.map(complete));
    for (const [nth, [what]] of kinds.entries()) await compareEarly(tools, what, first[nth] ?? null);
  }),
);
