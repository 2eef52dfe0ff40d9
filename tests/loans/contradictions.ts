/** Repeats disbursements if one disbursement of the run changed a limit in another way than all others. */
import { findOpenings, type Tools } from '../../fixtures/runner/index.ts';
import * as limits from '../../openapi/bank/behaviours/loans/limit-ledger.ts';
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import { getOrderForm, type OrderForm } from '../../fixtures/bank/arbitraries/order-ids.ts';
import { AccountLedger, readLimitSeries, type ApplicationKind, type Disbursement } from './account-ledger.ts';

/** Repeating ends at a second contradiction, or if the contradiction does not recur. */
const MAX_REPETITIONS = 3;
const MAX_OPENED_APPLICATIONS = 6;

/** A disbursement that was made earlier in this run. */
interface PastDisbursement {
  readonly kind: ApplicationKind & { readonly order: OrderForm };
  readonly amount: number;
  /** The amount for which its application asked. */
  readonly appliedAmount: number;
  readonly account: string;
  readonly customer: Disbursement['customer'];
}

type Session = Tools['run']['session'];

/** Lists the disbursements of the contradiction; null if there is none. */
function findContradiction(session: Session): readonly PastDisbursement[] | null {
  const found = limits.findOpenContradiction(readLimitSeries(session));
  return (
    found?.map(({ exchange: { request } }): PastDisbursement => {
      const { amount, account_id, application_id, customer_ip, contract_approved } = request.asked;
      const opening = findOpenings(session.requests).get(String(application_id))?.values ?? {};
      const { commercial_disbursement, disbursement_purpose, currency, order_id } = opening;
      const kind = { commercial_disbursement, disbursement_purpose, currency } as unknown as ApplicationKind;
      return {
        kind: { ...kind, order: getOrderForm(order_id) },
        amount: Number(amount),
        appliedAmount: Number(opening['amount'] ?? amount),
        account: String(account_id),
        customer: { ip: String(customer_ip), approved: contract_approved === true },
      };
    }) ?? null
  );
}

/** Opens an application with the same values as an earlier one. Its offer is of the account; if no offer is, of any other account. */
async function reopen(
  ledger: AccountLedger,
  { kind, amount, appliedAmount, customer }: PastDisbursement,
  account: string,
) {
  let fallback: Disbursement | null = null;
  for (let opened = 0; opened < MAX_OPENED_APPLICATIONS; opened += 1) {
    const application = await ledger.open(appliedAmount, kind);
    if (application === null || application.terms.amount !== appliedAmount) return fallback;
    const covering = application.offers.filter(({ limit }) => limit === null || limit >= amount);
    const offer = covering.find((candidate) => candidate.account === account);
    if (offer !== undefined) return { application, offer, amount, ...(customer && { customer }) };
    const [otherOffer] = covering;
    if (otherOffer !== undefined)
      fallback ??= { application, offer: otherOffer, amount, ...(customer && { customer }) };
  }
  return fallback;
}

/** Makes the disbursements again with the same values. Returns false if an application, a contract or an outcome is missing. */
async function repeatDisbursements(
  ledger: AccountLedger,
  pastDisbursements: readonly PastDisbursement[],
): Promise<boolean> {
  const disbursements: Disbursement[] = [];
  for (const past of pastDisbursements) {
    const disbursement = await reopen(ledger, past, disbursements[0]?.offer.account ?? past.account);
    if (disbursement === null) return false;
    disbursements.push(disbursement);
  }
  for (const { application, offer } of disbursements)
    if (!(await ledger.tools.loans.approve(application, offer)).accepted) return false;
  if ((await ledger.disburse(disbursements)) === null) return false;
  const [{ offer, amount } = { offer: null, amount: 0 }] = disbursements;
  return offer !== null && (await ledger.readLimit(offer.account, amount)) !== null;
}

/** Repeats the disbursements of a contradiction, until there are two or it does not recur. Meanwhile, nothing else disburses. */
export async function repeatContradictions(tools: Tools, terms: LoanTerms): Promise<void> {
  const { session } = tools.run;
  if (findContradiction(session) === null) return;
  const ledger = new AccountLedger(tools, terms, []);
  await session.accounts.useAll(async () => {
    for (let repetition = 0; repetition < MAX_REPETITIONS; repetition += 1) {
      const contradiction = findContradiction(session);
      if (contradiction === null || contradiction.length === 0) return;
      if (repetition > 0) await session.waiting.waitForMinInterval();
      if (!(await repeatDisbursements(ledger, contradiction))) return;
    }
  });
}
