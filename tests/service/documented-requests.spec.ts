/** Repeats documented requests that the bank never accepted, with one change at a time. Takes loans through all steps one by one. */
import {
  claimUnused,
  disburseUnapproved,
  documentedForms,
  getOperationName,
  loadProbes,
  operations,
  scenario,
  test,
  type Weights,
} from '../../fixtures/runner/index.ts';

const scenarioByForm: Readonly<Record<string, { readonly id: string; readonly creates?: Weights }>> = {
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

const MAX_LOANS_IN_A_ROW = 4;

test(
  'Loans one after the other, each completed before the next begins',
  ...scenario('loan-by-loan', { area: 'loans', stage: 'refused forms' }, async ({ loans, run }) => {
    const { session } = run;
    if (!session.wasAccepted('requestLoan') || session.wasAccepted('disburse')) return;
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    for (let round = 0; round < MAX_LOANS_IN_A_ROW; round += 1) {
      // A bank may refuse a loan while another application is open. The newest application comes first: older ones may have expired.
      const application = loans.listUndisbursed().at(-1) ?? (await loans.apply(terms));
      if (application === null || !(await loans.completeLoan(application))) return;
    }
  }),
);

for (const form of documentedForms) {
  const { area } = operations[form.operation];
  const { id, creates = {} } = scenarioByForm[form.name] ?? { id: `documented-${form.name}` };
  const variant = { 'findAtms 0': ', by position', 'findAtms 1': ', by province and district' }[form.name] ?? '';
  test(
    `A documented request that the bank never accepted, again with one change at a time: ${getOperationName(form.operation)}${variant}`,
    ...scenario(id, { area, stage: 'refused forms', diagnoses: true, creates }, (tools) =>
      loadProbes().diagnoseRejection(tools, form),
    ),
  );
}

test(
  'Loan requests with order_id as text and as integer',
  ...scenario('order-id-forms', { area: 'loans', stage: 'refused forms', creates: { applications: 3 } }, (tools) =>
    loadProbes().compareOrderIdForms(tools),
  ),
);

test(
  'A disbursement with contract_approved false',
  ...scenario('disbursement-unapproved', { area: 'loans', stage: 'accounts' }, async (tools) => {
    const { loans, run } = tools;
    const disbursements = run.session.requests.filter(({ operation }) => operation === 'disburse');
    const acceptedDisbursement = disbursements.findLast(({ outcome }) => outcome === 'accepted');
    if (acceptedDisbursement === undefined || disbursements.some(({ values }) => values['contract_approved'] === false))
      return;
    claimUnused(run, 'loans');
    const application = await loans.apply(await loans.terms());
    const offersWithLimit = application?.offers.filter(({ limit }) => limit === null || limit > 0) ?? [];
    const [offer] = run.session.accounts.sortByUse(offersWithLimit);
    if (application === null || offer === undefined) return;
    await run.session.accounts.use([offer.account], async () => {
      if (!(await loans.approve(application, offer)).accepted) return;
      await disburseUnapproved(tools, { application, offer }, acceptedDisbursement.exchange);
    });
  }),
);
