/** What is offered is taken, and what was taken on has an outcome. */
import {
  covers,
  claimUnused,
  contrastKinds,
  describe,
  eachOf,
  hasErrors,
  isRefusal,
  isUnknown,
  missOutcomes,
  saysTheSame,
  scenario,
  takenOf,
  test,
  UNKNOWN_ID,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

/** Refused applications that are asked about again. */
const MAX_ASKED = 8;
/** How often in a row each is asked for that is refused again, and how many have to be taken then to be a finding. */
const TIMES_AGAIN = 4;
const MIN_UNSTEADY = 2;
/** Refused applications of which no two are about the same wish, from which on they are a finding as well. */
const MIN_UNLIKE = 3;
/** Milliseconds after which another contract may be taken: a client may have one in a while. */
const APART_MS = 1000;
/** Requests under way at once, one of them the contract that is asked for again. */
const AT_ONCE = 4;

/** Whether two applications are about the same wish, whatever their orders. */
function areAlike({ terms: one }: Application, { terms: other }: Application): boolean {
  return (['amount', 'currency', 'commercial_disbursement', 'disbursement_purpose'] as const).every(
    (name) => one[name] === other[name],
  );
}

/** What is left alone until it is asked which kinds of applications fail; else it stays unused. */
const reserved = { applications: 8, disbursements: 6 } as const;

test(
  'Contracts and disbursements are taken for applications of every kind',
  ...scenario('kinds-taken', { area: 'loans', exclusive: true, creates: reserved }, (tools) => contrastKinds(tools)),
);

test(
  'A disbursement that was taken on has an outcome, whichever values it has',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, (tools) => missOutcomes(tools)),
);

/** The offer that a contract of an application is asked for over: at best over an account that other contracts leave free. */
function offerOf({ run }: Tools, { id, offers, terms }: Application): Offer | undefined {
  const covering = offers.filter((one) => covers(one, terms.amount));
  return covering.find(({ account }) => !run.session.accountContracts.mayExclude(id, account)) ?? covering[0];
}

/** The contract of an application over an offer that covers it; null where there is none. */
async function contract(tools: Tools, application: Application | null | undefined): Promise<Reply | null> {
  const offer = application == null ? undefined : offerOf(tools, application);
  return application == null || offer === undefined ? null : tools.loans.approve(application, offer);
}

/** The contract beside checks, so that it meets another machine than before: one connection leads to one machine. */
async function amongChecks(tools: Tools, application: Application, place: number): Promise<Reply | null> {
  const terms = await tools.loans.terms();
  const places = Array.from({ length: AT_ONCE }, (_, index) => index);
  const replies = await eachOf(places, AT_ONCE, (index) =>
    index === place ? contract(tools, application) : tools.loans.validate(terms),
  );
  return replies[place] ?? null;
}

/**
 * The applications of which the contract is refused whenever it is asked for; where it is not, that is a finding. Where it is
 * not of one alone, `others` are asked for as well.
 */
async function refusedAgain(
  tools: Tools,
  applications: readonly Application[],
  others: readonly Application[],
): Promise<readonly Application[]> {
  const suspects: Application[] = [];
  let [unsteady, isTaken] = [0, false];
  for (const [index, application] of [...applications, ...others].entries()) {
    if (index >= applications.length && unsteady !== 1) break;
    if (isTaken) await tools.run.session.clock.sleep(APART_MS);
    const reply = await contract(tools, application);
    let again = reply;
    for (let time = 1; time < TIMES_AGAIN && again !== null && isRefusal(again); time += 1)
      again = await amongChecks(tools, application, time);
    isTaken = again?.accepted === true;
    if (reply === null || !isRefusal(reply)) continue;
    if (!isTaken) suspects.push(application);
    // One may have become free at that very moment.
    else if ((unsteady += 1) === MIN_UNSTEADY)
      tools.check('loans.offer.is-taken', reply, false, {
        expected: 'a contract to be taken at once, as it is when it is asked for again',
        contrast: again ?? undefined,
      });
  }
  return suspects;
}

/** The contract of a fresh application beside a newer one: it is not the newest of its kind that alone is taken. */
async function takenBesideNewer(tools: Tools, { terms }: Application): Promise<Reply | null> {
  let fresh = await tools.loans.apply(terms);
  for (let round = 1; ; round += 1) {
    const newer = await tools.loans.apply(terms);
    const control = await contract(tools, fresh);
    if (control?.accepted === true || round === 2) return control;
    fresh = newer;
  }
}

/** The ids of the applications whose contract was refused. */
const refusedContracts = ({ requests }: Tools['run']['session']): ReadonlySet<string> =>
  new Set(
    requests.flatMap(({ operation, outcome, values }) =>
      operation === 'approveContract' && outcome === 'refused' ? [String(values['application_id'])] : [],
    ),
  );

test(
  'An application that was opened is known to the contract',
  ...scenario('kept-applications', { area: 'loans', exclusive: true }, async (tools) => {
    const { loans, run, check } = tools;
    claimUnused(run, 'loans');
    const refused = refusedContracts(run.session);
    const unused = loans.unused().filter((one) => {
      const offer = offerOf(tools, one);
      return offer !== undefined && !run.session.accountContracts.mayExclude(one.id, offer.account);
    });
    const [refusedOnes = [], others = []] = [true, false].map((was) =>
      unused.filter(({ id }) => refused.has(id) === was),
    );
    const suspects = await refusedAgain(tools, refusedOnes.slice(0, MAX_ASKED), others.slice(0, MAX_ASKED));
    // One may have been withdrawn for a reason; of two alike, or of several, that is less to be expected.
    const ofTwo = suspects.find((one, index) => suspects.slice(index + 1).some((other) => areAlike(one, other)));
    const first = ofTwo ?? (suspects.length < MIN_UNLIKE ? undefined : suspects[0]);
    const second = ofTwo === undefined ? suspects[1] : suspects.findLast((one) => areAlike(one, ofTwo));
    if (first === undefined || second === undefined) return;
    // An older one is taken: they did not lapse, and no newer one took their place.
    const [oldest, next] = unused.filter(({ id, at }) => !refused.has(id) && at < first.at);
    const isOlderTaken = async (one?: Application) => (await contract(tools, one))?.accepted === true;
    if (!(await isOlderTaken(oldest)) && !(await isOlderTaken(next))) return;
    if (ofTwo === undefined && (await takenBesideNewer(tools, second))?.accepted !== true) return;
    const control = await takenBesideNewer(tools, first);
    const [again, last] = [await contract(tools, first), await contract(tools, second)];
    if (control?.accepted !== true || again === null || !isRefusal(again) || last === null || !isRefusal(last)) return;
    check('loans.offer.is-taken', last, false, {
      expected: 'the contract of an application that was opened, as of others that were opened before it and after it',
      contrast: control,
    });
  }),
);

/** Milliseconds after which an application that was opened can be read. */
const VISIBLE_AFTER_MS = 3000;

test(
  'No application that was opened is refused in the words for one that does not exist',
  ...scenario('applications-disowned', { area: 'loans', exclusive: true }, async (tools) => {
    const { loans, run, probe, check } = tools;
    const refused = refusedContracts(run.session);
    const [one, other = one] = loans
      .unused()
      .filter((made) => refused.has(made.id) && offerOf(tools, made) !== undefined);
    if (one === undefined || other === undefined) return;
    claimUnused(run, 'loans');
    const first = await contract(tools, one);
    if (first === null || !isUnknown(first)) return;
    const terms = await loans.terms();
    const control = await contract(tools, await loans.apply(terms));
    const free = await loans.apply(terms);
    if (control?.accepted !== true || free === null) return;
    const known = { application_id: free.id, account_id: free.offers[0]?.account ?? UNKNOWN_ID };
    const stranger = await probe(control, { ...known, application_id: UNKNOWN_ID });
    const account = await probe(control, { ...known, account_id: UNKNOWN_ID });
    // What is not about the application has to be refused in other words.
    if (stranger === null || account === null || !isRefusal(account) || saysTheSame(account, stranger)) return;
    let seen: readonly [refused: Reply, taken: Reply] | undefined;
    for (const wish of [one, other]) {
      const fresh = await loans.apply(wish.terms);
      if (fresh === null || !areAlike(fresh, wish)) return;
      // An older one may have lapsed, and a new one may not be there at once.
      for (const ms of [0, VISIBLE_AFTER_MS]) {
        await run.session.clock.sleep(ms);
        const reply = await contract(tools, fresh);
        const beside = await contract(tools, await loans.apply(terms));
        if (reply === null || !saysTheSame(reply, stranger) || beside?.accepted !== true) return;
        seen = [reply, beside];
      }
    }
    if (seen !== undefined)
      check('loans.offer.is-taken', seen[0], false, {
        expected: 'an application that was opened to be known to the contract',
        received: `${describe(seen[0])}, in the words for an application that does not exist`,
        contrast: seen[1],
      });
  }),
);

/** Pause between two disbursements: so many in a time may be too many of one account. Milliseconds. */
const PAUSE_MS = 1000;

/** True of a text that was given for a disbursement below its limit as well: it failed for another reason. */
function wasGivenBelowLimits({ requests }: Tools['run']['session'], text: string): boolean {
  const below = takenOf(requests, 'disburse').flatMap(({ values }) => {
    const { id, accounts, limits } =
      requests.find(({ opened: one }) => one?.id === String(values['application_id']))?.opened ?? {};
    const limit = Number(limits?.[accounts?.indexOf(String(values['account_id'])) ?? -1]);
    const isBelow = values['contract_approved'] === true && Number(values['amount']) < limit;
    return isBelow ? [id] : [];
  });
  return requests.some(({ result, values }) => result === text && below.includes(String(values['application_id'])));
}

// After outcomes were asked about: its disbursements settle those that wait for the next one.
test(
  'Exactly the available limit is disbursed like a cent less',
  ...scenario('at-limit', { area: 'loans', exclusive: true }, async ({ loans, run, target, check }) => {
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    let account: string | undefined;
    /** Disburses the limit less `cents` of a new application, of one account where it is offered again; what came, with errors or not. */
    const disbursed = async (cents: number) => {
      const application = await loans.apply(terms);
      const offers = application?.offers.filter(({ limit: l }) => l !== null && l > 1 && l <= target.caps.amount) ?? [];
      const offer = offers.find((one) => one.account === account) ?? offers[0];
      account = offer?.account;
      if (application === null || offer?.limit == null || !(await loans.approve(application, offer)).accepted)
        return null;
      const amount = Number((offer.limit - cents / 100).toFixed(2));
      const reply = await loans.disburse(application, offer, { amount }, { probe: true });
      if (!reply.accepted) return { reply, made: isRefusal(reply) ? false : null };
      const outcome = await loans.settled(application.id, { probe: true });
      if (!outcome.accepted) return { reply, made: null };
      const made = !hasErrors(outcome.body);
      const text = String(outcome.data.result);
      return { reply, made: !made && wasGivenBelowLimits(run.session, text) ? null : made, text };
    };
    let contrast: Reply | undefined;
    let exact: { readonly reply: Reply; readonly text?: string } | undefined;
    // A whole unit less has the same decimals: a step of amounts is no reason.
    for (const cents of [0, 1, 100, 0, 1, 0]) {
      if (exact !== undefined) await run.session.clock.sleep(PAUSE_MS);
      const seen = await disbursed(cents);
      if (seen === null || seen.made === null) return;
      if (cents === 0) exact = seen;
      else contrast = seen.reply;
      const isAlike = seen.made === cents > 0;
      if (isAlike) continue;
      if (cents === 0 && seen.made) check('loans.disbursement.at-limit', seen.reply, true, { expected: 'to be taken' });
      return;
    }
    if (exact !== undefined)
      check('loans.disbursement.at-limit', exact.reply, false, {
        pointer: 'request/body/amount',
        expected: 'exactly the available limit to be disbursed, as a cent less is',
        ...(exact.text === undefined ? {} : { received: `the outcome ${exact.text}` }),
        contrast,
      });
  }),
);
