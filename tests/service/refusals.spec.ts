import {
  areas,
  covers,
  claimUnused,
  describe,
  isRefusal,
  learnRequests,
  scenario,
  test,
  type LoggedRequest,
  type Reply,
  type Values,
} from '../../fixtures/runner/index.ts';

/** What is left alone until it is asked what some failures have in common; of a target that fails at nothing it stays unused. */
const reserved = { loans: { applications: 6 }, 'payment-links': { links: 16 }, atms: {} } as const;

for (const area of areas)
  test(
    `What is refused has a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: 'refusals', creates: reserved[area] }, (tools) =>
      learnRequests(tools, area),
    ),
  );

/** Times that what was refused at times is asked for again. */
const ROUNDS = 6;
/** How many of them have to be refused, and how many taken after that. */
const MIN_EACH = 2;

test(
  'A disbursement that is taken is taken at once',
  ...scenario('disbursed-at-times', { area: 'loans', exclusive: true }, async ({ loans, run }) => {
    claimUnused(run, 'loans');
    const sent = run.session.requests.filter(({ operation }) => operation === 'disburse');
    const refusedFirst = sent.filter(({ outcome, values, at }) => {
      const isSame = (one: Values): boolean => one['application_id'] === values['application_id'];
      return (
        outcome === 'refused' && sent.some((one) => one.outcome === 'accepted' && one.at > at && isSame(one.values))
      );
    });
    if (refusedFirst.length < MIN_EACH) return;
    const terms = await loans.terms();
    const refused: Reply[] = [];
    const again: Reply[] = [];
    const atOnce: Reply[] = [];
    const later: (() => Promise<Reply>)[] = [];
    const approved: (() => Promise<Reply>)[] = [];
    while (approved.length < ROUNDS) {
      const application = await loans.apply(terms);
      const offer = application?.offers.find((one) => covers(one, application.terms.amount));
      if (application === null || offer === undefined || !(await loans.approve(application, offer)).accepted) break;
      approved.push(() => loans.disburse(application, offer));
    }
    await run.session.waiting.visible();
    for (const [round, disburse] of approved.entries()) {
      // Machines that take turns must not fall into the step of the rounds: neither those for all requests nor those for disbursements.
      if (round % 2 === 1) await loans.validate(terms);
      const first = await disburse();
      if (!first.accepted && !isRefusal(first)) return;
      (first.accepted ? atOnce : refused).push(first);
      if (first.accepted) continue;
      if (round % 2 === 1) later.push(disburse);
      else again.push(await disburse());
    }
    for (const disburse of later) {
      const next = await disburse();
      again.push(next.accepted ? next : await disburse());
    }
    if (atOnce.length === 0 || refused.length < MIN_EACH) return;
    run.compare(
      'loans.disbursement.refusal-explained',
      { refused, taken: [...atOnce, ...again] },
      { expected: 'a disbursement to be taken at once, as others are, or to be refused when it is asked for again' },
    );
  }),
);

/** Applications of which the contract may be lost; the first so many of which one has to be, and how many in the end. */
const [MAX_CONTRACTS, CONTRACTS_FIRST, MIN_LOST] = [14, 6, 2];
/** The steps of one application. */
type Steps = Readonly<Record<'approve' | 'disburse', () => Promise<Reply>>>;
/** Of so many of them it is asked whether some machine knows the contract. */
const MAX_LOST = 4;

/** The applications of which the first disbursement under a contract was refused, although as much was disbursed of another. */
function refusedUnderContract(requests: readonly LoggedRequest[]): ReadonlySet<unknown> {
  const disbursements = requests.filter(({ operation }) => operation === 'disburse');
  const taken = disbursements.filter(({ outcome }) => outcome === 'accepted');
  const highest = (currency: unknown): number =>
    Math.max(
      ...taken.filter((one) => one.values['currency'] === currency).map(({ values }) => Number(values['amount'])),
    );
  const refused = disbursements.filter((one) => {
    const { amount, currency, contract_approved: isApproved, application_id: id } = one.values;
    const isRefused = isRefusal(one) && isApproved === true;
    const isBefore = ({ at, outcome, values }: LoggedRequest): boolean =>
      outcome === 'accepted' && at < one.at && values['application_id'] === id;
    const steps = requests.filter(isBefore).map(({ operation }) => operation);
    const isDue = steps.includes('approveContract') && !steps.includes('disburse');
    return isRefused && isDue && Number(amount) <= highest(currency);
  });
  return new Set(refused.map(({ values }) => values['application_id']));
}

test(
  'A contract that was taken is there for the disbursement',
  ...scenario('contracts-kept', { area: 'loans', exclusive: true }, async ({ loans, run }) => {
    if (refusedUnderContract(run.session.requests).size < MIN_LOST) return;
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    const lost: Steps[] = [];
    const kept: Reply[] = [];
    for (let round = 0; round < MAX_CONTRACTS && (lost.length < MIN_LOST || kept.length < MIN_EACH); round += 1) {
      const application = round === CONTRACTS_FIRST && lost.length === 0 ? null : await loans.apply(terms);
      const offer = application?.offers.find((one) => covers(one, application.terms.amount));
      if (application === null || offer === undefined || !(await loans.approve(application, offer)).accepted) return;
      const disburse = () => loans.disburse(application, offer);
      const first = await disburse();
      // Those that are taken come after one that is not: what was used up is used up for them as well.
      if (first.accepted && lost.length > 0) kept.push(first);
      if (!first.accepted && !isRefusal(first)) return;
      if (!first.accepted) lost.push({ approve: () => loans.approve(application, offer), disburse });
    }
    if (lost.length < MIN_LOST || kept.length < MIN_EACH) return;
    await run.session.waiting.visible();
    const compare = (refused: readonly Reply[], taken: readonly Reply[], until: string): void => {
      const expected = 'a disbursement under a contract that was taken to be taken, as others are';
      const received = `${describe(refused.at(-1) as Reply)} ${until}`;
      run.compare(
        'loans.disbursement.refusal-explained',
        { refused, taken: [...kept, ...taken] },
        { expected, received },
      );
    };
    // One of the machines that take turns may know the contract, however long ago it was taken.
    const refusedFirst: Reply[] = [];
    const takenThen: Reply[] = [];
    const still: (Steps & { readonly refused: Reply })[] = [];
    const asked = lost.slice(0, MAX_LOST);
    for (const one of asked) {
      const again = await one.disburse();
      const next = isRefusal(again) ? await one.disburse() : again;
      if (!again.accepted && next.accepted) {
        refusedFirst.push(again);
        takenThen.push(next);
      } else if (isRefusal(next)) still.push({ ...one, refused: next });
    }
    if (takenThen.length >= MIN_LOST) compare(refusedFirst, takenThen, 'and then, at once, the same is taken');
    if (still.length < asked.length) return;
    const renewed: Reply[] = [];
    const some = still.slice(0, MIN_LOST);
    for (const { approve, disburse } of some) {
      if (!(await approve()).accepted) return;
      await run.session.waiting.visible();
      const next = await disburse();
      if (!next.accepted) return;
      renewed.push(next);
    }
    const refused = some.map((one) => one.refused);
    compare(refused, renewed, 'until the same contract was asked for once more');
  }),
);
