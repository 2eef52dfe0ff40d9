/** The two flows as they really went: one application from its check to its outcome, one link with the lists before it. */
import { isInteger, parse } from 'lossless-json';
import { scenarioOf, type OperationId } from '../../openapi/model/exchange.ts';
import { sameId } from '../../openapi/util/ids.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Flow, Step } from '../model/report.ts';
import type { RecordedJudgement } from '../model/tally.ts';

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

/** The flows that the kept exchanges show; none for an area whose flow never got under way. */
export function flowsOf(
  records: ReadonlyMap<string, ExchangeRecord>,
  judged: ReadonlyMap<string, RecordedJudgement>,
): Flow[] {
  const went = [...records.values()]
    .filter((record) => record.kind === 'positive' && judged.get(record.id)?.outcome === 'succeeded')
    .toSorted((a, b) =>
      a.timing.startedAt < b.timing.startedAt ? -1 : a.timing.startedAt > b.timing.startedAt ? 1 : 0,
    );
  const flows: Flow[] = [];
  const loan = best(
    went.filter(({ operation }) => operation === 'requestLoan').map((record) => loanFlow(record, went)),
  );
  if (loan !== null) flows.push({ area: 'loans', steps: stepsOf(loan) });
  const link = best(
    went.filter(({ operation }) => operation === 'createPaymentLink').map((record) => linkFlow(record, went)),
  );
  if (link !== null) flows.push({ area: 'payment-links', steps: stepsOf(link) });
  return flows;
}

/** The one that shows most operations, the earliest of several. */
function best(chains: readonly Records[]): Records | null {
  const width = (chain: Records): number => new Set(chain.map(({ operation }) => operation)).size;
  return chains.toSorted((a, b) => width(b) - width(a))[0] ?? null;
}

function loanFlow(opened: ExchangeRecord, went: Records): Records {
  const application = gaveIn(opened).find(({ name }) => name === 'application_id')?.value;
  const since = went.indexOf(opened);
  const check = went.findLast(
    (record, at) =>
      at < since &&
      record.operation === 'validateLoan' &&
      scenarioOf(record.id) === scenarioOf(opened.id) &&
      ['amount', 'currency'].every((name) => record.request.asked[name] === opened.request.asked[name]),
  );
  const later = went.filter(
    ({ request }, at) =>
      at > since && application !== undefined && sameId(request.asked['application_id'], application),
  );
  const first = (operation: OperationId): Records =>
    later.filter((record) => record.operation === operation).slice(0, 1);
  const stated = later.filter(({ operation }) => operation === 'queryDisbursement');
  // The first and the last word on the outcome.
  const words = stated.length > 1 ? [stated[0]!, stated.at(-1)!] : stated;
  return [...(check ? [check] : []), opened, ...first('approveContract'), ...first('disburse'), ...words];
}

function linkFlow(made: ExchangeRecord, went: Records): Records {
  const { asked } = made.request;
  const before = (operation: OperationId, ...names: readonly string[]): Records => {
    const fits = (record: ExchangeRecord): boolean =>
      record.operation === operation &&
      names.every((name) => String(record.request.asked[name]) === String(asked[name]));
    const found = went.find(fits);
    return found === undefined ? [] : [found];
  };
  return [
    ...before('listMerchants'),
    ...before('listCurrencies', 'merchant_no', 'is_domestic'),
    ...before('listBranches', 'merchant_no'),
    ...before('listInstallments', 'merchant_no', 'branch_no', 'currency_code', 'is_domestic'),
    made,
  ];
}

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
