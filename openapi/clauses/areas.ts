/** The three areas of the service, in the order of the document. */
export const areas = ['loans', 'payment-links', 'atms'] as const;
export type Area = (typeof areas)[number];

const operationsByArea = {
  loans: ['validateLoan', 'requestLoan', 'approveContract', 'disburse', 'queryDisbursement'],
  'payment-links': ['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments', 'createPaymentLink'],
  atms: ['findAtms'],
} as const satisfies Readonly<Record<Area, readonly string[]>>;
export type OperationId = (typeof operationsByArea)[Area][number];

export const operationIds: readonly OperationId[] = areas.flatMap(
  (area): readonly OperationId[] => operationsByArea[area],
);

export const belongsTo = (id: OperationId, area: Area): boolean =>
  (operationsByArea[area] as readonly OperationId[]).includes(id);

/** For each operation: the operations that give it inputs, such as ids, offers and lists. */
const prerequisites: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  requestLoan: ['validateLoan'],
  approveContract: ['requestLoan'],
  disburse: ['approveContract'],
  queryDisbursement: ['disburse'],
  listCurrencies: ['listMerchants'],
  listBranches: ['listMerchants'],
  listInstallments: ['listCurrencies', 'listBranches'],
  createPaymentLink: ['listInstallments'],
};

export function withPrerequisites(selected: readonly OperationId[]): ReadonlySet<OperationId> {
  return new Set(selected.flatMap((id) => [id, ...withPrerequisites(prerequisites[id] ?? [])]));
}

/** True if GET requests alone can test this operation. The disbursement query needs the id of a disbursement. */
export const isReadOnly = (id: OperationId): boolean => id.startsWith('list') || id === 'findAtms';
