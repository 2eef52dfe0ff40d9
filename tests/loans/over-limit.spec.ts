import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  answerOf,
  eachOf,
  hasErrors,
  isPending,
  isRefusal,
  scenario,
  takenOf,
  test,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { compareWithMade, outcomeOfRefused } from './refused-disbursements.ts';

type Outcome = Reply<'queryDisbursement'>;

/** A disbursement from an offer of an application of its own. */
interface Drawn {
  readonly application: Application;
  readonly disbursed: Reply;
}
/** An application with a contract over an offer, and what was answered of it before its disbursement. */
interface Contracted {
  readonly application: Application;
  readonly offer: Offer;
  readonly before: Reply;
}
/** One above the limit. */
interface DrawnAbove extends Drawn {
  readonly before: Reply;
  /** The last outcome; null where the disbursement was not taken on. */
  readonly outcome: Outcome | null;
}

/** Disbursements that have an outcome before any is above a limit, as that may block those behind it; queries until then. */
const MIN_SETTLED = 3;
const MAX_QUERIES = 8;

const settledIn = ({ requests }: Tools['run']['session']): number =>
  new Set(
    requests.flatMap(({ result, values }) =>
      result !== undefined && !isPending(result) ? [String(values['application_id'])] : [],
    ),
  ).size;

const queried = ({ bank }: Tools, { id }: Application): Promise<Outcome> =>
  bank.ask('queryDisbursement', { application_id: id }, { probe: true });

/** The outcome of a disbursement that was taken on, when it is no longer under way. */
async function outcomeOf({ loans, run }: Tools, application: Application, disbursed: Reply): Promise<Outcome | null> {
  if (!disbursed.accepted) return null;
  const ask = () => loans.outcome(application);
  for (let asked = 0; asked < 3; asked += 1) await ask();
  return run.session.waiting.untilFinal(({ data }) => !isPending(data.result), ask);
}

const limited = (offers: readonly Offer[] = []): readonly Offer[] =>
  offers.filter(({ limit }) => limit !== null && limit > 0).toSorted((a, b) => Number(a.limit) - Number(b.limit));

async function drawnWithin(tools: Tools, terms: LoanTerms): Promise<Drawn | null> {
  const { loans } = tools;
  const application = await loans.apply(terms);
  const [offer] = limited(application?.offers);
  if (application === null || offer === undefined) return null;
  await loans.approve(application, offer);
  const disbursed = await loans.disburse(application, offer, { amount: loans.within(offer, terms.amount) });
  return { application, disbursed };
}

/** The offer of which the limit is exceeded for the `nth` time: of those that MAX_AMOUNT leaves room for, where there are such. */
function offerToExceed({ target }: Tools, { offers }: Pick<Application, 'offers'>, nth: number): Offer | undefined {
  const cheapest = limited(offers);
  // The first, since errors may be given of it alone; and the least of the others: where limits were swapped, it is too low.
  const [first, ...others] = offers.filter((one) => cheapest.includes(one) && Number(one.limit) < target.caps.amount);
  const least = cheapest.find((one) => others.includes(one)) ?? first;
  return [least, first][nth] ?? cheapest[0];
}

async function contracted(tools: Tools, terms: LoanTerms, nth: number): Promise<Contracted | null> {
  const { loans, target } = tools;
  const opened = await loans.apply(terms);
  const hasRoom = ({ offers }: Application): boolean =>
    limited(offers).some((one) => Number(one.limit) < target.caps.amount);
  // Limits may be high for this application alone: one of the others of the run may have a lower one.
  const application = opened === null || hasRoom(opened) ? opened : (loans.unused().find(hasRoom) ?? opened);
  const offer = application === null ? undefined : offerToExceed(tools, application, nth);
  if (application === null || offer === undefined) return null;
  await loans.approve(application, offer);
  return { application, offer, before: await queried(tools, application) };
}

async function drawnAbove(
  tools: Tools,
  { application, offer, before }: Contracted,
  amountAbove: (limit: number) => number,
): Promise<DrawnAbove | null> {
  const { loans, run, target } = tools;
  const amount = amountAbove(Number(offer.limit));
  // Of a very large limit the next cent cannot be represented in a double.
  if (amount <= Number(offer.limit)) return null;
  if (amount > target.caps.amount) {
    run.unexercised(
      'loans.over-limit',
      `the smallest available limit is above MAX_AMOUNT: MAX_AMOUNT=${amount} would do`,
    );
    return null;
  }
  const disbursed = await loans.disburse(application, offer, { amount }, { overLimit: true });
  return { application, before, disbursed, outcome: await outcomeOf(tools, application, disbursed) };
}

/** The outcome of what was refused, beside that of what was made, and of an application without a disbursement. */
async function refusedIsNotMade(tools: Tools, { application, before, disbursed }: DrawnAbove, of: Application) {
  await tools.run.session.waiting.quiet();
  const made = await tools.loans.outcome(of);
  if (!made.accepted || isPending(made.data.result) || hasErrors(made.body)) return;
  const outcome = await outcomeOfRefused(tools, application.id);
  if (outcome !== null) compareWithMade(tools, outcome, { refused: disbursed, made, before });
}

/** Notes what an amount above the limit brought, beside the outcome of the one `within` it. */
async function compare({ loans, run }: Tools, over: DrawnAbove, within: Drawn, control: Outcome) {
  type Pair = readonly [outcome: Outcome | null, usual: Outcome];
  const areAlike = ([outcome, usual]: Pair): boolean =>
    outcome?.accepted === true && outcome.data.result === usual.data.result && !hasErrors(usual.body);
  // Until a disbursement is completed, both may read alike.
  const [outcome, usual] = await run.session.waiting.askUntil<Pair>(
    (seen) => !areAlike(seen),
    async () => {
      const usual = await loans.outcome(within.application);
      return [await loans.outcome(over.application), usual];
    },
    [over.outcome, control],
  );
  run.compare('loans.over-limit', { above: over.disbursed, outcome, usual });
  if (isPending(outcome?.data.result) || isPending(usual.data.result)) return;
  const shown = outcome ?? over.disbursed;
  const value =
    outcome === null ? answerOf(over.disbursed) : `accepted, with the outcome “${String(outcome.data.result)}”`;
  run.observe('loans.amount-above-limit', shown.operation, value, shown.exchange.id, undefined, usual.exchange.id);
}

/** `terms` with other flags, at best as they were granted: a failure of one kind of application reads like that of another. */
function ofOtherKind({ run }: Tools, terms: LoanTerms): LoanTerms {
  const flagsOf = ({ commercial_disbursement, disbursement_purpose }: LoanTerms) => ({
    commercial_disbursement,
    disbursement_purpose,
  });
  const granted = takenOf(run.session.requests, 'requestLoan').flatMap(({ values, opened }) =>
    (opened?.accounts.length ?? 0) > 0 ? [values as unknown as LoanTerms] : [],
  );
  const other = granted.find((one) => one.commercial_disbursement !== terms.commercial_disbursement);
  return {
    ...terms,
    ...(other === undefined ? { commercial_disbursement: !terms.commercial_disbursement } : flagsOf(other)),
  };
}

test(
  'An amount above the available limit is not disbursed like one within it',
  ...scenario(
    'loan-over-limit',
    { area: 'loans', early: true, creates: { applications: 3, disbursements: 4 } },
    async (tools) => {
      const { loans, run, target } = tools;
      if (!target.overLimit) return run.unexercised('loans.over-limit', 'OVER_LIMIT=0');
      const terms = await loans.terms();
      const within = await drawnWithin(tools, terms);
      if (within?.disbursed.accepted !== true) return;
      const [control, ...opened] = await Promise.all([
        outcomeOf(tools, within.application, within.disbursed),
        contracted(tools, terms, 0),
        contracted(tools, ofOtherKind(tools, terms), 1).then((one) => one ?? contracted(tools, terms, 1)),
      ]);
      if (control?.accepted !== true) return;
      for (let asked = 0; asked < MAX_QUERIES && settledIn(run.session) < MIN_SETTLED; asked += 1)
        await loans.outcome(within.application);
      const cent = (limit: number): number => Number((limit + 0.01).toFixed(2));
      // A whole amount as well.
      const twice = (limit: number): number => Math.min(Math.floor(limit) * 2 + 1, Math.floor(target.caps.amount));
      await eachOf([cent, twice], target.inFlight, async (above, nth) => {
        const one = opened[nth];
        const over = one == null ? null : await drawnAbove(tools, one, above);
        if (over === null || over.disbursed.outcome === 'not-sent') return;
        if (isRefusal(over.disbursed)) await refusedIsNotMade(tools, over, within.application);
        await compare(tools, over, within, control);
      });
    },
  ),
);
