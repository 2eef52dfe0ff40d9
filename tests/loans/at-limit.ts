/** Disburses exactly the available limit, and less. */
import {
  claimUnused,
  contrast,
  disbursements,
  hasErrors,
  listTaken,
  listTold,
  type LoggedRequest,
  type OpenedLoan,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { needsHigherCap, openFor } from './compared-disbursements.ts';

/** Returns queries of disbursements below their limits: a failure with the same text has another reason. */
function listOutcomesBelowLimit({ requests }: Tools['run']['session']): readonly LoggedRequest[] {
  const below = listTaken(requests, 'disburse').flatMap(({ values }) => {
    const { id, accounts, limits } =
      requests.find(({ opened: one }) => one?.id === String(values['application_id']))?.opened ?? {};
    const limit = Number(limits?.[accounts?.indexOf(String(values['account_id'])) ?? -1]);
    const isBelow = values['contract_approved'] === true && Number(values['amount']) < limit;
    return isBelow ? [id] : [];
  });
  return requests.filter(
    ({ result, values }) => result !== undefined && below.includes(String(values['application_id'])),
  );
}

/**
 * Cents below the limit: exactly the limit (A), or less (B). A whole unit less keeps the decimals, so that a step of amounts is
 * no reason.
 */
const CENTS_BELOW_LIMIT = [0, 1, 100, 0, 1];
const MAX_OPENED_APPLICATIONS = 6;
/** The budget for all turns: some turns need two applications. */
export const AT_LIMIT_BUDGET = { applications: 7, disbursements: 4 };

/** Disburses exactly the limit, one cent less and one whole unit less, in turn. */
export async function compareAtLimit({ loans, run, target }: Tools): Promise<void> {
  claimUnused(run, 'loans');
  const clause = disbursements.disbursementAtLimit.id;
  const terms = await loans.nextTerms();
  /** Accounts whose disbursement of exactly the limit was refused, or may have been refused. */
  const tried = new Set<string>();
  const outcomes = new Map<Reply, Reply<'queryDisbursement'>>();
  /** True if every application is for exactly the disbursed amount, because a bank may disburse no other amount. */
  let isForDisbursedAmount: boolean | null = null;
  /** Sends one loan request, or several until an account of `tried` is on offer. Returns the application and its offer. */
  const open = async (isForTried: boolean): Promise<Partial<OpenedLoan>> => {
    let application = await loans.apply(terms);
    const isOnOffer = (): boolean => application?.offers.some(({ account }) => tried.has(account)) ?? true;
    for (let opened = 1; opened < MAX_OPENED_APPLICATIONS && isForTried && !isOnOffer(); opened += 1)
      application = await loans.apply(terms);
    const all = application?.offers.filter(({ limit }) => limit !== null && limit > 1) ?? [];
    const offers = all.filter(({ limit }) => Number(limit) <= target.caps.amount);
    const offer = offers.find(({ account }) => tried.has(account)) ?? offers[0];
    if (offer === undefined && all.length > 0)
      run.unexercised(clause, needsHigherCap(Math.min(...all.map(({ limit }) => Number(limit)))));
    return { ...(application && { application }), ...(offer && { offer }) };
  };
  /** Disburses the limit minus `cents` for a new application, from the same account if the bank offers the account again. */
  const disbursed = async (cents: number): Promise<Reply<'disburse'> | null> => {
    const { application: first, offer: shown } = await open(cents > 0);
    if (first === undefined || shown?.limit == null) return null;
    if (cents === 0) tried.add(shown.account);
    const amount = Number((shown.limit - cents / 100).toFixed(2));
    const opened = { application: first, offer: shown };
    const { application, offer } = isForDisbursedAmount === false ? opened : await openFor(loans, opened, amount);
    isForDisbursedAmount ??= application.terms.amount === amount;
    if (isForDisbursedAmount !== (application.terms.amount === amount)) return null;
    return run.session.accounts.use([offer.account], async () => {
      if (!(await loans.approve(application, offer)).accepted) return null;
      const reply = await loans.disburse(application, offer, { amount }, { probe: true });
      if (reply.accepted) outcomes.set(reply, await loans.settled(application.id, { probe: true }));
      return reply;
    });
  };
  const asked: Readonly<Record<'exact' | 'less', Reply<'disburse'>[]>> = { exact: [], less: [] };
  await contrast({
    turns: CENTS_BELOW_LIMIT.map((cents) => (cents === 0 ? 'A' : 'B')),
    async ask(side, turn) {
      // A bank may limit how often an account disburses in a period.
      if (turn > 0) await run.session.waiting.apart();
      const reply = await disbursed(CENTS_BELOW_LIMIT[turn] ?? 0);
      if (reply !== null) asked[side === 'A' ? 'exact' : 'less'].push(reply);
      return reply;
    },
    isExpected(side, reply) {
      const outcome = outcomes.get(reply);
      return (outcome?.accepted === true && !hasErrors(outcome.body)) === (side === 'B');
    },
  });
  const evidence = { ...asked, outcome: [...outcomes.values()], below: listTold(listOutcomesBelowLimit(run.session)) };
  run.compare(disbursements.disbursementAtLimit, evidence);
}
