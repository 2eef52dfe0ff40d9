import {
  claimUnused,
  outcomeToExplain,
  isFollowed,
  isPending,
  isRefusal,
  scenario,
  test,
  withoutNumbers,
  type Asking,
  type ClauseId,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

const area = 'loans';
const group = 'races';
/** Rounds in a row, which all have to refuse the second request, and rounds at once, of which none may take both. */
const IN_A_ROW = 2;
const AT_ONCE = 2;
/** Each round has an entity of its own, and so has the last one in a row. */
const ENTITIES = IN_A_ROW + AT_ONCE + 1;

/** Pause after which so many requests in a while are no reason any more. Milliseconds. */
const VISIBLE_AFTER_MS = 1000;

/** The two requests of a round, over an entity of their own. */
interface Round {
  readonly first: (asking?: Asking) => Promise<Reply>;
  readonly second: (asking?: Asking) => Promise<Reply>;
  /** Looks between the two in a row; what it gives looks again after the second was refused. */
  readonly look?: () => Promise<() => Promise<void>>;
}

/** The next round; null where there is none. */
type NextRound = () => Promise<Round | null>;

/** The field that names what was made, and the clause for those that answer a request with the same one when it is repeated. */
interface Named {
  readonly id: string;
  readonly same: ClauseId;
}

/** True of a server error that does not say to come again: a repeated request is a client's mistake, and none of the server's. */
const isCrash = (reply: Reply): boolean => outcomeToExplain(reply) === 'crashed' && reply.status !== 503;

/** What is refused in a row, or brings the same in a row, is not done twice at once. */
async function race({ check, run, target }: Tools, clause: ClauseId, next: NextRound, named?: Named): Promise<void> {
  const idIn = ({ data }: Reply): unknown => (data as Readonly<Record<string, unknown>>)[named?.id ?? ''];
  const isSame = (one: Reply, other: Reply): boolean =>
    named !== undefined && one.accepted && other.accepted && idIn(one) === idIn(other);
  const crashed: (readonly [first: Reply, second: Reply])[] = [];
  // All are opened at once: an application is as old in each round.
  const rounds = Array.from({ length: target.inFlight > 1 ? IN_A_ROW + AT_ONCE : IN_A_ROW }, next);
  /** The second of two in a row, where it is refused or brings the same, and the look after it. */
  const inARow = async (opened: Promise<Round | null>) => {
    const round = await opened;
    const first = await round?.first();
    if (round == null || first?.accepted !== true) return null;
    const lookAgain = await round.look?.();
    const second = await round.second();
    // Sent once more, so that an accident is known from what comes each time.
    if (isCrash(second) && isCrash(await round.second())) crashed.push([first, second]);
    return isRefusal(second) || isSame(first, second) ? { second, lookAgain } : null;
  };
  const controls = await Promise.all(rounds.splice(0, IN_A_ROW).map(inARow));
  const [[contrast, crash] = []] = crashed;
  if (crash !== undefined && crashed.length === IN_A_ROW)
    check('service.odd-input', crash, false, { expected: 'a status below 500', contrast });
  const refusals = controls.filter((one) => one !== null && isRefusal(one.second)).length;
  // An id that other requests share as well tells nothing of those that are repeated.
  const shown = new Set(controls.map((one) => one && idIn(one.second)));
  const isTold = refusals === 0 ? shown.size === IN_A_ROW : refusals === IN_A_ROW;
  const agree = !controls.includes(null) && isTold;
  const [about, second, does] =
    named === undefined || refusals > 0 ? [clause, 'be refused', 'is'] : [named.same, 'bring the same', 'does'];
  const [opened] = await Promise.all([Promise.all(rounds), ...controls.map((one) => one?.lookAgain?.())]);
  /** Whether the second of two in a row is refused once more, with nothing else shortly before. */
  const refusedAlone = async (): Promise<boolean> => {
    await run.session.clock.sleep(VISIBLE_AFTER_MS);
    const again = await inARow(next());
    return again !== null && isRefusal(again.second);
  };
  const [control] = controls;
  if (!agree || control == null) return;
  if (target.inFlight < 2) return run.unexercised(about, 'IN_FLIGHT=1 sends no two requests at once');
  for (const round of opened) {
    if (round === null) return;
    await run.session.concurrency.room(2);
    // Either may be the second one, and answered as such.
    const first = round.first({ atOnce: true, probe: true });
    const [one, other] = await Promise.all([first, round.second({ atOnce: true })]);
    if (one.outcome === 'not-sent' || other.outcome === 'not-sent') return;
    const isTwice = one.accepted && other.accepted && !isSame(one, other);
    // Those in a row were refused at one time: for so many in a while, or an hour, that has passed.
    if (isTwice && refusals > 0 && !(await refusedAlone())) return;
    check(about, other, !isTwice, {
      expected: `one of two at once to ${second}, as the second of two in a row ${does}`,
      received: refusals > 0 || named === undefined ? 'both were accepted' : `another ${named.id} for each`,
      contrast: control.second,
    });
    if (isTwice) return;
  }
}

async function opened({ loans }: Tools) {
  const application = await loans.apply(await loans.terms());
  // Of the others the limits may be used up by now.
  const [offer, other] = (application?.offers ?? []).toSorted((a, b) => Number(b.limit) - Number(a.limit));
  return application === null || offer === undefined ? null : { application, offer, other: other ?? offer };
}

test(
  'A contract that is refused the second time is not taken twice at once',
  ...scenario('contract-race', { area, exclusive: group }, async (tools) => {
    claimUnused(tools.run, area, { applications: ENTITIES });
    // Over different accounts: the same contract twice is one contract.
    await race(tools, 'loans.contract.once', async () => {
      const found = await opened(tools);
      if (found === null || found.other === found.offer) return null;
      const { application, offer, other } = found;
      // A limit below the amount that was applied for is a reason to refuse.
      if (other.limit !== null && other.limit < application.terms.amount) return null;
      return {
        first: (asking) => tools.loans.approve(application, offer, asking),
        second: (asking) => tools.loans.approve(application, other, { ...asking, probe: true }),
      };
    });
  }),
);

test(
  'A disbursement that is refused the second time is not taken twice at once',
  ...scenario('disbursement-race', { area, exclusive: group }, async (tools) => {
    const { loans, bank, check, run } = tools;
    claimUnused(run, area, { applications: ENTITIES, disbursements: 2 * ENTITIES });
    // A small disbursement from earlier in the run: what is said of it is the last word.
    const disbursements = run.session.requests.filter(({ operation }) => operation === 'disburse');
    const idIn = ({ values }: { values: Values }): string => String(values['application_id']);
    const bySize = disbursements.toSorted((a, b) => Number(a.values['amount']) - Number(b.values['amount']));
    const earlier = bySize.find(
      (one) => one.outcome === 'accepted' && disbursements.filter((other) => idIn(other) === idIn(one)).length === 1,
    );
    const earlierId = earlier === undefined ? null : idIn(earlier);
    // The least amount that was taken is not refused for being too small.
    const least = Math.min(
      ...bySize.flatMap(({ outcome, values }) => (outcome === 'accepted' ? [Number(values['amount'])] : [])),
    );
    let changed = 0;
    await race(tools, 'loans.disbursement.once', async () => {
      const found = await opened(tools);
      if (found === null || !(await loans.approve(found.application, found.offer)).accepted) return null;
      const { application, offer } = found;
      const outcome = () => loans.outcome(application);
      const look = async (application_id: string) => {
        const [before, last] = await Promise.all([
          loans.settled(application.id),
          bank.queryDisbursement({ application_id }),
        ]);
        return async () => {
          const readsLike = (other: Reply<'queryDisbursement'>): boolean =>
            other.accepted && withoutNumbers(String(other.data.result)) === withoutNumbers(String(before.data.result));
          const { result } = before.data;
          if (!before.accepted || !readsLike(last) || isPending(result) || isFollowed(run.session.requests)(result))
            return;
          let after = await outcome();
          const isKept = () => readsLike(after);
          if (isKept() && isRefusal(await loans.approve(application, offer, { probe: true }))) after = await outcome();
          if (!after.accepted) return;
          changed += isKept() ? 0 : 1;
          if (isKept() || changed === IN_A_ROW)
            check('loans.outcome.final', after, isKept(), {
              pointer: '/data/result',
              expected: `"${before.data.result}", as before what was refused`,
              received: `"${after.data.result}", once the disbursement or the contract was refused the second time`,
              contrast: before,
            });
        };
      };
      const { amount } = application.terms;
      const less = { amount: Math.min(least, Math.max(1, Math.floor(amount / 2))) };
      // The rounds in a row may be over one account.
      const room = Math.floor((offer.limit ?? Infinity) / IN_A_ROW - less.amount);
      const asked = { amount: Math.min(loans.within(offer, amount), room) };
      // Equal requests at once may be one.
      if (asked.amount <= less.amount) return null;
      return {
        first: (asking) => loans.disburse(application, offer, asked, asking),
        second: (asking) => loans.disburse(application, offer, less, { ...asking, probe: true }),
        ...(earlierId === null ? {} : { look: () => look(earlierId) }),
      };
    });
  }),
);

test(
  'An order that is refused the second time is not opened twice at once',
  ...scenario('order-race', { area, exclusive: group, creates: { applications: 4 } }, async (tools) => {
    const { loans, bank, run } = tools;
    claimUnused(run, area);
    const terms = await loans.terms();
    const next: NextRound = async () => {
      const values = loans.values(terms);
      return {
        first: (asking) => bank.ask('requestLoan', values, asking),
        second: (asking) => bank.ask('requestLoan', values, { ...asking, probe: true }),
      };
    };
    await race(tools, 'loans.application.once', next, { id: 'application_id', same: 'loans.application.same-at-once' });
  }),
);

test(
  'A link that is refused the second time is not made twice at once',
  ...scenario('link-race', { area: 'payment-links', exclusive: group }, async (tools) => {
    const { links, bank, run } = tools;
    claimUnused(run, 'payment-links');
    const terms = await links.smallWithCommas();
    if (terms === undefined) return;
    const next: NextRound = async () => {
      const values = links.values(terms);
      return {
        first: (asking) => bank.ask('createPaymentLink', values, asking),
        second: (asking) => bank.ask('createPaymentLink', values, { ...asking, probe: true }),
      };
    };
    await race(tools, 'links.link.once', next, { id: 'order_id', same: 'links.link.same-at-once' });
  }),
);
