import {
  diagnose,
  documentedForms,
  nameOf,
  operations,
  orderIdForms,
  test,
  type Shares,
} from '../../fixtures/runner/index.ts';

const entities: Record<string, Shares> = {
  requestLoan: { applications: 0.05 },
  approveContract: { applications: 0.034 },
  disburse: { applications: 0.067, disbursements: 0.15 },
  queryDisbursement: { applications: 0.034, disbursements: 0.025 },
  createPaymentLink: { links: 0.05 },
};

for (const form of documentedForms) {
  const { area } = operations[form.operation];
  const which = form.name.slice(form.operation.length);
  test(
    `A documented request is accepted as documented: ${nameOf(form.operation)}${which}`,
    { area, exclusive: true, spends: entities[form.operation] ?? {} },
    (tools) => diagnose(tools, form),
  );
}

test(
  'Both forms of order_id are accepted alike',
  { area: 'loans', exclusive: true, spends: { applications: 0.05 } },
  (tools) => orderIdForms(tools),
);
