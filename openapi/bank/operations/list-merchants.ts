/** GET /merchants: lists the merchants of the customer. */
import type { OperationFacts } from '../../model/operation.ts';
import { getEntries, readMember } from '../../rules/entries.ts';
import { checkNoRoundingError, makeUniquenessRuleForList } from '../rules/payment-links.ts';
import { addMerchants } from '../records/payment-links.ts';
import { keepsNothing } from './common.ts';

export const listMerchants: OperationFacts = {
  area: 'payment-links',
  label: 'Merchants',
  needs: [],
  after: [],
  readOnly: true,
  subject: null,
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: [],
  list: {
    part: (data) => ({ merchants: readMember(data, 'merchants') }),
    render: null,
    renderAlike: null,
    beside: (data) => ({ ...data, merchants: null }),
    gives: { input: 'merchant_no', list: 'merchants', member: 'merchant_no' },
  },
  answeredIds: ({ merchants }) => getEntries(merchants).map(({ merchant_no }) => ({ merchant_no })),
  rules: [
    checkNoRoundingError,
    makeUniquenessRuleForList('merchants', 'links.merchant.distinct', '', 'merchant_no', 'branch_code'),
  ],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: null,
  boundsPoint: null,
  refusalsPoint: 'links.refusals',
  observe: null,
  kept: { ...keepsNothing, accepted: addMerchants },
  logged: null,
  whenNotReached: null,
  hasTestData: false,
  plannedRefusals: [],
};
