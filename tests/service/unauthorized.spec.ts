import {
  areas,
  describeAnswer,
  scenario,
  test,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

/** Requests without an earlier step, by area. */
const statelessOperations = {
  loans: ['validateLoan'],
  'payment-links': ['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments'],
  atms: ['findAtms'],
} as const;
/** At most this many requests are repeated, each this many times. */
const MAX_REPEATED = 6;
const REPEAT_TIMES = 2;
/** At least this many repeated requests must be accepted: a single 401 may be an accident. */
const MIN_ACCEPTED_AGAIN = 2;

/** The same query with a token (+) and without (-): each of two to four machines that take turns gets both. */
const WITH_AND_WITHOUT = '++-+-++-+-+++--+++-++';
/** At least this many queries without a token must be refused; all with a token must be accepted. */
const MIN_REPEATED_ACCEPTED = 3;

/** Compares queries with and without a token; false if the token makes no difference. */
async function isTokenRequired({ bank, run, target }: Tools, values: Values): Promise<boolean> {
  const refused: Reply[] = [];
  const accepted: Reply[] = [];
  for (const how of target.accessToken === null ? '' : WITH_AND_WITHOUT) {
    const mutate = how === '+' ? { mutate: <D extends object>(draft: D) => ({ ...draft, bearer: true }) } : {};
    const reply = await bank.ask('findAtms', values, mutate);
    if (how === '+' && !reply.accepted) return false;
    if (how === '+') accepted.push(reply);
    else if (reply.status === 401) refused.push(reply);
  }
  const last = refused.at(-1);
  if (last === undefined || refused.length < MIN_REPEATED_ACCEPTED) return false;
  const received = `${describeAnswer(last)} at times, while with a token it is accepted each time`;
  run.contrast(
    'atms.header.no-authorization',
    { refused, accepted },
    { pointer: 'request/header/Authorization', received },
  );
  return true;
}

for (const area of areas)
  test(
    `Repeated requests after a 401 answer (${area})`,
    ...scenario(`unauthorized-${area}`, { area, exclusive: true, last: true }, async (tools) => {
      const { bank, run, target } = tools;
      // A command or hook may have replaced the token.
      if (target.accessTokenCommand !== null || target.hooks !== null) return;
      const sent = run.session.requests.filter(({ operation }) =>
        statelessOperations[area].some((one) => one === operation),
      );
      const refused = sent.filter(({ outcome }) => outcome === 'unauthorized');
      const acceptedAgain: { refused: string[]; accepted: Reply[] } = { refused: [], accepted: [] };
      for (const { operation, values, exchange } of refused.slice(0, MAX_REPEATED)) {
        const replies: Reply[] = [];
        for (let time = 0; time < REPEAT_TIMES; time += 1) replies.push(await bank.ask(operation, values));
        // One of several machines that take turns may refuse it each time.
        const reply = replies.find(({ accepted }) => accepted);
        if (reply === undefined) continue;
        // The first refused request comes last: it names the operation.
        acceptedAgain.refused.unshift(exchange);
        acceptedAgain.accepted.unshift(reply);
      }
      const isEnough = acceptedAgain.accepted.length >= MIN_ACCEPTED_AGAIN;
      const [query] = area === 'atms' && isEnough ? refused : [];
      if (query !== undefined && (await isTokenRequired(tools, query.values))) return;
      const taken = sent.find(({ outcome }) => outcome === 'accepted')?.exchange;
      const received = `status 401 to ${acceptedAgain.accepted.length} requests that were accepted when they were sent again as they were`;
      if (isEnough)
        run.contrast('service.credentials-stay', acceptedAgain, {
          expected: 'the credentials to be accepted each time',
          received,
        });
      else if (taken !== undefined) run.contrast('service.credentials-stay', { accepted: taken });
    }),
  );
