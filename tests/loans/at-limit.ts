/** Disburses exactly the limit of an account, and less, and compares the outcomes. */
import {
  claimUnused,
  contrast,
  hasErrors,
  listAccepted,
  listOutcomeQueries,
  type LoggedRequest,
  type Offer,
  type OpenedLoan,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import * as disbursements from '../../openapi/bank/behaviours/loans/disbursements.ts';
import { needsHigherCap, openFor } from './compared-disbursements.ts';

type Session = Tools['run']['session'];

/** Returns outcome queries of disbursements below their limits. A failure with the same text has another reason than the limit. */
function listOutcomesBelowLimit({ requests }: Session): readonly LoggedRequest[] {
  const idsBelowLimit = listAccepted(requests, 'disburse').flatMap(({ values }) => {
    const { id, accounts, limits } =
      requests.find(({ opened: application }) => application?.id === String(values['application_id']))?.opened ?? {};
    const limit = Number(limits?.[accounts?.indexOf(String(values['account_id'])) ?? -1]);
    const isBelow = values['contract_approved'] === true && Number(values['amount']) < limit;
    return isBelow ? [id] : [];
  });
  return requests.filter(
    ({ result, values }) => result !== undefined && idsBelowLimit.includes(String(values['application_id'])),
  );
}

/**
 * How many cents each disbursement is below the limit: none (side A of the comparison), or some (side B). A whole unit keeps the
 * decimals of the limit, so that the decimals cannot explain a refusal.
 */
const CENTS_BELOW_LIMIT = [0, 1, 100, 0, 1];
const MAX_OPENED_APPLICATIONS = 6;
/** The budget of this comparison. Some disbursements need two applications. */
export const AT_LIMIT_BUDGET = { applications: 7, disbursements: 4 };
/** The budget after the ledger, which leaves some applications and disbursements. */
export const AT_LIMIT_BUDGET_AFTER_LEDGER = { applications: 3, disbursements: 2 };

/** Returns an offer of one of these accounts; if there is none, an offer of a free account. */
const pickOffer = ({ accounts }: Session, offers: readonly Offer[], names: ReadonlySet<string>): Offer | undefined =>
  offers.find(({ account }) => names.has(account)) ?? accounts.sortByUse(offers)[0];

/** Disburses exactly the limit, one cent less and one whole unit less, one after the other. */
export async function compareAtLimit({ loans, run, target }: Tools): Promise<void> {
  claimUnused(run, 'loans');
  const terms = await loans.nextTerms();
  /** Accounts from which a disbursement of exactly the limit was sent. */
  const triedAccounts = new Set<string>();
  const outcomes = new Map<Reply, Reply<'queryDisbursement'>>();
  /** True if each application asks for exactly the amount of its disbursement, because a bank may disburse no other amount. */
  let asksForExactAmount: boolean | null = null;
  /** Opens an application. If `needsTriedAccount`, opens up to six until one offers an account of `triedAccounts`. */
  const open = async (needsTriedAccount: boolean): Promise<Partial<OpenedLoan>> => {
    let application = await loans.apply(terms);
    const isOnOffer = (): boolean => application?.offers.some(({ account }) => triedAccounts.has(account)) ?? true;
    for (let opened = 1; opened < MAX_OPENED_APPLICATIONS && needsTriedAccount && !isOnOffer(); opened += 1)
      application = await loans.apply(terms);
    const allOffers = application?.offers.filter(({ limit }) => limit !== null && limit > 1) ?? [];
    const offersBelowCap = allOffers.filter(({ limit }) => Number(limit) <= target.caps.amount);
    const offer = pickOffer(run.session, offersBelowCap, triedAccounts);
    if (offer === undefined && allOffers.length > 0)
      run.unexercised(
        disbursements.disbursementAtLimit,
        needsHigherCap(Math.min(...allOffers.map(({ limit }) => Number(limit)))),
      );
    return { ...(application && { application }), ...(offer && { offer }) };
  };
  /** Disburses the limit minus `cents` for a new application. If the bank offers the account of the first disbursement, uses it. */
  const disburseBelowLimit = async (cents: number): Promise<Reply<'disburse'> | null> => {
    const { application: opened, offer: openedOffer } = await open(cents > 0);
    if (opened === undefined || openedOffer?.limit == null) return null;
    if (cents === 0) triedAccounts.add(openedOffer.account);
    const amount = Number((openedOffer.limit - cents / 100).toFixed(2));
    const openedLoan = { application: opened, offer: openedOffer };
    const { application, offer } = asksForExactAmount === false ? openedLoan : await openFor(loans, openedLoan, amount);
    asksForExactAmount ??= application.terms.amount === amount;
    if (asksForExactAmount !== (application.terms.amount === amount)) return null;
    return run.session.accounts.use([offer.account], async () => {
      if (!(await loans.approve(application, offer)).accepted) return null;
      const reply = await loans.disburse(application, offer, { amount }, { isProbe: true });
      if (reply.accepted) outcomes.set(reply, await loans.queryUntilFinal(application.id, { isProbe: true }));
      return reply;
    });
  };
  const replies: Readonly<Record<'exact' | 'less', Reply<'disburse'>[]>> = { exact: [], less: [] };
  await contrast({
    turns: CENTS_BELOW_LIMIT.map((cents) => (cents === 0 ? 'A' : 'B')),
    async ask(side, turn) {
      // A bank may limit how often an account disburses in a period.
      if (turn > 0) await run.session.waiting.waitForMinInterval();
      const reply = await disburseBelowLimit(CENTS_BELOW_LIMIT[turn] ?? 0);
      if (reply !== null) replies[side === 'A' ? 'exact' : 'less'].push(reply);
      return reply;
    },
    isExpected(side, reply) {
      const outcome = outcomes.get(reply);
      return (outcome?.accepted === true && !hasErrors(outcome.body)) === (side === 'B');
    },
  });
  const below = listOutcomeQueries(listOutcomesBelowLimit(run.session));
  run.compare(disbursements.disbursementAtLimit, { ...replies, outcome: [...outcomes.values()], below });
}
