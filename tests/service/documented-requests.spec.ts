import {
  claimUnused,
  diagnose,
  documentedForms,
  nameOf,
  operations,
  orderIdForms,
  scenario,
  test,
  type Reply,
  type Weights,
} from '../../fixtures/runner/index.ts';
/** Times in a row that an answer has to be unreadable, each beside the same answer uncompressed. */
const TIMES = 2;

for (const area of ['payment-links', 'atms'] as const)
  test(
    `An answer that may be compressed is readable (${area})`,
    ...scenario(`compressed-${area}`, { area }, async ({ atms, bank, probe, check }) => {
      const [position] = area === 'atms' ? [...(await atms.known()), ...atms.starts()] : [];
      const values = position === undefined ? {} : { ...position };
      const ask = (): Promise<Reply> => (area === 'atms' ? bank.findAtms(values) : bank.listMerchants());
      for (let time = 1; time <= TIMES; time += 1) {
        const control = await ask();
        const reply = await probe(control, values, {
          mutate: (draft) => ({ ...draft, headers: { ...draft.headers, 'Accept-Encoding': 'gzip' } }),
        });
        if (reply === null || (reply.status ?? 0) >= 300) return;
        if (!reply.accepted && time < TIMES) continue;
        check('service.content-coding', reply, reply.accepted, {
          pointer: 'response/body',
          expected: 'the same content as without Accept-Encoding: gzip',
          received: reply.exchange.failure?.message ?? 'a body that is no JSON once its Content-Encoding is undone',
          contrast: control,
        });
        return;
      }
    }),
  );

/** The scenario of each documented form, and its share of what the run may create. */
const scenarios: Readonly<Record<string, { readonly id: string; readonly creates?: Weights }>> = {
  validateLoan: { id: 'documented-check' },
  requestLoan: { id: 'documented-loan-request', creates: { applications: 3 } },
  approveContract: { id: 'documented-contract', creates: { applications: 2 } },
  disburse: { id: 'documented-disbursement', creates: { applications: 4, disbursements: 6 } },
  queryDisbursement: { id: 'documented-outcome', creates: { applications: 2, disbursements: 1 } },
  listMerchants: { id: 'documented-merchants' },
  listCurrencies: { id: 'documented-currencies' },
  listBranches: { id: 'documented-branches' },
  listInstallments: { id: 'documented-installments' },
  createPaymentLink: { id: 'documented-link', creates: { links: 3 } },
  'findAtms 0': { id: 'documented-atms-by-position' },
  'findAtms 1': { id: 'documented-atms-by-province' },
};

/** Loans that are carried through one after the other. */
const MAX_CARRIED = 4;

test(
  'A loan is carried through where the target has one open application at a time',
  ...scenario('loan-by-loan', { area: 'loans', exclusive: true }, async ({ loans, run }) => {
    const { session } = run;
    if (!session.accepted('requestLoan') || session.accepted('disburse')) return;
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    for (let round = 0; round < MAX_CARRIED; round += 1) {
      // What is open may stand in the way of the next: the newest first, since older ones may have lapsed.
      const application = loans.undisbursed().at(-1) ?? (await loans.apply(terms));
      if (application === null || !(await loans.carryThrough(application))) return;
    }
  }),
);

for (const form of documentedForms) {
  const { area } = operations[form.operation];
  const { id, creates = {} } = scenarios[form.name] ?? { id: `documented-${form.name}` };
  const which = form.name.slice(form.operation.length);
  test(
    `A documented request is accepted as documented: ${nameOf(form.operation)}${which}`,
    ...scenario(id, { area, exclusive: true, creates }, (tools) => diagnose(tools, form)),
  );
}

test(
  'Both forms of order_id are accepted alike',
  ...scenario('order-id-forms', { area: 'loans', exclusive: true, creates: { applications: 3 } }, (tools) =>
    orderIdForms(tools),
  ),
);
