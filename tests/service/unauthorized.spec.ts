/** Sends requests again that the bank answered with 401, although their credentials were accepted elsewhere. */
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
const statelessOperations: Readonly<Record<(typeof areas)[number], readonly string[]>> = {
  loans: ['validateLoan'],
  'payment-links': ['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments'],
  atms: ['findAtms'],
};
const MAX_REPEATED = 6;
const REPEAT_TIMES = 2;
/** At least this many repeated requests must be accepted, because a single 401 may be an accident. */
const MIN_ACCEPTED_AGAIN = 2;

/** The same query with a token (+) and without (-): each of two to four machines that take turns gets both. */
const WITH_AND_WITHOUT = '++-+-++-+-+++--+++-++';
/** At least this many queries without a token must be refused; all with a token must be accepted. */
const MIN_REFUSED_WITHOUT = 3;

/** Compares queries with and without a token; false if the token makes no difference. */
async function isTokenRequired({ bank, run, target }: Tools, values: Values): Promise<boolean> {
  const refused: Reply[] = [];
  const accepted: Reply[] = [];
  for (const sign of target.accessToken === null ? '' : WITH_AND_WITHOUT) {
    const hasToken = sign === '+';
    const reply = await bank.ask(
      'findAtms',
      values,
      hasToken ? { mutate: (draft) => ({ ...draft, bearer: true }) } : {},
    );
    if (hasToken && !reply.accepted) return false;
    if (hasToken) accepted.push(reply);
    else if (reply.status === 401) refused.push(reply);
  }
  const last = refused.at(-1);
  if (last === undefined || refused.length < MIN_REFUSED_WITHOUT) return false;
  const received = `${describeAnswer(last)} at times, while with a token it is accepted each time`;
  const pointer = 'request/header/Authorization';
  run.contrast('atms.header.no-authorization', { refused, accepted }, { pointer, received });
  return true;
}

for (const area of areas)
  test(
    `Requests that were answered with 401, again without a change (${area})`,
    ...scenario(`unauthorized-${area}`, { area, stage: 'unauthorized' }, async (tools) => {
      const { bank, run, target } = tools;
      // A command or hook may have replaced the token.
      if (target.accessTokenCommand !== null || target.hooks !== null) return;
      const sent = run.session.requests.filter(({ operation }) => statelessOperations[area].includes(operation));
      const unauthorized = sent.filter(({ outcome }) => outcome === 'unauthorized');
      const refused: string[] = [];
      const accepted: Reply[] = [];
      for (const { operation, values, exchange } of unauthorized.slice(0, MAX_REPEATED)) {
        const replies: Reply[] = [];
        for (let time = 0; time < REPEAT_TIMES; time += 1) replies.push(await bank.ask(operation, values));
        // If machines of the bank take turns, the same machine may refuse this request each time.
        const reply = replies.find((answer) => answer.accepted);
        if (reply === undefined) continue;
        // The first refused request comes last, because it names the operation in the finding.
        refused.unshift(exchange);
        accepted.unshift(reply);
      }
      const first = sent.find(({ outcome }) => outcome === 'accepted')?.exchange;
      if (accepted.length < MIN_ACCEPTED_AGAIN)
        return first === undefined ? undefined : run.contrast('service.credentials-stay', { accepted: first });
      const [query] = area === 'atms' ? unauthorized : [];
      if (query !== undefined && (await isTokenRequired(tools, query.values))) return;
      run.contrast(
        'service.credentials-stay',
        { refused, accepted },
        {
          expected: 'the credentials to be accepted each time',
          received: `status 401 to ${accepted.length} requests that were accepted when they were sent again as they were`,
        },
      );
    }),
  );
