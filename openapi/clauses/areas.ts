/** The areas of the service, in the order of the document, and the types of what the bank files name. */
import type { Answers } from '../bank/bank-open-api.types.ts';

export type { Answers };
export type { Created } from '../bank/created.ts';

export const areas = ['loans', 'payment-links', 'atms'] as const;
export type Area = (typeof areas)[number];

/** An `operationId` of the contract. */
export type OperationId = keyof Answers;
export type OperationWithoutInputs = 'listMerchants';
