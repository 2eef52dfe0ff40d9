/** Sends documented requests with missing and wrong credentials. At the end of the run, repeats the first requests. */
import { madeUpCredential } from '../../fixtures/bank/arbitraries/made-up.ts';
import { toPlace } from '../../fixtures/bank/arbitraries/payment-links.ts';
import {
  areas,
  alterations,
  alterCredential,
  claimUnused,
  mapAll,
  operations,
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
import { credentialsRefused } from '../../openapi/bank/behaviours/service/credentials.ts';
import { ownCredentials } from '../../openapi/behaviours/service/own-credentials.ts';

type Area = (typeof areas)[number];

/** Sends a request, and gives values for similar requests. */
interface RepeatableRequest {
  /** What the request creates. The budget limits how many of these requests are in flight. */
  readonly creates?: Created;
  readonly ask: () => Promise<Reply>;
  /** Returns values for a request like the accepted one that `control` answered. */
  readonly makeValues: (control: Reply) => Values;
  /** Returns values for one more such request. By default, those of `makeValues`. */
  readonly makeLaterValues?: () => Values;
}
/** A chain of requests: each request needs the answer to the previous request. */
type RequestChain = readonly RepeatableRequest[];

const makeRequest = (values: Values, ask: (values: Values) => Promise<Reply>): RepeatableRequest => ({
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
 * Lists a contract and a disbursement. The positive control uses the first unused application, the request with wrong credentials the
 * second, and a later contract with wrong credentials the third.
 */
function listLoanSteps(
  loans: Tools['loans'],
): { readonly steps: RequestChain; readonly application_id: string } | null {
  const [firstLoan, secondLoan, thirdLoan] = loans.listUnused().flatMap((application) => {
    const [offer] = application.offers;
    return offer === undefined ? [] : [{ application, offer }];
  });
  if (firstLoan === undefined || secondLoan === undefined) return null;
  const getContractValues = ({ application, offer }: typeof firstLoan): Values => ({
    application_id: application.id,
    account_id: offer.account,
  });
  const steps: RequestChain = [
    {
      ask: () => loans.approve(firstLoan.application, firstLoan.offer),
      makeValues: () => getContractValues(secondLoan),
      makeLaterValues: () => getContractValues(thirdLoan ?? secondLoan),
    },
    {
      creates: 'disbursements',
      async ask() {
        const [reply] = await Promise.all([
          loans.disburse(firstLoan.application, firstLoan.offer),
          loans.approve(secondLoan.application, secondLoan.offer),
        ]);
        return reply;
      },
      makeValues: () => loans.disbursement(secondLoan.application, secondLoan.offer),
    },
  ];
  return { steps, application_id: firstLoan.application.id };
}

/** Lists requests of each area. Requests that create nothing come first. */
const listRequests: Record<Area, (tools: Tools) => Promise<readonly RequestChain[]>> = {
  async loans({ bank, loans, run }) {
    const terms = await loans.terms();
    const makeValues = (): Values => loans.values(terms);
    const makeOutcomeQuery = (application_id: string) =>
      makeRequest({ application_id }, (values) => bank.queryDisbursement(values));
    const [disbursedId] = run.session.disbursedApplications;
    const loanSteps = listLoanSteps(loans);
    const applicationId = disbursedId ?? (loanSteps === null ? await makeDisbursement(loans) : null);
    return [
      [{ ask: () => loans.validate(terms), makeValues }],
      [{ creates: 'applications', ask: () => loans.request(makeValues()), makeValues }],
      applicationId === null ? [] : [makeOutcomeQuery(applicationId)],
      loanSteps === null
        ? []
        : [...loanSteps.steps, ...(disbursedId === undefined ? [makeOutcomeQuery(loanSteps.application_id)] : [])],
    ];
  },
  async 'payment-links'({ bank, links }) {
    const [combination] = (await links.catalogue()).combinations;
    const merchantRequests = [makeRequest({}, () => bank.listMerchants())];
    if (combination === undefined) return [merchantRequests];
    const place = toPlace(combination);
    const { merchant_no, is_domestic } = place;
    const terms = await links.next();
    const linkRequest = terms && {
      creates: 'links' as const,
      ask: () => links.create(terms),
      makeValues({ exchange }: Reply): Values {
        const { personal_description: _, ...inputs } = exchange.request.asked;
        return { ...links.values(terms), ...inputs };
      },
    };
    return [
      merchantRequests,
      [makeRequest({ merchant_no, is_domestic }, (values) => bank.listCurrencies(values))],
      [makeRequest({ merchant_no }, (values) => bank.listBranches(values))],
      [makeRequest(place, (values) => bank.listInstallments(values))],
      linkRequest === undefined ? [] : [linkRequest],
    ];
  },
  async atms({ bank, atms }) {
    const [codes] = await atms.findCodes();
    const queries = [
      atms.getStartPositions()[0] ?? { latitude: '0', longitude: '0' },
      ...(codes === undefined ? [] : [codes]),
    ];
    return queries.map((query) => [makeRequest({ ...query }, (values) => bank.findAtms(values))]);
  },
};

const removeHeader =
  (headerName: string) =>
  (draft: RequestDraft): RequestDraft => {
    const { [headerName]: _, ...headers } = draft.headers;
    return headerName === 'Authorization' ? { ...draft, hasToken: false } : { ...draft, headers };
  };
const replaceByMadeUpValue =
  (headerName: string) =>
  (draft: RequestDraft): RequestDraft => {
    const draftWithoutHeader = removeHeader(headerName)(draft);
    const value = `${headerName === 'Authorization' ? 'Bearer ' : ''}${madeUpCredential}`;
    return { ...draftWithoutHeader, headers: { ...draftWithoutHeader.headers, [headerName]: value } };
  };

const credentialNames = { clientId: 'client-id', clientSecret: 'client-secret', token: 'token' } as const;
/** The budget of each area, for a bank that ignores wrong credentials and creates applications or links. */
const budgetByArea: Readonly<Record<Area, Weights>> = {
  loans: { applications: 3, disbursements: 2 },
  'payment-links': { links: 3 },
  atms: {},
};

/** Kinds of wrong values: a made-up value (null), and changes of the right value. */
const WRONG_KINDS = [null, ...alterations] as const;

type CredentialHeader = ReturnType<typeof listCredentials>[number];

function listCredentials(area: Area) {
  const headers = Object.values(operations).find((operation) => operation.area === area)?.headers ?? [];
  return headers.flatMap(({ name, value }) => {
    if (typeof value === 'string') return [];
    const behaviours: Partial<
      Record<keyof typeof credentialNames, LikeBehaviour<typeof credentialsRefused.loans.token>>
    > = credentialsRefused[area];
    const behaviour = behaviours[value.credential];
    return behaviour === undefined ? [] : [{ name, credential: credentialNames[value.credential], behaviour }];
  });
}

function listTestedHeaders({ target, run }: Tools, area: Area): readonly CredentialHeader[] {
  const credentials = {
    'client-id': target.clientId,
    'client-secret': target.clientSecret,
    token: target.accessToken ?? target.accessTokenCommand,
  };
  const reasonNotTested = target.probeCredentials ? 'the run sends no such header' : 'PROBE_CREDENTIALS=0';
  return listCredentials(area).filter(({ credential, behaviour }) => {
    const isTested = target.probeCredentials && credentials[credential] !== null;
    if (!isTested) run.unexercised(behaviour, reasonNotTested);
    return isTested;
  });
}

interface TestedRequest {
  readonly request: RepeatableRequest;
  readonly control: Reply;
}

/** How a request with a wrong credential differs from its control. */
interface CredentialChange {
  /** Says how the right value was altered. */
  readonly alterationText?: string;
  /** The question of the open point that the answer decides. */
  readonly question?: string;
  /** Null if the credential cannot be changed in this way. */
  readonly mutate: ((draft: RequestDraft) => RequestDraft) | null;
}

/** True for a request that creates nothing and may be repeated with the same values. */
const isHarmless = ({ request: { creates, makeLaterValues } }: TestedRequest): boolean =>
  creates === undefined && makeLaterValues === undefined;

async function probeHeaders(
  { probe, run }: Tools,
  headers: readonly CredentialHeader[],
  {
    tested: testedRequest,
    harmless: harmlessRequests,
    values: makeValues,
  }: { tested: TestedRequest; harmless: readonly TestedRequest[]; values: () => Values },
  makeChange: (header: CredentialHeader, index: number) => CredentialChange,
): Promise<void> {
  const { request, control } = testedRequest;
  const requestsAtOnce =
    request.creates === undefined ? headers.length : Math.max(1, run.budget.countLeft(request.creates));
  /** Sends the accepted request again on a new connection. If the request may not be repeated, sends a harmless request instead. */
  async function sendOnFreshConnection(mutate: RequestMutation): Promise<Reply | null> {
    const repeatable = isHarmless(testedRequest) ? testedRequest : harmlessRequests[0];
    if (repeatable === undefined) return null;
    const send = (freshConnection: boolean) =>
      probe(repeatable.control, repeatable.request.makeValues(repeatable.control), { mutate, freshConnection });
    const isAccepted = repeatable === testedRequest || (await send(false))?.accepted === true;
    return isAccepted ? send(true) : null;
  }
  await mapAll(headers, requestsAtOnce, async (header, index) => {
    const { alterationText, question, mutate } = makeChange(header, index);
    const open = question === undefined ? {} : { open: { point: 'service.credentials' as const, question } };
    const reply = mutate === null ? null : await probe(control, makeValues(), { mutate, ...open });
    const freshReply = mutate === null || reply?.accepted !== true ? null : await sendOnFreshConnection(mutate);
    const evidence = { probe: reply, control, ...(freshReply && { fresh: freshReply }) };
    run.compare(header.behaviour, { ...evidence, altered: alterationText });
    run.compare(ownCredentials, { ...evidence, header: header.name });
  });
}

const removeCredential = ({ name, credential }: CredentialHeader): CredentialChange => ({
  question: `missing ${credential}`,
  mutate: removeHeader(name),
});

/** Makes a credential wrong. `nth` chooses one of the kinds of wrong values that are possible for this header. */
function spoilCredential(
  { run }: Tools,
  header: CredentialHeader,
  control: Reply,
  kindIndex: number,
): CredentialChange {
  const { name, credential } = header;
  const possibleKinds = WRONG_KINDS.filter((kind) => kind?.credentials.includes(credential) ?? true);
  const kind = possibleKinds[kindIndex % possibleKinds.length] ?? null;
  if (kind === null) return { question: `wrong ${credential}`, mutate: replaceByMadeUpValue(name) };
  const { headers } = control.exchange.request;
  return { alterationText: kind.description, mutate: alterCredential(run.session.redactor, headers, header, kind) };
}

for (const area of areas)
  test(
    `Requests with missing and with wrong credentials (${area})`,
    ...scenario(`credentials-${area}`, { area, stage: 'credentials', creates: budgetByArea[area] }, async (tools) => {
      const { inFlight } = tools.target;
      const headers = listTestedHeaders(tools, area);
      if (headers.length === 0) return;
      claimUnused(tools.run, area);
      const testedRequests: TestedRequest[] = [];
      await mapAll(await listRequests[area](tools), inFlight, async (chain) => {
        for (const request of chain) {
          const control = await request.ask();
          testedRequests.push({ request, control });
          const makeValues = () => request.makeValues(control);
          const harmlessRequests = testedRequests.filter(isHarmless);
          await probeHeaders(
            tools,
            headers,
            { tested: { request, control }, harmless: harmlessRequests, values: makeValues },
            removeCredential,
          );
        }
      });
      // Wrong credentials come after all missing ones: some gateways lock a client after a wrong credential. Each operation gets
      // one kind of wrong value for each header. Each header gets all kinds.
      const harmlessRequests = testedRequests.filter(isHarmless);
      const additionalRequests = WRONG_KINDS.slice(testedRequests.length).flatMap(
        (_, nth) => harmlessRequests[nth % harmlessRequests.length] ?? [],
      );
      await mapAll([...testedRequests, ...additionalRequests], inFlight, async ({ request, control }, index) => {
        const makeValues = () => (request.makeLaterValues ?? request.makeValues)(control);
        await probeHeaders(
          tools,
          headers,
          { tested: { request, control }, harmless: harmlessRequests, values: makeValues },
          (header, headerIndex) => spoilCredential(tools, header, control, index + headerIndex),
        );
      });
    }),
  );

test(
  'An ATM query with a made-up access token',
  ...scenario('atm-made-up-token', { area: 'atms', stage: 'credentials' }, async ({ atms, bank, probe, target }) => {
    const position = (await atms.findKnownPositions())[0] ?? atms.getStartPositions()[0];
    // The token is made up, because the locator must not get the real token. Afterwards, the locator may lock the client.
    if (!target.probeCredentials || position === undefined) return;
    const control = await bank.findAtms({ ...position });
    const open = { point: 'atms.authorization-minded', question: 'with a made-up access token' } as const;
    await probe(control, { ...position }, { mutate: replaceByMadeUpValue('Authorization'), open });
  }),
);

/** Repeats the requests of loans, with a new application and with the first one. */
async function repeatLoans({ bank, loans, run }: Tools): Promise<void> {
  const [firstApplicationId] = run.session.disbursedApplications;
  const validation = loans.validate(await loans.terms());
  const applicationIds = [await makeDisbursement(loans), firstApplicationId].filter((id) => id != null);
  await Promise.all([
    validation,
    ...applicationIds.map((application_id) => bank.queryDisbursement({ application_id })),
  ]);
}

// Each request was accepted before requests with wrong credentials. A refusal now proves nothing: a gateway may have locked the client.
for (const area of areas)
  test(
    `The first requests of the area, again at the end of the run (${area})`,
    ...scenario(`repetition-${area}`, { area, stage: 'repetition' }, async (tools) => {
      claimUnused(tools.run, area);
      if (area === 'loans') await repeatLoans(tools);
      else await Promise.all((await listRequests[area](tools)).flat().map(({ ask }) => ask()));
    }),
  );
