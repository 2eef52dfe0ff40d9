/** Tests that generated requests are documented requests, and that boundary values show the mistakes of programs. */
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { operations } from '../../../../openapi/contract/operations.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { amountMistakes, drawAmounts, listBoundaryAmounts } from '../../../../fixtures/arbitraries/amounts.ts';
import {
  addressMistakes,
  customerIps,
  LONGEST_IP,
  listBoundaryLoans,
  drawLoanTerms,
  type LoanTerms,
} from '../../../../fixtures/arbitraries/loans.ts';
import { integerMistakes, listBoundaryIntegers, makeOrderId } from '../../../../fixtures/arbitraries/order-ids.ts';
import type { Mistakes } from '../../../../fixtures/arbitraries/pairwise.ts';
import { allPhrases, characterMistakes, idEndings, textMistakes } from '../../../../fixtures/arbitraries/texts.ts';
import { coverLinkTerms, generateLinkTerms, type Combination } from '../../../../fixtures/arbitraries/payment-links.ts';
import { boundaryPositions, generatePositions, positionMistakes } from '../../../../fixtures/arbitraries/positions.ts';
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
  order_id: makeOrderId(order, { ...openCountingIds(), next: () => number }),
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
    const isListed = ({ installment, ...terms }: (typeof drawn)[number]): boolean =>
      combinations.some(
        ({ installments, ...place }) =>
          installments.includes(installment) &&
          Object.entries(place).every(([name, value]) => terms[name as keyof typeof place] === value),
      );
    const isRight = (terms: (typeof drawn)[number]): boolean =>
      isDocumented('createPaymentLink', { ...terms }) && isListed(terms) && terms.amount <= 500;
    expect([...boundaryValues, ...drawn].filter((terms) => !isRight(terms))).toEqual([]);
  }
});

test('Positions are decimal degrees in text', () => {
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
  }
});

/** Makes a source of ids that counts. */
function openCountingIds() {
  let count = 0;
  return { nonce: 'nonce123', shard: { current: 1, total: 1 }, next: () => (count += 1) };
}

const integers = [BigInt(makeOrderId('integer', openCountingIds())), ...listBoundaryIntegers(openCountingIds())];

/** The mistakes and the values of each kind. */
const mistakeKinds: Readonly<Record<string, readonly [Mistakes<never>, readonly unknown[]]>> = {
  amount: [amountMistakes, listBoundaryAmounts(100_000)],
  text: [textMistakes, allPhrases],
  'end of an id': [characterMistakes, idEndings],
  position: [positionMistakes, boundaryPositions],
  'IP address': [addressMistakes, [...customerIps, LONGEST_IP]],
  integer: [integerMistakes, integers],
};

for (const [kind, [mistakes, values]] of Object.entries(mistakeKinds))
  for (const [mistake, shows] of Object.entries(mistakes))
    test(`Some boundary value (${kind}) shows this mistake, and some does not: ${mistake}`, () => {
      const showing = values.filter((value) => shows(value as never));
      expect(showing).not.toEqual([]);
      expect(showing.length).toBeLessThan(values.length);
    });
