/** Finds and describes the differences between two answers. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { describeValueForm, truncate } from '../../openapi/util/truncate.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { countOf } from '../../openapi/util/counted.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';
import { formatPlace } from './phrases.ts';

/** The values that only one of two answers (`a` or `b`) has at a place. `*` replaces indices: the order of entries does not matter. */
interface AnswerDifference {
  readonly pointer: string;
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

/** For each pointer with `*` in place of indices: its values that are no object and no array. */
function listLeafValues(value: unknown, pointer = '', leaves = new Map<string, string[]>()): Map<string, string[]> {
  const members = typeof value === 'object' && value !== null && !isLosslessNumber(value) ? Object.entries(value) : [];
  for (const [name, member] of members)
    listLeafValues(member, `${pointer}/${Array.isArray(value) ? '*' : name}`, leaves);
  if (members.length === 0) getOrSet(leaves, pointer, () => []).push(stringify(value) ?? 'undefined');
  return leaves;
}

function parseBody({ response }: ExchangeRecord): unknown {
  try {
    return parse(response?.body ?? '');
  } catch {
    return response?.body;
  }
}

/** Removes items from a list, each as often as `removed` has it: a, a, b without a is a, b. */
function removeItems(items: readonly string[], removedItems: readonly string[]): string[] {
  const remaining = [...removedItems];
  return items.filter((item) => {
    const index = remaining.indexOf(item);
    if (index >= 0) remaining.splice(index, 1);
    return index < 0;
  });
}

export function findDifferences(a: ExchangeRecord, b: ExchangeRecord): AnswerDifference[] {
  const leavesOfA = listLeafValues(parseBody(a));
  const leavesOfB = listLeafValues(parseBody(b));
  const pointers = new Set([...leavesOfA.keys(), ...leavesOfB.keys()]);
  return [...pointers].flatMap((pointer) => {
    const valuesOfA = leavesOfA.get(pointer) ?? [];
    const valuesOfB = leavesOfB.get(pointer) ?? [];
    const onlyInA = removeItems(valuesOfA, valuesOfB);
    const onlyInB = removeItems(valuesOfB, valuesOfA);
    return onlyInA.length + onlyInB.length === 0 ? [] : [{ pointer, onlyInA, onlyInB }];
  });
}

const MAX_PLACES = 3;
const MAX_VALUES = 3;

const writeValues = (values: readonly string[]): string => {
  const distinctValues = [...new Set(values)];
  if (distinctValues.length === 0) return 'missing';
  const firstValues = distinctValues.slice(0, MAX_VALUES).map((value) => truncate(value, 60));
  const leftOutCount = distinctValues.length - firstValues.length;
  return `${firstValues.join(', ')}${leftOutCount > 0 ? ` and ${leftOutCount} more` : ''}`;
};

/**
 * Describes how an answer differs from its reference answer. References and times are new in each answer: leaves them out if another
 * value differs. `referenceName` names the reference answer in the sentence.
 */
function describeDifference(record: ExchangeRecord, reference: ExchangeRecord, referenceName: string): string[] {
  const differences = findDifferences(record, reference);
  const joinForms = (values: readonly string[]): string => values.map(describeValueForm).sort().join();
  const formDifferences = differences.filter(({ onlyInA, onlyInB }) => joinForms(onlyInA) !== joinForms(onlyInB));
  const describedDifferences = formDifferences.length > 0 ? formDifferences : differences;
  return describedDifferences
    .slice(0, MAX_PLACES)
    .map(
      ({ pointer, onlyInA, onlyInB }) =>
        `${formatPlace(pointer)} is ${writeValues(onlyInA)} in this answer, and ${writeValues(onlyInB)} in ${referenceName}`,
    );
}

/** Describes how the answer of a finding differs from the answer of its reference exchange. Only for findings that compare answers. */
export function describeReferenceDifference(
  { exchanges }: Report,
  { exchange, contrast, alone, answers, exercised }: Finding,
): string[] {
  const record = exchanges[exchange];
  const reference = exchanges[contrast ?? ''];
  if (alone === true || record === undefined || record.operation !== reference?.operation) return [];
  if (record.response?.status !== reference.response?.status) return [];
  const referenceName = exercised > answers ? countOf(exercised - answers, 'other answer') : 'the other answer';
  return describeDifference(record, reference, referenceName);
}

/** Returns a received number as the answer wrote it, for example `5.00` and not `5`. Returns other received texts unchanged. */
export function restoreOriginalDigits(record: ExchangeRecord | undefined, pointer: string, received: string): string {
  if (record === undefined || !pointer.startsWith('/') || !/^-?\d/.test(received)) return received;
  let value = parseBody(record);
  for (const name of pointer.slice(1).split('/')) value = (value as Record<string, unknown> | null)?.[name];
  const originalDigits = isLosslessNumber(value) ? value.value : received;
  return Number(originalDigits) === Number(received) ? originalDigits : received;
}

export const renderSentRequest = ({ request: { method, path, body } }: ExchangeRecord): string =>
  `${method} ${path}${body === null ? '' : `\n${body}`}`;
