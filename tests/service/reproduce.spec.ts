import { areas, listTaken, loadProbes, mapAll, scenario, test } from '../../fixtures/runner/index.ts';
import { AT_LIMIT_BUDGET, compareAtLimit } from '../loans/at-limit.ts';
import { areLimitsFixed, runLimitLedger } from '../loans/limit-ledger.ts';

/** Queries for the oldest and the newest outcome: some faults appear in every tenth answer. */
const REPEAT_COUNT = 15;

// Runs when no other scenario disburses from the accounts.
test(
  'Disbursements from one account, one by one and two at once, with the limit read before and after each',
  ...scenario(
    'limit-ledger',
    // Its own share, so that questions about refusals leave something.
    { area: 'loans', exclusive: true, creates: { applications: 6, disbursements: 6 } },
    runLimitLedger,
  ),
);

// Runs after the ledger and the races, which need an account with a limit.
test(
  'Disbursements of exactly the available limit and of less, where disbursements lower the limit',
  ...scenario('at-limit', { area: 'loans', exclusive: 'limit', creates: AT_LIMIT_BUDGET }, async (tools) => {
    if (!areLimitsFixed(tools.run.session)) await compareAtLimit(tools);
  }),
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
    ...scenario(`reproduce-${area}`, { area, exclusive: true, last: true }, (tools) =>
      loadProbes().classifyFindings(tools, area),
    ),
  );
