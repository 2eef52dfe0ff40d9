/** Tests that generated requests are documented requests, of every kind that the document allows. */
import { isIPv4, isIPv6 } from 'node:net';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { operations } from '../../../../openapi/contract/operations.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { countDecimals } from '../../../../openapi/util/counted.ts';
import { drawAmounts, listBoundaryAmounts } from '../../../../fixtures/arbitraries/amounts.ts';
import {
  customerIps,
  listBoundaryLoans,
  drawLoanTerms,
  type LoanTerms,
} from '../../../../fixtures/arbitraries/loans.ts';
import { makeOrderId, isInteger, orderForms } from '../../../../fixtures/arbitraries/order-ids.ts';
import {
  coverLinkTerms,
  generateLinkTerms,
  type Combination,
  type Place,
} from '../../../../fixtures/arbitraries/payment-links.ts';
import { sampleCities, generatePositions } from '../../../../fixtures/arbitraries/positions.ts';
import { choosePlaces } from '../../../../fixtures/client/payment-links.ts';
import { renderBody, composeRequest, renderPathWithQuery, type Values } from '../../../../fixtures/session/request.ts';

const seeds = [1, 2, 3, 4, 5];
const CASES_PER_PROPERTY = 25;
const noCredentials = { clientId: null, clientSecret: null };

const schemas: Partial<Record<OperationId, string>> = {
  validateLoan: 'ValidationRequest',
  requestLoan: 'LoanRequest',
  createPaymentLink: 'LinkRequest',
};

const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'bank', ...contractSchema });

/** True if `values` make a documented request: every input is present, and the body fits the contract. */
function isDocumented(operation: OperationId, values: Values): boolean {
  const draft = composeRequest(operation, values, noCredentials);
  const sent = renderBody(draft);
  const body: unknown = sent === null ? null : JSON.parse(sent);
  const validate = ajv.getSchema(`bank#/components/schemas/${schemas[operation]}`);
  const inputs = operations[operation].inputs.filter((input) => input.in === 'body').map(({ name }) => name);
  return validate?.(body) === true && Object.keys(body as object).join() === inputs.join();
}

const toDocumentedValues = ({ order, ...terms }: LoanTerms, number: number): Values => ({
  ...terms,
  order_id: makeOrderId(order, { nonce: 'nonce123', shard: { current: 1, total: 1 }, next: () => number }),
});

const loanChoices = { highest: 5000, currencies: ['EUR', 'TRY', 'USD'] };

/** Returns the loan requests of a run with one seed: the boundary values, and RUNS further cases. */
const drawLoanRequests = (seed: number): readonly LoanTerms[] => [
  ...listBoundaryLoans(loanChoices),
  ...fc.sample(drawLoanTerms(loanChoices), { seed, numRuns: CASES_PER_PROPERTY }),
];

test('Every loan request is one that the contract describes', () => {
  for (const operation of ['validateLoan', 'requestLoan'] as const)
    for (const seed of seeds) {
      const drawn = drawLoanRequests(seed).map(toDocumentedValues);
      expect(drawn.filter((values) => !isDocumented(operation, values))).toEqual([]);
    }
});

test('Amounts are above zero, within the cap, and have at most two decimals', () => {
  for (const highest of [0.01, 0.5, 1, 2, 9.5, 100, 100_000, 12_345_678.9]) {
    const isAllowed = (amount: number): boolean =>
      amount > 0 && amount <= highest && /^\d+(?:\.\d{1,2})?$/.test(String(amount));
    fc.assert(fc.property(drawAmounts(highest), isAllowed));
    expect(listBoundaryAmounts(highest).every(isAllowed)).toBe(true);
    expect(listBoundaryAmounts(highest)).not.toEqual([]);
  }
});

test('Every kind of loan request occurs under every seed', () => {
  for (const seed of seeds) {
    const terms = drawLoanRequests(seed);
    const listKinds = <T>(of: (entry: LoanTerms) => T): ReadonlySet<T> => new Set(terms.map(of));
    expect(listKinds(({ order }) => order)).toEqual(new Set(orderForms));
    expect(listKinds(({ amount }) => countDecimals(amount))).toEqual(new Set([0, 1, 2]));
    expect(listKinds(({ amount }) => Math.floor(Math.log10(amount)))).toEqual(new Set([-1, 0, 1, 2, 3]));
    expect(listKinds(({ currency }) => currency)).toEqual(new Set(loanChoices.currencies));
    expect(listKinds((entry) => `${entry.commercial_disbursement} ${entry.disbursement_purpose}`).size).toBe(4);
    expect(listKinds(({ order, commercial_disbursement: yes }) => `${isInteger(order)} ${yes}`).size).toBe(4);
  }
  expect(customerIps.some((ip) => isIPv4(ip)) && customerIps.some((ip) => isIPv6(ip))).toBe(true);
  expect(customerIps.every((ip) => isIPv4(ip) || isIPv6(ip))).toBe(true);
});

const listNumbersUpTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Makes a catalogue of merchants with their own branches, currencies and installments. */
const makeCatalogue = (merchants: number, branches: number, currencies: readonly string[]): readonly Combination[] =>
  listNumbersUpTo(merchants).flatMap((merchant) =>
    listNumbersUpTo(branches).flatMap((branch) =>
      currencies.flatMap((currency_code) =>
        [true, false].map((is_domestic) => ({
          ...{ merchant_no: String(60_000 + merchant), branch_no: String(branch), currency_code, is_domestic },
          installments: is_domestic ? [1, 3, 6] : [1],
        })),
      ),
    ),
  );

const languages = ['en', 'tr'];

test('Every payment link request is one that the contract describes, with values that the target listed', () => {
  const combinations = makeCatalogue(3, 2, ['EUR', 'TRY']);
  const boundaryValues = coverLinkTerms({ combinations, languages, amounts: listBoundaryAmounts(500) }, 60);
  for (const seed of seeds) {
    const drawn = fc.sample(generateLinkTerms({ combinations, languages, highest: 500 }), {
      seed,
      numRuns: CASES_PER_PROPERTY,
    });
    const isListed = (terms: (typeof drawn)[number]): boolean =>
      combinations.some(
        ({ merchant_no, branch_no, currency_code, is_domestic, installments }) =>
          merchant_no === terms.merchant_no &&
          branch_no === terms.branch_no &&
          currency_code === terms.currency_code &&
          is_domestic === terms.is_domestic &&
          installments.includes(terms.installment),
      );
    const isRight = (terms: (typeof drawn)[number]): boolean =>
      isDocumented('createPaymentLink', { ...terms }) && isListed(terms) && terms.amount <= 500;
    expect([...boundaryValues, ...drawn].filter((terms) => !isRight(terms))).toEqual([]);
  }
});

test('A few links cover every merchant, branch, currency, installment and value of is_domestic, and their pairs', () => {
  const combinations = makeCatalogue(4, 3, ['EUR', 'TRY', 'USD']);
  const links = coverLinkTerms({ combinations, languages, amounts: [10, 12.5] }, 30);
  expect(links).toHaveLength(30);
  const countCombinations = (names: string): number =>
    new Set(
      links.map((link) =>
        names
          .split(' ')
          .map((name) => link[name as keyof typeof link])
          .join(),
      ),
    ).size;
  const counts: Readonly<Record<string, number>> = {
    ...{ merchant_no: 4, branch_no: 3, currency_code: 3, installment: 3, is_domestic: 2, language_code: 2 },
    'merchant_no branch_no': 12,
    'merchant_no currency_code': 12,
    'merchant_no is_domestic': 8,
    'currency_code installment': 9,
    'merchant_no installment': 12,
    'merchant_no branch_no currency_code is_domestic installment': 30,
  };
  for (const [names, count] of Object.entries(counts))
    expect([names, countCombinations(names)]).toEqual([names, count]);
});

test('A few links are enough for a short list, and an empty list gives none', () => {
  const [one] = makeCatalogue(1, 1, ['EUR']);
  expect(coverLinkTerms({ combinations: [], languages, amounts: [1] }, 10)).toEqual([]);
  expect(
    coverLinkTerms({ combinations: [{ ...(one as Combination), installments: [] }], languages, amounts: [1] }, 10),
  ).toEqual([]);
  expect(coverLinkTerms({ combinations: [one as Combination], languages, amounts: [1] }, 5)).toHaveLength(5);
});

test('From many places, a selection covers every merchant, branch and currency in pairs', () => {
  const places = makeCatalogue(6, 3, ['EUR', 'TRY', 'USD', 'GBP']);
  const picked = choosePlaces(places, 80);
  expect(picked.length).toBeLessThanOrEqual(80);
  const met = (of: readonly Place[], key: (place: Place) => string): number => new Set(of.map(key)).size;
  for (const key of [
    (place) => `${place.merchant_no} ${place.branch_no} ${place.currency_code}`,
    (place) => `${place.merchant_no} ${place.is_domestic}`,
    (place) => `${place.currency_code} ${place.is_domestic}`,
  ] satisfies ((place: Place) => string)[])
    expect(met(picked, key)).toBe(met(places, key));
  expect(choosePlaces(places, 1000)).toEqual(places);
});

test('Positions are decimal degrees in text, near and far, in all quarters, with few and many decimals', () => {
  const quarters = new Set(
    sampleCities.map(({ latitude, longitude }) => `${Math.sign(Number(latitude))} ${Math.sign(Number(longitude))}`),
  );
  for (const quarter of ['1 1', '1 -1', '-1 1', '-1 -1', '0 0']) expect(quarters).toContain(quarter);
  for (const seed of seeds) {
    const asks = fc.sample(generatePositions([{ latitude: '41.01', longitude: '28.97' }]), {
      seed,
      numRuns: 2 * CASES_PER_PROPERTY,
    });
    for (const { latitude, longitude } of asks) {
      const draft = composeRequest('findAtms', { latitude, longitude }, noCredentials);
      expect(renderPathWithQuery(draft)).toMatch(
        /^\/api\/v1\/atms\?latitude=-?\d{1,2}(?:\.\d{1,9})?&longitude=-?\d{1,3}(?:\.\d{1,9})?$/,
      );
      expect(Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180).toBe(true);
    }
    expect(new Set(asks.map(({ latitude }) => countDecimals(latitude))).size).toBeGreaterThanOrEqual(6);
  }
});
