/** Collects the behaviours that the files in the list of the bank export. */
import * as files from '#bank/behaviours';
import type { OperationId } from '../model/exchange.ts';
import type { ComparedBehaviour, RunBehaviour } from './behaviour.ts';
import { listNeededOperations } from './evidence.ts';

type Judge = { readonly judge: unknown; readonly id: string };
type NoRecord = readonly unknown[] | ReadonlyMap<unknown, unknown> | ((...values: never) => unknown);

/** The behaviours in the exports of a file. They may stand in records, such as `refusedLoans.body`. */
type BehaviourIn<Exports> = Exports extends Judge
  ? Exports
  : Exports extends NoRecord
    ? never
    : Exports extends object
      ? { [Name in keyof Exports]-?: BehaviourIn<Exports[Name]> }[keyof Exports]
      : never;

export type Behaviour = BehaviourIn<typeof files>;

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Returns the behaviours in the exports of a file, in their order. */
export const listBehaviours = (exported: object): readonly Behaviour[] =>
  'judge' in exported ? [exported as Behaviour] : Object.values(exported).filter(isRecord).flatMap(listBehaviours);

export const behaviours = listBehaviours(files);

export const comparedBehaviours = behaviours.filter(
  (behaviour): behaviour is Extract<Behaviour, ComparedBehaviour> => 'evidence' in behaviour,
);
export const runBehaviours = behaviours.filter(
  (behaviour): behaviour is Extract<Behaviour, RunBehaviour> => !('evidence' in behaviour),
);

/**
 * Returns the operations that all behaviours of a clause need, as lists of alternatives: if no operation of a list ever succeeds, no
 * behaviour can test the clause. Example: `[['disburse'], ['queryDisbursement']]`.
 */
export function listDependencies(clause: string): readonly (readonly OperationId[])[] {
  const operationsByBehaviour = [
    ...comparedBehaviours.filter(({ id }) => id === clause).map(({ evidence }) => listNeededOperations(evidence)),
    ...runBehaviours.filter(({ id }) => id === clause).map(({ operation }) => (operation ? [[operation]] : [])),
  ].map((lists) => new Map(lists.map((operations) => [operations.join(), operations])));
  const [firstNeeds = new Map<string, readonly OperationId[]>(), ...furtherNeeds] = operationsByBehaviour;
  const isNeededByAll = (key: string): boolean => furtherNeeds.every((needs) => needs.has(key));
  return [...firstNeeds].flatMap(([key, operations]) => (isNeededByAll(key) ? [operations] : []));
}
