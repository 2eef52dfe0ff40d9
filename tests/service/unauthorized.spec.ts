/** Repeats requests that the bank answered with 401 although it accepted the same credentials for other requests. */
import {
  areas,
  describeAnswer,
  scenario,
  test,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

/** Operations that need no earlier step, by area. */
const statelessOperations: Readonly<Record<(typeof areas)[number], readonly string[]>> = {
  loans: ['validateLoan'],
  'payment-links': ['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments'],
  atms: ['findAtms'],
};
const MAX_REPEATED = 6;
const REPEAT_TIMES = 2;
/** If fewer repeated requests are accepted, the 401 may be an accident. */
const MIN_ACCEPTED_AGAIN = 2;

/** Queries with a token (+) and without one (-), in this order. If two to four machines take turns, each gets both. */
const TOKEN_ORDER = '++-+-++-+-+++--+++-++';
/** At least this many queries without a token must be refused, and all with a token accepted. */
const MIN_REFUSED_WITHOUT = 3;

/** Compares queries with and without a token. Returns true if only queries without a token are refused. */
async function isTokenRequired({ bank, run, target }: Tools, values: Values): Promise<boolean> {
  const refusedReplies: Reply[] = [];
  const acceptedReplies: Reply[] = [];
  for (const sign of target.accessToken === null ? '' : TOKEN_ORDER) {
    const hasToken = sign === '+';
    const reply = await bank.ask(
      'findAtms',
      values,
      hasToken ? { mutate: (draft) => ({ ...draft, hasToken: true }) } : {},
    );
    if (hasToken && !reply.accepted) return false;
    if (hasToken) acceptedReplies.push(reply);
    else if (reply.status === 401) refusedReplies.push(reply);
  }
  const lastRefused = refusedReplies.at(-1);
  if (lastRefused === undefined || refusedReplies.length < MIN_REFUSED_WITHOUT) return false;
  const received = `${describeAnswer(lastRefused)} at times, while with a token it is accepted each time`;
  const pointer = 'request/header/Authorization';
  run.contrast(
    'atms.header.no-authorization',
    { refused: refusedReplies, accepted: acceptedReplies },
    { pointer, received },
  );
  return true;
}

for (const area of areas)
  test(
    `Requests that were answered with 401, again without a change (${area})`,
    ...scenario(`unauthorized-${area}`, { area, stage: 'unauthorized' }, async (tools) => {
      const { bank, run, target } = tools;
      // A command or a hook may have replaced the token during the run.
      if (target.accessTokenCommand !== null || target.hooks !== null) return;
      const statelessRequests = run.session.requests.filter(({ operation }) =>
        statelessOperations[area].includes(operation),
      );
      const unauthorizedRequests = statelessRequests.filter(({ outcome }) => outcome === 'unauthorized');
      const refusedExchanges: string[] = [];
      const acceptedReplies: Reply[] = [];
      for (const { operation, values, exchange } of unauthorizedRequests.slice(0, MAX_REPEATED)) {
        const replies: Reply[] = [];
        for (let count = 0; count < REPEAT_TIMES; count += 1) replies.push(await bank.ask(operation, values));
        // If machines of the bank take turns, one of two repetitions may go to another machine.
        const reply = replies.find((repeatedReply) => repeatedReply.accepted);
        if (reply === undefined) continue;
        // The last request in the list names the operation in the finding: this is the one that was refused first.
        refusedExchanges.unshift(exchange);
        acceptedReplies.unshift(reply);
      }
      const firstAcceptedExchange = statelessRequests.find(({ outcome }) => outcome === 'accepted')?.exchange;
      if (acceptedReplies.length < MIN_ACCEPTED_AGAIN)
        return firstAcceptedExchange === undefined
          ? undefined
          : run.contrast('service.credentials-stay', { accepted: firstAcceptedExchange });
      const [unauthorizedQuery] = area === 'atms' ? unauthorizedRequests : [];
      if (unauthorizedQuery !== undefined && (await isTokenRequired(tools, unauthorizedQuery.values))) return;
      run.contrast(
        'service.credentials-stay',
        { refused: refusedExchanges, accepted: acceptedReplies },
        {
          expected: 'the credentials to be accepted each time',
          received: `status 401 to ${acceptedReplies.length} requests that were accepted when they were sent again as they were`,
        },
      );
    }),
  );
