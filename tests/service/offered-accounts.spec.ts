/** Compares contracts over offered accounts: by position and by digits. */
import {
  askUnsteadySteps,
  claimUnused,
  compareSides,
  coversAmount,
  describeAnswer,
  findOpenings,
  hasLostDigits,
  openOffer,
  parseTurns,
  predictLostDigits,
  scenario,
  test,
  toInteger,
  type LoggedRequest,
  type Opened,
  type RequestDraft,
  type Tools,
} from '../../fixtures/runner/index.ts';

const clause = 'loans.offer.is-taken';
/** At most this many contracts are sent to see whether digits of ids are lost. */
const MAX_CONTRACTS = 6;

interface Contract extends Pick<LoggedRequest, 'outcome' | 'values' | 'exchange'> {
  /** The index of its account among those on offer; -1 if it was not offered. */
  readonly position: number;
}

function listContracts({ requests }: Tools['run']['session']): readonly Contract[] {
  const openings = findOpenings(requests);
  return requests
    .filter(({ operation, outcome }) => operation === 'approveContract' && /^(?:accepted|refused)$/.test(outcome))
    .map(({ outcome, exchange, values }) => {
      const accounts = openings.get(String(values['application_id']))?.opened?.accounts ?? [];
      return { outcome, values, exchange, position: accounts.indexOf(String(values['account_id'])) };
    });
}

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

/** Compares contracts over the account at one place with those over the account at another place. */
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

const getIds = ({ application, offer }: Opened) => ({ application_id: application.id, account_id: offer.account });

/** Compares contracts with ids as integers (documented) and with the same ids as texts. */
async function compareWithTexts(tools: Tools): Promise<boolean> {
  let opened: Opened | null = null;
  /** Opens the next application with ids that change when read as doubles. */
  const openNext = async (): Promise<Opened | null> => {
    for (let tried = 0; tried < MAX_CONTRACTS; tried += 1) {
      const next = await openWithOffer(tools, 0);
      if (next === null || predictLostDigits(getIds(next)) === 'never') return next;
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
        const body = getIds(opened);
        const asking = side === 'A' ? {} : { mutate: (draft: RequestDraft) => ({ ...draft, body }) };
        return tools.loans.approve(opened.application, opened.offer, asking);
      },
    },
    (last) => ({
      expected: 'a contract to be taken with ids as integers, whatever their digits are',
      received: `${describeAnswer(last)}, while the same ids are taken as texts`,
    }),
  );
}

/**
 * Compares contracts with ids that a double keeps with the others, if only the others were refused. Sends more if these are
 * few.
 */
async function compareDigits(tools: Tools): Promise<boolean> {
  const { bank, loans, run } = tools;
  const listByOutcome = (outcome: Contract['outcome']) =>
    listContracts(run.session).filter((contract) => contract.outcome === outcome);
  const listValues = (outcome: Contract['outcome']) => listByOutcome(outcome).map(({ values }) => values);
  const areLost = () => hasLostDigits(listValues('refused'), listValues('accepted'));
  if (areLost() === 'perhaps') {
    if (await compareWithTexts(tools)) return true;
    for (let sent = 0; sent < MAX_CONTRACTS; sent += 1) {
      const opened = await openWithOffer(tools, 0);
      if (opened !== null) await loans.approve(opened.application, opened.offer);
    }
  }
  const [lossy, kept] = [listByOutcome('refused'), listByOutcome('accepted')];
  const last = lossy.at(-1);
  if (last === undefined || areLost() !== true) return false;
  run.compare(clause, { lossy, kept, again: await bank.ask('approveContract', last.values) });
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
    const contracts = listContracts(run.session);
    const [accepted] = contracts.filter(({ outcome }) => outcome === 'accepted');
    const refused = contracts.filter(({ outcome }) => outcome === 'refused');
    if (accepted !== undefined) run.contrast(clause, { accepted: accepted.exchange });
    if (refused.length === 0 || (await compareDigits(tools)) || accepted === undefined) return;
    const places = new Set(refused.map(({ position }) => position).filter((position) => position >= 0));
    // The number of accounts differs between applications: the last position has several indexes.
    for (const place of [...[...places].toSorted(), ...(places.size > 0 ? [-1] : [])])
      for (const other of [0, -1]) if (other !== place && (await comparePlaces(tools, place, other))) return;
  }),
);
