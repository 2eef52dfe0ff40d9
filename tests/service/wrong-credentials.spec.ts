/** Sends documented requests with missing and wrong credentials, and then repeats the first flow. */
import { madeUpCredential } from '../../fixtures/arbitraries/made-up.ts';
import { toPlace } from '../../fixtures/arbitraries/payment-links.ts';
import {
  areas,
  alterations,
  alterCredential,
  claimUnused,
  credentialsRefused,
  mapAll,
  operations,
  ownCredentials,
  scenario,
  test,
  type Created,
  type LikeBehaviour,
  type Reply,
  type RequestMutation,
  type Weights,
  type Tools,
  type Values,
  type RequestDraft,
} from '../../fixtures/runner/index.ts';

type Area = (typeof areas)[number];

/** A request that can be repeated with fresh values. */
interface Request {
  /** What each request creates: the budget limits how many are in flight. */
  readonly creates?: Created;
  readonly ask: () => Promise<Reply>;
  /** Returns values for a request like the one that `control` answered. */
  readonly makeValues: (control: Reply) => Values;
  /** Returns values for another such request, after those of `makeValues` were accepted; by default those of `makeValues`. */
  readonly makeLaterValues?: () => Values;
}
/** Requests that each depend on the requests before them. */
type Chain = readonly Request[];

const makeRequest = (values: Values, ask: (values: Values) => Promise<Reply>): Request => ({
  ask: () => ask(values),
  makeValues: () => values,
});

/** Opens an application and disburses its amount. Returns the application id; null if a step is refused. */
async function makeDisbursement(loans: Tools['loans']): Promise<string | null> {
  const terms = await loans.nextTerms();
  const application = await loans.apply(terms);
  const offer = application?.offers[0];
  if (application === null || offer === undefined) return null;
  await loans.approve(application, offer);
  return (await loans.disburse(application, offer)).accepted ? application.id : null;
}

/**
 * A contract and then a disbursement: the control uses one unused application, the probe another, and a later probe of the contract
 * a third.
 */
function listLoanSteps(loans: Tools['loans']): { readonly steps: Chain; readonly application_id: string } | null {
  const [first, second, third] = loans.unused().flatMap((application) => {
    const [offer] = application.offers;
    return offer === undefined ? [] : [{ application, offer }];
  });
  if (first === undefined || second === undefined) return null;
  const contract = ({ application, offer }: typeof first): Values => ({
    application_id: application.id,
    account_id: offer.account,
  });
  const steps: Chain = [
    {
      ask: () => loans.approve(first.application, first.offer),
      makeValues: () => contract(second),
      makeLaterValues: () => contract(third ?? second),
    },
    {
      creates: 'disbursements',
      async ask() {
        const [reply] = await Promise.all([
          loans.disburse(first.application, first.offer),
          loans.approve(second.application, second.offer),
        ]);
        return reply;
      },
      makeValues: () => loans.disbursement(second.application, second.offer),
    },
  ];
  return { steps, application_id: first.application.id };
}

/** Requests of each area, the harmless ones first. */
const listRequests: Record<Area, (tools: Tools) => Promise<readonly Chain[]>> = {
  async loans({ bank, loans, run }) {
    const terms = await loans.terms();
    const makeValues = (): Values => loans.values(terms);
    const query = (application_id: string) =>
      makeRequest({ application_id }, (values) => bank.queryDisbursement(values));
    const [known] = run.session.disbursed;
    const flow = listLoanSteps(loans);
    const own = known ?? (flow === null ? await makeDisbursement(loans) : null);
    return [
      [{ ask: () => loans.validate(terms), makeValues }],
      [{ creates: 'applications', ask: () => loans.request(makeValues()), makeValues }],
      own === null ? [] : [query(own)],
      flow === null ? [] : [...flow.steps, ...(known === undefined ? [query(flow.application_id)] : [])],
    ];
  },
  async 'payment-links'({ bank, links }) {
    const [combination] = (await links.catalogue()).combinations;
    const first = [makeRequest({}, () => bank.listMerchants())];
    if (combination === undefined) return [first];
    const place = toPlace(combination);
    const { merchant_no, is_domestic } = place;
    const terms = await links.next();
    const link = terms && {
      creates: 'links' as const,
      ask: () => links.create(terms),
      makeValues({ exchange }: Reply): Values {
        const { personal_description: _, ...asked } = exchange.request.asked;
        return { ...links.values(terms), ...asked };
      },
    };
    return [
      first,
      [makeRequest({ merchant_no, is_domestic }, (values) => bank.listCurrencies(values))],
      [makeRequest({ merchant_no }, (values) => bank.listBranches(values))],
      [makeRequest(place, (values) => bank.listInstallments(values))],
      link === undefined ? [] : [link],
    ];
  },
  async atms({ bank, atms }) {
    const [codes] = await atms.codes();
    const queries = [atms.starts()[0] ?? { latitude: '0', longitude: '0' }, ...(codes === undefined ? [] : [codes])];
    return queries.map((query) => [makeRequest({ ...query }, (values) => bank.findAtms(values))]);
  },
};

const removeHeader =
  (name: string) =>
  (draft: RequestDraft): RequestDraft => {
    const { [name]: _, ...headers } = draft.headers;
    return name === 'Authorization' ? { ...draft, bearer: false } : { ...draft, headers };
  };
const useMadeUp =
  (name: string) =>
  (draft: RequestDraft): RequestDraft => {
    const plain = removeHeader(name)(draft);
    const value = `${name === 'Authorization' ? 'Bearer ' : ''}${madeUpCredential}`;
    return { ...plain, headers: { ...plain.headers, [name]: value } };
  };

const credentialNames = { clientId: 'client-id', clientSecret: 'client-secret', token: 'token' } as const;
/** The budget of each area, because a bank that ignores credentials creates links or applications. */
const budgetByArea: Readonly<Record<Area, Weights>> = {
  loans: { applications: 3, disbursements: 2 },
  'payment-links': { links: 3 },
  atms: {},
};

/** Kinds of wrong values: an invented value (null), and alterations of the right value. */
const WRONG_KINDS = [null, ...alterations] as const;

type Header = ReturnType<typeof listCredentials>[number];

function listCredentials(area: Area) {
  const headers = Object.values(operations).find((operation) => operation.area === area)?.headers ?? [];
  return headers.flatMap(({ name, value }) => {
    if (typeof value === 'string') return [];
    const behaviours: Partial<
      Record<keyof typeof credentialNames, LikeBehaviour<typeof credentialsRefused.loans.token>>
    > = credentialsRefused[area];
    const refused = behaviours[value.credential];
    return refused === undefined ? [] : [{ name, credential: credentialNames[value.credential], refused }];
  });
}

function selectTried({ target, run }: Tools, area: Area): readonly Header[] {
  const sent = {
    'client-id': target.clientId,
    'client-secret': target.clientSecret,
    token: target.accessToken ?? target.accessTokenCommand,
  };
  const why = target.probeCredentials ? 'the run sends no such header' : 'PROBE_CREDENTIALS=0';
  return listCredentials(area).filter(({ credential, refused }) => {
    const isTried = target.probeCredentials && sent[credential] !== null;
    if (!isTried) run.unexercised(refused.id, why);
    return isTried;
  });
}

interface Sent {
  readonly request: Request;
  readonly control: Reply;
}

interface Change {
  /** The alteration of a right value. */
  readonly altered?: string;
  /** The question of the open point that the answer to this request decides. */
  readonly question?: string;
  /** Null if this change is not possible. */
  readonly mutate: ((draft: RequestDraft) => RequestDraft) | null;
}

/** True for a request that creates nothing and may be repeated with the same values. */
const isHarmless = ({ request: { creates, makeLaterValues } }: Sent): boolean =>
  creates === undefined && makeLaterValues === undefined;

async function probeHeaders(
  { probe, run }: Tools,
  headers: readonly Header[],
  { sent, harmless, values }: { sent: Sent; harmless: readonly Sent[]; values: () => Values },
  change: (header: Header, nth: number) => Change,
): Promise<void> {
  const { request, control } = sent;
  const atOnce = request.creates === undefined ? headers.length : Math.max(1, run.budget.left(request.creates));
  /** Sends the accepted change again on a fresh connection. A request that is no step of a flow decides in its place. */
  async function sendFresh(mutate: RequestMutation): Promise<Reply | null> {
    const other = isHarmless(sent) ? sent : harmless[0];
    if (other === undefined) return null;
    const send = (freshConnection: boolean) =>
      probe(other.control, other.request.makeValues(other.control), { mutate, freshConnection });
    const isAccepted = other === sent || (await send(false))?.accepted === true;
    return isAccepted ? send(true) : null;
  }
  await mapAll(headers, atOnce, async (header, nth) => {
    const { altered, question, mutate } = change(header, nth);
    const open = question === undefined ? {} : { open: { point: 'service.credentials' as const, question } };
    const reply = mutate === null ? null : await probe(control, values(), { mutate, ...open });
    const fresh = mutate === null || reply?.accepted !== true ? null : await sendFresh(mutate);
    const seen = { probe: reply, control, ...(fresh && { fresh }) };
    run.compare(header.refused, { ...seen, altered });
    run.compare(ownCredentials, { ...seen, header: header.name });
  });
}

const removeCredential = ({ name, credential }: Header): Change => ({
  question: `missing ${credential}`,
  mutate: removeHeader(name),
});

/** Makes a credential wrong in the `nth` way of those that its header allows. */
function spoilCredential({ run }: Tools, header: Header, control: Reply, nth: number): Change {
  const { name, credential } = header;
  const kinds = WRONG_KINDS.filter((kind) => kind?.credentials.includes(credential) ?? true);
  const kind = kinds[nth % kinds.length] ?? null;
  if (kind === null) return { question: `wrong ${credential}`, mutate: useMadeUp(name) };
  const { headers } = control.exchange.request;
  return { altered: kind.does, mutate: alterCredential(run.session.redactor, headers, header, kind) };
}

for (const area of areas)
  test(
    `Requests with missing and with wrong credentials (${area})`,
    ...scenario(`credentials-${area}`, { area, stage: 'credentials', creates: budgetByArea[area] }, async (tools) => {
      const { inFlight } = tools.target;
      const tried = selectTried(tools, area);
      if (tried.length === 0) return;
      claimUnused(tools.run, area);
      const sent: Sent[] = [];
      await mapAll(await listRequests[area](tools), inFlight, async (chain) => {
        for (const request of chain) {
          const control = await request.ask();
          sent.push({ request, control });
          const values = () => request.makeValues(control);
          const harmless = sent.filter(isHarmless);
          await probeHeaders(tools, tried, { sent: { request, control }, harmless, values }, removeCredential);
        }
      });
      // Wrong credentials come last: some gateways lock a client for them. Each operation gets one kind of wrong value for each
      // header, and each header gets every kind.
      const harmless = sent.filter(isHarmless);
      const more = WRONG_KINDS.slice(sent.length).flatMap((_, nth) => harmless[nth % harmless.length] ?? []);
      await mapAll([...sent, ...more], inFlight, async ({ request, control }, index) => {
        const values = () => (request.makeLaterValues ?? request.makeValues)(control);
        await probeHeaders(tools, tried, { sent: { request, control }, harmless, values }, (header, nth) =>
          spoilCredential(tools, header, control, index + nth),
        );
      });
    }),
  );

test(
  'An ATM query with a made-up access token',
  ...scenario('atm-made-up-token', { area: 'atms', stage: 'credentials' }, async ({ atms, bank, probe, target }) => {
    const position = (await atms.known())[0] ?? atms.starts()[0];
    // The token is invented, because the locator must not get the real token. The locator may lock the client.
    if (!target.probeCredentials || position === undefined) return;
    const control = await bank.findAtms({ ...position });
    const open = { point: 'atms.authorization-minded', question: 'with a made-up access token' } as const;
    await probe(control, { ...position }, { mutate: useMadeUp('Authorization'), open });
  }),
);

/** Repeats the first flow of loans with a fresh application and with the first one. */
async function repeatLoans({ bank, loans, run }: Tools): Promise<void> {
  const [first] = run.session.disbursed;
  const check = loans.validate(await loans.terms());
  const ids = [await makeDisbursement(loans), first].filter((id) => id != null);
  await Promise.all([check, ...ids.map((application_id) => bank.queryDisbursement({ application_id }))]);
}

// The requests are controls of earlier probes. A gateway may lock a client for wrong credentials: a refusal proves nothing.
for (const area of areas)
  test(
    `The first requests of the area, again at the end of the run (${area})`,
    ...scenario(`repetition-${area}`, { area, stage: 'repetition' }, async (tools) => {
      claimUnused(tools.run, area);
      if (area === 'loans') await repeatLoans(tools);
      else await Promise.all((await listRequests[area](tools)).flat().map(({ ask }) => ask()));
    }),
  );
