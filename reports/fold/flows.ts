/** The two flows as they really went: one application from its check to its outcome, one link with the lists before it. */
import { isInteger, parse } from 'lossless-json';
import { scenarioOf, type Asked, type OperationId } from '../../openapi/model/exchange.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { idText, sameId } from '../../openapi/util/ids.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Flow, Step } from '../model/report.ts';
import type { FlowStep } from '../model/tally.ts';

type Records = readonly ExchangeRecord[];
type Named = { readonly name: string; readonly value: string };

/** The ids and codes that are shown, by the name under which requests carry them. */
const shown = [
  'order_id',
  'application_id',
  'account_id',
  'merchant_no',
  'branch_no',
  'currency',
  'currency_code',
  'installment',
];
/** Under which other name an answer gives what a request carries. */
const givenAs: Readonly<Record<string, string>> = { no: 'branch_no', code: 'currency_code', value: 'installment' };
/** What answers give besides. */
const alsoGiven = ['result', 'payment_token', 'end_date'];
const MAX_GIVEN = 4;

/** The steps of one flow of an area. */
export interface Chain {
  readonly area: Flow['area'];
  readonly steps: readonly FlowStep[];
}

/** The flows of a run: of each area the one that shows most operations, the earliest of several. */
export function chainsOf(steps: readonly FlowStep[]): readonly Chain[] {
  const went = steps.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
  const found = [
    { area: 'loans', steps: widest(loanFlows(went)) },
    { area: 'payment-links', steps: widest(linkFlows(went)) },
  ] as const;
  return found.filter(({ steps: chain }) => chain.length > 0);
}

function widest(chains: Iterable<readonly FlowStep[]>): readonly FlowStep[] {
  let [best, most]: [readonly FlowStep[], number] = [[], 0];
  for (const chain of chains) {
    const width = new Set(chain.map(({ operation }) => operation)).size;
    if (width > most) [best, most] = [chain, width];
  }
  return best;
}

/** What of a request tells which others belong to it. */
const keyOf = (operation: OperationId, asked: Asked, names: readonly string[]): string =>
  [operation, ...names.map((name) => String(asked[name]))].join(' ');

function* loanFlows(went: readonly FlowStep[]): Generator<readonly FlowStep[]> {
  const later = groupBy(
    went.filter(({ operation }) => operation !== 'requestLoan'),
    ({ asked }) => idText(asked['application_id']),
  );
  const checks = new Map<string, FlowStep>();
  for (const step of went) {
    const terms = `${scenarioOf(step.id)} ${keyOf('validateLoan', step.asked, ['amount', 'currency'])}`;
    if (step.operation === 'validateLoan') checks.set(terms, step);
    if (step.operation !== 'requestLoan') continue;
    const check = checks.get(terms);
    const of = (operation: OperationId): readonly FlowStep[] =>
      (later.get(idText(step.application)) ?? []).filter((one) => one.operation === operation);
    const stated = of('queryDisbursement');
    // The first and the last word on the outcome.
    const words = stated.length > 1 ? [stated[0]!, stated.at(-1)!] : stated;
    const taken = [...of('approveContract').slice(0, 1), ...of('disburse').slice(0, 1)];
    yield [...(check === undefined ? [] : [check]), step, ...taken, ...words];
  }
}

/** The lists that lead to a link, and what their requests have in common with that of the link. */
const lists: readonly (readonly [OperationId, ...names: string[]])[] = [
  ['listMerchants'],
  ['listCurrencies', 'merchant_no', 'is_domestic'],
  ['listBranches', 'merchant_no'],
  ['listInstallments', 'merchant_no', 'branch_no', 'currency_code', 'is_domestic'],
];

function* linkFlows(went: readonly FlowStep[]): Generator<readonly FlowStep[]> {
  const first = new Map<string, FlowStep>();
  for (const step of went)
    for (const [operation, ...names] of lists) {
      const key = keyOf(operation, step.asked, names);
      if (step.operation === operation && !first.has(key)) first.set(key, step);
    }
  for (const made of went)
    if (made.operation === 'createPaymentLink')
      yield [...lists.flatMap(([operation, ...names]) => first.get(keyOf(operation, made.asked, names)) ?? []), made];
}

/** The flows as the kept exchanges show them. */
export const flowsOf = (chains: readonly Chain[], records: ReadonlyMap<string, ExchangeRecord>): Flow[] =>
  chains.map(({ area, steps }) => ({ area, steps: stepsOf(steps.flatMap(({ id }) => records.get(id) ?? [])) }));

function stepsOf(chain: Records): Step[] {
  const given = chain.map(gaveIn);
  const carried = chain.map(({ request }) =>
    Object.entries(request.asked)
      .filter(([name]) => shown.includes(name))
      .map(([name, value]) => ({ name, value: String(value) })),
  );
  return chain.map(({ operation, id, response }, at) => {
    const later = carried.slice(at + 1).flat();
    const gave = (given[at] ?? []).map((one) => ({ ...one, used: later.some((other) => isSame(one, other)) }));
    const ordered = [...gave.filter(({ used }) => used), ...gave.filter(({ used }) => !used)];
    return {
      operation,
      exchange: id,
      status: response?.status ?? null,
      carried: (carried[at] ?? []).map((one) => {
        const from = given.findIndex((list, step) => step < at && list.some((other) => isSame(other, one)));
        return { ...one, from: from === -1 ? null : from };
      }),
      gave: ordered.slice(0, MAX_GIVEN).map(({ name, value }) => ({ name, value })),
    };
  });
}

function isSame(one: Named, other: Named): boolean {
  return one.name === other.name && sameId(one.value, other.value);
}

/** The ids and codes in an answer, each once, in its digits. */
function gaveIn({ response }: ExchangeRecord): Named[] {
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
        const name = givenAs[key] ?? key;
        if (typeof value === 'object') walk(value);
        else if (shown.includes(name) || alsoGiven.includes(name))
          found.set(`${name} ${value}`, { name, value: String(value) });
      }
  };
  walk((body as { data?: unknown } | null)?.data);
  return [...found.values()].slice(0, 60);
}
