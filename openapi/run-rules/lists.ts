/** Lists are the same whenever the same is asked. */
import type { ClauseId } from '../clauses.ts';
import { operations, placesIn } from '../contract.ts';
import { digest } from '../digest.ts';
import type { Exchange, OperationId } from '../exchange.ts';
import type { Settlement, Sighting } from '../facts.ts';
import { perObject } from '../remember.ts';
import { entriesOf } from '../rules/entries.ts';
import { Docket, groupBy } from './docket.ts';

export interface ListFact {
  readonly rule: 'list';
  readonly operation: OperationId;
  readonly asked: string;
  /** A digest of what the document names in the list, whatever the order of keys and entries. */
  readonly list: string;
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

export function listFacts({ operation, request }: Exchange, data: unknown): readonly ListFact[] {
  const digestOfList = digestOf[operation];
  if (digestOfList === undefined || typeof data !== 'object' || data === null) return [];
  const asked = Object.entries(request.asked)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  return [{ rule: 'list', operation, asked, list: digestOfList(data) }];
}

/** Lists by what was asked; what a payment may use up, as the maximum of the merchant list, only between two payments. */
function sameQuestions(sightings: readonly Sighting[]): readonly Sighting<ListFact>[][] {
  let payments = 0;
  const numbered = sightings.flatMap(({ exchange, fact }) => {
    if (fact.rule === 'link') payments += 1;
    if (fact.rule !== 'list') return [];
    const since = fact.operation === 'listMerchants' ? payments : 0;
    return [{ question: `${fact.operation} ${fact.asked} ${since}`, sighting: { exchange, fact } }];
  });
  return [...groupBy(numbered, ({ question }) => question).values()].map((same) =>
    same.map(({ sighting }) => sighting),
  );
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
