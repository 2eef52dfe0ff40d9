/** Sends different queries one after the other, at the same time, and one after the other again. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import type { Combination, LinkPlace } from '../../fixtures/arbitraries/payment-links.ts';
import { getOrderForm } from '../../fixtures/arbitraries/order-ids.ts';
import {
  areas,
  isolatedByArea,
  mapAll,
  operations,
  scenario,
  test,
  type Asking,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

type Ask = (asking?: Asking) => Promise<Reply>;

/** The number of rounds with simultaneous requests, each on its own connection. */
const ROUND_COUNT = 2;

/** Returns the first of `all`, and a second query, if possible one that probably has another answer. */
function pickTwoDifferent<T>(all: readonly T[], getAnswer: (query: T) => unknown): readonly T[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const other = others.find((query) => String(getAnswer(query)) !== String(getAnswer(first))) ?? others[0];
  return other === undefined ? [first] : [first, other];
}

/** For each area, sets of several queries for one operation. */
const questionsByArea: Record<(typeof areas)[number], (tools: Tools) => Promise<readonly (readonly Ask[])[]>> = {
  // All validations may have the same answer. If `result` was sometimes false, one validation of each result is sent.
  async loans({ bank, loans, run }) {
    const sent = run.session.requests
      .filter(({ operation }) => operation === 'validateLoan')
      .toSorted((a, b) => Number(a.values['amount']) - Number(b.values['amount']));
    // The amount may be the reason, so the amounts are far apart.
    const accepted = sent.find(({ outcome }) => outcome === 'accepted');
    const declined = sent.findLast(({ outcome }) => outcome === 'declined');
    if (accepted === undefined || declined === undefined) return [];
    return [
      [accepted, declined].map(({ values: { order_id, ...terms } }) => (asking) => {
        const order = getOrderForm(order_id);
        return bank.ask('validateLoan', loans.values({ ...terms, order } as unknown as LoanTerms), asking);
      }),
    ];
  },
  async 'payment-links'({ bank, links }) {
    const { combinations } = await links.catalogue();
    const listCurrencies = ({ merchant_no, is_domestic }: Combination): readonly string[] =>
      combinations
        .filter((place) => place.merchant_no === merchant_no && place.is_domestic === is_domestic)
        .map((place) => place.currency_code);
    const queries = {
      listBranches: pickTwoDifferent(combinations, (place) => place.merchant_no),
      listCurrencies: pickTwoDifferent(combinations, listCurrencies),
      listInstallments: pickTwoDifferent(combinations, (place) => place.installments),
    };
    return (Object.keys(queries) as (keyof typeof queries)[]).map((operation) =>
      queries[operation].map((place) => {
        const inputs = operations[operation].inputs.map(({ name }) => [name, place[name as keyof LinkPlace]] as const);
        return (asking) => bank.ask(operation, Object.fromEntries(inputs), asking);
      }),
    );
  },
  async atms({ bank, atms }) {
    const known = await atms.known();
    const [codes] = await atms.codes();
    const queries = [known[0], known.at(-1), codes].filter((query) => query !== undefined);
    return [queries.map((query) => (asking) => bank.ask('findAtms', { ...query }, asking))];
  },
};

/** The number of simultaneous links of one merchant: as many as small servers have threads. */
const LINKS_AT_ONCE = 4;
const budgetByArea = { loans: {}, 'payment-links': { links: ROUND_COUNT * LINKS_AT_ONCE }, atms: {} } as const;

async function createLinksAtOnce({ bank, links, run }: Tools): Promise<void> {
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    const [first, ...others] = (await mapAll(Array(LINKS_AT_ONCE).fill(0), 1, links.next)).filter(
      (terms) => terms !== undefined,
    );
    if (first === undefined) return;
    const { merchant_no, branch_no, currency_code, is_domestic, installment } = first;
    const place = { merchant_no, branch_no, currency_code, is_domestic, installment };
    await run.session.concurrency.room(LINKS_AT_ONCE);
    const all = [first, ...others].map((terms) => links.values({ ...terms, ...place }));
    await Promise.all(all.map((values) => bank.ask('createPaymentLink', values, { atOnce: true })));
  }
}

for (const area of areas)
  test(
    `Different queries one by one, at the same time, and one by one again (${area})`,
    ...scenario(`isolation-${area}`, { area, stage: 'refusals', creates: budgetByArea[area] }, async (tools) => {
      const { run, target } = tools;
      const askAlone = async (asked: readonly Ask[]): Promise<readonly Reply[]> => {
        const replies: Reply[] = [];
        for (const ask of asked) replies.push(await ask());
        return replies;
      };
      const compareAtOnce = async (asked: readonly Ask[]): Promise<void> => {
        const before = await askAlone(asked);
        const atOnce: Reply[] = [];
        for (let round = 0; round < ROUND_COUNT; round += 1) {
          // The first round has the first query twice.
          const all = [...asked, ...asked.slice(0, round === 0 ? 1 : 0)];
          await run.session.concurrency.room(all.length);
          atOnce.push(...(await Promise.all(all.map((ask) => ask({ atOnce: true })))));
        }
        run.compare(isolatedByArea[area], { before, atOnce, after: await askAlone(asked) });
      };
      // Different operations run at the same time.
      if (target.inFlight < 2)
        return run.unexercised(isolatedByArea[area].id, 'IN_FLIGHT=1 sends no two requests at once');
      const sets = (await questionsByArea[area](tools)).filter((asked) => asked.length > 1);
      if (sets.length === 0)
        run.unexercised(isolatedByArea[area].id, 'the run knows no two queries with different answers');
      await Promise.all([...sets.map(compareAtOnce), ...(area === 'payment-links' ? [createLinksAtOnce(tools)] : [])]);
    }),
  );
