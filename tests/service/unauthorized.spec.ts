import { areas, describe, scenario, test, type Reply, type Tools, type Values } from '../../fixtures/runner/index.ts';

/** Requests that depend on no earlier one, by area. */
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

/** The same query with a token (+) and without: each of two to four machines that take turns gets both. */
const WITH_AND_WITHOUT = '++-+-++-+-+++--+++-++';
/** Refused queries without a token; all with one have to be accepted. */
const MIN_WITHOUT = 3;

/** Compares queries with a token and without; false where the token makes no difference. */
async function asksForToken({ bank, run, target }: Tools, values: Values): Promise<boolean> {
  const refused: Reply[] = [];
  const taken: Reply[] = [];
  for (const how of target.accessToken === null ? '' : WITH_AND_WITHOUT) {
    const mutate = how === '+' ? { mutate: <D extends object>(draft: D) => ({ ...draft, bearer: true }) } : {};
    const reply = await bank.ask('findAtms', values, mutate);
    if (how === '+' && !reply.accepted) return false;
    if (how === '+') taken.push(reply);
    else if (reply.status === 401) refused.push(reply);
  }
  const last = refused.at(-1);
  if (last === undefined || refused.length < MIN_WITHOUT) return false;
  const received = `${describe(last)} at times, while with a token it is accepted each time`;
  run.compare(
    'atms.header.no-authorization',
    { refused, taken },
    { pointer: 'request/header/Authorization', received },
  );
  return true;
}

for (const area of areas)
  test(
    `Requests that were answered with 401, sent again (${area})`,
    ...scenario(`unauthorized-${area}`, { area, exclusive: true, last: true }, async (tools) => {
      const { bank, run, target } = tools;
      // A token may have been replaced meanwhile.
      if (target.accessTokenCommand !== null || target.hooks !== null) return;
      const sent = run.session.requests.filter(({ operation }) => stateless[area].some((one) => one === operation));
      const refused = sent.filter(({ outcome }) => outcome === 'unauthorized');
      const healed: { refused: string[]; taken: Reply[] } = { refused: [], taken: [] };
      for (const { operation, values, exchange } of refused.slice(0, MAX_AGAIN)) {
        const replies: Reply[] = [];
        for (let time = 0; time < TIMES_AGAIN; time += 1) replies.push(await bank.ask(operation, values));
        // Of machines that take turns one may refuse it each time.
        const reply = replies.find(({ accepted }) => accepted);
        if (reply === undefined) continue;
        // The one that was refused first stands last: it names the operation.
        healed.refused.unshift(exchange);
        healed.taken.unshift(reply);
      }
      const isHealed = healed.taken.length >= MIN_HEALED;
      const [query] = area === 'atms' && isHealed ? refused : [];
      if (query !== undefined && (await asksForToken(tools, query.values))) return;
      const taken = sent.find(({ outcome }) => outcome === 'accepted')?.exchange;
      const received = `status 401 to ${healed.taken.length} requests that were accepted when they were sent again as they were`;
      if (isHealed)
        run.compare('service.credentials-stay', healed, {
          expected: 'the credentials to be accepted each time',
          received,
        });
      else if (taken !== undefined) run.compare('service.credentials-stay', { taken });
    }),
  );
