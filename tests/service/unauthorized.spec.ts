import { areas, scenario, test, type Reply } from '../../fixtures/runner/index.ts';

/** Requests whose answer hangs on no earlier request, by area. */
const stateless = {
  loans: ['validateLoan'],
  'payment-links': ['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments'],
  atms: ['findAtms'],
} as const;
/** Requests that are sent again, and how often each. */
const MAX_AGAIN = 6;
const TIMES_AGAIN = 2;
/** A single 401 that is not repeated may be an accident. */
const MIN_HEALED = 2;

for (const area of areas)
  test(
    `What was answered with 401 is refused again (${area})`,
    ...scenario(`unauthorized-${area}`, { area, exclusive: true, last: true }, async ({ bank, check, run, target }) => {
      // A token may have been replaced meanwhile.
      if (target.accessTokenCommand !== null || target.hooks !== null) return;
      const sent = run.session.requests.filter(({ operation }) => stateless[area].some((one) => one === operation));
      const refused = sent.filter(({ how }) => how === 'unauthorized');
      const healed: Reply[] = [];
      for (const { operation, values } of refused.slice(0, MAX_AGAIN)) {
        const replies: Reply[] = [];
        for (let time = 0; time < TIMES_AGAIN; time += 1) replies.push(await bank.ask(operation, values));
        const [reply] = replies;
        if (reply !== undefined && replies.every(({ accepted }) => accepted)) healed.push(reply);
      }
      const [given] = healed;
      const taken = sent.find(({ how }) => how === 'taken');
      if (given !== undefined && healed.length >= MIN_HEALED)
        check('service.credentials-stay', given, false, {
          pointer: 'response/status',
          expected: 'the credentials to be accepted each time',
          received: `status 401 to ${healed.length} requests that were accepted when they were sent again as they were`,
        });
      else if (taken !== undefined) run.exercised('service.credentials-stay', taken.operation, taken.exchange);
    }),
  );
