import {
  areas,
  claimUnused,
  classifyFindings,
  contrast,
  hasErrors,
  listTaken,
  mapAll,
  scenario,
  test,
  type LoggedRequest,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { keepLedger, needsHigherCap } from '../loans/limit-ledger.ts';
import { openFor } from '../loans/open-for.ts';

/** Queries for the oldest and the newest outcome: some faults appear in every tenth answer. */
const REPEAT_COUNT = 15;

/** Returns queries of disbursements below their limits: a failure with the same text has another reason. */
function listOutcomesBelowLimit({ requests }: Tools['run']['session']): readonly LoggedRequest[] {
  const below = listTaken(requests, 'disburse').flatMap(({ values }) => {
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

/**
 * Cents below the limit: exactly the limit (A), or less (B). A whole unit less keeps the decimals, so that a step of amounts is
 * no reason.
 */
const CENTS_BELOW_LIMIT = [0, 1, 100, 0, 1];
/** At most this many applications are opened to get the same account offered again. */
const MAX_OPENED = 6;
/** All turns, each with two applications. */
const AT_LIMIT_BUDGET = { applications: 8, disbursements: 4 };

// Runs when no other scenario disburses from the accounts.
test(
  'Disbursements from one account, one by one and two at once, with the limit read before and after each',
  ...scenario(
    'limit-ledger',
    // Its own share, so that questions about refusals leave enough for eight steps and two at once.
    { area: 'loans', exclusive: true, creates: { applications: 14, disbursements: 10 } },
    keepLedger,
  ),
);

// Runs after the ledger and the races, which need an account with a limit.
test(
  'Disbursements of exactly the available limit, one cent less, and one whole unit less',
  ...scenario(
    'at-limit',
    { area: 'loans', exclusive: 'limit', creates: AT_LIMIT_BUDGET },
    async ({ loans, run, target }) => {
      claimUnused(run, 'loans');
      const clause = 'loans.disbursement.at-limit';
      const terms = await loans.terms();
      /** Accounts that refused exactly their limit, or may have. */
      const tried = new Set<string>();
      const outcomes = new Map<Reply, Reply>();
      /** Disburses the limit minus `cents` for a new application, from the same account if it is offered again. */
      const disbursed = async (cents: number): Promise<Reply | null> => {
        let first = await loans.apply(terms);
        const isOnOffer = (): boolean => first?.offers.some(({ account }) => tried.has(account)) ?? true;
        for (let opened = 1; opened < MAX_OPENED && cents > 0 && !isOnOffer(); opened += 1)
          first = await loans.apply(terms);
        const all = first?.offers.filter(({ limit }) => limit !== null && limit > 1) ?? [];
        const offers = all.filter(({ limit }) => Number(limit) <= target.caps.amount);
        const shown = offers.find(({ account }) => tried.has(account)) ?? offers[0];
        if (shown === undefined && all.length > 0)
          run.unexercised(clause, needsHigherCap(Math.min(...all.map(({ limit }) => Number(limit)))));
        if (first === null || shown?.limit == null) return null;
        if (cents === 0) tried.add(shown.account);
        const amount = Number((shown.limit - cents / 100).toFixed(2));
        const { application, offer } = await openFor(loans, { application: first, offer: shown }, amount);
        if (!(await loans.approve(application, offer)).accepted) return null;
        const reply = await loans.disburse(application, offer, { amount }, { probe: true });
        if (reply.accepted) outcomes.set(reply, await loans.settled(application.id, { probe: true }));
        return reply;
      };
      const asked: Readonly<Record<'exact' | 'less', Reply[]>> = { exact: [], less: [] };
      await contrast({
        turns: CENTS_BELOW_LIMIT.map((cents) => (cents === 0 ? 'A' : 'B')),
        async ask(side, turn) {
          // An account may have a limit on disbursements in some time.
          if (turn > 0) await run.session.waiting.apart();
          const reply = await disbursed(CENTS_BELOW_LIMIT[turn] ?? 0);
          if (reply !== null) asked[side === 'A' ? 'exact' : 'less'].push(reply);
          return reply;
        },
        isExpected(side, reply) {
          const outcome = outcomes.get(reply);
          return (outcome?.accepted === true && !hasErrors(outcome.body)) === (side === 'B');
        },
      });
      const outcome = [...outcomes.values()];
      run.compare(clause, { ...asked, outcome, below: listOutcomesBelowLimit(run.session) });
    },
  ),
);

test(
  'Every outcome again at the end of the run',
  ...scenario('late-outcomes', { area: 'loans', exclusive: 'limit' }, async ({ bank, run, target }) => {
    const disbursed = [...run.session.disbursed];
    const ask = (ids: readonly string[]) =>
      mapAll(ids, target.inFlight, (application_id) => bank.queryDisbursement({ application_id }));
    const ends = [...new Set([...disbursed.slice(0, 1), ...disbursed.slice(-1)])];
    const [replies] = await Promise.all([ask(disbursed), ask(Array.from({ length: REPEAT_COUNT }, () => ends).flat())]);
    // Repeats the queries with nothing else in flight.
    await ask(disbursed.filter((_, index) => replies[index]?.accepted === false));
    const since = listTaken(run.session.requests, 'disburse')[0]?.at;
    if (since === undefined) return;
    const seconds = (run.session.clock.now() - since) / 1000;
    run.unexercised('service.over-time', `outcomes were watched for ${seconds.toFixed(1)} s (SOAK watches longer)`);
  }),
);

// Runs in each area after all other scenarios.
for (const area of areas)
  test(
    `Requests with findings, repeated in a row and at once (${area})`,
    ...scenario(`reproduce-${area}`, { area, exclusive: true, last: true }, (tools) => classifyFindings(tools, area)),
  );
