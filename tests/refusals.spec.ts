import { diagnose, documentedForms, orderIdForms, test } from '../fixtures/test.ts';
import { nameOf, operations } from '../openapi/contract.ts';

const entities: Record<string, { applications: number; disbursements: number }> = {
  approveContract: { applications: 0.03, disbursements: 0 },
  disburse: { applications: 0.03, disbursements: 0.025 },
  queryDisbursement: { applications: 0.03, disbursements: 0.025 },
};

for (const form of documentedForms) {
  const { area } = operations[form.operation];
  const which = form.name.slice(form.operation.length);
  test(`A documented request is accepted as documented: ${nameOf(form.operation)}${which}`, { area, spends: entities[form.operation] ?? {} }, (tools) =>
    diagnose(tools, form),
  );
}

test('Both forms of order_id are accepted alike', { area: 'loans', spends: { applications: 0.02 } }, (tools) => orderIdForms(tools));
