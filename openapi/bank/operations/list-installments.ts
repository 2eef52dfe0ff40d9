/** GET /merchants/{merchant_no}/Installments: lists the installment options of a branch and a currency. */
import type { OperationFacts } from '../../model/operation.ts';
import { getEntries } from '../../rules/entries.ts';
import { checkLabelNumbers, checkSinglePaymentLabel, makeUniquenessRuleForList } from '../rules/payment-links.ts';
import { keepsNothing, wholeList } from './common.ts';

export const listInstallments: OperationFacts = {
  area: 'payment-links',
  label: 'Installments',
  needs: ['listCurrencies', 'listBranches'],
  after: [],
  readOnly: true,
  subject: null,
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: ['is_domestic', 'currency_code', 'merchant_no', 'branch_no'],
  list: { ...wholeList, gives: { input: 'installment', list: 'installments', member: 'value' } },
  answeredIds: ({ installments }, asked) =>
    getEntries(installments).map(({ value }) => ({ ...asked, installment: value })),
  rules: [
    checkLabelNumbers,
    checkSinglePaymentLabel,
    makeUniquenessRuleForList('installments', 'links.installment.distinct', '/value', 'value'),
  ],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: 'links.listed-is-taken',
  boundsPoint: null,
  refusalsPoint: 'links.refusals',
  observe: null,
  kept: keepsNothing,
  logged: null,
  whenNotReached: 'no merchant had both a branch and a currency (give one of them both)',
  hasTestData: false,
  plannedRefusals: [],
};
