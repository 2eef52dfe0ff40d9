/** Asks again where one disbursement of the run changed a limit in another way than all others. */
import { findOpenings, limits, type Tools } from '../../fixtures/runner/index.ts';
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { getOrderForm, type OrderForm } from '../../fixtures/arbitraries/order-ids.ts';
import { AccountLedger, readLimitSeries, type ApplicationKind, type Draw } from './account-ledger.ts';

/** A second contradiction, or one that does not recur, ends the search. */
const MAX_REPETITIONS = 3;
const MAX_OPENED_APPLICATIONS = 6;

/** A disbursement of the run: the values of its application and its own. */
interface PastDraw {
  readonly kind: ApplicationKind & { readonly order: OrderForm };
  readonly amount: number;
  /** The amount of the application. */
  readonly applied: number;
  readonly account: string;
  readonly customer: Draw['customer'];
}

type Session = Tools['run']['session'];

/** Lists the disbursements of the contradiction; null if there is none. */
function findContradiction(session: Session): readonly PastDraw[] | null {
  const found = limits.findOpenContradiction(readLimitSeries(session));
  return (
    found?.map(({ exchange: { request } }): PastDraw => {
      const { amount, account_id, application_id, customer_ip, contract_approved } = request.asked;
      const opening = findOpenings(session.requests).get(String(application_id))?.values ?? {};
      const { commercial_disbursement, disbursement_purpose, currency, order_id } = opening;
      const kind = { commercial_disbursement, disbursement_purpose, currency } as unknown as ApplicationKind;
      return {
        kind: { ...kind, order: getOrderForm(order_id) },
        amount: Number(amount),
        applied: Number(opening['amount'] ?? amount),
        account: String(account_id),
        customer: { ip: String(customer_ip), approved: contract_approved === true },
      };
    }) ?? null
  );
}

/** Opens an application with the values of a past one that offers the account, or another account if none does. */
async function openAgain(ledger: AccountLedger, { kind, amount, applied, customer }: PastDraw, account: string) {
  let other: Draw | null = null;
  for (let opened = 0; opened < MAX_OPENED_APPLICATIONS; opened += 1) {
    const application = await ledger.open(applied, kind);
    if (application === null || application.terms.amount !== applied) return other;
    const covering = application.offers.filter(({ limit }) => limit === null || limit >= amount);
    const offer = covering.find((one) => one.account === account);
    if (offer !== undefined) return { application, offer, amount, ...(customer && { customer }) };
    const [first] = covering;
    if (first !== undefined) other ??= { application, offer: first, amount, ...(customer && { customer }) };
  }
  return other;
}

/** Makes the disbursements again with the same values. False if that was not possible. */
async function repeatDraws(ledger: AccountLedger, past: readonly PastDraw[]): Promise<boolean> {
  const draws: Draw[] = [];
  for (const one of past) {
    const draw = await openAgain(ledger, one, draws[0]?.offer.account ?? one.account);
    if (draw === null) return false;
    draws.push(draw);
  }
  for (const { application, offer } of draws)
    if (!(await ledger.tools.loans.approve(application, offer)).accepted) return false;
  if ((await ledger.disburse(draws)) === null) return false;
  const [{ offer, amount } = { offer: null, amount: 0 }] = draws;
  return offer !== null && (await ledger.look(offer.account, amount)) !== null;
}

/** Repeats the disbursements of a single contradiction, until there are two or it does not recur. Meanwhile, nobody else disburses. */
export async function askContradictionsAgain(tools: Tools, terms: LoanTerms): Promise<void> {
  const { session } = tools.run;
  if (findContradiction(session) === null) return;
  const ledger = new AccountLedger(tools, terms, []);
  await session.accounts.useAll(async () => {
    for (let time = 0; time < MAX_REPETITIONS; time += 1) {
      const past = findContradiction(session);
      if (past === null || past.length === 0) return;
      if (time > 0) await session.waiting.apart();
      if (!(await repeatDraws(ledger, past))) return;
    }
  });
}
