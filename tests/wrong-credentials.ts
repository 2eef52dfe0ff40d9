import { operations, test, type ClauseId, type Reply, type Tools, type Wire } from '../fixtures/test.ts';

/** One harmless request of each area. */
const harmless: Record<
  string,
  (tools: Tools) => Promise<{ twin: Reply; values: Record<string, string | number | boolean | bigint> }>
> = {
  async loans({ loans }) {
    const values = loans.values(await loans.terms());
    return { twin: await loans.validate(await loans.terms()), values };
  },
  async 'payment-links'({ bank }) {
    return { twin: await bank.listMerchants(), values: {} };
  },
  async atms({ bank, atms }) {
    const { latitude, longitude } = atms.starts()[0] ?? { latitude: '0', longitude: '0' };
    return { twin: await bank.findAtms({ latitude, longitude }), values: { latitude, longitude } };
  },
};

const without =
  (name: string) =>
  (wire: Wire): Wire => {
    const { [name]: _, ...headers } = wire.headers;
    return name === 'Authorization' ? { ...wire, bearer: false } : { ...wire, headers };
  };
const wrong =
  (name: string) =>
  (wire: Wire): Wire => ({
    ...without(name)(wire),
    headers: {
      ...without(name)(wire).headers,
      [name]: `${name === 'Authorization' ? 'Bearer ' : ''}no-such-credential`,
    },
  });

const words = { clientId: 'client-id', clientSecret: 'client-secret', token: 'token' } as const;

/** The headers of an area that carry credentials, by the names that the contract gives them. */
const credentialsOf = (
  area: string,
): readonly (readonly [name: string, credential: (typeof words)[keyof typeof words]])[] => {
  const own = Object.values(operations).find((operation) => operation.area === area)?.headers ?? [];
  return own.flatMap(({ name, value }) =>
    typeof value === 'string' ? [] : [[name, words[value.credential]] as const],
  );
};

for (const [area, prefix] of [
  ['loans', 'loans'],
  ['payment-links', 'links'],
  ['atms', 'atms'],
] as const) {
  const minded = credentialsOf(area);
  const proves = minded.map(([, credential]) => `${prefix}.credentials.${credential}` as ClauseId);
  test(
    `Missing and wrong credentials open nothing (${area})`,
    { area, alone: 'credentials', proves },
    async (tools) => {
      const { target, probe, check, run } = tools;
      for (const [name, credential] of minded) {
        const clause = `${prefix}.credentials.${credential}` as ClauseId;
        const sent = {
          'client-id': target.clientId,
          'client-secret': target.clientSecret,
          token: target.accessToken ?? target.accessTokenCommand,
        };
        if (!target.probeCredentials || sent[credential] === null) {
          run.unexercised(clause, target.probeCredentials ? 'no such header is sent' : 'PROBE_CREDENTIALS=0');
          continue;
        }
        const { twin, values } = await (harmless[area] as (typeof harmless)[string])(tools);
        for (const [how, spoil] of [
          ['missing', without(name)],
          ['wrong', wrong(name)],
        ] as const) {
          const reply = await probe(twin, values, {
            spoil,
            open: { point: 'service.credentials', about: `${how} ${credential}` },
          });
          if (reply !== null)
            check(clause, reply, !reply.accepted, {
              pointer: `request/header/${name}`,
              expected: 'a refusal',
              contrast: twin,
            });
        }
      }
    },
  );
}
