/** Compares applications and disbursements of the run that were refused or have no outcome with accepted ones. */
import {
  areas,
  claimUnused,
  compareSides,
  coversAmount,
  isRefusal,
  learnRequests,
  learnSteps,
  followOutcomes,
  scenario,
  test,
  parseTurns,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

/** At most this many refused applications are asked again. */
const MAX_ASKED_APPLICATIONS = 8;
/** This many refused applications are enough if no two are alike. */
const MIN_UNLIKE_APPLICATIONS = 3;

/** True if two applications differ only in their order ids. */
function areAlike({ terms: one }: Application, { terms: other }: Application): boolean {
  return (['amount', 'currency', 'commercial_disbursement', 'disbursement_purpose'] as const).every(
    (name) => one[name] === other[name],
  );
}

/** Reserved to find which kinds of applications fail. */
const BUDGET = { applications: 10, disbursements: 14 } as const;

test(
  'Contracts and disbursements for the kinds of applications that were sometimes refused',
  ...scenario('kinds-taken', { area: 'loans', exclusive: true, creates: BUDGET }, (tools) => learnSteps(tools)),
);

test(
  'The outcome of every disbursement, and new disbursements like those without an outcome',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, (tools) => followOutcomes(tools)),
);

/** Returns an offer that covers the amount, preferably over an account that other contracts do not block. */
function pickUntriedOffer({ run }: Tools, { id, offers, terms }: Application): Offer | undefined {
  const covering = offers.filter((one) => coversAmount(one, terms.amount));
  return covering.find(({ account }) => !run.session.accountContracts.mayExclude(id, account)) ?? covering[0];
}

/** Approves an application with an offer that covers it; null if there is none. */
async function approveWithOffer(tools: Tools, application: Application | null | undefined): Promise<Reply | null> {
  const offer = application == null ? undefined : pickUntriedOffer(tools, application);
  return application == null || offer === undefined ? null : tools.loans.approve(application, offer);
}

/** Approves a fresh application next to a newer one: a target may accept only the newest. */
async function approveBesideNewer(tools: Tools, { terms }: Application): Promise<Reply | null> {
  const fresh = await tools.loans.apply(terms);
  const newer = await tools.loans.apply(terms);
  const reply = await approveWithOffer(tools, fresh);
  if (reply?.accepted === true) return reply;
  await tools.loans.apply(terms);
  return approveWithOffer(tools, newer);
}

/** Returns applications without a contract: those with a refused one, and the others. */
function groupWithoutContract(tools: Tools): Readonly<Record<'refused' | 'others', readonly Application[]>> {
  const { requests, accountContracts } = tools.run.session;
  const refused = new Set(
    requests.flatMap(({ operation, outcome, values }) =>
      operation === 'approveContract' && outcome === 'refused' ? [String(values['application_id'])] : [],
    ),
  );
  const unused = tools.loans.unused().filter((one) => {
    const offer = pickUntriedOffer(tools, one);
    return offer !== undefined && !accountContracts.mayExclude(one.id, offer.account);
  });
  return {
    refused: unused.filter(({ id }) => refused.has(id)),
    others: unused.filter(({ id }) => !refused.has(id)),
  };
}

test(
  'Contracts of applications with a refused contract, of older applications, and of similar fresh ones',
  ...scenario('kept-applications', { area: 'loans', exclusive: true, creates: { applications: 4 } }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const { refused, others } = groupWithoutContract(tools);
    // An older application must show that the refused ones did not lapse.
    const asked = refused.filter(({ at }) => others.some((older) => older.at < at));
    const suspects: Application[] = [];
    for (const one of asked.slice(0, MAX_ASKED_APPLICATIONS)) {
      const reply = await approveWithOffer(tools, one);
      if (reply !== null && isRefusal(reply)) suspects.push(one);
    }
    // A bank may withdraw one for a reason, but hardly two alike or several.
    const alike = suspects.find((one, index) => suspects.slice(index + 1).some((other) => areAlike(one, other)));
    const first = alike ?? (suspects.length < MIN_UNLIKE_APPLICATIONS ? undefined : suspects[0]);
    const second = alike === undefined ? suspects[1] : suspects.findLast((one) => areAlike(one, alike));
    if (first === undefined || second === undefined) return;
    // An accepted older one shows that they did not lapse, and that newer ones do not replace older ones.
    const [oldest, next] = others.filter(({ at }) => at < first.at);
    const contractOfOlder = async (): Promise<Reply | null> => {
      const reply = await approveWithOffer(tools, oldest);
      return reply?.accepted === true ? reply : approveWithOffer(tools, next);
    };
    await compareSides(
      run,
      'loans.offer.is-taken',
      {
        turns: parseTurns('ABBBAAA'),
        ask(side, turn) {
          if (side === 'A') return approveWithOffer(tools, turn === 5 ? second : first);
          return turn === 1 ? contractOfOlder() : approveBesideNewer(tools, turn === 2 ? first : second);
        },
      },
      () => ({
        expected:
          'the contract of an application that was opened, as of others that were opened before it and after it',
      }),
    );
  }),
);

/** Reserved to find what failures have in common; unused if nothing fails. */
const refusalBudgets = { loans: { applications: 6 }, 'payment-links': { links: 18 }, atms: {} } as const;

for (const area of areas)
  test(
    `Refused requests have a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: 'refusals', creates: refusalBudgets[area] }, (tools) =>
      learnRequests(tools, area),
    ),
  );
