/** Compares contracts over offered accounts by their positions. */
import {
  askUnsteadySteps,
  claimUnused,
  compareSides,
  coversAmount,
  findOpenings,
  listTaken,
  openOffer,
  parseTurns,
  scenario,
  test,
  toInteger,
  type Opened,
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
    if (accepted === undefined) return;
    run.contrast(clause, { accepted: accepted.exchange });
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
