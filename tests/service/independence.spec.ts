/** Compares requests while other applications or merchants are in use with requests while nothing else is in use. */
import {
  claimUnused,
  contrast,
  isNotFound,
  scenario,
  test,
  parseTurns,
  type Application,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import {
  APPLICATIONS_AT_ONCE,
  completeAlone,
  completeOnAccount,
  disburseOrWait,
  observeStep,
  queryOutcome,
  chooseSimilarStep,
  chooseSteps,
  type CompletedDisbursement,
  type PlannedDisbursement,
} from './carried-through.ts';
import { outcomeClause } from '../../openapi/bank/behaviours/loans/reached.ts';

const clause = 'loans.independence';
/** The number of old applications whose contracts are compared with contracts of new applications. */
const OLD_COUNT = 2;
/** After this many milliseconds a waiting application may have expired. */
const MAX_AGE_MS = 60_000;

/** The budget for one round, besides what other scenarios left. */
const CREATION_BUDGET = { applications: 4, disbursements: 5 } as const;

type PairedComparison = Parameters<typeof contrast>[0];
type Subject = Parameters<Tools['run']['contrast']>[0];

/**
 * Makes a paired comparison. On side A, other applications or merchants are in use too; on side B, nothing else is. If the first
 * request of side A is accepted, the clause is kept.
 */
async function compareWithAlone(
  run: Tools['run'],
  clauseOrBehaviour: Subject,
  comparison: PairedComparison,
  expectedText: string,
) {
  const result = await contrast(comparison);
  if (result.says === 'does not hold' && result.reply.accepted)
    run.contrast(clauseOrBehaviour, { accepted: result.reply });
  if (result.says === 'holds') run.contrast(clauseOrBehaviour, result, { expected: expectedText });
}

/** Takes several applications through all steps, each step for all at the same time. Returns the worst outcome. */
async function completeTogether(
  tools: Tools,
  steps: readonly PlannedDisbursement[],
): Promise<CompletedDisbursement | null> {
  const contracts = await Promise.all(steps.map(({ application, offer }) => tools.loans.approve(application, offer)));
  if (contracts.some(({ accepted }) => !accepted)) return null;
  const firstReplies = await Promise.all(steps.map(async (step) => [step, await disburseOrWait(tools, step)] as const));
  const answeredSteps = firstReplies.filter(([, first]) => first !== null);
  const results = await Promise.all(answeredSteps.map((stepAndReply) => observeStep(tools, ...stepAndReply)));
  // Of the refused disbursements, one is sent again while no other request is in flight.
  const refusedStep = firstReplies.find(([, first]) => first === null);
  if (refusedStep !== undefined) results.push(await observeStep(tools, ...refusedStep));
  if (results.includes(null)) return null;
  return results.find((completed) => completed?.reply.accepted === false) ?? results[0] ?? null;
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
    const queryEarly: CompleteSteps = async ([step], isAlone) => {
      const complete = isAlone ? completeAlone : completeOnAccount;
      const query = { description: 'a query before the contract', send: queryOutcome };
      return step === undefined ? null : complete(tools, step, query);
    };
    const useSameStep: CompleteSteps = async (steps, isAlone) => {
      const accountIds = isAlone ? null : steps.map(({ offer }) => offer.account);
      return steps.length < 2 ? null : accounts.use(accountIds, () => completeTogether(tools, steps));
    };
    const singleStep = await chooseSteps(tools, 1);
    const severalSteps = await chooseSteps(tools, APPLICATIONS_AT_ONCE, { simultaneous: singleStep });
    // Only the first requests of both comparisons are sent at the same time. If both are refused, each request is repeated without the
    // other.
    const [firstQueriedEarly, firstAtSameStep] = await Promise.all([
      queryEarly(singleStep, false),
      useSameStep(severalSteps, false),
    ]);
    for (const [subject, whenText, firstCompleted, completeSteps, stepCount] of [
      [outcomeClause, 'after its outcome was asked for early', firstQueriedEarly, queryEarly, 1],
      [clause, 'while another one is at the same step', firstAtSameStep, useSameStep, APPLICATIONS_AT_ONCE],
    ] as const) {
      let lastCompleted: CompletedDisbursement | null = null;
      const ask: PairedComparison['ask'] = async (side, turn) => {
        if (side === 'A')
          lastCompleted = turn === 0 ? firstCompleted : await completeSteps(await chooseSteps(tools, stepCount), true);
        if (side === 'A' || lastCompleted === null) return lastCompleted?.reply ?? null;
        // One application without an early request is as old as the compared one, and one is new: the age may be the reason.
        const step = await chooseSimilarStep(tools, [lastCompleted.step], turn === 1);
        return step === null ? null : ((await completeAlone(tools, step))?.reply ?? null);
      };
      const expected = `an application that is carried through ${whenText}, as it is alone`;
      await compareWithAlone(run, subject, { turns: parseTurns('ABBAB'), ask }, expected);
    }
  }),
);

/** The parameters of lists that may differ between two places of a merchant. */
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
      const countDifferences = (place: (typeof combinations)[number]): number =>
        LIST_PARAMETERS.filter((name) => place[name] !== terms[name]).length;
      const isOfMerchant = ({ merchant_no }: (typeof combinations)[number]): boolean =>
        merchant_no === terms.merchant_no;
      const sameMerchant = combinations.find((place) => isOfMerchant(place) && countDifferences(place) === 0);
      // The place of another merchant with the most differences is used.
      const [otherMerchant] = combinations
        .filter((place) => !isOfMerchant(place))
        .toSorted((a, b) => countDifferences(b) - countDifferences(a));
      if (sameMerchant === undefined || otherMerchant === undefined) return;
      const createLinkAfterLists = async ({ installments: _, ...query }: typeof sameMerchant): Promise<Reply> => {
        const { merchant_no, is_domestic } = query;
        await Promise.all([
          bank.listCurrencies({ merchant_no, is_domestic }),
          bank.listInstallments(query),
          bank.listBranches({ merchant_no }),
        ]);
        return bank.createPaymentLink(links.values(terms));
      };
      const comparison: PairedComparison = {
        turns: parseTurns('AABAAB'),
        async ask(side, turn) {
          if (side === 'B' || turn % 3 === 0) return createLinkAfterLists(side === 'B' ? sameMerchant : otherMerchant);
          // The bank may limit the links of a merchant in a period.
          await run.session.waiting.waitForMinInterval();
          return bank.createPaymentLink(links.values(terms));
        },
      };
      const expected = 'a link after the lists of another merchant, as after those of its own';
      await compareWithAlone(run, 'links.independence', comparison, expected);
    },
  ),
);

test(
  'Contracts of the oldest applications, of fresh applications, and of an equally old application alone',
  ...scenario('loan-oldest', { area: 'loans', stage: 'accounts' }, async (tools) => {
    const { loans, run } = tools;
    claimUnused(run, 'loans');
    const approveFirstOffer = async (application: Application | null | undefined): Promise<Reply | null> => {
      const offer = application?.offers[0];
      if (application == null || offer === undefined) return null;
      return run.session.accounts.use([offer.account], () => loans.approve(application, offer));
    };
    /** Approves an application after the same wait, with only one newer application. So the age is not the reason for a refusal. */
    const approveAfterSameWait = async ({ at, terms }: Application): Promise<Reply | null> => {
      const ageMs = run.session.clock.now() - at;
      const oldApplication = await loans.apply(terms);
      await run.session.waiting.waitUntil(run.session.clock.now() + ageMs);
      await loans.apply(terms);
      return approveFirstOffer(oldApplication);
    };
    const oldApplications = loans.listLeft().filter(({ at }) => run.session.clock.now() - at < MAX_AGE_MS);
    oldApplications.slice(0, OLD_COUNT).forEach(loans.takeOver);
    const ask: PairedComparison['ask'] = async (side, turn) => {
      const application = oldApplications[turn < 2 ? 0 : 1];
      if (application === undefined) return null;
      if (side === 'A') return approveFirstOffer(application);
      if (turn === 4) return approveAfterSameWait(application);
      // The contract is for the first of two new applications, because a bank may accept only the newest.
      const newApplication = await loans.apply(application.terms);
      await loans.apply(application.terms);
      return approveFirstOffer(newApplication);
    };
    // Only 404 counts. With another status, the bank may have closed the oldest application because too many were open.
    const isExpected: PairedComparison['isExpected'] = (side, reply) =>
      side === 'A' ? isNotFound(reply) : reply.accepted;
    const expected = 'the contract of an application that was opened before many others';
    await compareWithAlone(run, clause, { turns: parseTurns('ABABB'), ask, isExpected }, expected);
  }),
);
