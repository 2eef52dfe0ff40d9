/** Compares contracts over offered accounts: by position, by digits and by earlier applications. */
import {
  askUnsteadySteps,
  claimUnused,
  compareSides,
  contractWithAnyDigits,
  coversAmount,
  describeAnswer,
  hasLostDigits,
  toInteger,
  predictLostDigits,
  findOpenings,
  scenario,
  test,
  toSent,
  parseTurns,
  type Application,
  type LoggedRequest,
  type Offer,
  type Reply,
  type RequestDraft,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

const clause = 'loans.offer.is-taken';
/** At most this many applications are opened to get an offer at a position: some customers have one account. */
const MAX_OPENED = 6;

interface Contract {
  readonly outcome: LoggedRequest['outcome'];
  readonly values: Values;
  readonly exchange: string;
  /** The index of its account among those on offer; -1 if it was not offered. */
  readonly position: number;
  /** When another application was offered the account: before this one was requested, or meanwhile. */
  readonly known: 'before' | 'meanwhile' | 'never';
}

/** True if an application opened before `at`, other than `own`, was offered `account`. */
const wasOffered = (requests: readonly LoggedRequest[], account: string, at: number, own?: string): boolean =>
  requests.some(({ until, opened }) => until <= at && opened?.accounts.includes(account) === true && opened.id !== own);

function listContracts(requests: readonly LoggedRequest[]): readonly Contract[] {
  const openings = findOpenings(requests);
  return listContractRequests(requests).map(({ outcome, exchange, values }) => {
    const { opened, at = 0, until = 0 } = openings.get(String(values['application_id'])) ?? {};
    const account = String(values['account_id']);
    const meanwhile = requests.filter((one) => one.at < until);
    return {
      outcome,
      values,
      exchange,
      position: opened?.accounts.indexOf(account) ?? -1,
      known: wasOffered(requests, account, at)
        ? 'before'
        : wasOffered(meanwhile, account, Infinity, opened?.id)
          ? 'meanwhile'
          : 'never',
    };
  });
}

const listContractRequests = (requests: readonly LoggedRequest[]): readonly LoggedRequest[] =>
  requests.filter(
    ({ operation, outcome }) => operation === 'approveContract' && (outcome === 'accepted' || outcome === 'refused'),
  );

/**
 * Opens a fresh application with an offer at a position; a negative position counts from the end of several. The offer covers
 * the amount, and with `isFree` no other contract blocks its account. Null if a few applications have no such offer.
 */
async function openWithOffer(
  { loans, run }: Tools,
  place: number,
  isFree = true,
): Promise<readonly [Application, Offer] | null> {
  for (let opened = 0; opened < MAX_OPENED; opened += 1) {
    const application = await loans.apply(await loans.terms());
    if (application === null) return null;
    const { id, offers, terms } = application;
    const offer = place < 0 && offers.length < 2 ? undefined : offers.at(place);
    // An account id that is no number cannot be sent as documented.
    if (offer === undefined || !coversAmount(offer, terms.amount) || toInteger(offer.account) === null) continue;
    // With several applications under one id, nobody knows which is meant.
    if (!loans.undisbursed().some((one) => one.id === id)) continue;
    if (isFree && run.session.accountContracts.mayExclude(id, offer.account)) continue;
    await run.session.waiting.visible();
    return [application, offer];
  }
  return null;
}

const nameOffer = (place: number): string => (place < 0 ? 'the last account' : `the account at place ${place + 1}`);

/** Compares contracts over the account at `refusedAt` with those over the account at `takenAt`. */
const askAtPlaces = (tools: Tools, refusedAt: number, takenAt: number): Promise<boolean> =>
  compareSides(
    tools.run,
    clause,
    {
      // Asks B twice in a row, with no time between.
      turns: parseTurns('ABBA'),
      async ask(side) {
        // An accepted contract is evidence even if its account is not free.
        const opened =
          side === 'A' ? await openWithOffer(tools, refusedAt) : await openWithOffer(tools, takenAt, false);
        return opened && tools.loans.approve(...opened);
      },
    },
    () => ({ expected: `${nameOffer(refusedAt)} of those on offer to be taken, as ${nameOffer(takenAt)} is` }),
  );

/** Compares contracts with ids as integers (documented) and with the same ids as texts. */
async function askAsTexts(tools: Tools): Promise<boolean> {
  let opened: Awaited<ReturnType<typeof openWithOffer>> = null;
  /** Opens the next application with ids that change when read as doubles. */
  const openNext = async (): Promise<typeof opened> => {
    for (let tried = 0; tried < MAX_OPENED; tried += 1) {
      opened = await openWithOffer(tools, 0);
      if (opened === null || predictLostDigits(toIds(...opened)) === 'never') return opened;
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
        const body = toIds(...opened);
        const asking = side === 'A' ? {} : { mutate: (draft: RequestDraft) => ({ ...draft, body }) };
        return tools.loans.approve(...opened, asking);
      },
    },
    (last) => ({
      expected: 'a contract to be taken with ids as integers, whatever their digits are',
      received: `${describeAnswer(last)}, while the same ids are taken as texts`,
    }),
  );
}

const toIds = ({ id: application_id }: Application, { account: account_id }: Offer) => ({ application_id, account_id });

/**
 * Compares contracts with ids that a double keeps with the others, if only the others were refused. Sends more if these are
 * few.
 */
async function compareDigits(tools: Tools): Promise<boolean> {
  const withOutcome = (outcome: LoggedRequest['outcome']) =>
    listContracts(tools.run.session.requests).filter((one) => one.outcome === outcome);
  const areLost = () =>
    hasLostDigits(
      withOutcome('refused').map(({ values }) => values),
      withOutcome('accepted').map(({ values }) => values),
    );
  if (areLost() === 'perhaps') {
    if (await askAsTexts(tools)) return true;
    for (let nth = 0; nth < MAX_OPENED; nth += 1) {
      const opened = await openWithOffer(tools, 0);
      if (opened !== null) await tools.loans.approve(...opened);
    }
  }
  const [lossy, taken] = [withOutcome('refused'), withOutcome('accepted')];
  const last = lossy.at(-1);
  if (last === undefined || areLost() !== true) return false;
  tools.run.compare(contractWithAnyDigits, {
    lossy: lossy.map((one) => toSent('approveContract', one)),
    taken: taken.map((one) => toSent('approveContract', one)),
    again: await tools.bank.ask('approveContract', last.values),
  });
  return true;
}

/** At least this many accepted and refused contracts are needed before earlier offers are suspected. */
const MIN_PER_OUTCOME = 4;

/** Returns a whole amount near `amount` that no request had. */
function pickUnusedAmount(requests: readonly LoggedRequest[], amount: number): number {
  const used = new Set(requests.map(({ values }) => values['amount']));
  const [whole, beyond] = [Math.floor(amount), used.size + 1];
  const below = Array.from({ length: Math.min(whole, beyond) }, (_, step) => whole - step);
  return below.find((one) => one > 0 && !used.has(one)) ?? whole + beyond;
}

/**
 * Compares contracts over accounts offered to an earlier application (A) with those over new accounts (B). The application for
 * A has an earlier amount, the one for B a new amount.
 */
async function askForKnownAccounts({ loans, run }: Tools, contracts: readonly Contract[]): Promise<boolean> {
  const { requests } = run.session;
  // Two applications opened at once may have exchanged their accounts.
  const made = contracts.filter(({ outcome, known }) => outcome === 'accepted' && known !== 'meanwhile');
  const notMade = contracts.filter(({ outcome, known }) => outcome === 'refused' && known === 'before');
  const isNoReason = made.some(({ known }) => known === 'before');
  if (made.length < MIN_PER_OUTCOME || notMade.length < MIN_PER_OUTCOME || isNoReason) return false;
  const asked = requests.find(({ opened }) => opened !== undefined && opened.accounts.length > 0)?.values;
  if (asked === undefined) return false;
  const terms = { ...(await loans.terms()), currency: String(asked['currency']) };
  const amount = Number(asked['amount']);
  const ask = async (isNew: boolean): Promise<Reply | null> => {
    const application = await loans.apply({ ...terms, amount: isNew ? pickUnusedAmount(requests, amount) : amount });
    const offer = application?.offers.find(
      ({ account }) =>
        wasOffered(requests, account, application.at) !== isNew &&
        // An existing contract over the account may be the reason.
        (isNew || !made.some(({ values }) => values['account_id'] === account)),
    );
    await run.session.waiting.visible();
    return application === null || offer === undefined ? null : loans.approve(application, offer);
  };
  const expected = 'an account on offer to be taken, as those are that no earlier application was offered';
  const question = { turns: parseTurns('BABA'), ask: (side: string) => ask(side === 'B') };
  return compareSides(run, clause, question, () => ({ expected }));
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
    const contracts = listContracts(run.session.requests);
    const [taken] = contracts.filter(({ outcome }) => outcome === 'accepted');
    const refused = contracts.filter(({ outcome }) => outcome === 'refused');
    if (taken !== undefined) run.contrast(clause, { accepted: taken.exchange });
    if (refused.length === 0 || (await compareDigits(tools)) || taken === undefined) return;
    const onOffer = contracts.filter(({ outcome, position }) => outcome === 'accepted' || position >= 0);
    if (await askForKnownAccounts(tools, onOffer)) return;
    const places = new Set(refused.map(({ position }) => position).filter((position) => position >= 0));
    // The number of accounts differs between applications: the last position has several indexes.
    for (const place of [...[...places].toSorted(), ...(places.size > 0 ? [-1] : [])])
      for (const other of [0, -1]) if (other !== place && (await askAtPlaces(tools, place, other))) return;
  }),
);
