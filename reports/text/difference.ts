/** Compares the values of two answers. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { describeValueForm, truncate } from '../../openapi/util/truncate.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { countOf } from '../../openapi/util/counted.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';
import { formatPlace } from './phrases.ts';

/** The values that only one of two answers has at a place. `*` replaces indices, so that the order of entries does not matter. */
interface AnswerDifference {
  readonly pointer: string;
  readonly here: readonly string[];
  readonly there: readonly string[];
}

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

/** Removes the items of another list, each as often as it is in the other list. */
function removeItems(list: readonly string[], others: readonly string[] = []): string[] {
  const open = [...others];
  return list.filter((one) => {
    const index = open.indexOf(one);
    if (index >= 0) open.splice(index, 1);
    return index < 0;
  });
}

export function findDifferences(a: ExchangeRecord, b: ExchangeRecord): AnswerDifference[] {
  const own = listLeafValues(parseBody(a));
  const others = listLeafValues(parseBody(b));
  return [...new Set([...own.keys(), ...others.keys()])].flatMap((pointer) => {
    const [mine, theirs] = [own.get(pointer) ?? [], others.get(pointer) ?? []];
    const [here, there] = [removeItems(mine, theirs), removeItems(theirs, mine)];
    return here.length + there.length === 0 ? [] : [{ pointer, here, there }];
  });
}

const MAX_PLACES = 3;
const MAX_VALUES = 3;

const writeValues = (values: readonly string[]): string => {
  const distinct = [...new Set(values)];
  const first = distinct.slice(0, MAX_VALUES).map((value) => truncate(value, 60));
  return (
    `${first.join(', ')}${distinct.length > MAX_VALUES ? ` and ${distinct.length - MAX_VALUES} more` : ''}` || 'missing'
  );
};

/** References and times are new in each answer: they are left out if something else differs. */
function describeDifference(shown: ExchangeRecord, contrast: ExchangeRecord, others: string): string[] {
  const all = findDifferences(shown, contrast);
  const ofForm = all.filter(
    ({ here, there }) => here.map(describeValueForm).sort().join() !== there.map(describeValueForm).sort().join(),
  );
  return (ofForm.length > 0 ? ofForm : all)
    .slice(0, MAX_PLACES)
    .map(
      ({ pointer, here, there }) =>
        `${formatPlace(pointer)} is ${writeValues(here)} in this answer, and ${writeValues(there)} in ${others}`,
    );
}

/** Describes how the answer of a finding differs from its contrast, for findings that compare answers of one operation. */
export function describeContrastDifference(
  { exchanges }: Report,
  { exchange, contrast, alone, answers, exercised }: Finding,
): string[] {
  const shown = exchanges[exchange];
  const compared = exchanges[contrast ?? ''];
  if (alone === true || shown === undefined || shown.operation !== compared?.operation) return [];
  if (shown.response?.status !== compared.response?.status) return [];
  const rest = exercised > answers ? countOf(exercised - answers, 'other answer') : 'the other answer';
  return describeDifference(shown, compared, rest);
}

/** Returns a number of an answer with its original digits; any other received text unchanged. */
export function restoreOriginalDigits(record: ExchangeRecord | undefined, pointer: string, received: string): string {
  if (record === undefined || !pointer.startsWith('/') || !/^-?\d/.test(received)) return received;
  const names = pointer.slice(1).split('/');
  const value = names.reduce<unknown>(
    (here, name) => (here as Record<string, unknown> | null)?.[name],
    parseBody(record),
  );
  const came = isLosslessNumber(value) ? value.value : received;
  return Number(came) === Number(received) ? came : received;
}

export const renderSentRequest = ({ request: { method, path, body } }: ExchangeRecord): string =>
  `${method} ${path}${body === null ? '' : `\n${body}`}`;
