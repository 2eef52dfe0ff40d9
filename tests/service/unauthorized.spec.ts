import { areas, describe, scenario, test, type Reply, type Tools, type Values } from '../../fixtures/runner/index.ts';

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

/** The same query with a token (+) and without: two to four machines that take turns get both. */
const WITH_AND_WITHOUT = '++-+-++-+-+++--+++-++';
/** How many without have to be refused, beside those with a token, which all have to be taken. */
const MIN_WITHOUT = 3;

/** Reports a locator that asks for a token at times; false where the token makes no difference. */
async function asksForToken({ bank, run, target }: Tools, values: Values): Promise<boolean> {
  const refused: Reply[] = [];
  let taken: Reply | undefined;
  for (const how of target.accessToken === null ? '' : WITH_AND_WITHOUT) {
    const mutate = how === '+' ? { mutate: <D extends object>(draft: D) => ({ ...draft, bearer: true }) } : {};
    const reply = await bank.ask('findAtms', values, mutate);
    if (how === '+' && !reply.accepted) return false;
    if (how === '+') taken = reply;
    else if (reply.status === 401) refused.push(reply);
  }
  const [one] = refused;
  if (one === undefined || taken === undefined || refused.length < MIN_WITHOUT) return false;
  run.break({
    clause: 'atms.header.no-authorization',
    operation: 'findAtms',
    pointer: 'request/header/Authorization',
    kind: 'behaviour',
    expected: 'the documented request to be accepted',
    received: `${describe(one)} at times, while with a token it is accepted each time`,
    exchange: one.exchange.id,
    contrast: taken.exchange.id,
  });
  return true;
}

for (const area of areas)
  test(
    `What was answered with 401 is refused again (${area})`,
    ...scenario(`unauthorized-${area}`, { area, exclusive: true, last: true }, async (tools) => {
      const { bank, check, run, target } = tools;
      // A token may have been replaced meanwhile.
      if (target.accessTokenCommand !== null || target.hooks !== null) return;
      const sent = run.session.requests.filter(({ operation }) => stateless[area].some((one) => one === operation));
      const refused = sent.filter(({ outcome }) => outcome === 'unauthorized');
      const healed: Reply[] = [];
      for (const { operation, values } of refused.slice(0, MAX_AGAIN)) {
        const replies: Reply[] = [];
        for (let time = 0; time < TIMES_AGAIN; time += 1) replies.push(await bank.ask(operation, values));
        // Of machines that take turns one may refuse it each time.
        const reply = replies.find(({ accepted }) => accepted);
        if (reply !== undefined) healed.push(reply);
      }
      const [given] = healed;
      const [query] = area === 'atms' && healed.length >= MIN_HEALED ? refused : [];
      if (query !== undefined && (await asksForToken(tools, query.values))) return;
      const taken = sent.find(({ outcome }) => outcome === 'accepted');
      if (given !== undefined && healed.length >= MIN_HEALED)
        check('service.credentials-stay', given, false, {
          pointer: 'response/status',
          expected: 'the credentials to be accepted each time',
          received: `status 401 to ${healed.length} requests that were accepted when they were sent again as they were`,
        });
      else if (taken !== undefined) run.exercised('service.credentials-stay', taken.operation, taken.exchange);
    }),
  );
