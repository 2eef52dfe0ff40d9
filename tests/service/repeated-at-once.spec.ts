import {
  askUnsteady,
  claimUnused,
  isCrash,
  isPending,
  isRefusal,
  once,
  scenario,
  test,
  type Asking,
  type OperationId,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import { AT_LIMIT_BUDGET, compareAtLimit } from '../loans/at-limit.ts';
import { areLimitsFixed } from '../loans/limit-ledger.ts';

const { classifySecond, CONCURRENT_ROUNDS, ENTITY_COUNT, SEQUENTIAL_ROUNDS } = once;

const area = 'loans';
const group = 'races';

interface Round<O extends OperationId> {
  readonly first: (asking?: Asking) => Promise<Reply<O>>;
  readonly second: (asking?: Asking) => Promise<Reply<O>>;
  /** Queries between the two in a row; the returned function queries again after the second was refused. */
  readonly look?: () => Promise<() => Promise<unknown>>;
}

/** Opens the next round; null if there is none. */
type NextRound<O extends OperationId> = () => Promise<Round<O> | null>;

/** The behaviour if the second in a row is refused, and the behaviour if both answers have the same `id`. */
interface Races<O extends OperationId> {
  readonly refused: once.Race<O>;
  readonly same?: once.Race<O>;
  readonly id?: once.IdField;
}

/** Sends two requests in a row. If the second is refused or has the same id each time, sends two at once. */
async function runRace<O extends OperationId>(
  { run, target }: Tools,
  races: Races<O>,
  next: NextRound<O>,
): Promise<void> {
  // Opens all at the same time: an application is as old in each round.
  const rounds = Array.from(
    { length: target.inFlight > 1 ? SEQUENTIAL_ROUNDS + CONCURRENT_ROUNDS : SEQUENTIAL_ROUNDS },
    next,
  );
  const pairs: { readonly first: Reply<O>; readonly second: Reply<O> }[] = [];
  const repeated: Reply<O>[] = [];
  let sent: Promise<Reply<O> | undefined> = Promise.resolve(undefined);
  /** Sends a request of a pair after all earlier ones were answered: never two of them are in flight at once. */
  const sendAlone = (send: () => Promise<Reply<O>>): Promise<Reply<O>> => {
    const sending = sent.then(() => send());
    sent = sending.catch(() => undefined);
    return sending;
  };
  /** Sends two in a row. Returns how the second ended, and the query after it; undefined if the first was not accepted. */
  const inARow = async (opened: Promise<Round<O> | null>) => {
    const round = await opened;
    if (round === null) return undefined;
    const one = await sendAlone(round.first);
    if (!one.accepted) return undefined;
    const lookAgain = await round.look?.();
    const other = await sendAlone(round.second);
    // Repeats it: a crash may be an accident.
    if (isCrash(other)) repeated.push(other, await sendAlone(round.second));
    const pair = { first: one, second: other };
    pairs.push(pair);
    const end = classifySecond(one, other, races.id);
    return end === null ? null : { end, lookAgain, pair };
  };
  const controls = await Promise.all(rounds.splice(0, SEQUENTIAL_ROUNDS).map(inARow));
  // A request of the other pair came between and may be the reason for a refusal: sends such a pair again, alone.
  for (const nth of controls.keys()) if (controls[nth] === undefined) controls[nth] = await inARow(next());
  const [control, ...others] = controls;
  const inSequence = [...pairs];
  run.compare('service.odd-input', { repeated, first: pairs.map(({ first }) => first) });
  // Waits for every round: an answer after the end of the scenario would be lost.
  const opened = Promise.all(rounds);
  await Promise.all([opened, raceAtOnce(), ...[control, ...others].map((one) => one?.lookAgain?.())]);

  async function raceAtOnce(): Promise<void> {
    const race = control == null ? undefined : races[control.end];
    if (race === undefined || others.some((one) => one?.end !== control?.end)) return;
    if (target.inFlight < 2) return run.unexercised(race.id, 'IN_FLIGHT=1 sends no two requests at once');
    for (const round of await opened) {
      if (round === null) return;
      await run.session.concurrency.room(2);
      // The target may process either one first.
      const sent = round.first({ atOnce: true, probe: true });
      const [first, second] = await Promise.all([sent, round.second({ atOnce: true })]);
      if (first.outcome === 'not-sent' || second.outcome === 'not-sent') return;
      const areBothTaken = first.accepted && second.accepted && classifySecond(first, second, races.id) === null;
      if (areBothTaken && control?.end === 'refused') await run.session.waiting.apart();
      const again = areBothTaken && control?.end === 'refused' ? (await inARow(next()))?.pair : undefined;
      run.compare(race, { inSequence, atOnce: { first, second }, again });
      if (areBothTaken) return;
    }
  }
}

async function openApplication({ loans }: Tools) {
  const application = await loans.apply(await loans.terms());
  // Takes the highest limits: others may be used up.
  const [offer, other] = (application?.offers ?? []).toSorted((a, b) => Number(b.limit) - Number(a.limit));
  return application === null || offer === undefined ? null : { application, offer, other: other ?? offer };
}

test(
  'Two contract requests of one application, in a row and at once',
  ...scenario('contract-race', { area, exclusive: group }, async (tools) => {
    claimUnused(tools.run, area, { applications: ENTITY_COUNT });
    // Over different accounts: an identical contract may count as one.
    await runRace(tools, { refused: once.contractOnce }, async () => {
      const found = await openApplication(tools);
      if (found === null || found.other === found.offer) return null;
      const { application, offer, other } = found;
      // A limit below the requested amount is a reason to refuse.
      if (other.limit !== null && other.limit < application.terms.amount) return null;
      return {
        first: (asking) => tools.loans.approve(application, offer, asking),
        second: (asking) => tools.loans.approve(application, other, { ...asking, probe: true }),
      };
    });
  }),
);

test(
  'Two disbursements of one application, in a row and at once',
  ...scenario('disbursement-race', { area, exclusive: group }, async (tools) => {
    const { loans, bank, run } = tools;
    claimUnused(run, area, { applications: ENTITY_COUNT, disbursements: 2 * ENTITY_COUNT });
    // A small disbursement from earlier in the run: its outcome is final.
    const disbursements = run.session.requests.filter(({ operation }) => operation === 'disburse');
    const idIn = ({ values }: { values: Values }): string => String(values['application_id']);
    const bySize = disbursements.toSorted((a, b) => Number(a.values['amount']) - Number(b.values['amount']));
    const earlier = bySize.find(
      (one) => one.outcome === 'accepted' && disbursements.filter((other) => idIn(other) === idIn(one)).length === 1,
    );
    const earlierId = earlier === undefined ? null : idIn(earlier);
    // The smallest accepted amount is not too small.
    const least = Math.min(
      ...bySize.flatMap(({ outcome, values }) => (outcome === 'accepted' ? [Number(values['amount'])] : [])),
    );
    const [earlierAgain, before, after]: [Reply[], Reply[], Reply[]] = [[], [], []];
    await runRace(tools, { refused: once.disbursementOnce }, async () => {
      const found = await openApplication(tools);
      if (found === null || !(await loans.approve(found.application, found.offer)).accepted) return null;
      const { application, offer } = found;
      const look = async (application_id: string) => {
        const [settled, again] = await Promise.all([
          loans.settled(application.id),
          bank.queryDisbursement({ application_id }),
        ]);
        return async () => {
          if (!settled.accepted || isPending(settled.data.result)) return;
          let outcome = await loans.outcome(application);
          if (isRefusal(await loans.approve(application, offer, { probe: true })))
            outcome = await loans.outcome(application);
          earlierAgain.push(again);
          before.push(settled);
          after.push(outcome);
        };
      };
      const { amount } = application.terms;
      const less = { amount: Math.min(least, Math.max(1, Math.floor(amount / 2))) };
      // All rounds in a row may use one account.
      const room = Math.floor((offer.limit ?? Infinity) / SEQUENTIAL_ROUNDS - less.amount);
      const asked = { amount: Math.min(loans.within(offer, amount), room) };
      // Equal requests at once may count as one.
      if (asked.amount <= less.amount) return null;
      return {
        first: (asking) => loans.disburse(application, offer, asked, asking),
        second: (asking) => loans.disburse(application, offer, less, { ...asking, probe: true }),
        ...(earlierId === null ? {} : { look: () => look(earlierId) }),
      };
    });
    const told = run.session.requests.filter(({ result }) => result !== undefined);
    if (after.length > 0) run.compare('loans.outcome.final', { earlier: earlierAgain, before, after, told });
  }),
);

// Runs beside the races: with a fixed limit, it does not use the limit up.
test(
  'Disbursements of exactly the available limit and of less, where disbursements do not lower the limit',
  ...scenario('at-fixed-limit', { area, exclusive: group, creates: AT_LIMIT_BUDGET }, async (tools) => {
    if (areLimitsFixed(tools.run.session)) await compareAtLimit(tools);
  }),
);

test(
  'Two identical loan requests, in a row and at once',
  ...scenario('order-race', { area, exclusive: group, creates: { applications: 4 } }, async (tools) => {
    const { loans, bank, run } = tools;
    claimUnused(run, area);
    const terms = await loans.terms();
    const next: NextRound<'requestLoan'> = async () => {
      const values = loans.values(terms);
      return {
        first: (asking) => bank.ask('requestLoan', values, asking),
        second: (asking) => bank.ask('requestLoan', values, { ...asking, probe: true }),
      };
    };
    const races = { refused: once.applicationOnce, same: once.sameApplication } as const;
    await runRace(tools, { ...races, id: 'application_id' }, next);
  }),
);

test(
  'Two identical payment link requests, in a row and at once',
  ...scenario('link-race', { area: 'payment-links', exclusive: group }, async (tools) => {
    const { links, bank, run } = tools;
    claimUnused(run, 'payment-links');
    const terms = await links.smallWithCommas();
    if (terms === undefined) return;
    const next: NextRound<'createPaymentLink'> = async () => {
      const values = links.values(terms);
      return {
        first: (asking) => bank.ask('createPaymentLink', values, asking),
        second: (asking) => bank.ask('createPaymentLink', values, { ...asking, probe: true }),
      };
    };
    await runRace(tools, { refused: once.linkOnce, same: once.sameLink, id: 'order_id' }, next);
  }),
);

// Runs after the races: these requests use the rest of the caps.
for (const area of ['loans', 'payment-links'] as const)
  test(
    `Refused requests repeated with fresh ids (${area})`,
    ...scenario(`taken-each-time-${area}`, { area, exclusive: true }, (tools) => askUnsteady(tools, area)),
  );
