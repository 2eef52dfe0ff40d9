import {
  diagnose,
  documentedForms,
  nameOf,
  operations,
  orderIdForms,
  scenario,
  test,
  type Shares,
} from '../../fixtures/runner/index.ts';

/** The scenario of each documented form, and its share of what the run may create. */
const scenarios: Readonly<Record<string, { readonly id: string; readonly spends?: Shares }>> = {
  validateLoan: { id: 'documented-check' },
  requestLoan: { id: 'documented-loan-request', spends: { applications: 0.05 } },
  approveContract: { id: 'documented-contract', spends: { applications: 0.034 } },
  disburse: { id: 'documented-disbursement', spends: { applications: 0.067, disbursements: 0.15 } },
  queryDisbursement: { id: 'documented-outcome', spends: { applications: 0.034, disbursements: 0.025 } },
  listMerchants: { id: 'documented-merchants' },
  listCurrencies: { id: 'documented-currencies' },
  listBranches: { id: 'documented-branches' },
  listInstallments: { id: 'documented-installments' },
  createPaymentLink: { id: 'documented-link', spends: { links: 0.05 } },
  'findAtms 0': { id: 'documented-atms-by-position' },
  'findAtms 1': { id: 'documented-atms-by-province' },
};

for (const form of documentedForms) {
  const { area } = operations[form.operation];
  const { id, spends = {} } = scenarios[form.name] ?? { id: `documented-${form.name}` };
  const which = form.name.slice(form.operation.length);
  test(
    `A documented request is accepted as documented: ${nameOf(form.operation)}${which}`,
    ...scenario(id, { area, exclusive: true, spends }, (tools) => diagnose(tools, form)),
  );
}

test(
  'Both forms of order_id are accepted alike',
  ...scenario('order-id-forms', { area: 'loans', exclusive: true, spends: { applications: 0.05 } }, (tools) =>
    orderIdForms(tools),
  ),
);
