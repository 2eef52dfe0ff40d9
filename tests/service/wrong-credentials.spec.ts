import { madeUpCredential } from '../../fixtures/arbitraries/made-up.ts';
import {
  areas,
  alterations,
  alterCredential,
  claimUnused,
  credentialsRefused,
  mapAll,
  operations,
  scenario,
  test,
  type LikeBehaviour,
  type Reply,
  type Weights,
  type Tools,
  type Values,
  type RequestDraft,
} from '../../fixtures/runner/index.ts';
import { makeDisbursement, requestsByArea, type Request } from './repeatable-requests.ts';

const removeHeader =
  (name: string) =>
  (draft: RequestDraft): RequestDraft => {
    const { [name]: _, ...headers } = draft.headers;
    return name === 'Authorization' ? { ...draft, bearer: false } : { ...draft, headers };
  };
const withWrongHeader =
  (name: string) =>
  (draft: RequestDraft): RequestDraft => ({
    ...removeHeader(name)(draft),
    headers: {
      ...removeHeader(name)(draft).headers,
      [name]: `${name === 'Authorization' ? 'Bearer ' : ''}${madeUpCredential}`,
    },
  });

const credentialNames = { clientId: 'client-id', clientSecret: 'client-secret', token: 'token' } as const;
/** The budget by area: a target that ignores credentials creates something. */
const budgetByArea: Readonly<Record<(typeof areas)[number], Weights>> = {
  loans: { applications: 3, disbursements: 2 },
  'payment-links': { links: 3 },
  atms: {},
};

/** Kinds of wrong values: alterations of the right one, and one that is made up (null). */
const WRONG_KINDS = [null, ...alterations] as const;

/** A header that carries a credential. */
type Header = ReturnType<typeof listCredentials>[number];

/** A change of one header. */
interface Change {
  /** The alteration of a right value. */
  readonly altered?: string;
  /** The question of the open point that the answer tells. */
  readonly question?: string;
  /** Null if the value cannot be changed so. */
  readonly mutate: ((draft: RequestDraft) => RequestDraft) | null;
}

/** Returns the headers of an area that carry credentials, by their names in the contract. */
function listCredentials(area: (typeof areas)[number]) {
  const own = Object.values(operations).find((operation) => operation.area === area)?.headers ?? [];
  return own.flatMap(({ name, value }) => {
    if (typeof value === 'string') return [];
    const behaviours: Partial<
      Record<keyof typeof credentialNames, LikeBehaviour<typeof credentialsRefused.loans.token>>
    > = credentialsRefused[area];
    const refused = behaviours[value.credential];
    return refused === undefined ? [] : [{ name, credential: credentialNames[value.credential], refused }];
  });
}

for (const area of areas) {
  const documented = listCredentials(area);
  test(
    `Requests with missing and with wrong credentials (${area})`,
    ...scenario(
      `credentials-${area}`,
      { area, exclusive: 'credentials', last: true, creates: budgetByArea[area] },
      async (tools) => {
        const { target, probe, run } = tools;
        const sent = {
          'client-id': target.clientId,
          'client-secret': target.clientSecret,
          token: target.accessToken ?? target.accessTokenCommand,
        };
        const tried = documented.filter(({ credential }) => target.probeCredentials && sent[credential] !== null);
        for (const one of documented.filter((other) => !tried.includes(other)))
          run.unexercised(
            one.refused.id,
            target.probeCredentials ? 'the run sends no such header' : 'PROBE_CREDENTIALS=0',
          );
        if (tried.length === 0) return;

        /** Repeats a request with each header changed. */
        async function probeAll(
          { creates }: Request,
          control: Reply,
          values: () => Values,
          change: (header: Header, nth: number) => Change,
        ): Promise<void> {
          const atOnce = creates === undefined ? tried.length : Math.max(1, run.budget.left(creates));
          await mapAll(tried, atOnce, async (header, nth) => {
            const { altered, question, mutate } = change(header, nth);
            const open = question === undefined ? {} : { open: { point: 'service.credentials' as const, question } };
            const reply = mutate === null ? null : await probe(control, values(), { mutate, ...open });
            run.compare(header.refused, { probe: reply, control, altered });
          });
        }
        claimUnused(run, area);
        const asked: { readonly request: Request; readonly control: Reply }[] = [];
        await mapAll(await requestsByArea[area](tools), target.inFlight, async (first) => {
          for (let request: Request | undefined = first; request !== undefined; request = request.next) {
            const { again, ask } = request;
            const control = await ask();
            asked.push({ request, control });
            const change: Parameters<typeof probeAll>[3] = ({ name, credential }) => ({
              question: `missing ${credential}`,
              mutate: removeHeader(name),
            });
            await probeAll(request, control, () => again(control), change);
          }
        });
        // Wrong credentials come last: some gateways lock a client for them. Each operation gets one kind of wrong value for each
        // header, and each header gets every kind.
        const harmless = asked.filter(({ request }) => request.creates === undefined && request.later === undefined);
        const more = WRONG_KINDS.slice(asked.length).flatMap((_, nth) => harmless[nth % harmless.length] ?? []);
        await mapAll([...asked, ...more], target.inFlight, async ({ request, control }, at) =>
          probeAll(
            request,
            control,
            () => (request.later ?? request.again)(control),
            (header, nth) => {
              const kinds = WRONG_KINDS.filter((kind) => kind?.credentials.includes(header.credential) ?? true);
              const kind = kinds[(at + nth) % kinds.length] ?? null;
              if (kind === null)
                return { question: `wrong ${header.credential}`, mutate: withWrongHeader(header.name) };
              const { headers } = control.exchange.request;
              return { altered: kind.does, mutate: alterCredential(run.session.redactor, headers, header, kind) };
            },
          ),
        );
      },
    ),
  );
}

test(
  'An ATM query with a made-up access token',
  ...scenario(
    'atm-made-up-token',
    { area: 'atms', exclusive: 'credentials', last: true },
    async ({ atms, bank, probe, target }) => {
      const position = (await atms.known())[0] ?? atms.starts()[0];
      // Made up, since the locator must not get the real one. It may lock the client.
      if (!target.probeCredentials || position === undefined) return;
      await probe(
        await bank.findAtms({ ...position }),
        { ...position },
        {
          mutate: withWrongHeader('Authorization'),
          open: { point: 'atms.authorization-minded', question: 'with a made-up access token' },
        },
      );
    },
  ),
);

/**
 * Repeats for each area the first flow and the lists. A gateway may lock a client for wrong credentials: a refusal proves
 * nothing.
 */
const firstFlowByArea: Record<(typeof areas)[number], (tools: Tools) => Promise<unknown>> = {
  async loans({ bank, loans, run }) {
    const [first] = run.session.disbursed;
    const check = loans.validate(await loans.terms());
    const own = await makeDisbursement(loans);
    const ids = [own, first].filter((id) => id != null);
    await Promise.all([check, ...ids.map((application_id) => bank.queryDisbursement({ application_id }))]);
  },
  'payment-links': async (tools) => Promise.all((await requestsByArea['payment-links'](tools)).map(({ ask }) => ask())),
  atms: async (tools) => Promise.all((await requestsByArea.atms(tools)).map(({ ask }) => ask())),
};

// Earlier probes had the same requests as controls.
for (const area of areas)
  test(
    `The first flow again at the end of the run (${area})`,
    ...scenario(`repetition-${area}`, { area, exclusive: 'repetition', last: true }, async (tools) => {
      claimUnused(tools.run, area);
      await firstFlowByArea[area](tools);
    }),
  );
