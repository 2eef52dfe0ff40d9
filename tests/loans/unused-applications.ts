/** Applications that other scenarios opened and left, for those that ask whether they disturb each other. */
import { takenOf, type Application, type LoggedRequest, type Offer, type Tools } from '../../fixtures/runner/index.ts';

/** Applications that are at the same step at once, where so many were left unused. */
const AT_ONCE = 3;
/** What such a round may take of either budget: each of them, one that is sent again, and its control. */
const COST_OF_ROUND = AT_ONCE + 2;
/** Applications that are opened at most for a pair over one account, two at a time. */
const MAX_OPENED_FOR_PAIR = 4;
/** How often the limit of an account has to cover an amount: all of them may be over one. */
const MIN_COVER = AT_ONCE + 1;

/** Applications that are opened at most until one is like another. */
const MAX_OPENED = 6;

/** Applications that are kept waiting. */
const WAITING = 2;

/** What is disbursed of an application. */
export interface Step {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
}

interface UnusedApplications {
  /** One, not over an account that is kept for several; it is opened where none is left. */
  take(): Promise<Step | null>;
  /** The next that was opened before the application of another was asked for; null where none is left. */
  takeOlder(than: Step): Step | null;
  /**
   * One of the same amount and currency, over the same account or one from which as much was drawn: what is refused may be
   * refused for these.
   */
  takeAlike(other: Step): Promise<Step | null>;
  /** A pair, over one account where there is such, and more where there is enough for so many `rounds`: at the end of a long line few of many overlap. */
  takeSeveral(rounds: number): Promise<readonly Step[] | null>;
}

/**
 * What is left of the limit of an offer after the disbursements since its application was opened; nothing where the limit
 * cannot be read: what is refused may then be above it.
 */
function leftOf(requests: readonly LoggedRequest[], { account, limit }: Offer, { at }: Application): number {
  const drawn = takenOf(requests, 'disburse').filter((one) => one.at >= at && one.values['account_id'] === account);
  return drawn.reduce((left, { values }) => left - Number(values['amount']), limit ?? 0);
}

export async function unusedApplications({ loans, run }: Tools): Promise<UnusedApplications> {
  const { requests } = run.session;
  const terms = await loans.terms();
  /** What was drawn from each account. */
  const drawnByAccount = (): ReadonlyMap<string, number> => {
    const sums = new Map<string, number>();
    for (const { operation, outcome, values } of requests) {
      if (operation !== 'disburse' || outcome !== 'accepted') continue;
      const account = String(values['account_id']);
      sums.set(account, (sums.get(account) ?? 0) + Number(values['amount']));
    }
    return sums;
  };
  const unused = loans.unused().toReversed();
  /** Kept for the controls of others, which have to have waited as long. */
  const longest = unused.splice(Math.max(1, unused.length - WAITING));
  const limits = unused
    .filter((one) => one.terms.currency === terms.currency)
    .flatMap((one) => one.offers.map((offer) => leftOf(requests, offer, one)));
  const highest = limits.length === 0 ? Infinity : Math.max(1, Math.floor(Math.max(...limits) / MIN_COVER));
  // Whole amounts: cents may be refused for themselves.
  const stepsOf = (atMost: number, cover = MIN_COVER): readonly Step[] =>
    unused.flatMap((application) => {
      const amount = Math.floor(Math.min(application.terms.amount, atMost));
      return application.offers
        .filter((offer) => amount > 0 && leftOf(requests, offer, application) >= cover * amount)
        .map((offer) => ({ application, offer, amount }));
    });
  /**
   * Where no account covers what was applied for so often, less is drawn of each: that alone may be a reason to refuse. First
   * those over accounts from which least was drawn: others are then no better off.
   */
  const steps = (): readonly [whole: readonly Step[], less: readonly Step[]] => {
    const drawn = drawnByAccount();
    const sorted = (some: readonly Step[]): readonly Step[] =>
      some.toSorted((one, other) => (drawn.get(one.offer.account) ?? 0) - (drawn.get(other.offer.account) ?? 0));
    return [sorted(stepsOf(Infinity)), sorted(stepsOf(highest))];
  };
  const someSteps = (): readonly Step[] => {
    const [whole, less] = steps();
    return whole.length > 0 ? whole : less;
  };
  const open = async (wish = terms): Promise<void> => {
    const opened = await loans.apply(wish);
    if (opened !== null) unused.push(opened);
  };
  const taken = (...these: readonly Step[]): readonly Step[] => {
    for (const { application } of these) unused.splice(unused.indexOf(application), 1);
    return these;
  };
  const takeOne = (step: Step | undefined): Step | null => (step === undefined ? null : (taken(step)[0] ?? null));
  /** Two applications of which this holds. */
  const pairWhere = (isPair: (one: Step, other: Step) => boolean): readonly Step[] | null => {
    for (const all of steps())
      for (const one of all)
        for (const other of all)
          if (one.application !== other.application && isPair(one, other)) return taken(one, other);
    return null;
  };
  const overOneAccount = (): readonly Step[] | null =>
    pairWhere((one, other) => one.offer.account === other.offer.account);
  // Kept for the pairs, before anything is drawn from their accounts.
  const kept = [overOneAccount(), overOneAccount()].filter((pair) => pair !== null);
  const free = (): readonly Step[] =>
    someSteps().filter(({ offer }) => !kept.some((pair) => pair[0]?.offer.account === offer.account));
  const takePair = async (): Promise<readonly Step[] | null> => {
    const known = kept.shift();
    if (known !== undefined) return known;
    for (let opened = 0; opened < MAX_OPENED_FOR_PAIR; opened += 2) {
      await Promise.all([open(), open()]);
      const pair = overOneAccount();
      if (pair !== null) return pair;
    }
    return pairWhere(() => true);
  };
  return {
    async take() {
      if ((terms.amount > highest ? someSteps() : stepsOf(Infinity)).length === 0) await open();
      return takeOne(free()[0] ?? someSteps()[0] ?? stepsOf(highest, 1)[0]);
    },
    takeOlder({ application: { at } }) {
      const older = (): Step | undefined =>
        [...free(), ...someSteps(), ...stepsOf(highest, 1)].find(({ application }) => application.until <= at);
      if (older() === undefined) unused.push(...longest.splice(0));
      return takeOne(older());
    },
    async takeAlike({ amount, application, offer: { account } }) {
      const { currency } = application.terms;
      const alike = (): Step | undefined => {
        const all = stepsOf(amount, 1).filter(
          (one) => one.amount === amount && one.application.terms.currency === currency,
        );
        const drawn = drawnByAccount();
        const isNoBetterOff = ({ offer }: Step): boolean =>
          (drawn.get(offer.account) ?? 0) >= (drawn.get(account) ?? 0);
        return all.find(({ offer }) => offer.account === account) ?? all.find(isNoBetterOff);
      };
      let step = alike();
      for (let time = 0; time < MAX_OPENED && step === undefined; time += 1) {
        await open(application.terms);
        step = alike();
      }
      return takeOne(step);
    },
    async takeSeveral(rounds) {
      const isEnough = (what: 'applications' | 'disbursements'): boolean =>
        run.budget.left(what) >= rounds * COST_OF_ROUND;
      const pair = await takePair();
      if (pair === null || !isEnough('disbursements')) return pair;
      if (free().length === 0 && isEnough('applications')) await open();
      const several = [...pair];
      for (let [one] = free(); one !== undefined && several.length < AT_ONCE; [one] = free())
        several.push(...taken(one));
      return several;
    },
  };
}
