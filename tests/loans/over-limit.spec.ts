/** Disburses amounts above the available limit, and compares their outcomes with a disbursement within the limit. */
import { customerIps, keepOfferOrder, type LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  disbursements,
  toObservedAnswer,
  mapAll,
  isRefusal,
  scenario,
  listTaken,
  test,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { compareRefused, needsHigherCap, openFor } from './compared-disbursements.ts';

type Outcome = Reply<'queryDisbursement'>;

interface Disbursed {
  readonly application: Application;
  readonly disbursed: Reply<'disburse'>;
}
/** An application with a contract, its offer, and the answer to a query before its disbursement. */
interface ApprovedApplication {
  readonly application: Application;
  readonly offer: Offer;
  readonly before: Outcome;
}
/** A disbursement above the limit. */
interface DisbursedAbove extends Disbursed {
  readonly before: Outcome;
  /** The last outcome; null if the disbursement was not accepted. */
  readonly outcome: Outcome | null;
}

/**
 * The first amount above a limit is sent after this many final outcomes, because it may block later disbursements. At most this
 * many queries wait for them.
 */
const MIN_SETTLED = 3;
const MAX_OUTCOME_QUERIES = 8;

const countSettled = ({ requests, isPending }: Tools['run']['session']): number =>
  new Set(
    requests.flatMap(({ result, values }) =>
      result !== undefined && !isPending(result) ? [String(values['application_id'])] : [],
    ),
  ).size;

const queryOutcome = ({ bank }: Tools, { id }: Application): Promise<Outcome> =>
  bank.ask('queryDisbursement', { application_id: id }, { probe: true });

/** Queries the final outcome of an accepted disbursement. */
async function awaitResult({ loans, run }: Tools, application: Application, disbursed: Reply): Promise<Outcome | null> {
  if (!disbursed.accepted) return null;
  const ask = () => loans.outcome(application);
  for (let asked = 0; asked < 3; asked += 1) await ask();
  const { isPending, waiting } = run.session;
  return waiting.untilFinal(({ data }) => !isPending(data.result), ask);
}

const sortByLimit = (offers: readonly Offer[] = []): readonly Offer[] =>
  offers.filter(({ limit }) => limit !== null && limit > 0).toSorted((a, b) => Number(a.limit) - Number(b.limit));

async function disburseWithin(tools: Tools, terms: LoanTerms): Promise<Disbursed | null> {
  const { loans } = tools;
  const application = await loans.apply(terms);
  const [offer] = sortByLimit(application?.offers);
  if (application === null || offer === undefined) return null;
  await loans.approve(application, offer);
  const disbursed = await loans.disburse(application, offer, { amount: loans.within(offer, terms.amount) });
  return { application, disbursed };
}

/** Returns the offer whose limit the `nth` disbursement exceeds; preferably an offer with a limit below MAX_AMOUNT. */
function pickOfferToExceed({ target }: Tools, { offers }: Application, nth: number): Offer | undefined {
  const cheapest = sortByLimit(offers);
  // The first offer is used, because a bank may check only its limit. The lowest other offer is used, because its limit is too
  // low if the bank exchanges limits.
  const [first, ...others] = offers.filter((one) => cheapest.includes(one) && Number(one.limit) < target.caps.amount);
  const least = cheapest.find((one) => others.includes(one)) ?? first;
  return [least, first][nth] ?? cheapest[0];
}

/** Returns amounts above a limit: one cent more, and a whole amount. `highest` is MAX_AMOUNT. */
const amountsAbove: readonly ((limit: number, highest: number) => number)[] = [
  (limit) => Number((limit + 0.01).toFixed(2)),
  (limit, highest) => Math.min(Math.floor(limit) * 2 + 1, Math.floor(highest)),
];

/** Opens and approves an application for the `nth` amount above a limit. */
async function approveFresh(tools: Tools, terms: LoanTerms, nth: number): Promise<ApprovedApplication | null> {
  const { loans, target } = tools;
  const opened = await loans.apply(terms);
  const hasRoom = ({ offers }: Application): boolean =>
    sortByLimit(offers).some((one) => Number(one.limit) < target.caps.amount);
  // Perhaps only this application has high limits, and another application of the run has a lower limit.
  const first = opened === null || hasRoom(opened) ? opened : (loans.unused().find(hasRoom) ?? opened);
  const shown = first === null ? undefined : pickOfferToExceed(tools, first, nth);
  if (first === null || shown === undefined) return null;
  const amount = amountsAbove[nth]?.(Number(shown.limit), target.caps.amount) ?? 0;
  const isAllowed = amount > Number(shown.limit) && amount <= target.caps.amount;
  const found = { application: first, offer: shown };
  const { application, offer } = isAllowed ? await openFor(loans, found, amount) : found;
  await loans.approve(application, offer);
  return { application, offer, before: await queryOutcome(tools, application) };
}

async function disburseAbove(
  tools: Tools,
  { application, offer, before }: ApprovedApplication,
  amountAbove: (limit: number, highest: number) => number,
): Promise<DisbursedAbove | null> {
  const { loans, run, target } = tools;
  const amount = amountAbove(Number(offer.limit), target.caps.amount);
  // A double cannot hold the next cent of a very large limit.
  if (amount <= Number(offer.limit)) return null;
  if (amount > target.caps.amount) {
    run.unexercised('loans.over-limit', needsHigherCap(amount));
    return null;
  }
  // At some banks, disbursements for IPv6 addresses fail for another reason.
  const ip = Array.from(customerIps, (_, nth) => loans.ip(nth)).find((one) => !one.includes(':')) ?? loans.ip(0);
  const disbursed = await loans.disburse(application, offer, { amount, ip }, { overLimit: true });
  return { application, before, disbursed, outcome: await awaitResult(tools, application, disbursed) };
}

/**
 * Disburses more than the application asked for. A bank may pay, refuse or fail such a disbursement: each is documented. A failure
 * shows the errors of a bank whose limits are above MAX_AMOUNT, or that refuses every amount above a limit.
 */
async function disburseMoreThanApplied(
  tools: Tools,
  { application, offer }: Pick<ApprovedApplication, 'application' | 'offer'>,
): Promise<void> {
  const { loans } = tools;
  const amount = loans.within(offer, application.terms.amount * 2);
  if (amount <= application.terms.amount) return;
  await awaitResult(tools, application, await loans.disburse(application, offer, { amount }, { overLimit: true }));
}

/** Compares an amount above the limit with the one `within` it; `control` is the last known outcome of `within`. */
async function compareDisbursements(
  { loans, run }: Tools,
  over: DisbursedAbove,
  within: Disbursed,
  control: Outcome,
): Promise<void> {
  // The two outcomes may have the same text until a disbursement is final.
  const [outcome, usual] = await run.session.waiting.askUntil<readonly [Outcome | null, Outcome]>(
    ([above, below]) => above?.data.result !== below.data.result,
    async () => {
      const below = await loans.outcome(within.application);
      return [await loans.outcome(over.application), below];
    },
    [over.outcome, control],
  );
  run.compare(disbursements.overLimit, { above: over.disbursed, outcome: outcome ?? undefined, usual });
  if ([outcome, usual].some((query) => run.session.isPending(query?.data.result))) return;
  const shown = outcome ?? over.disbursed;
  const value =
    outcome === null ? toObservedAnswer(over.disbursed) : `accepted, with the outcome “${String(outcome.data.result)}”`;
  run.observe('loans.amount-above-limit', shown.operation, value, shown.exchange.id, { control: usual.exchange.id });
}

/** Returns `terms` with other flags, preferably those of an accepted request. */
function withOtherFlags({ run }: Tools, terms: LoanTerms): LoanTerms {
  const flagsOf = ({ commercial_disbursement, disbursement_purpose }: LoanTerms) => ({
    commercial_disbursement,
    disbursement_purpose,
  });
  const granted = listTaken(run.session.requests, 'requestLoan').flatMap(({ values, opened }) =>
    (opened?.accounts.length ?? 0) > 0 ? [values as unknown as LoanTerms] : [],
  );
  const other = granted.find((one) => one.commercial_disbursement !== terms.commercial_disbursement);
  return {
    ...terms,
    ...(other === undefined ? { commercial_disbursement: !terms.commercial_disbursement } : flagsOf(other)),
  };
}

test(
  'Disbursements above the available limit, and one within the limit',
  ...scenario(
    'loan-over-limit',
    { area: 'loans', early: true, creates: { applications: 5, disbursements: 4 } },
    async (tools) => {
      const { loans, run, target } = tools;
      if (!target.overLimit) return run.unexercised('loans.over-limit', 'OVER_LIMIT=0');
      const terms = keepOfferOrder(await loans.nextTerms());
      /** Makes a disbursement within the limit and queries its outcome. Disbursements above the limit are compared with it. */
      const makeControl = async () => {
        const within = await disburseWithin(tools, terms);
        const control = within && (await awaitResult(tools, within.application, within.disbursed));
        return within !== null && control?.accepted === true ? { within, control } : null;
      };
      const [made, ...opened] = await Promise.all([
        makeControl(),
        approveFresh(tools, terms, 0),
        approveFresh(tools, withOtherFlags(tools, terms), 1).then((one) => one ?? approveFresh(tools, terms, 1)),
      ]);
      if (made === null) return;
      const { within, control } = made;
      for (let asked = 0; asked < MAX_OUTCOME_QUERIES && countSettled(run.session) < MIN_SETTLED; asked += 1)
        await loans.outcome(within.application);
      await mapAll(amountsAbove, target.inFlight, async (above, nth) => {
        const one = opened[nth];
        if (one == null) return;
        const over = await disburseAbove(tools, one, above);
        if (over === null) return disburseMoreThanApplied(tools, one);
        if (over.disbursed.outcome === 'not-sent') return;
        if (isRefusal(over.disbursed)) {
          await run.session.waiting.quiet();
          const made = await loans.outcome(within.application);
          await compareRefused(tools, over.application.id, { refused: over.disbursed, made, before: over.before });
        }
        await compareDisbursements(tools, over, within, control);
        if (isRefusal(over.disbursed)) await disburseMoreThanApplied(tools, one);
      });
    },
  ),
);
