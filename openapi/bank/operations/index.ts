/** Lists the operations in the order of the document. Does not compile if an operation of the contract is missing. */
import type { OperationId } from '../../clauses/areas.ts';
import type { OperationFacts } from '../../model/operation.ts';
import { validateLoan } from './validate-loan.ts';
import { requestLoan } from './request-loan.ts';
import { approveContract } from './approve-contract.ts';
import { disburse } from './disburse.ts';
import { queryDisbursement } from './query-disbursement.ts';
import { listMerchants } from './list-merchants.ts';
import { listCurrencies } from './list-currencies.ts';
import { listBranches } from './list-branches.ts';
import { listInstallments } from './list-installments.ts';
import { createPaymentLink } from './create-payment-link.ts';
import { findAtms } from './find-atms.ts';

export const operationFacts: Readonly<Record<OperationId, OperationFacts>> = {
  validateLoan,
  requestLoan,
  approveContract,
  disburse,
  queryDisbursement,
  listMerchants,
  listCurrencies,
  listBranches,
  listInstallments,
  createPaymentLink,
  findAtms,
};
