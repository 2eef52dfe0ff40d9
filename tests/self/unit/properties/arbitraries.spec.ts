/** Tests that generated requests are documented requests, and that boundary values show the mistakes of programs. */
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { operations, type Input } from '../../../../openapi/contract/operations.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord, JournalLine } from '../../../../openapi/model/journal.ts';
import { amountMistakes, drawAmounts, listBoundaryAmounts } from '../../../../fixtures/arbitraries/amounts.ts';
import { customerIps, LONGEST_IP } from '../../../../fixtures/bank/arbitraries/loans.ts';
import type { Mistakes } from '../../../../fixtures/arbitraries/pairwise.ts';
import { characterMistakes, listIdEndings, listPhrases, textMistakes } from '../../../../fixtures/arbitraries/texts.ts';
import { degreeMistakes, listBoundaryPositions } from '../../../../fixtures/bank/arbitraries/positions.ts';
import { expect, readSampleHistory, test } from '../../support/reports/samples.ts';

const schemas: Partial<Record<OperationId, string>> = {
  validateLoan: 'ValidationRequest',
  requestLoan: 'LoanRequest',
  approveContract: 'ContractRequest',
  disburse: 'DisbursementRequest',
  createPaymentLink: 'LinkRequest',
};
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'bank', ...contractSchema });

/** The form of each query parameter, where its values are generated. */
const queryForms: Readonly<Record<string, RegExp>> = {
  latitude: /^-?(?:[0-8]?\d(?:\.\d{1,15})?|90(?:\.0+)?)$/,
  longitude: /^-?(?:(?:\d{1,2}|1[0-7]\d)(?:\.\d{1,15})?|180(?:\.0+)?)$/,
  is_domestic: /^(?:true|false)$/,
};

function isDocumented({ operation, request }: ExchangeRecord): boolean {
  const { inputs, forms, method } = operations[operation];
  const listNames = (place: Input['in']) => inputs.filter((input) => input.in === place).map(({ name }) => name);
  const query = [...new URL(request.url).searchParams];
  const names = query.map(([name]) => name).join();
  const allowed = [listNames('query').join(), ...forms.map((form) => form.query.join())];
  const schema = schemas[operation];
  const body = JSON.parse(request.body ?? 'null') as object | null;
  const hasBody =
    schema === undefined
      ? body === null
      : ajv.validate(`bank#/components/schemas/${schema}`, body) &&
        Object.keys(body ?? {}).join() === listNames('body').join();
  return (
    request.method === method &&
    allowed.includes(names) &&
    query.every(([name, value]) => queryForms[name]?.test(value) ?? value !== '') &&
    hasBody
  );
}

test('Every request that a run sends as documented has exactly the inputs of the contract', ({ good }, { project }) => {
  expect(good.verdict).toBe('conformant');
  const text = gunzipSync(readSampleHistory('reference-bank', project.outputDir)).toString('utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
  const sent = lines.flatMap((line) => (line.line === 'entry' && line.entry.kind === 'positive' ? [line.entry] : []));
  expect(sent.length).toBeGreaterThan(500);
  expect(sent.filter((entry) => !isDocumented(entry)).map(({ request }) => [request.url, request.body])).toEqual([]);
});

test('Generated amounts and boundary amounts are above zero, within the cap, and have at most two decimals', () => {
  for (const highest of [0.01, 0.5, 1, 2, 9.5, 100, 100_000, 12_345_678.9]) {
    const isAllowed = (amount: number): boolean =>
      amount > 0 && amount <= highest && /^\d+(?:\.\d{1,2})?$/.test(String(amount));
    fc.assert(fc.property(drawAmounts(highest), isAllowed));
    expect(listBoundaryAmounts(highest).every(isAllowed)).toBe(true);
    expect(listBoundaryAmounts(highest)).not.toEqual([]);
  }
});

/**
 * Mistakes that programs make with IP addresses. The lengths are those of a column for IPv4, and for IPv6 without an embedded IPv4
 * address.
 */
const addressMistakes: Mistakes<string> = {
  'IPv4 alone': (ip) => ip.includes(':'),
  'a column of 15 characters': ({ length }) => length > 15,
  'a column of 39 characters': ({ length }) => length > 39,
  'IPv6 in full': (ip) => ip.includes('::'),
  'IPv6 in short': (ip) => /:0+:0+:/.test(ip),
  'IPv6 in small letters': (ip) => /[A-F]/.test(ip),
  'no IPv4 in IPv6': (ip) => /:.*\./.test(ip),
  'numbers of one or two digits at the end': (ip) => /^[\d.]*\.\d{3}$/.test(ip),
  'no zero in IPv4': (ip) => /^[\d.]*\.0\./.test(ip),
  'a signed integer of 32 bits': (ip) => /^(?:12[89]|1[3-9]\d|2\d\d)\./.test(ip),
};

/** The mistakes and the values of each kind. */
const mistakeKinds: Readonly<Record<string, readonly [Mistakes<never>, readonly unknown[]]>> = {
  amount: [amountMistakes, listBoundaryAmounts(100_000)],
  text: [textMistakes, listPhrases()],
  'end of an id': [characterMistakes, listIdEndings()],
  position: [degreeMistakes, listBoundaryPositions()],
  'IP address': [addressMistakes, [...customerIps, LONGEST_IP]],
};

for (const [kind, [mistakes, values]] of Object.entries(mistakeKinds))
  for (const [mistake, shows] of Object.entries(mistakes))
    test(`Some boundary values of ${kind} show the mistake “${mistake}”, and some do not`, () => {
      const showing = values.filter((value) => shows(value as never));
      expect(showing).not.toEqual([]);
      expect(showing.length).toBeLessThan(values.length);
    });
