/** Applications, and merchants, that have nothing to do with each other: beside one another, and alone. */
import {
  claimUnused,
  contrast,
  hasErrors,
  isRefusal,
  isTemporaryConflict,
  isUnknown,
  scenario,
  test,
  turnsOf,
  type Application,
  type ClauseId,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { unusedApplications, type Step } from '../loans/unused-applications.ts';

const clause = 'loans.independence';
/** An application that waited longer may have lapsed. Milliseconds. */
const MAX_AGE_MS = 60_000;

/** Beside what others left: enough to say it where they left little. */
const creates = { applications: 4, disbursements: 2 } as const;

type Question = Parameters<typeof contrast>[0];

/** Asks a question of which side A has something beside it, and side B nothing; what side A brought first may keep the clause. */
async function compareWithAlone(run: Tools['run'], about: ClauseId, question: Question, expected: string) {
  const seen = await contrast(question);
  if (seen.says === 'does not hold' && seen.by.accepted) run.compare(about, { taken: seen.by });
  if (seen.says === 'holds') run.compare(about, { refused: seen.refused, taken: seen.taken }, { expected });
}

/** What came of a disbursement: its outcome where it was made, else the refusal. */
interface Seen {
  readonly reply: Reply;
  readonly step: Step;
}

const disburse = (loans: Tools['loans'], { application, offer, amount }: Step): Promise<Reply> =>
  loans.disburse(application, offer, { amount });

/**
 * The answer to a disbursement; null where it has to be sent again after a pause. An account may be locked while something
 * else is disbursed from it, and a client asked to leave some time between disbursements: then the same is refused once more.
 */
async function begun({ loans }: Tools, step: Step): Promise<Reply | null> {
  const reply = await disburse(loans, step);
  return isTemporaryConflict(reply) || (isRefusal(reply) && !(await disburse(loans, step)).accepted) ? null : reply;
}

/** True of an outcome in the words of a disbursement that was taken on. */
const isOfMade = ({ session }: Tools['run'], { accepted, data, body }: Reply<'queryDisbursement'>): boolean =>
  accepted &&
  !hasErrors(body) &&
  session.requests.some(
    ({ result, values }) => result === data.result && session.disbursed.has(String(values['application_id'])),
  );

/** What came of a disbursement, sent again where its first answer is null; null where nothing follows from it. */
async function seenOf({ loans, run }: Tools, step: Step, first: Reply | null): Promise<Seen | null> {
  if (first === null) await run.session.waiting.apart();
  const reply = first ?? (await disburse(loans, step));
  if (!reply.accepted && !isRefusal(reply)) return null;
  const ask = () => loans.settled(step.application.id, { probe: !reply.accepted });
  // What is refused may have been made all the same: which of the two is said is another question.
  if (!reply.accepted) {
    const outcome = await ask();
    return { reply: isOfMade(run, outcome) ? outcome : reply, step };
  }
  // That there is no outcome yet may be kept for a moment, or be answered by a copy that lags behind.
  const outcome = await run.session.waiting.askUntil((one) => !isRefusal(one), ask);
  return outcome.accepted || isRefusal(outcome) ? { reply: outcome, step } : null;
}

/** One application, step by step. */
async function alone(tools: Tools, step: Step): Promise<Seen | null> {
  if (!(await tools.loans.approve(step.application, step.offer)).accepted) return null;
  return seenOf(tools, step, await begun(tools, step));
}

/** The same without a pause: what is accepted some time after a refusal may be accepted for the time that has passed. */
async function aloneAtOnce(tools: Tools, step: Step): Promise<Seen | null> {
  if (!(await tools.loans.approve(step.application, step.offer)).accepted) return null;
  return seenOf(tools, step, await disburse(tools.loans, step));
}

/** The same after its outcome was asked for. */
async function askedEarly(tools: Tools, step: Step): Promise<Seen | null> {
  await tools.bank.ask('queryDisbursement', { application_id: step.application.id }, { probe: true });
  return alone(tools, step);
}

/** Several applications, each step of all at once; what came of the one that fared worst. */
async function together(tools: Tools, steps: readonly Step[]): Promise<Seen | null> {
  const contracts = await Promise.all(steps.map(({ application, offer }) => tools.loans.approve(application, offer)));
  if (contracts.some(({ accepted }) => !accepted)) return null;
  const firsts = await Promise.all(steps.map(async (step) => [step, await begun(tools, step)] as const));
  const answered = firsts.filter(([, first]) => first !== null);
  const seen = await Promise.all(answered.map((one) => seenOf(tools, ...one)));
  // One of the others, with nothing else under way.
  const refused = firsts.find(([, first]) => first === null);
  if (refused !== undefined) seen.push(await seenOf(tools, ...refused));
  if (seen.includes(null)) return null;
  return seen.find((one) => one?.reply.accepted === false) ?? seen[0] ?? null;
}

test(
  'Applications of which the outcome is asked for early, and several at one step, beside others alone',
  ...scenario('loan-independence', { area: 'loans', exclusive: 'independence', creates }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const { take, takeOlder, takeAlike, takeSeveral } = await unusedApplications(tools);
    const carried = async (ask: typeof alone, step: Step | null): Promise<Seen | null> =>
      step === null ? null : ask(tools, step);
    const early = async (): Promise<Seen | null> => carried(askedEarly, await take());
    const atOneStep = async (rounds: number): Promise<Seen | null> => {
      const several = await takeSeveral(rounds);
      return several === null ? null : together(tools, several);
    };
    for (const [about, when, beside] of [
      ['loans.outcome.reached', 'after its outcome was asked for early', early],
      [clause, 'while another one is at the same step', atOneStep],
    ] as const) {
      let last: Seen | null = null;
      const ask: Question['ask'] = async (side, turn) => {
        if (side === 'A') last = await beside(turn === 0 ? 2 : 1);
        if (side === 'A' || last === null) return last?.reply ?? null;
        // One that is as old may fare no better alone, and neither may a new one.
        const other =
          turn === 1 ? carried(alone, takeOlder(last.step)) : carried(aloneAtOnce, await takeAlike(last.step));
        return (await other)?.reply ?? null;
      };
      const expected = `an application that is carried through ${when}, as it is alone`;
      await compareWithAlone(run, about, { turns: turnsOf('ABBAB'), ask }, expected);
    }
  }),
);

/** What tells the places of payment links apart beside their merchants. */
const distinctions = ['branch_no', 'currency_code', 'is_domestic'] as const;

test(
  'Links of one merchant after the lists of another and after its own',
  ...scenario(
    'merchant-independence',
    { area: 'payment-links', exclusive: 'independence' },
    async ({ links, bank, run }) => {
      claimUnused(run, 'payment-links');
      const { combinations } = await links.catalogue();
      const terms = await links.small();
      if (terms === undefined) return;
      const differing = (one: (typeof combinations)[number]): number =>
        distinctions.filter((name) => one[name] !== terms[name]).length;
      const isOwn = ({ merchant_no }: (typeof combinations)[number]): boolean => merchant_no === terms.merchant_no;
      const own = combinations.find((one) => isOwn(one) && differing(one) === 0);
      // Of another merchant, and with nothing in common where there is such.
      const [other] = combinations.filter((one) => !isOwn(one)).toSorted((a, b) => differing(b) - differing(a));
      if (own === undefined || other === undefined) return;
      const linkAfter = async ({ installments: _, ...query }: typeof own): Promise<Reply> => {
        const { merchant_no, is_domestic } = query;
        await bank.listCurrencies({ merchant_no, is_domestic });
        await bank.listInstallments(query);
        await bank.listBranches({ merchant_no });
        return bank.createPaymentLink(links.values(terms));
      };
      const question: Question = {
        turns: turnsOf('AABAAB'),
        async ask(side, turn) {
          if (side === 'B' || turn % 3 === 0) return linkAfter(side === 'B' ? own : other);
          // So many links in a time may be too many of a merchant.
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
  'Contracts of the oldest applications, of fresh ones and of one that got as old with no others',
  ...scenario('loan-oldest', { area: 'loans', exclusive: true }, async (tools) => {
    const { loans, run } = tools;
    claimUnused(run, 'loans');
    const contract = async (application: Application | null | undefined): Promise<Reply | null> => {
      const offer = application?.offers[0];
      return application == null || offer === undefined ? null : loans.approve(application, offer);
    };
    /** The contract of one that gets as old beside a single newer one: it does not lapse by itself. */
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
      // The same wish anew: the first of two, so that it is not the newest that alone is accepted.
      const [fresh] = [await loans.apply(application.terms), await loans.apply(application.terms)];
      return contract(fresh);
    };
    // Any other refusal may tell its state: a client may have so many open ones, of which the oldest is closed.
    const isExpected: Question['isExpected'] = (side, reply) => (side === 'A' ? isUnknown(reply) : reply.accepted);
    const expected = 'the contract of an application that was opened before many others';
    await compareWithAlone(run, clause, { turns: turnsOf('ABABB'), ask, isExpected }, expected);
  }),
);
