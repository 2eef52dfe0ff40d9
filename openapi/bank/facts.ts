/** Gives the engine all that it needs of this bank, except the contract, the clauses and the behaviours. */
export { areaFacts } from './areas.ts';
export { createdResources } from './created.ts';
export * from './inputs.ts';
export { operationFacts } from './operations/index.ts';
export { findComparedShare } from './records/atms.ts';
export { findApplication, openUniquenessTest } from './records/loans.ts';
export * from './texts.ts';
