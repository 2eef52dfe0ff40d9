/** What the engine asks of the bank, beside its contract, clauses and behaviours. */
export { areaFacts } from './areas.ts';
export { createdResources } from './created.ts';
export * from './inputs.ts';
export { operationFacts } from './operations/index.ts';
export { findComparedShare } from './records/atms.ts';
export { findApplication, openUniquenessTest } from './records/loans.ts';
export * from './texts.ts';
