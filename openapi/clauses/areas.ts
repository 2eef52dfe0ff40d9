/** What the service consists of: three areas, eleven operations. */

/** The three areas of the service, in the order of the document. */
export const areas = ['loans', 'payment-links', 'atms'] as const;
export type Area = (typeof areas)[number];

/** The eleven operations, in the order of the document (section Endpoints). */
export const operationIds = [
  'validateLoan',
  'requestLoan',
  'approveContract',
  'disburse',
  'queryDisbursement',
  'listMerchants',
  'listCurrencies',
  'listBranches',
  'listInstallments',
  'createPaymentLink',
  'findAtms',
] as const;
export type OperationId = (typeof operationIds)[number];
