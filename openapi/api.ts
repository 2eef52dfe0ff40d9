/** Answers questions about the operations of the judged API, from what the bank files state of each operation. */
import { createdResources, operationFacts } from '#bank/facts';
import { areas, type Area, type Created, type OperationId } from './clauses/areas.ts';

export * from '#bank/facts';
export { areas, type Area, type Created, type OperationId };

/** All operations, in the order of the document. */
export const operationIds = Object.keys(operationFacts) as readonly OperationId[];

export const belongsTo = (id: OperationId, area: Area): boolean => operationFacts[id].area === area;

export const listOperationsOf = (area: Area): readonly OperationId[] =>
  operationIds.filter((id) => belongsTo(id, area));

/** True if an operation of the area changes something that a later operation needs. */
export const hasSteps = (area: Area): boolean =>
  listOperationsOf(area).some((id) => findPreviousStep(id) !== undefined);

export const makeForEachArea = <T>(makeValue: (area: Area) => T): Record<Area, T> =>
  Object.fromEntries(areas.map((area) => [area, makeValue(area)])) as Record<Area, T>;

/** True if a run that sends only GET requests can test the operation. */
export const isReadOnly = (id: OperationId): boolean => operationFacts[id].readOnly;

/** Returns the selected operations, all operations that they need, directly or indirectly, and those that come before them. */
export function withPrerequisites(selected: readonly OperationId[]): ReadonlySet<OperationId> {
  return new Set(
    selected.flatMap((id) => {
      const { after, needs } = operationFacts[id];
      return [id, ...withPrerequisites([...after, ...needs])];
    }),
  );
}

/** Returns the operations whose answers an operation needs, directly or indirectly. */
export const listGivers = (id: OperationId): readonly OperationId[] =>
  operationFacts[id].needs.flatMap((giver) => [giver, ...listGivers(giver)]);

/** False for a request that creates something or uses something up. */
export const isRepeatable = (id: OperationId): boolean =>
  operationFacts[id].creates === null && operationFacts[id].usesUp === null;

/** Returns the step before an operation: an operation that changes something that it needs; undefined if there is none. */
export const findPreviousStep = (id: OperationId): OperationId | undefined =>
  operationFacts[id].needs.find((giver) => !isRepeatable(giver));

const steps: ReadonlySet<OperationId> = new Set(
  operationIds.flatMap((id) => {
    const previousStep = findPreviousStep(id);
    return previousStep === undefined ? [] : [previousStep, id];
  }),
);

/** True for an operation that comes before or after a different operation in a fixed order. */
export const isStep = (id: OperationId): boolean => steps.has(id);

/** What requests create, with or without a cap, in the order of the document. */
export const createdThings = operationIds.flatMap((id) => operationFacts[id].creates ?? []);

export const createdKinds = Object.keys(createdResources) as readonly Created[];

export const makeForEachKind = <T>(makeValue: (kind: Created) => T): Record<Created, T> =>
  Object.fromEntries(createdKinds.map((kind) => [kind, makeValue(kind)])) as Record<Created, T>;

/** For each kind of created things: the operation that creates them, and their name. */
export const creators = makeForEachKind((kind) => {
  const id = operationIds.find((operation) => operationFacts[operation].creates?.kind === kind);
  const creates = id && operationFacts[id].creates;
  if (id == null || creates == null) throw new Error(`No operation creates ${kind}.`);
  return { operation: id, what: creates.what };
});
