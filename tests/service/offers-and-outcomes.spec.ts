/** What is offered is taken, and what was taken on has an outcome. */
import {
  claimUnused,
  contrastKinds,
  eachOf,
  hasErrors,
  isRefusal,
  missOutcomes,
  scenario,
  test,
  type Application,
  type Offer,
  type Reply,
} from '../../fixtures/runner/index.ts';
/** Pause after which whatever was written last can be read. Milliseconds. */
const SETTLING_MS = 1000;
/** Refused applications that are asked about again. */
const MAX_ASKED = 8;
/** How often in a row each is asked for that is refused again, and how many have to be taken then to be a finding. */
const TIMES_AGAIN = 4;
const MIN_UNSTEADY = 2;
/** Requests under way at once, one of them the contract that is asked for again. */
const AT_ONCE = 4;

/** Whether two applications are about the same wish, whatever their orders. */
function areAlike({ terms: one }: Application, { terms: other }: Application): boolean {
  return (['amount', 'currency', 'commercial_disbursement', 'disbursement_purpose'] as const).every(
    (name) => one[name] === other[name],
  );
}

test(
  'An account on offer is taken in a contract',
  ...scenario('offers-taken', { area: 'loans', exclusive: true }, async (tools) => {
    const { loans, check, run } = tools;
    claimUnused(run, 'loans');
    const { requests, clock } = run.session;
    const accounts = new Map(
      requests.flatMap(({ opened }) => (opened === undefined ? [] : [[opened.id, opened.accounts]])),
    );
    const positionOf = (values: Readonly<Record<string, unknown>>): number =>
      (accounts.get(String(values['application_id'])) ?? []).indexOf(String(values['account_id']));
    const isLastOf = (values: Readonly<Record<string, unknown>>): boolean =>
      positionOf(values) === (accounts.get(String(values['application_id'])) ?? []).length - 1;
    const contracts = requests.filter(({ operation }) => operation === 'approveContract');
    const [known] = contracts.filter(({ how }) => how === 'taken');
    if (known === undefined) return;
    const about = 'loans.offer.is-taken';
    run.exercised(about, 'approveContract', known.exchange);
    const refused = contracts.filter(({ how, values }) => how === 'refused' && positionOf(values) >= 0);
    // A limit below the amount that was applied for is a reason to refuse.
    const covers = ({ limit }: Offer, { amount }: Application['terms']): boolean => limit === null || limit >= amount;
    if (refused.length === 0) return;
    const positions = new Set(contracts.filter(({ how }) => how === 'taken').map(({ values }) => positionOf(values)));
    const terms = await loans.terms();
    const ask = async (position: number, times: number): Promise<readonly Reply[]> => {
      const application = await loans.apply(terms);
      const offer = application?.offers.at(position);
      if (application === null || offer === undefined || !covers(offer, application.terms)) return [];
      await clock.sleep(SETTLING_MS);
      const first = await loans.approve(application, offer);
      return times === 1 || first.accepted ? [first] : [first, await loans.approve(application, offer)];
    };
    /** Whether the account at one end is taken and that at the other is not, twice in turn. */
    const differ = async (takenAt: number, refusedAt: number, which: string): Promise<boolean> => {
      let [taken, other]: (Reply | undefined)[] = [];
      for (const position of [takenAt, refusedAt, takenAt, refusedAt]) {
        const [reply] = await ask(position, 1);
        if (reply === undefined || (position === takenAt ? !reply.accepted : !isRefusal(reply))) return false;
        if (position === takenAt) taken = reply;
        else other = reply;
      }
      if (other !== undefined) check(about, other, false, { expected: which, contrast: taken });
      return true;
    };
    const isRefusedAt = (isAt: (position: number) => boolean): boolean =>
      refused.some(({ values }) => isAt(positionOf(values)));
    if (positions.size === 1 && positions.has(0) && isRefusedAt((position) => position > 0)) {
      await differ(0, 1, 'the second account on offer to be taken, as the first is');
      return;
    }
    const asTheLast = 'the first account on offer to be taken, as the last is';
    if (positions.size > 1 && isRefusedAt((position) => position === 0) && (await differ(-1, 0, asTheLast))) return;
    const atLast = contracts.filter(({ values }) => positionOf(values) > 0 && isLastOf(values));
    if (atLast.length > 0 && atLast.every(({ how }) => how === 'refused')) {
      await differ(0, -1, 'the last account on offer to be taken, as the first is');
      return;
    }
    for (let time = 1; time <= 2; time += 1) {
      const [first, again] = await ask(0, 2);
      if (first === undefined || again === undefined || !isRefusal(first) || !again.accepted) return;
      if (time === 2)
        check(about, first, false, {
          expected: 'a contract to be taken at once, as it is when it is asked for again',
          contrast: again,
        });
    }
  }),
);

test(
  'Contracts and disbursements are taken for applications of every kind',
  ...scenario('kinds-taken', { area: 'loans', exclusive: true }, (tools) => contrastKinds(tools)),
);

test(
  'A disbursement that was taken on has an outcome, whichever values it has',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, (tools) => missOutcomes(tools)),
);

test(
  'An application that was opened is known to the contract',
  ...scenario('kept-applications', { area: 'loans', exclusive: true }, async ({ loans, run, check }) => {
    claimUnused(run, 'loans');
    const refused = new Set(
      run.session.requests
        .filter(({ operation, how }) => operation === 'approveContract' && how === 'refused')
        .map(({ values }) => String(values['application_id'])),
    );
    const unused = loans.unused();
    const contract = async (application: Application | null | undefined): Promise<Reply | null> => {
      // A limit below the amount that was applied for is a reason to refuse.
      const offer = application?.offers.find(({ limit }) => limit === null || limit >= application.terms.amount);
      return application == null || offer === undefined ? null : loans.approve(application, offer);
    };
    const terms = await loans.terms();
    /** The contract beside checks, so that it meets another machine than before: one connection leads to one machine. */
    const amongChecks = async (application: Application, place: number): Promise<Reply | null> => {
      const places = Array.from({ length: AT_ONCE }, (_, index) => index);
      const replies = await eachOf(places, AT_ONCE, (index) =>
        index === place ? contract(application) : loans.validate(terms),
      );
      return replies[place] ?? null;
    };
    const suspects: Application[] = [];
    let unsteady = 0;
    for (const application of unused.filter(({ id }) => refused.has(id)).slice(0, MAX_ASKED)) {
      const reply = await contract(application);
      if (reply === null || !isRefusal(reply)) continue;
      let again: Reply | null = reply;
      for (let time = 1; time < TIMES_AGAIN && again !== null && isRefusal(again); time += 1)
        again = await amongChecks(application, time);
      if (again?.accepted !== true) suspects.push(application);
      // One may have become free at that very moment.
      else if ((unsteady += 1) === MIN_UNSTEADY)
        check('loans.offer.is-taken', reply, false, {
          expected: 'a contract to be taken at once, as it is when it is asked for again',
          contrast: again,
        });
    }
    // One may have been withdrawn for a reason; of two alike that is less to be expected.
    const first = suspects.find((one, index) => suspects.slice(index + 1).some((other) => areAlike(one, other)));
    const second = first && suspects.findLast((one) => areAlike(one, first));
    if (first === undefined || second === undefined) return;
    // An older one is taken: they did not lapse, and no newer one took their place.
    const [oldest, next] = unused.filter(({ id, at }) => !refused.has(id) && at < first.at);
    if (!((await contract(oldest))?.accepted === true || (await contract(next))?.accepted === true)) return;
    // One of the same wish is taken beside a newer one: it is not the newest of its kind that alone is.
    let control: Reply | null = null;
    let fresh = await loans.apply(first.terms);
    for (let round = 0; round < 2 && control?.accepted !== true; round += 1) {
      const newer = await loans.apply(first.terms);
      control = await contract(fresh);
      fresh = newer;
    }
    const [again, last] = [await contract(first), await contract(second)];
    if (control?.accepted !== true || again === null || !isRefusal(again) || last === null || !isRefusal(last)) return;
    check('loans.offer.is-taken', last, false, {
      expected: 'the contract of an application that was opened, as of others that were opened before it and after it',
      contrast: control,
    });
  }),
);

/** Pause between two disbursements: so many in a time may be too many of one account. Milliseconds. */
const PAUSE_MS = 1000;

// After outcomes were asked about: its disbursements settle those that wait for the next one.
test(
  'Exactly the available limit is disbursed like a cent less',
  ...scenario('at-limit', { area: 'loans', exclusive: true }, async ({ loans, run, target, check }) => {
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    /** Disburses the limit less `cents` of a new application; what came, told with errors or not. */
    const disbursed = async (cents: number) => {
      const application = await loans.apply(terms);
      const offer = application?.offers.find(({ limit }) => limit !== null && limit > 1 && limit <= target.caps.amount);
      if (application === null || offer?.limit == null || !(await loans.approve(application, offer)).accepted)
        return null;
      const amount = Number((offer.limit - cents / 100).toFixed(2));
      const reply = await loans.disburse(application, offer, { amount }, { probe: true });
      if (!reply.accepted) return { reply, made: isRefusal(reply) ? false : null };
      const told = await loans.settled(application.id, { probe: true });
      return { reply, made: told.accepted ? !hasErrors(told.body) : null };
    };
    let contrast: Reply | undefined;
    let exact: Reply | undefined;
    // A whole unit less has the same decimals: a step of amounts is no reason.
    for (const cents of [0, 1, 100, 0]) {
      if (exact !== undefined) await run.session.clock.sleep(PAUSE_MS);
      const seen = await disbursed(cents);
      if (seen === null || seen.made === null) return;
      if (cents === 0) exact = seen.reply;
      else contrast = seen.reply;
      const isAlike = seen.made === cents > 0;
      if (isAlike) continue;
      if (cents === 0 && seen.made) check('loans.disbursement.at-limit', seen.reply, true, { expected: 'to be taken' });
      return;
    }
    if (exact !== undefined)
      check('loans.disbursement.at-limit', exact, false, {
        pointer: 'request/body/amount',
        expected: 'exactly the available limit to be disbursed, as a cent less is',
        contrast,
      });
  }),
);
