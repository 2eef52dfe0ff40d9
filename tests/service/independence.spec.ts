/** Compares unrelated applications and merchants: with requests for others at the same time, and alone. */
import {
  claimUnused,
  contrast,
  isNotFound,
  scenario,
  test,
  parseTurns,
  type Application,
  type ClauseId,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import {
  AT_ONCE,
  completeAlone,
  completeOnAccount,
  disburseOrWait,
  observeStep,
  queryOutcome,
  takeAlike,
  takeSteps,
  type CompletedDisbursement,
  type PlannedDisbursement,
} from './carried-through.ts';

const clause = 'loans.independence';
/** The number of old applications whose contracts are compared with contracts of fresh ones. */
const OLD_COUNT = 2;
/** After this many milliseconds a waiting application may have expired. */
const MAX_AGE_MS = 60_000;

/** The budget for one round, in addition to what other scenarios left. */
const CREATION_BUDGET = { applications: 4, disbursements: 5 } as const;

type Question = Parameters<typeof contrast>[0];

/** Side A has another request next to it, side B none. If side A is accepted at first, the clause holds. */
async function compareWithAlone(run: Tools['run'], about: ClauseId, question: Question, expected: string) {
  const seen = await contrast(question);
  if (seen.says === 'does not hold' && seen.by.accepted) run.contrast(about, { accepted: seen.by });
  if (seen.says === 'holds') run.contrast(about, seen, { expected });
}

/** Takes several applications through all steps, each step for all at the same time. Returns the worst outcome. */
async function completeTogether(
  tools: Tools,
  steps: readonly PlannedDisbursement[],
): Promise<CompletedDisbursement | null> {
  const contracts = await Promise.all(steps.map(({ application, offer }) => tools.loans.approve(application, offer)));
  if (contracts.some(({ accepted }) => !accepted)) return null;
  const firsts = await Promise.all(steps.map(async (step) => [step, await disburseOrWait(tools, step)] as const));
  const answered = firsts.filter(([, first]) => first !== null);
  const seen = await Promise.all(answered.map((one) => observeStep(tools, ...one)));
  // One refused disbursement is repeated while no other request is in flight.
  const refused = firsts.find(([, first]) => first === null);
  if (refused !== undefined) seen.push(await observeStep(tools, ...refused));
  if (seen.includes(null)) return null;
  return seen.find((one) => one?.reply.accepted === false) ?? seen[0] ?? null;
}

test(
  'Applications queried before their contract, several applications at the same step, and single applications',
  ...scenario('loan-independence', { area: 'loans', stage: 'accounts', creates: CREATION_BUDGET }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const { accounts } = run.session;
    type CompleteSteps = (
      steps: readonly PlannedDisbursement[],
      isAlone: boolean,
    ) => Promise<CompletedDisbursement | null>;
    const early: CompleteSteps = async ([step], isAlone) => {
      const complete = isAlone ? completeAlone : completeOnAccount;
      const query = { what: 'a query before the contract', send: queryOutcome };
      return step === undefined ? null : complete(tools, step, query);
    };
    const atOneStep: CompleteSteps = async (steps, isAlone) => {
      const names = isAlone ? null : steps.map(({ offer }) => offer.account);
      return steps.length < 2 ? null : accounts.use(names, () => completeTogether(tools, steps));
    };
    const one = await takeSteps(tools, 1);
    const several = await takeSteps(tools, AT_ONCE, { taken: one });
    // Only the first turns are sent at the same time. If both requests are refused, each is repeated alone.
    const [firstEarly, firstAtOneStep] = await Promise.all([early(one, false), atOneStep(several, false)]);
    for (const [about, when, first, beside, count] of [
      ['loans.outcome.reached', 'after its outcome was asked for early', firstEarly, early, 1],
      [clause, 'while another one is at the same step', firstAtOneStep, atOneStep, AT_ONCE],
    ] as const) {
      let last: CompletedDisbursement | null = null;
      const ask: Question['ask'] = async (side, turn) => {
        if (side === 'A') last = turn === 0 ? first : await beside(await takeSteps(tools, count), true);
        if (side === 'A' || last === null) return last?.reply ?? null;
        // The first application is as old as the compared one, and the next one is fresh: the age may be the reason.
        const step = await takeAlike(tools, [last.step], turn === 1);
        return step === null ? null : ((await completeAlone(tools, step))?.reply ?? null);
      };
      const expected = `an application that is carried through ${when}, as it is alone`;
      await compareWithAlone(run, about, { turns: parseTurns('ABBAB'), ask }, expected);
    }
  }),
);

/** The differences between two payment link places of one merchant. */
const LIST_PARAMETERS = ['branch_no', 'currency_code', 'is_domestic'] as const;

test(
  'Payment links of a merchant after the lists of another merchant, and after its own lists',
  ...scenario(
    'merchant-independence',
    { area: 'payment-links', stage: 'independence' },
    async ({ links, bank, run }) => {
      claimUnused(run, 'payment-links');
      const { combinations } = await links.catalogue();
      const terms = await links.next();
      if (terms === undefined) return;
      const differing = (one: (typeof combinations)[number]): number =>
        LIST_PARAMETERS.filter((name) => one[name] !== terms[name]).length;
      const isOwn = ({ merchant_no }: (typeof combinations)[number]): boolean => merchant_no === terms.merchant_no;
      const own = combinations.find((one) => isOwn(one) && differing(one) === 0);
      // A place of another merchant that has no value in common comes first.
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
          // The bank may limit the links of a merchant in a period.
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
  'Contracts of the oldest applications, of fresh applications, and of an equally old application alone',
  ...scenario('loan-oldest', { area: 'loans', stage: 'accounts' }, async (tools) => {
    const { loans, run } = tools;
    claimUnused(run, 'loans');
    const contract = async (application: Application | null | undefined): Promise<Reply | null> => {
      const offer = application?.offers[0];
      if (application == null || offer === undefined) return null;
      return run.session.accounts.use([offer.account], () => loans.approve(application, offer));
    };
    /** Approves an application that waited as long, but with only one newer application: it must not have expired. */
    const contractAlone = async ({ at, terms }: Application): Promise<Reply | null> => {
      const ageMs = run.session.clock.now() - at;
      const waiting = await loans.apply(terms);
      await run.session.waiting.until(run.session.clock.now() + ageMs);
      await loans.apply(terms);
      return contract(waiting);
    };
    const old = loans.left().filter(({ at }) => run.session.clock.now() - at < MAX_AGE_MS);
    old.slice(0, OLD_COUNT).forEach(loans.takeOver);
    const ask: Question['ask'] = async (side, turn) => {
      const application = old[turn < 2 ? 0 : 1];
      if (application === undefined) return null;
      if (side === 'A') return contract(application);
      if (turn === 4) return contractAlone(application);
      // The contract is for the first of two fresh applications, because a bank may accept only the newest.
      const fresh = await loans.apply(application.terms);
      await loans.apply(application.terms);
      return contract(fresh);
    };
    // Only 404 counts. With another status, the bank may have closed the oldest application because too many are open.
    const isExpected: Question['isExpected'] = (side, reply) => (side === 'A' ? isNotFound(reply) : reply.accepted);
    const expected = 'the contract of an application that was opened before many others';
    await compareWithAlone(run, clause, { turns: parseTurns('ABABB'), ask, isExpected }, expected);
  }),
);
