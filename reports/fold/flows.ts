/**
 * Collects two flows with real requests: an application from its validation to its outcome, and a payment link with the lists
 * before it.
 */
import { isInteger, parse } from 'lossless-json';
import { getScenario, type Asked, type OperationId } from '../../openapi/model/exchange.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { toIdText, isSameId } from '../../openapi/util/ids.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Flow, Step } from '../model/contents.ts';
import type { FlowStep } from '../model/tally.ts';

type Named = Step['gave'][number];

/** The ids and codes to show, by their names in requests. */
const SHOWN_INPUTS = new Set(
  'order_id application_id account_id merchant_no branch_no currency currency_code installment'.split(' '),
);
/** Maps the name of an id or code in answers to its name in requests. */
const inputNames: Readonly<Record<string, string>> = { no: 'branch_no', code: 'currency_code', value: 'installment' };
/** Further fields of answers to show. */
const SHOWN_ANSWER_FIELDS = new Set(['result', 'payment_token', 'end_date']);
/** At most this many ids and codes are read from an answer, and at most this many are shown in a step. */
const [MAX_IDS_PER_ANSWER, MAX_IDS_PER_STEP] = [60, 4];

/** The requests of one flow in an area. */
export interface Chain {
  readonly area: Flow['area'];
  readonly steps: readonly FlowStep[];
}

/** Returns, for each area, the flow with the most operations. If several flows have equally many, returns the earliest. */
export function collectRequestChains(steps: readonly FlowStep[]): readonly Chain[] {
  const inOrder = steps.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
  const chains: readonly Chain[] = [
    { area: 'loans', steps: findLongestFlow(listLoanFlows(inOrder)) },
    { area: 'payment-links', steps: findLongestFlow(listLinkFlows(inOrder)) },
  ];
  return chains.filter((chain) => chain.steps.length > 0);
}

function findLongestFlow(chains: Iterable<readonly FlowStep[]>): readonly FlowStep[] {
  let [best, most]: [readonly FlowStep[], number] = [[], 0];
  for (const chain of chains) {
    const width = new Set(chain.map(({ operation }) => operation)).size;
    if (width > most) [best, most] = [chain, width];
  }
  return best;
}

/** Returns a key that is equal for requests of the same flow. */
const makeFlowKey = (operation: OperationId, asked: Asked, names: readonly string[]): string =>
  [operation, ...names.map((name) => String(asked[name]))].join(' ');

function* listLoanFlows(inOrder: readonly FlowStep[]): Generator<readonly FlowStep[]> {
  const byApplication = groupBy(
    inOrder.filter(({ operation }) => operation !== 'requestLoan'),
    ({ operation, asked }) => `${operation} ${toIdText(asked['application_id'])}`,
  );
  const checks = new Map<string, FlowStep>();
  for (const step of inOrder) {
    const terms = `${getScenario(step.id)} ${makeFlowKey('validateLoan', step.asked, ['amount', 'currency'])}`;
    if (step.operation === 'validateLoan') checks.set(terms, step);
    if (step.operation !== 'requestLoan') continue;
    const later = (operation: OperationId) => byApplication.get(`${operation} ${toIdText(step.application)}`) ?? [];
    const [contract] = later('approveContract');
    const [disbursement] = later('disburse');
    const queries = later('queryDisbursement');
    // Shows only the first and the last answer about the outcome.
    const outcomes = queries.length > 1 ? [queries[0], queries.at(-1)] : queries;
    const all = [checks.get(terms), step, contract, disbursement, ...outcomes];
    yield all.filter((one) => one !== undefined);
  }
}

/** The lists before a payment link, and the inputs that their requests share with the request for the link. */
const listOperations: readonly (readonly [OperationId, ...names: string[]])[] = [
  ['listMerchants'],
  ['listCurrencies', 'merchant_no', 'is_domestic'],
  ['listBranches', 'merchant_no'],
  ['listInstallments', 'merchant_no', 'branch_no', 'currency_code', 'is_domestic'],
];

function* listLinkFlows(inOrder: readonly FlowStep[]): Generator<readonly FlowStep[]> {
  const first = new Map<string, FlowStep>();
  for (const step of inOrder)
    for (const [operation, ...names] of listOperations) {
      const key = makeFlowKey(operation, step.asked, names);
      if (step.operation === operation && !first.has(key)) first.set(key, step);
    }
  for (const link of inOrder)
    if (link.operation === 'createPaymentLink')
      yield [
        ...listOperations.flatMap(
          ([operation, ...names]) => first.get(makeFlowKey(operation, link.asked, names)) ?? [],
        ),
        link,
      ];
}

export const makeFlows = (chains: readonly Chain[], records: ReadonlyMap<string, ExchangeRecord>): Flow[] =>
  chains.map(({ area, steps }) => ({ area, steps: makeSteps(steps.flatMap(({ id }) => records.get(id) ?? [])) }));

function makeSteps(chain: readonly ExchangeRecord[]): Step[] {
  const given = chain.map(listAnswerIds);
  const carried = chain.map(({ request }) =>
    Object.entries(request.asked).flatMap(([name, value]) =>
      SHOWN_INPUTS.has(name) ? { name, value: String(value) } : [],
    ),
  );
  return chain.map(({ operation, id, response }, at) => {
    const later = carried.slice(at + 1).flat();
    const isUsed = (one: Named): boolean => later.some((other) => isSameNamedValue(one, other));
    return {
      operation,
      exchange: id,
      status: response?.status ?? null,
      carried: carried[at]!.map((one) => {
        const from = given.findIndex((list, step) => step < at && list.some((other) => isSameNamedValue(other, one)));
        return { ...one, from: from === -1 ? null : from };
      }),
      gave: given[at]!.toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a))).slice(0, MAX_IDS_PER_STEP),
    };
  });
}

const isSameNamedValue = (a: Named, b: Named): boolean => a.name === b.name && isSameId(a.value, b.value);

/** Returns the ids and codes in an answer, each only once, with all digits. */
function listAnswerIds({ response }: ExchangeRecord): Named[] {
  if (response === null || response.encoding !== 'utf-8') return [];
  let body: unknown;
  try {
    const parseNumber = (text: string): unknown => (isInteger(text) ? BigInt(text) : Number(text));
    body = parse(response.body, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch {
    return [];
  }
  const found = new Map<string, Named>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) walk(item);
    else if (typeof node === 'object' && node !== null)
      for (const [key, value] of Object.entries(node)) {
        const name = inputNames[key] ?? key;
        if (typeof value === 'object') walk(value);
        else if (SHOWN_INPUTS.has(name) || SHOWN_ANSWER_FIELDS.has(name))
          found.set(`${name} ${value}`, { name, value: String(value) });
      }
  };
  walk((body as { data?: unknown } | null)?.data);
  return [...found.values()].slice(0, MAX_IDS_PER_ANSWER);
}
