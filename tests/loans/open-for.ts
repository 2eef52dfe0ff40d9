import type { Application, Offer, Tools } from '../../fixtures/runner/index.ts';

/** An application and one of its offers. */
export interface Opened {
  readonly application: Application;
  readonly offer: Offer;
}

/**
 * Applies for exactly `amount`, since a target may disburse only the amount of the application. Returns the new application if it
 * has the same offer, else the given one.
 */
export async function openFor(loans: Tools['loans'], opened: Opened, amount: number): Promise<Opened> {
  const application = await loans.apply({ ...opened.application.terms, amount });
  const { account, limit } = opened.offer;
  const offer = application?.offers.find((same) => same.account === account && same.limit === limit);
  return application?.terms.amount === amount && offer !== undefined ? { application, offer } : opened;
}
