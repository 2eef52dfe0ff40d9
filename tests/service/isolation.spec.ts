/** Sends different queries one by one, at once, and one by one again. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { getOrderForm } from '../../fixtures/arbitraries/order-ids.ts';
import {
  areas,
  isolatedByArea,
  scenario,
  test,
  type Asking,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

type Ask = (asking?: Asking) => Promise<Reply>;

/** Number of rounds with requests at once, each request on its own connection. */
const ROUND_COUNT = 2;

/** Returns the first of `all`, and one that probably has another answer, or else any other. */
function pickTwoDifferent<T>(all: readonly T[], brings: (one: T) => unknown): readonly T[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const other = others.find((one) => String(brings(one)) !== String(brings(first))) ?? others[0];
  return other === undefined ? [first] : [first, other];
}

/** For each area, sets of several queries for one operation. */
const questionsByArea: Record<(typeof areas)[number], (tools: Tools) => Promise<readonly (readonly Ask[])[]>> = {
  // All checks may have the same answer. If some are answered `false`, takes one of each.
  async loans({ bank, loans, run }) {
    const sent = run.session.requests
      .filter(({ operation }) => operation === 'validateLoan')
      .toSorted((a, b) => Number(a.values['amount']) - Number(b.values['amount']));
    // The amount may be the reason: takes amounts that are far apart.
    const found = [
      sent.find(({ outcome }) => outcome === 'accepted'),
      sent.findLast(({ outcome }) => outcome === 'declined'),
    ];
    if (found.includes(undefined)) return [];
    return [
      found.map((one) => (asking) => {
        const { order_id, ...terms } = one?.values ?? {};
        const order = getOrderForm(order_id);
        return bank.ask('validateLoan', loans.values({ ...terms, order } as unknown as LoanTerms), asking);
      }),
    ];
  },
  async 'payment-links'({ bank, links }) {
    const { combinations } = await links.catalogue();
    const currencies = (merchant: string, isDomestic: boolean): readonly string[] =>
      combinations
        .filter((one) => one.merchant_no === merchant && one.is_domestic === isDomestic)
        .map((one) => one.currency_code);
    return [
      pickTwoDifferent(combinations, (one) => one.merchant_no).map(
        ({ merchant_no }) =>
          (asking) =>
            bank.ask('listBranches', { merchant_no }, asking),
      ),
      pickTwoDifferent(combinations, (one) => currencies(one.merchant_no, one.is_domestic)).map(
        ({ merchant_no, is_domestic }) =>
          (asking) =>
            bank.ask('listCurrencies', { merchant_no, is_domestic }, asking),
      ),
      pickTwoDifferent(combinations, (one) => one.installments).map(
        ({ installments: _, ...place }) =>
          (asking) =>
            bank.ask('listInstallments', place, asking),
      ),
    ];
  },
  async atms({ bank, atms }) {
    const [known, [codes]] = [await atms.known(), await atms.codes()];
    const [here, there] = [known[0], known.at(-1)];
    const asked = [here, there, codes].filter((one) => one !== undefined);
    return [asked.map((one) => (asking) => bank.ask('findAtms', { ...one }, asking))];
  },
};

/** Number of links of one merchant at once: as many as small servers have threads. */
const LINKS_AT_ONCE = 4;
const budgetByArea = { loans: {}, 'payment-links': { links: ROUND_COUNT * LINKS_AT_ONCE }, atms: {} } as const;

/** Creates different links for one merchant at once: each has its own order id and token. */
async function createLinksAtOnce({ bank, links, run }: Tools): Promise<void> {
  const terms = await links.small();
  if (terms === undefined) return;
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    await run.session.concurrency.room(LINKS_AT_ONCE);
    const all = Array.from({ length: LINKS_AT_ONCE }, () => links.values(terms));
    await Promise.all(all.map((values) => bank.ask('createPaymentLink', values, { atOnce: true })));
  }
}

for (const area of areas)
  test(
    `Different queries one by one, at once, and one by one again (${area})`,
    ...scenario(`isolation-${area}`, { area, exclusive: true, creates: budgetByArea[area] }, async (tools) => {
      const { run, target } = tools;
      const alone = async (asked: readonly Ask[]): Promise<readonly Reply[]> => {
        const replies: Reply[] = [];
        for (const ask of asked) replies.push(await ask());
        return replies;
      };
      const compareAtOnce = async (asked: readonly Ask[]): Promise<void> => {
        const before = await alone(asked);
        const together: Reply[] = [];
        for (let round = 0; round < ROUND_COUNT; round += 1) {
          // Sends the first query twice in the first round.
          const all = [...asked, ...asked.slice(0, round === 0 ? 1 : 0)];
          await run.session.concurrency.room(all.length);
          together.push(...(await Promise.all(all.map((ask) => ask({ atOnce: true })))));
        }
        run.compare(isolatedByArea[area], { before, atOnce: together, after: await alone(asked) });
      };
      // Different operations side by side.
      const sets = target.inFlight < 2 ? [] : await questionsByArea[area](tools);
      if (!sets.some((asked) => asked.length > 1))
        run.unexercised(
          isolatedByArea[area].id,
          target.inFlight < 2
            ? 'IN_FLIGHT=1 sends no two requests at once'
            : 'the run knows no two queries with different answers',
        );
      await Promise.all([
        ...sets.filter((asked) => asked.length > 1).map(compareAtOnce),
        ...(area === 'payment-links' && target.inFlight > 1 ? [createLinksAtOnce(tools)] : []),
      ]);
    }),
  );
