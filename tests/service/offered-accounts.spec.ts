/** An account on offer is taken in a contract, whichever place it has among the others. */
import {
  covers,
  claimUnused,
  describe,
  digitsAreLost,
  integerOf,
  isRefusal,
  keptByDoubles,
  scenario,
  test,
  type Application,
  type LoggedRequest,
  type Offer,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

const clause = 'loans.offer.is-taken';
/** Fresh applications of which the contract has to be refused at first and taken then. */
const MIN_UNSTEADY = 2;
/** Applications that are opened at most until one has an offer at a place: some customers have one account alone. */
const MAX_OPENED = 6;

/** Rounds before the last: contracts are refused with ids as integers and taken with the same as texts, every other time as texts alone. */
const MIN_AS_TEXTS = 2;

interface Contract {
  readonly outcome: LoggedRequest['outcome'];
  readonly values: Values;
  readonly exchange: string;
  /** The place of its account among those on offer; -1 where it was not offered. */
  readonly position: number;
  readonly isLast: boolean;
  /** Whether another application was offered its account before this one was asked for, or meanwhile. */
  readonly known: 'before' | 'meanwhile' | 'never';
}

/** Whether an application that was opened before `at` was offered `account`, unless it is the one of the id `own`. */
const wasOffered = (requests: readonly LoggedRequest[], account: string, at: number, own?: string): boolean =>
  requests.some(({ until, opened }) => until <= at && opened?.accounts.includes(account) === true && opened.id !== own);

function contractsOf(requests: readonly LoggedRequest[]): readonly Contract[] {
  const offered = new Map(
    requests.flatMap(({ opened, at, until }) => (opened === undefined ? [] : [[opened.id, { ...opened, at, until }]])),
  );
  const meanwhile = (until: number): readonly LoggedRequest[] => requests.filter(({ at }) => at < until);
  return requests
    .filter(({ operation }) => operation === 'approveContract')
    .map(({ outcome, exchange, values }) => {
      const { id, accounts = [], at = 0, until = 0 } = offered.get(String(values['application_id'])) ?? {};
      const account = String(values['account_id']);
      const position = accounts.indexOf(account);
      return {
        outcome,
        values,
        exchange,
        position,
        isLast: position === accounts.length - 1,
        known: wasOffered(requests, account, at)
          ? 'before'
          : wasOffered(meanwhile(until), account, Infinity, id)
            ? 'meanwhile'
            : 'never',
      };
    });
}

/**
 * A fresh application and its offer at the first of `positions`, counted from the end of several where it is negative, that
 * has one which covers its amount, over an account that other contracts leave free, where it has to be; null where none of a
 * few has.
 */
async function offered(
  { loans, run }: Tools,
  positions: readonly number[],
  isFree = true,
): Promise<readonly [Application, Offer] | null> {
  for (let opened = 0; opened < MAX_OPENED; opened += 1) {
    const application = await loans.apply(await loans.terms());
    if (application === null) return null;
    const { id, offers, terms } = application;
    const mayBeTaken = (offer: Offer): boolean =>
      covers(offer, terms.amount) &&
      // One that is no number cannot be sent as documented.
      integerOf(offer.account) !== null &&
      !(isFree && run.session.accountContracts.mayExclude(id, offer.account));
    const [offer] = positions
      .flatMap((position) => (position < 0 && offers.length < 2 ? [] : (offers.at(position) ?? [])))
      .filter(mayBeTaken);
    if (offer === undefined) continue;
    await run.session.waiting.visible();
    return [application, offer];
  }
  return null;
}

/** Whether the account at one place is taken and that at others is not, twice each: two that are taken in a row leave no time between. */
async function differ(tools: Tools, takenAt: number, refusedAt: readonly number[], expected: string): Promise<boolean> {
  const refused: Reply[] = [];
  const taken: Reply[] = [];
  for (const isToBeTaken of [false, true, true, false]) {
    // What is taken beside other contracts is no less taken.
    const opened = await offered(tools, isToBeTaken ? [takenAt] : refusedAt, !isToBeTaken);
    const reply = opened && (await tools.loans.approve(...opened));
    if (reply === null || (isToBeTaken ? !reply.accepted : !isRefusal(reply))) return false;
    (isToBeTaken ? taken : refused).push(reply);
  }
  tools.run.compare(clause, { refused, taken }, { expected });
  return true;
}

/**
 * Whether the contracts whose ids a double keeps are taken, and all others refused, as where something reads them as doubles.
 * Where these are too few to say so, it asks for `more`, once.
 */
async function losesDigits(tools: Tools, contracts: readonly Contract[], more = MAX_OPENED): Promise<boolean> {
  const refused = contracts.filter(({ outcome }) => outcome === 'refused');
  const taken = contracts.filter(({ outcome }) => outcome === 'accepted');
  const areLost = digitsAreLost(
    refused.map(({ values }) => values),
    taken.map(({ values }) => values),
  );
  if (areLost === 'perhaps') {
    if (more === 0 || (await areTakenAsTexts(tools))) return more > 0;
    for (let nth = 0; nth < more; nth += 1) {
      const opened = await offered(tools, [0]);
      if (opened !== null) await tools.loans.approve(...opened);
    }
    return losesDigits(tools, contractsOf(tools.run.session.requests), 0);
  }
  const last = areLost && (await tools.bank.ask('approveContract', (refused.at(-1) as Contract).values));
  if (last === false || !isRefusal(last)) return false;
  const idsOf = (these: readonly Contract[]): readonly string[] => these.map(({ exchange }) => exchange);
  tools.run.compare(clause, { lossy: idsOf(refused), kept: idsOf(taken), again: last });
  return true;
}

/** Whether contracts are refused with ids as integers, as documented, and taken with the same digits as texts. */
async function areTakenAsTexts(tools: Tools): Promise<boolean> {
  const refused: Reply[] = [];
  const taken: Reply[] = [];
  for (let [time, tried] = [1, 0]; tried < MAX_OPENED; tried += 1) {
    const opened = await offered(tools, [0]);
    if (opened === null) return false;
    const [{ id: application_id }, { account: account_id }] = opened;
    const values = { application_id, account_id };
    if (keptByDoubles(values) !== 'never') continue;
    const isFirstAsText = time % 2 === 0;
    // Twice, and every other time as texts alone: some are taken when they are asked for again.
    for (let asked = isFirstAsText ? 2 : 0; asked < 2; asked += 1) {
      const reply = await tools.loans.approve(...opened);
      if (!isRefusal(reply)) return false;
      refused.push(reply);
    }
    const reply = await tools.bank.ask('approveContract', values, { mutate: (draft) => ({ ...draft, body: values }) });
    if (!reply.accepted) return false;
    taken.push(reply);
    if ((time += 1) <= MIN_AS_TEXTS || isFirstAsText) continue;
    const received = `${describe(refused.at(-1) as Reply)}, while the same ids are taken as texts`;
    const expected = 'a contract to be taken with ids as integers, whatever their digits are';
    tools.run.compare(clause, { refused, taken }, { expected, received });
    return true;
  }
  return false;
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
 * Whether accounts are taken that no earlier application was offered, and all others refused, as where offers are those of
 * another application. They are asked for by amounts that are new and that are not; where a contract over one was made,
 * that may be the reason.
 */
async function areOfAnother({ loans, run }: Tools, contracts: readonly Contract[]): Promise<boolean> {
  const { requests } = run.session;
  // Of two that were opened at once, either may have the accounts of the other.
  const made = contracts.filter(({ outcome, known }) => outcome === 'accepted' && known !== 'meanwhile');
  const notMade = contracts.filter(({ outcome, known }) => outcome === 'refused' && known === 'before');
  const isNoReason = made.some(({ known }) => known === 'before');
  if (made.length < MIN_OF_EACH || notMade.length < MIN_OF_EACH || isNoReason) return false;
  const asked = requests.find(({ opened }) => opened !== undefined && opened.accounts.length > 0)?.values;
  if (asked === undefined) return false;
  const terms = { ...(await loans.terms()), currency: String(asked['currency']) };
  const refused: Reply[] = [];
  const taken: Reply[] = [];
  for (const isNew of [true, false, true, false]) {
    const amount = Number(asked['amount']);
    const application = await loans.apply({ ...terms, amount: isNew ? unusedAmount(requests, amount) : amount });
    const offer = application?.offers.find(
      ({ account }) =>
        wasOffered(requests, account, application.at) !== isNew &&
        (isNew || !made.some(({ values }) => values['account_id'] === account)),
    );
    if (application === null || offer === undefined) return false;
    await run.session.waiting.visible();
    const reply = await loans.approve(application, offer);
    if (isNew ? !reply.accepted : !isRefusal(reply)) return false;
    (isNew ? taken : refused).push(reply);
  }
  const expected = 'an account on offer to be taken, as those are that no earlier application was offered';
  run.compare(clause, { refused, taken }, { expected });
  return true;
}

/** Whether contracts are refused at first, and taken when the same is asked for again. */
async function areUnsteady(tools: Tools): Promise<boolean> {
  const refused: Reply[] = [];
  const taken: Reply[] = [];
  while (taken.length < MIN_UNSTEADY) {
    const opened = await offered(tools, [0]);
    const first = opened && (await tools.loans.approve(...opened));
    if (opened === null || first === null || !isRefusal(first)) return false;
    const again = await tools.loans.approve(...opened);
    if (!again.accepted) return false;
    refused.push(first);
    taken.push(again);
  }
  const expected = 'a contract to be taken at once, as it is when it is asked for again';
  tools.run.compare(clause, { refused, taken }, { expected });
  return true;
}

test(
  'An account on offer is taken in a contract',
  ...scenario('offers-taken', { area: 'loans', exclusive: true }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const contracts = contractsOf(run.session.requests);
    const taken = contracts.filter(({ outcome }) => outcome === 'accepted');
    const refused = contracts.filter(({ outcome, position }) => outcome === 'refused' && position >= 0);
    if (taken[0] === undefined) return void (await losesDigits(tools, contracts));
    run.compare(clause, { taken: taken[0].exchange });
    if (refused.length === 0 || (await losesDigits(tools, contracts))) return;
    if (await areOfAnother(tools, [...taken, ...refused])) return;
    const isFirst = ({ position }: Contract): boolean => position === 0;
    const others = (these: readonly Contract[]) => these.filter((one) => !isFirst(one));
    if (others(taken).length === 0 && others(refused).length > 0) {
      // Each of them may have a contract that others left, which is a reason to refuse it.
      const places = [...new Set(others(refused).map(({ position }) => position))].toSorted();
      await differ(tools, 0, places, 'an account on offer other than the first to be taken, as the first is');
      return;
    }
    const arePlaced = new Set(taken.map(({ position }) => position)).size > 1;
    // The first of all may be one account, which has a contract.
    for (const [place, name] of arePlaced && refused.some(isFirst) ? ['first', 'second'].entries() : [])
      if (await differ(tools, -1, [place], `the ${name} account on offer to be taken, as the last is`)) return;
    const atLast = others(contracts).filter(({ position, isLast }) => position > 0 && isLast);
    const asTheFirst = 'the last account on offer to be taken, as the first is';
    const areLastRefused = atLast.length > 0 && atLast.every(({ outcome }) => outcome === 'refused');
    if (areLastRefused ? await differ(tools, 0, [-1], asTheFirst) : await areUnsteady(tools)) return;
    const isTakenAt = (position: number): boolean => taken.some((one) => one.position === position);
    const never = refused.map((one) => one.position).filter((one) => !isTakenAt(one));
    // One that was refused once was refused for anything.
    const position = never.find((one, index) => never.indexOf(one) < index);
    const asAnother = `the account at place ${Number(position) + 1} of those on offer to be taken, as another is`;
    if (position !== undefined) await differ(tools, taken[0].position, [position], asAnother);
  }),
);
