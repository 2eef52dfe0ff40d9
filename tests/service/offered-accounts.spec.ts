/** An account on offer is taken in a contract, whichever place it has among the others. */
import {
  claimUnused,
  compareSides,
  covers,
  describe,
  digitsAreLost,
  integerOf,
  keptByDoubles,
  openingsOf,
  scenario,
  test,
  turnsOf,
  type Application,
  type LoggedRequest,
  type Offer,
  type Reply,
  type RequestDraft,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

const clause = 'loans.offer.is-taken';
/** Applications that are opened at most until one has an offer at a place: some customers have one account alone. */
const MAX_OPENED = 6;

interface Contract {
  readonly outcome: LoggedRequest['outcome'];
  readonly values: Values;
  readonly exchange: string;
  /** The place of its account among those on offer; -1 where it was not offered. */
  readonly position: number;
  /** Whether another application was offered its account before this one was asked for, or meanwhile. */
  readonly known: 'before' | 'meanwhile' | 'never';
}

/** Whether an application that was opened before `at` was offered `account`, unless it is the one of the id `own`. */
const wasOffered = (requests: readonly LoggedRequest[], account: string, at: number, own?: string): boolean =>
  requests.some(({ until, opened }) => until <= at && opened?.accounts.includes(account) === true && opened.id !== own);

function contractsOf(requests: readonly LoggedRequest[]): readonly Contract[] {
  const openings = openingsOf(requests);
  return takenAndRefused(requests).map(({ outcome, exchange, values }) => {
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

const takenAndRefused = (requests: readonly LoggedRequest[]): readonly LoggedRequest[] =>
  requests.filter(
    ({ operation, outcome }) => operation === 'approveContract' && (outcome === 'accepted' || outcome === 'refused'),
  );

/**
 * A fresh application and its offer at a place, counted from the end of several where it is negative: one that covers its
 * amount, over an account that other contracts leave free, where it has to be. Null where none of a few has such an offer.
 */
async function offered(
  { loans, run }: Tools,
  place: number,
  isFree = true,
): Promise<readonly [Application, Offer] | null> {
  for (let opened = 0; opened < MAX_OPENED; opened += 1) {
    const application = await loans.apply(await loans.terms());
    if (application === null) return null;
    const { id, offers, terms } = application;
    const offer = place < 0 && offers.length < 2 ? undefined : offers.at(place);
    // One that is no number cannot be sent as documented.
    if (offer === undefined || !covers(offer, terms.amount) || integerOf(offer.account) === null) continue;
    if (isFree && run.session.accountContracts.mayExclude(id, offer.account)) continue;
    await run.session.waiting.visible();
    return [application, offer];
  }
  return null;
}

const nameOf = (place: number): string => (place < 0 ? 'the last account' : `the account at place ${place + 1}`);

/** Contracts over the account at one place, where they were refused, and over the account at another one. */
const askAtPlaces = (tools: Tools, refusedAt: number, takenAt: number): Promise<boolean> =>
  compareSides(
    tools.run,
    clause,
    {
      // Two that are accepted in a row leave no time between.
      turns: turnsOf('ABBA'),
      async ask(side) {
        // What is accepted beside other contracts is no less accepted.
        const opened = side === 'A' ? await offered(tools, refusedAt) : await offered(tools, takenAt, false);
        return opened && tools.loans.approve(...opened);
      },
    },
    () => ({ expected: `${nameOf(refusedAt)} of those on offer to be taken, as ${nameOf(takenAt)} is` }),
  );

/** Contracts with ids as integers, as documented, and with the same digits as texts. */
async function askAsTexts(tools: Tools): Promise<boolean> {
  let opened: Awaited<ReturnType<typeof offered>> = null;
  /** The next application of which the ids are not the same once they were read as doubles. */
  const openNext = async (): Promise<typeof opened> => {
    for (let tried = 0; tried < MAX_OPENED; tried += 1) {
      opened = await offered(tools, 0);
      if (opened === null || keptByDoubles(idsOf(...opened)) === 'never') return opened;
    }
    return null;
  };
  return compareSides(
    tools.run,
    clause,
    {
      // As texts alone in the middle: some contracts are accepted when they are asked for again.
      turns: turnsOf('AABBAAB'),
      async ask(side, turn) {
        opened = [0, 3, 4].includes(turn) ? await openNext() : opened;
        if (opened === null) return null;
        const body = idsOf(...opened);
        const asking = side === 'A' ? {} : { mutate: (draft: RequestDraft) => ({ ...draft, body }) };
        return tools.loans.approve(...opened, asking);
      },
    },
    (last) => ({
      expected: 'a contract to be taken with ids as integers, whatever their digits are',
      received: `${describe(last)}, while the same ids are taken as texts`,
    }),
  );
}

const idsOf = ({ id: application_id }: Application, { account: account_id }: Offer) => ({ application_id, account_id });

/** Compares contracts whose ids a double keeps with the others, where only the others were refused; first it asks for more where these are few. */
async function compareDigits(tools: Tools): Promise<boolean> {
  const withOutcome = (outcome: LoggedRequest['outcome']) =>
    contractsOf(tools.run.session.requests).filter((one) => one.outcome === outcome);
  const areLost = () =>
    digitsAreLost(
      withOutcome('refused').map(({ values }) => values),
      withOutcome('accepted').map(({ values }) => values),
    );
  if (areLost() === 'perhaps') {
    if (await askAsTexts(tools)) return true;
    for (let nth = 0; nth < MAX_OPENED; nth += 1) {
      const opened = await offered(tools, 0);
      if (opened !== null) await tools.loans.approve(...opened);
    }
  }
  const [lossy, kept] = [withOutcome('refused'), withOutcome('accepted')];
  const last = lossy.at(-1);
  if (last === undefined || areLost() !== true) return false;
  tools.run.compare(clause, { lossy, kept, again: await tools.bank.ask('approveContract', last.values) });
  return true;
}

/** Contracts that have to be taken, and refused, for accounts that were offered before to be the reason. */
const MIN_OF_EACH = 4;

/** A whole amount, next to `amount`, that no request had. */
function unusedAmount(requests: readonly LoggedRequest[], amount: number): number {
  const used = new Set(requests.map(({ values }) => values['amount']));
  const [whole, beyond] = [Math.floor(amount), used.size + 1];
  const below = Array.from({ length: Math.min(whole, beyond) }, (_, step) => whole - step);
  return below.find((one) => one > 0 && !used.has(one)) ?? whole + beyond;
}

/**
 * Contracts over accounts that an earlier application was offered, which were all refused, and over new ones. Applications of
 * an amount that was asked for before, and of a new one, are offered these.
 */
async function askForKnownAccounts({ loans, run }: Tools, contracts: readonly Contract[]): Promise<boolean> {
  const { requests } = run.session;
  // Of two that were opened at once, either may have the accounts of the other.
  const made = contracts.filter(({ outcome, known }) => outcome === 'accepted' && known !== 'meanwhile');
  const notMade = contracts.filter(({ outcome, known }) => outcome === 'refused' && known === 'before');
  const isNoReason = made.some(({ known }) => known === 'before');
  if (made.length < MIN_OF_EACH || notMade.length < MIN_OF_EACH || isNoReason) return false;
  const asked = requests.find(({ opened }) => opened !== undefined && opened.accounts.length > 0)?.values;
  if (asked === undefined) return false;
  const terms = { ...(await loans.terms()), currency: String(asked['currency']) };
  const amount = Number(asked['amount']);
  const ask = async (isNew: boolean): Promise<Reply | null> => {
    const application = await loans.apply({ ...terms, amount: isNew ? unusedAmount(requests, amount) : amount });
    const offer = application?.offers.find(
      ({ account }) =>
        wasOffered(requests, account, application.at) !== isNew &&
        // A contract over it may be the reason.
        (isNew || !made.some(({ values }) => values['account_id'] === account)),
    );
    await run.session.waiting.visible();
    return application === null || offer === undefined ? null : loans.approve(application, offer);
  };
  const expected = 'an account on offer to be taken, as those are that no earlier application was offered';
  const question = { turns: turnsOf('BABA'), ask: (side: string) => ask(side === 'B') };
  return compareSides(run, clause, question, () => ({ expected }));
}

test(
  'Contracts over the accounts on offer at each place where one was refused',
  ...scenario('offers-taken', { area: 'loans', exclusive: true }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const contracts = contractsOf(run.session.requests);
    const [taken] = contracts.filter(({ outcome }) => outcome === 'accepted');
    const refused = contracts.filter(({ outcome }) => outcome === 'refused');
    if (taken !== undefined) run.compare(clause, { taken: taken.exchange });
    if (refused.length === 0 || (await compareDigits(tools)) || taken === undefined) return;
    const onOffer = contracts.filter(({ outcome, position }) => outcome === 'accepted' || position >= 0);
    if (await askForKnownAccounts(tools, onOffer)) return;
    const places = new Set(refused.map(({ position }) => position).filter((position) => position >= 0));
    // The number of accounts may differ: what is refused at the last place stands at several.
    for (const place of [...[...places].toSorted(), ...(places.size > 0 ? [-1] : [])])
      for (const other of [0, -1]) if (other !== place && (await askAtPlaces(tools, place, other))) return;
  }),
);
