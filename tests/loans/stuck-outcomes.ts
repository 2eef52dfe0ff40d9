/** Queries disbursements that may be stuck at the end of the run, so late and so often that a slow bank is no reason why they are pending. */
import { mapAll, type Tools } from '../../fixtures/runner/index.ts';
import { findSuspects, outcomeNotStuck } from '../../openapi/bank/behaviours/loans/stuck.ts';
import { listLimitSeries, readLimitSeries } from './account-ledger.ts';

/** The maximum wait, in milliseconds. Most of the time that a stuck disbursement must take has passed when the run ends. */
const MAX_WAIT_MS = 30_000;
/** The times of requests and of timers are not exact. */
const TIMER_ERROR_MS = 100;

/** If disbursements are pending although later ones are complete, waits until they count as stuck. Then queries them more often than others. */
export async function queryStuckOutcomes({ bank, run, target }: Tools): Promise<void> {
  const { session } = run;
  const suspects = findSuspects(readLimitSeries(session));
  if (suspects === null || suspects.stuckFromMs - session.clock.now() > MAX_WAIT_MS) return;
  await session.waiting.waitUntil(suspects.stuckFromMs + TIMER_ERROR_MS);
  await mapAll(suspects.applications, target.inFlight, async ({ id, missingQueries }) => {
    for (let query = 0; query < missingQueries; query += 1) await bank.queryDisbursement({ application_id: id });
  });
  run.compare(outcomeNotStuck, listLimitSeries(session));
}
