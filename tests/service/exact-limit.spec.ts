import { claimUnused, hasErrors, isRefusal, scenario, test, type Reply } from '../../fixtures/runner/index.ts';

/** Pause between two disbursements: so many in a time may be too many of one account. Milliseconds. */
const PAUSE_MS = 1000;

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
