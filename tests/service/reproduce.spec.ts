/** Disburses and reads limits, queries all outcomes at the end of the run, and repeats requests that have findings. */
import { areas, listAccepted, loadProbes, mapAll, scenario, test, toSent } from '../../fixtures/runner/index.ts';
import { isolatedOffers } from '../../openapi/bank/behaviours/races/isolated-offers.ts';
import { AT_LIMIT_BUDGET_AFTER_LEDGER, compareAtLimit } from '../loans/at-limit.ts';
import { areLimitsFixed, runLimitLedger } from '../loans/limit-ledger.ts';
import { queryStuckOutcomes } from '../loans/stuck-outcomes.ts';

/** The number of queries for the oldest and for the newest outcome: some faults occur in every tenth answer. */
const REPEAT_COUNT = 15;

// While this scenario runs, no other scenario disburses.
test(
  'Disbursements from one account, one by one and two at the same time, each between readings of the limit',
  ...scenario(
    'limit-ledger',
    // This scenario has a budget of its own: the examination of refusals could use up the common budget.
    { area: 'loans', stage: 'ledger', creates: { applications: 10, disbursements: 8 } },
    runLimitLedger,
  ),
);

// This scenario runs after the ledger and the races, which need an account with a limit.
test(
  'Disbursements of exactly the available limit and of less, if disbursements lower the limit',
  ...scenario('at-limit', { area: 'loans', stage: 'end', creates: AT_LIMIT_BUDGET_AFTER_LEDGER }, async (tools) => {
    if (!areLimitsFixed(tools.run.session)) await compareAtLimit(tools);
  }),
);

test(
  'Outcome queries for every disbursement, at the end of the run',
  ...scenario('late-outcomes', { area: 'loans', stage: 'end' }, async (tools) => {
    const { bank, run, target } = tools;
    run.compare(isolatedOffers, {
      answers: listAccepted(run.session.requests, 'requestLoan').flatMap(
        (request) => toSent('requestLoan', request) ?? [],
      ),
    });
    const disbursedIds = [...run.session.disbursedApplications];
    const queryAll = (applicationIds: readonly string[]) =>
      mapAll(applicationIds, target.inFlight, (application_id) => bank.queryDisbursement({ application_id }));
    const firstAndLastIds = [...new Set([...disbursedIds.slice(0, 1), ...disbursedIds.slice(-1)])];
    const [replies] = await Promise.all([
      queryAll(disbursedIds),
      queryAll(Array.from({ length: REPEAT_COUNT }, () => firstAndLastIds).flat()),
    ]);
    // The queries are repeated while no other request is in flight.
    await queryAll(disbursedIds.filter((_, index) => replies[index]?.accepted === false));
    await queryStuckOutcomes(tools);
    const firstDisbursedAt = listAccepted(run.session.requests, 'disburse')[0]?.sentAt;
    if (firstDisbursedAt === undefined) return;
    const watchedSeconds = (run.session.clock.now() - firstDisbursedAt) / 1000;
    run.unexercised(
      'service.over-time',
      `outcomes were watched for ${watchedSeconds.toFixed(1)} s (SOAK watches longer)`,
    );
  }),
);

// This scenario runs in each area after all other scenarios.
for (const area of areas)
  test(
    `Requests with findings, again one by one and at the same time (${area})`,
    ...scenario(`reproduce-${area}`, { area, stage: 'reproduction' }, (tools) =>
      loadProbes().classifyFindings(tools, area),
    ),
  );
