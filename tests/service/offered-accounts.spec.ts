/** Asks why contracts and other requests were refused, and what became of all disbursements. */
import {
  areas,
  askUnsteadySteps,
  claimUnused,
  compareSides,
  contractWithAnyDigits,
  coversAmount,
  describeAnswer,
  findOpenings,
  followOutcomes,
  hasLostDigits,
  learnRequests,
  learnSteps,
  listTaken,
  openOffer,
  parseTurns,
  predictLostDigits,
  scenario,
  test,
  toInteger,
  toSent,
  type LoggedRequest,
  type Opened,
  type RequestDraft,
  type Tools,
} from '../../fixtures/runner/index.ts';

const clause = 'loans.offer.is-taken';

/**
 * Opens a fresh application with an offer at a position; a negative position counts from the end of several. The offer covers
 * the amount, and with `isFree` no other contract blocks its account. Null if a few applications have no such offer.
 */
async function openWithOffer({ loans, run }: Tools, place: number, isFree = true): Promise<Opened | null> {
  const opened = await openOffer(loans, await loans.terms(), ({ id, offers, terms }) => {
    const offer = place < 0 && offers.length < 2 ? undefined : offers.at(place);
    // An account id that is no number cannot be sent as documented.
    if (offer === undefined || !coversAmount(offer, terms.amount) || toInteger(offer.account) === null) return;
    if (isFree && run.session.accountContracts.mayExclude(id, offer.account)) return;
    // With several applications under one id, nobody knows which is meant.
    return loans.undisbursed().some((application) => application.id === id) ? offer : undefined;
  });
  if (opened !== null) await run.session.waiting.visible();
  return opened;
}

const nameOffer = (place: number): string => (place < 0 ? 'the last account' : `the account at place ${place + 1}`);

const comparePlaces = (tools: Tools, refused: number, accepted: number): Promise<boolean> =>
  compareSides(
    tools.run,
    clause,
    {
      // Asks B twice in a row, with no time between.
      turns: parseTurns('ABBA'),
      async ask(side) {
        // An accepted contract is evidence even if its account is not free.
        const opened = await (side === 'A' ? openWithOffer(tools, refused) : openWithOffer(tools, accepted, false));
        return opened && tools.loans.approve(opened.application, opened.offer);
      },
    },
    () => ({ expected: `${nameOffer(refused)} of those on offer to be taken, as ${nameOffer(accepted)} is` }),
  );

/** At most this many applications are opened for ids with the wanted digits. */
const MAX_OPENED = 6;

const toIds = ({ application, offer }: Opened) => ({ application_id: application.id, account_id: offer.account });

/** Compares contracts with ids as integers (documented) and with the same ids as texts. */
async function compareWithTexts(tools: Tools): Promise<boolean> {
  let opened: Opened | null = null;
  /** Opens the next application with ids that change when they are read as doubles. */
  const openNext = async (): Promise<Opened | null> => {
    for (let tried = 0; tried < MAX_OPENED; tried += 1) {
      const next = await openWithOffer(tools, 0);
      if (next === null || predictLostDigits(toIds(next)) === 'never') return next;
    }
    return null;
  };
  return compareSides(
    tools.run,
    clause,
    {
      // Once only as texts: a contract may be accepted because it is repeated.
      turns: parseTurns('AABBAAB'),
      async ask(side, turn) {
        opened = [0, 3, 4].includes(turn) ? await openNext() : opened;
        if (opened === null) return null;
        const body = toIds(opened);
        const asking = side === 'A' ? {} : { mutate: (draft: RequestDraft) => ({ ...draft, body }) };
        return tools.loans.approve(opened.application, opened.offer, asking);
      },
    },
    (last) => ({
      expected: 'a contract with ids as integers to be accepted, whatever their digits are',
      received: `${describeAnswer(last)}, while the same ids are accepted as texts`,
    }),
  );
}

/** Compares contracts with ids that a double keeps with the others, if only the others were refused. Sends more if these are few. */
async function compareDigits(tools: Tools): Promise<boolean> {
  const withOutcome = (outcome: LoggedRequest['outcome']) =>
    tools.run.session.requests.filter((one) => one.operation === 'approveContract' && one.outcome === outcome);
  const readValues = (contracts: readonly LoggedRequest[]) => contracts.map(({ values }) => values);
  const areLost = () => hasLostDigits(readValues(withOutcome('refused')), readValues(withOutcome('accepted')));
  if (areLost() === 'perhaps') {
    if (await compareWithTexts(tools)) return true;
    for (let nth = 0; nth < MAX_OPENED; nth += 1) {
      const opened = await openWithOffer(tools, 0);
      if (opened !== null) await tools.loans.approve(opened.application, opened.offer);
    }
  }
  const lossy = withOutcome('refused');
  const last = lossy.at(-1);
  if (last === undefined || areLost() !== true) return false;
  tools.run.compare(contractWithAnyDigits, {
    lossy: lossy.map((one) => toSent('approveContract', one)),
    taken: withOutcome('accepted').map((one) => toSent('approveContract', one)),
    again: await tools.bank.ask('approveContract', last.values),
  });
  return true;
}

// First, since a bank that refuses the same contract at times makes other comparisons worthless.
test(
  'Contracts and disbursements refused in correct order, repeated with fresh applications',
  ...scenario('disbursed-at-times', { area: 'loans', exclusive: true }, (tools) => askUnsteadySteps(tools)),
);

test(
  'Contracts over offered accounts, at each position where one was refused',
  ...scenario('offers-taken', { area: 'loans', exclusive: true }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const { requests } = run.session;
    const [accepted] = listTaken(requests, 'approveContract');
    if (accepted !== undefined) run.contrast(clause, { accepted: accepted.exchange });
    if ((await compareDigits(tools)) || accepted === undefined) return;
    const openings = findOpenings(requests);
    const positions = requests
      .filter(({ operation, outcome }) => operation === 'approveContract' && outcome === 'refused')
      .map(({ values: { application_id, account_id } }) => {
        const accounts = openings.get(String(application_id))?.opened?.accounts ?? [];
        return accounts.indexOf(String(account_id));
      });
    const places = [...new Set(positions)].filter((position) => position >= 0).toSorted();
    // The number of accounts differs between applications: the last position has several indexes.
    for (const place of [...places, ...(places.length > 0 ? [-1] : [])])
      for (const other of [0, -1]) if (other !== place && (await comparePlaces(tools, place, other))) return;
  }),
);

/** Reserved to find which kinds of applications fail. */
const KINDS_BUDGET = { applications: 14, disbursements: 14 } as const;

test(
  'Contracts and disbursements for the kinds of applications that were sometimes refused',
  ...scenario('kinds-taken', { area: 'loans', exclusive: true, creates: KINDS_BUDGET }, learnSteps),
);

test(
  'The outcome of every disbursement, and new disbursements like those without an outcome',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, followOutcomes),
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
