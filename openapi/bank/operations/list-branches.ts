/** GET /merchants/{merchant_no}/branches: lists the branches of a merchant. */
import type { OperationFacts } from '../../model/operation.ts';
import { getEntries } from '../../rules/entries.ts';
import { makeUniquenessRuleForList } from '../rules/payment-links.ts';
import { addBranches } from '../records/payment-links.ts';
import { keepsNothing, wholeList } from './common.ts';

export const listBranches: OperationFacts = {
  area: 'payment-links',
  label: 'Branches',
  needs: ['listMerchants'],
  after: [],
  readOnly: true,
  subject: null,
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: ['merchant_no'],
  list: { ...wholeList, gives: { input: 'branch_no', list: 'branches', member: 'no' } },
  answeredIds: ({ branches }, { merchant_no }) =>
    getEntries(branches).map(({ no }) => ({ merchant_no, branch_no: no })),
  rules: [makeUniquenessRuleForList('branches', 'links.branch.distinct', '/no', 'no')],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: 'links.listed-is-taken',
  boundsPoint: null,
  refusalsPoint: 'links.refusals',
  observe: null,
  kept: { ...keepsNothing, accepted: addBranches },
  logged: null,
  whenNotReached:
    'the merchant list was empty (give the client of CLIENT_ID a merchant, or leave the area out with AREAS)',
  hasTestData: false,
  plannedRefusals: [],
};
