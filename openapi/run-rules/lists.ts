/** Lists are the same whenever the same is asked. */
import type { ClauseId } from '../clauses.ts';
import { operations, placesIn } from '../contract.ts';
import { digest } from '../digest.ts';
import type { Exchange, OperationId } from '../exchange.ts';
import type { Settlement, Sighting } from '../facts.ts';
import { perObject } from '../remember.ts';
import { entriesOf } from '../rules/entries.ts';
import { Docket, groupBy, of } from './docket.ts';
import type { PaymentFact } from './payment-links.ts';

export interface ListFact {
  readonly rule: 'list';
  readonly operation: OperationId;
  readonly asked: string;
  /** A digest of what the document names in the list, whatever the order of keys and entries. */
  readonly list: string;
  /** Milliseconds since the epoch: when it was asked for and when it had come. Of the merchant list alone. */
  readonly from?: number;
  readonly at?: number;
}

const clauseOf: Partial<Record<OperationId, ClauseId>> = {
  listMerchants: 'links.lists-repeat',
  listCurrencies: 'links.lists-repeat',
  listBranches: 'links.lists-repeat',
  listInstallments: 'links.lists-repeat',
  findAtms: 'atms.lists-repeat',
};

/** What tells two lists of ATMs apart is which ATMs they hold. */
const numbersIn = (data: unknown): string =>
  entriesOf(data)
    .map((atm) => `${typeof atm['atm_no']} ${String(atm['atm_no'])}`)
    .sort()
    .join();

/** The parts of `value` that stand at `places`, as one text, entries and keys in order. */
function canonical(value: unknown, at: string, places: ReturnType<typeof placesIn>): string {
  if (Array.isArray(value))
    return `[${value
      .map((entry) => canonical(entry, `${at}/*`, places))
      .sort()
      .join()}]`;
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const members = Object.entries(value).filter(([key]) => places.has(`${at}/${key}`));
  return `{${members
    .map(([key, child]) => `${key}:${canonical(child, `${at}/${key}`, places)}`)
    .sort()
    .join()}}`;
}

const digestBy = (of: (data: object) => string) => perObject((data: object) => digest(of(data)));

function digestOfNamed(operation: OperationId): (data: object) => string {
  let places: ReturnType<typeof placesIn> | undefined;
  return digestBy((data) =>
    canonical(data, '/data', (places ??= placesIn(operations[operation].forms[0]?.answer ?? ''))),
  );
}

const digestOf: Partial<Record<OperationId, (data: object) => string>> = {
  listMerchants: digestOfNamed('listMerchants'),
  listCurrencies: digestOfNamed('listCurrencies'),
  listBranches: digestOfNamed('listBranches'),
  listInstallments: digestOfNamed('listInstallments'),
  findAtms: digestBy(numbersIn),
};

export function listFacts({ operation, request, startedAt, durationMs }: Exchange, data: unknown): readonly ListFact[] {
  const digestOfList = digestOf[operation];
  if (digestOfList === undefined || typeof data !== 'object' || data === null) return [];
  const asked = Object.entries(request.asked)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  const when = operation === 'listMerchants' ? { from: startedAt, at: startedAt + durationMs } : {};
  return [{ rule: 'list', operation, asked, list: digestOfList(data), ...when }];
}

/** A clock may be read a moment early or late. */
const blur = 5;

/** How many payments were made before a list came; null where one was under way meanwhile. */
function paymentsBefore({ from = 0, at = 0 }: ListFact, payments: readonly PaymentFact[]): number | null {
  if (payments.some((one) => one.from <= at + blur && one.at >= from - blur)) return null;
  return payments.filter((one) => one.at < from).length;
}

/** Lists by what was asked; what a payment may use up, as the maximum of the merchant list, only between two payments. */
function sameQuestions(sightings: readonly Sighting[]): readonly (readonly Sighting<ListFact>[])[] {
  const payments = of(sightings, 'payment').map(({ fact }) => fact);
  const asked = of(sightings, 'list').flatMap((sighting) => {
    const { operation, asked: what } = sighting.fact;
    const since = operation === 'listMerchants' ? paymentsBefore(sighting.fact, payments) : 0;
    return since === null ? [] : [{ question: `${operation} ${what} ${since}`, sighting }];
  });
  return [...groupBy(asked, ({ question }) => question).values()].map((same) => same.map(({ sighting }) => sighting));
}

export function settleLists(sightings: readonly Sighting[]): Settlement {
  const docket = new Docket();
  const broken = new Set<OperationId>();
  for (const same of sameQuestions(sightings)) {
    const [first] = same;
    const clause = first === undefined ? undefined : clauseOf[first.fact.operation];
    if (first === undefined || clause === undefined || same.length < 2) continue;
    const { operation, list } = first.fact;
    docket.exercise(clause, operation, same.length - 1, first.exchange);
    const other = same.find(({ fact }) => fact.list !== list);
    if (other === undefined || broken.has(operation)) continue;
    broken.add(operation);
    docket.break({
      clause,
      operation,
      pointer: '/data',
      expected: 'what the same request brought before',
      received: 'something else',
      exchange: other.exchange,
      contrast: first.exchange,
    });
  }
  return docket.settlement();
}
