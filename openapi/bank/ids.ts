/** Defines the areas of the service in the order of the document, and the types of names that bank files use. */
import type { Answers } from './bank-open-api.types.ts';
import type { createdResources } from './created.ts';

export type { Answers };

export const areas = ['loans', 'payment-links', 'atms'] as const;
export type Area = (typeof areas)[number];

/** An `operationId` of the contract. */
export type OperationId = keyof Answers;
/** An operation whose request has no input. */
export type OperationWithoutInputs = 'listMerchants';

/** What a request may create. */
export type CreatedThing = 'application' | 'contract' | 'disbursement' | 'link';

/** A kind of created things with a cap. */
export type Created = keyof typeof createdResources;
