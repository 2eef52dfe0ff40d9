/** Sends different queries one after the other, at the same time, and one after the other again. */
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import type { Combination, LinkPlace } from '../../fixtures/bank/arbitraries/payment-links.ts';
import { getOrderForm } from '../../fixtures/bank/arbitraries/order-ids.ts';
import {
  areas,
  mapAll,
  operations,
  scenario,
  test,
  type RequestOptions,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { isolatedByArea } from '../../openapi/bank/behaviours/races/isolation.ts';

type SendQuery = (options?: RequestOptions) => Promise<Reply>;

/** The number of rounds with simultaneous requests, each on its own connection. */
const ROUND_COUNT = 2;

/** Returns the first query, and a second one that probably has another answer. */
function pickTwoDifferent<T>(queries: readonly T[], getAnswer: (query: T) => unknown): readonly T[] {
  const [firstQuery, ...otherQueries] = queries;
  if (firstQuery === undefined) return [];
  const secondQuery =
    otherQueries.find((candidate) => String(getAnswer(candidate)) !== String(getAnswer(firstQuery))) ?? otherQueries[0];
  return secondQuery === undefined ? [firstQuery] : [firstQuery, secondQuery];
}

/** Returns sets of queries for one operation, by area. Queries of a set probably have different answers. */
const listQuerySetsByArea: Record<
  (typeof areas)[number],
  (tools: Tools) => Promise<readonly (readonly SendQuery[])[]>
> = {
  // If `result` was sometimes false, sends one validation of each result. Validations may all have the same answer.
  async loans({ bank, loans, run }) {
    const validations = run.session.requests
      .filter(({ operation }) => operation === 'validateLoan')
      .toSorted((a, b) => Number(a.values['amount']) - Number(b.values['amount']));
    // The amount may be the reason for the result, so the two amounts are far apart.
    const acceptedValidation = validations.find(({ outcome }) => outcome === 'accepted');
    const declinedValidation = validations.findLast(({ outcome }) => outcome === 'declined');
    if (acceptedValidation === undefined || declinedValidation === undefined) return [];
    return [
      [acceptedValidation, declinedValidation].map(({ values: { order_id, ...terms } }) => (options) => {
        const orderForm = getOrderForm(order_id);
        return bank.ask('validateLoan', loans.values({ ...terms, order: orderForm } as unknown as LoanTerms), options);
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
        return (options) => bank.ask(operation, Object.fromEntries(inputs), options);
      }),
    );
  },
  async atms({ bank, atms }) {
    const positions = await atms.findKnownPositions();
    const [codes] = await atms.findCodes();
    const queries = [positions[0], positions.at(-1), codes].filter((query) => query !== undefined);
    return [queries.map((query) => (options) => bank.ask('findAtms', { ...query }, options))];
  },
};

/** The number of simultaneous links of one merchant: as many as small servers have threads. */
const LINKS_AT_ONCE = 4;
const budgetByArea = { loans: {}, 'payment-links': { links: ROUND_COUNT * LINKS_AT_ONCE }, atms: {} } as const;

async function createLinksAtOnce({ bank, links, run }: Tools): Promise<void> {
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    const [firstTerms, ...otherTerms] = (await mapAll(Array(LINKS_AT_ONCE).fill(0), 1, links.next)).filter(
      (terms) => terms !== undefined,
    );
    if (firstTerms === undefined) return;
    const { merchant_no, branch_no, currency_code, is_domestic, installment } = firstTerms;
    const place = { merchant_no, branch_no, currency_code, is_domestic, installment };
    await run.session.concurrency.waitForRoom(LINKS_AT_ONCE);
    const valuesOfLinks = [firstTerms, ...otherTerms].map((terms) => links.values({ ...terms, ...place }));
    await Promise.all(valuesOfLinks.map((values) => bank.ask('createPaymentLink', values, { isConcurrent: true })));
  }
}

for (const area of areas)
  test(
    `Different queries one by one, at the same time, and one by one again (${area})`,
    ...scenario(`isolation-${area}`, { area, stage: 'refusals', creates: budgetByArea[area] }, async (tools) => {
      const { run, target } = tools;
      const sendOneByOne = async (queries: readonly SendQuery[]): Promise<readonly Reply[]> => {
        const replies: Reply[] = [];
        for (const send of queries) replies.push(await send());
        return replies;
      };
      const compareAtOnce = async (queries: readonly SendQuery[]): Promise<void> => {
        const repliesBefore = await sendOneByOne(queries);
        const concurrentReplies: Reply[] = [];
        for (let round = 0; round < ROUND_COUNT; round += 1) {
          // The first round has the first query twice.
          const queriesOfRound = [...queries, ...queries.slice(0, round === 0 ? 1 : 0)];
          await run.session.concurrency.waitForRoom(queriesOfRound.length);
          concurrentReplies.push(...(await Promise.all(queriesOfRound.map((send) => send({ isConcurrent: true })))));
        }
        run.compare(isolatedByArea[area], {
          before: repliesBefore,
          atOnce: concurrentReplies,
          after: await sendOneByOne(queries),
        });
      };
      // Different operations run at the same time.
      if (target.inFlight < 2)
        return run.unexercised(isolatedByArea[area], 'IN_FLIGHT=1 sends no two requests at the same time');
      const querySets = (await listQuerySetsByArea[area](tools)).filter((queries) => queries.length > 1);
      if (querySets.length === 0)
        run.unexercised(isolatedByArea[area], 'the run knows no two queries with different answers');
      await Promise.all([
        ...querySets.map(compareAtOnce),
        ...(area === 'payment-links' ? [createLinksAtOnce(tools)] : []),
      ]);
    }),
  );
