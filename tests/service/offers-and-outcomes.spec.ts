/** What is offered is taken, and what was taken on has an outcome. */
import {
  covers,
  claimUnused,
  eachOf,
  hasErrors,
  isRefusal,
  isUnknown,
  learnSteps,
  missOutcomes,
  saysTheSame,
  scenario,
  takenOf,
  test,
  UNKNOWN_ID,
  type Application,
  type LoggedRequest,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

/** Refused applications that are asked about again. */
const MAX_ASKED = 8;
/** How often in a row each is asked for that is refused again. */
const TIMES_AGAIN = 4;
/** Refused applications of which no two are about the same wish, from which on they are a finding as well. */
const MIN_UNLIKE = 3;
/** Requests under way at once, one of them the contract that is asked for again. */
const AT_ONCE = 4;

/** Whether two applications are about the same wish, whatever their orders. */
function areAlike({ terms: one }: Application, { terms: other }: Application): boolean {
  return (['amount', 'currency', 'commercial_disbursement', 'disbursement_purpose'] as const).every(
    (name) => one[name] === other[name],
  );
}

/** What is left alone until it is asked which kinds of applications fail; else it stays unused. */
const reserved = { applications: 10, disbursements: 14 } as const;

test(
  'Contracts and disbursements are taken for applications of every kind',
  ...scenario('kinds-taken', { area: 'loans', exclusive: true, creates: reserved }, (tools) => learnSteps(tools)),
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
  const unsteady: { refused: Reply[]; taken: Reply[] } = { refused: [], taken: [] };
  let isTaken = false;
  for (const [index, application] of [...applications, ...others].entries()) {
    if (index >= applications.length && unsteady.refused.length !== 1) break;
    // A client may have one contract in a while.
    if (isTaken) await tools.run.session.waiting.apart();
    const reply = await contract(tools, application);
    let again = reply;
    for (let time = 1; time < TIMES_AGAIN && again !== null && isRefusal(again); time += 1)
      again = await amongChecks(tools, application, time);
    isTaken = again?.accepted === true;
    if (reply === null || !isRefusal(reply)) continue;
    if (!isTaken || again === null) {
      suspects.push(application);
      continue;
    }
    unsteady.refused.push(reply);
    unsteady.taken.push(again);
  }
  if (unsteady.refused.length > 0)
    tools.run.compare('loans.offer.is-taken', unsteady, {
      expected: 'a contract to be taken at once, as it is when it is asked for again',
    });
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
    const { loans, run } = tools;
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
    const taken = async (one?: Application): Promise<Reply | null> => {
      const reply = await contract(tools, one);
      return reply?.accepted === true ? reply : null;
    };
    const older = (await taken(oldest)) ?? (await taken(next));
    if (older === null) return;
    if (ofTwo === undefined && (await takenBesideNewer(tools, second))?.accepted !== true) return;
    const control = await takenBesideNewer(tools, first);
    const [again, last] = [await contract(tools, first), await contract(tools, second)];
    if (control?.accepted !== true || again === null || !isRefusal(again) || last === null || !isRefusal(last)) return;
    run.compare(
      'loans.offer.is-taken',
      { refused: [again, last], taken: [older, control] },
      {
        expected:
          'the contract of an application that was opened, as of others that were opened before it and after it',
      },
    );
  }),
);

test(
  'No application that was opened is refused in the words for one that does not exist',
  ...scenario('applications-disowned', { area: 'loans', exclusive: true }, async (tools) => {
    const { loans, run, probe } = tools;
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
    const disowned: Reply[] = [];
    const besides: Reply[] = [];
    for (const wish of [one, other]) {
      const fresh = await loans.apply(wish.terms);
      if (fresh === null || !areAlike(fresh, wish)) return;
      // An older one may have lapsed, and a new one may not be there at once.
      for (const isLater of [false, true]) {
        if (isLater) await run.session.waiting.visible();
        const reply = await contract(tools, fresh);
        const beside = await contract(tools, await loans.apply(terms));
        if (reply === null || !saysTheSame(reply, stranger) || beside?.accepted !== true) return;
        disowned.push(reply);
        besides.push(beside);
      }
    }
    run.compare('loans.offer.is-taken', { disowned, beside: besides, stranger, account });
  }),
);

/** The outcomes that the run was told of disbursements below their limits: what failed so there failed for another reason. */
function toldBelowLimits({ requests }: Tools['run']['session']): readonly LoggedRequest[] {
  const below = takenOf(requests, 'disburse').flatMap(({ values }) => {
    const { id, accounts, limits } =
      requests.find(({ opened: one }) => one?.id === String(values['application_id']))?.opened ?? {};
    const limit = Number(limits?.[accounts?.indexOf(String(values['account_id'])) ?? -1]);
    const isBelow = values['contract_approved'] === true && Number(values['amount']) < limit;
    return isBelow ? [id] : [];
  });
  return requests.filter(
    ({ result, values }) => result !== undefined && below.includes(String(values['application_id'])),
  );
}

// After outcomes were asked about: its disbursements settle those that wait for the next one.
test(
  'Exactly the available limit is disbursed like a cent less',
  ...scenario('at-limit', { area: 'loans', exclusive: true }, async ({ loans, run, target }) => {
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    let account: string | undefined;
    /** Disburses the limit less `cents` of a new application, of one account where it is offered again; what came. */
    const disbursed = async (cents: number) => {
      const application = await loans.apply(terms);
      const offers = application?.offers.filter(({ limit: l }) => l !== null && l > 1 && l <= target.caps.amount) ?? [];
      const offer = offers.find((one) => one.account === account) ?? offers[0];
      account = offer?.account;
      if (application === null || offer?.limit == null || !(await loans.approve(application, offer)).accepted)
        return null;
      const amount = Number((offer.limit - cents / 100).toFixed(2));
      const reply = await loans.disburse(application, offer, { amount }, { probe: true });
      return { reply, outcome: reply.accepted ? await loans.settled(application.id, { probe: true }) : null };
    };
    const [exact, less, outcome]: [Reply[], Reply[], Reply[]] = [[], [], []];
    // A whole unit less has the same decimals: a step of amounts is no reason.
    for (const cents of [0, 1, 100, 0, 1, 0]) {
      // So many in a time may be too many of one account.
      if (exact.length > 0) await run.session.waiting.apart();
      const seen = await disbursed(cents);
      if (seen === null) break;
      (cents === 0 ? exact : less).push(seen.reply);
      if (seen.outcome !== null) outcome.push(seen.outcome);
      const isMade = seen.outcome?.accepted === true && !hasErrors(seen.outcome.body);
      if (isMade !== cents > 0) break;
    }
    run.compare('loans.disbursement.at-limit', { exact, less, outcome, below: toldBelowLimits(run.session) });
  }),
);
