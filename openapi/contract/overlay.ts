/** Applies an OpenAPI Overlay (1.0 or 1.1) to the contract. A process can have one overlay, set before the contract is loaded. */
import type { JSONPathNode, JSONValue } from 'json-p3';
import { operationIds } from '../api.ts';
import { memoizeByText } from '../util/memoize.ts';
import { parseYaml } from '../files/parse.ts';
import { countValues, OVERLAY_LIMITS } from './overlay-limits.ts';
import { listOperationNodes, SUCCESS_STATUS, type Schema, isJsonObject, type JsonObject } from './references.ts';

const parseOverlay = memoizeByText(parseYaml, { maxTexts: 4, maxLength: Infinity });

interface Action {
  readonly target: string;
  readonly update?: unknown;
  readonly remove?: unknown;
  readonly copy?: unknown;
}

interface Overlay {
  readonly overlay?: unknown;
  readonly info?: { readonly title?: unknown };
  readonly actions?: readonly Action[];
}

interface UserOverlay {
  readonly text: string;
  readonly title: string;
  readonly actions: number;
}

let userOverlay: UserOverlay | null = null;
let isLoaded = false;

/** Returns what is wrong with the text of an overlay, as the end of a sentence; null if nothing is wrong. */
export function findOverlayFault(text: string): string | null {
  let overlay: Overlay | null;
  try {
    overlay = parseOverlay(text) as Overlay | null;
  } catch (error) {
    return (error as Error).message;
  }
  if (typeof overlay?.overlay !== 'string' || !/^1\.[01]\.\d+$/.test(overlay.overlay))
    return 'is no OpenAPI Overlay 1.0 or 1.1';
  if (!Array.isArray(overlay.actions) || overlay.actions.length === 0) return 'has no actions';
  if (overlay.actions.length > OVERLAY_LIMITS.actions)
    return `has ${overlay.actions.length} actions, more than ${OVERLAY_LIMITS.actions}`;
  const targets = overlay.actions.map((action) => (action as { target?: unknown } | null)?.target);
  const wrongIndex = targets.findIndex((target) => typeof target !== 'string' || !target.startsWith('$'));
  return wrongIndex < 0
    ? null
    : `has an action (number ${wrongIndex + 1}) whose target is no JSONPath, which begins with $`;
}

/** Sets the overlay of this process. Throws if the contract was already loaded, or another overlay was set. */
export function setOverlay(text: string): void {
  if (userOverlay?.text === text) return;
  if (isLoaded || userOverlay !== null) throw new Error('An overlay is given once, before the contract is read.');
  const { info, actions } = parseOverlay(text) as Overlay;
  userOverlay = {
    text,
    title: typeof info?.title === 'string' ? info.title : 'an overlay without a title',
    actions: actions?.length ?? 0,
  };
}

/** Returns the overlay of this process, or null. After this call, no overlay can be set. */
export function takeOverlay(): UserOverlay | null {
  isLoaded = true;
  return userOverlay;
}

/** Merges `added` into `target` as the Overlay Specification says: objects member by member, arrays by appending. */
function mergeValues(target: unknown, addedValue: unknown): unknown {
  if (Array.isArray(target)) return target.concat(addedValue);
  if (!isJsonObject(target) || !isJsonObject(addedValue)) return addedValue;
  const members = Object.entries(addedValue).map(([name, value]): [string, unknown] => [
    name,
    Object.hasOwn(target, name) ? mergeValues(target[name], value) : value,
  ]);
  return Object.fromEntries([...Object.entries(target), ...members]);
}

/** Writes a value at a place; without a value, removes the place. Does nothing if the parent of the place does not exist. */
function setValueAt(root: object, [...location]: (string | number)[], value?: unknown): void {
  const lastName = location.pop() as string | number;
  const parent = location.reduce<unknown>((node, key) => (node as JsonObject | undefined)?.[key], root);
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, lastName)) return;
  if (value !== undefined)
    Object.defineProperty(parent, lastName, { value, enumerable: true, configurable: true, writable: true });
  else if (Array.isArray(parent)) parent.splice(Number(lastName), 1);
  else Reflect.deleteProperty(parent, lastName);
}

function findJsonPathMatches(document: unknown, path: string): readonly JSONPathNode[] {
  const { jsonpath }: typeof import('json-p3') = require('json-p3');
  const matches: JSONPathNode[] = [];
  try {
    for (const place of jsonpath.lazyQuery(path, document as JSONValue))
      if (matches.push(place) > OVERLAY_LIMITS.values)
        throw new Error(`it names more than ${OVERLAY_LIMITS.values} places`);
  } catch (error) {
    throw new Error(`The JSONPath ${JSON.stringify(path)} cannot be used: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  return matches;
}

interface DocumentRoot {
  readonly $: unknown;
}

const describeAction = ({ target }: Action): string => `The overlay's action on ${JSON.stringify(target)}`;

/** Returns the value that an action writes: `update`, or a copy of the place `copy` of the contract. */
function readNewValue(document: unknown, action: Action, version: unknown): unknown {
  const { update, copy } = action;
  if (typeof copy !== 'string' || !String(version).startsWith('1.1')) return update;
  const copiedPlaces = findJsonPathMatches(document, copy);
  if (copiedPlaces.length !== 1)
    throw new Error(
      `${describeAction(action)} copies ${copiedPlaces.length} places of the contract in the place of one.`,
    );
  return update ?? copiedPlaces[0]?.value;
}

function writeValue(root: DocumentRoot, { location }: JSONPathNode, addedValue: unknown, action: Action): void {
  const value = location.reduce<unknown>((node, key) => (node as JsonObject | undefined)?.[key], root.$);
  if (value === undefined) return;
  if (isJsonObject(value) && !isJsonObject(addedValue))
    throw new Error(`${describeAction(action)} gives an object something that is none.`);
  // Each place gets its own copy of the value.
  setValueAt(root, ['$', ...location], mergeValues(value, JSON.parse(JSON.stringify(addedValue))));
}

function applyActions(document: unknown, { actions = [], overlay: version }: Overlay): unknown {
  const root: DocumentRoot = { $: structuredClone(document) };
  let addedValueCount = 0;
  for (const action of actions) {
    const isRemoval = action.remove === true;
    const places = findJsonPathMatches(root.$, action.target).filter(
      ({ location }) => !isRemoval || location.length > 0,
    );
    const addedValue = readNewValue(root.$, action, version);
    const hasNothingToDo = places.length === 0 || (!isRemoval && addedValue === undefined);
    if (hasNothingToDo) throw new Error(`${describeAction(action)} finds nothing in the contract to act on.`);
    // Array entries are removed from the end, so that the indices of the other entries stay the same.
    if (isRemoval) for (const { location } of places.toReversed()) setValueAt(root, ['$', ...location]);
    else {
      addedValueCount += places.length * countValues(addedValue);
      if (addedValueCount > OVERLAY_LIMITS.values)
        throw new Error(`The overlay brings more than ${OVERLAY_LIMITS.values} values into the contract.`);
      for (const place of places) writeValue(root, place, addedValue, action);
    }
  }
  return root.$;
}

/** Returns a copy of the document with the overlay applied. Throws if an action finds nothing, or if it removes an operation. */
export function applyOverlay(document: Schema, text: string): Schema {
  const changedDocument = applyActions(document, parseOverlay(text) as Overlay) as Schema;
  const remainingIds = listOperationNodes(changedDocument).flatMap(({ node }) =>
    Object.keys(node['responses'] ?? {}).some((status) => SUCCESS_STATUS.test(status)) ? [node['operationId']] : [],
  );
  const lostOrDoubledId = operationIds.find((id) => remainingIds.filter((remaining) => remaining === id).length !== 1);
  if (lostOrDoubledId !== undefined)
    throw new Error(
      `With the overlay the contract has the operation ${lostOrDoubledId} ${remainingIds.includes(lostOrDoubledId) ? 'twice' : 'no longer'}.`,
    );
  return changedDocument;
}
