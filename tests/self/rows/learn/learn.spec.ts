/**
 * Tests the learner, which finds out why documented requests are refused. In simulated operations it must name faults, and report no
 * business rule. Each row has the condition on which the operation refuses a request, and the expected sentence of the learner.
 */
import { expect, test } from '@playwright/test';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import type { Values } from '../../../../fixtures/run/session/request.ts';
import { learnCauses } from '../../../../fixtures/learn/learn.ts';
import { learnFrom, refuseIf, simulateOperation, type Rule } from './simulated.ts';

const readAmount = ({ amount }: Values): number => Number(amount);
const hasCents = (values: Values): boolean => !Number.isInteger(readAmount(values));
const isMultiple = (values: Values, step: number, remainder = 0): boolean =>
  Math.round((readAmount(values) - remainder) * 100) % Math.round(step * 100) === 0;

const flagCombinations = [
  { commercial_disbursement: false, disbursement_purpose: false },
  { commercial_disbursement: true, disbursement_purpose: false },
  { commercial_disbursement: false, disbursement_purpose: true },
];
const sampleAmounts = [1000, 100, 5000, 250, 12.5, 310.45, 0.75, 1, 20_000, 65, 1109.35, 99.9, 10.9];
let order = 100_000_000;
/** Validations like those of a run: each amount with each currency, and with one combination of flags. */
const sampleChecks: readonly Values[] = sampleAmounts.flatMap((amount, nth) =>
  ['EUR', 'TRY', 'JPY'].map((currency, at) => ({
    amount,
    currency,
    ...(flagCombinations[(nth + at) % 3] as Values),
    order_id: nth % 2 === 0 ? (order += 1) : `ab-${(order += 1)}`,
  })),
);

type Row = readonly [isMet: (values: Values) => boolean, words?: string];

/** Business rules: the learner must report nothing. */
const businessRules: Readonly<Record<string, Row>> = {
  'amounts from 10 to 4,999.99': [(values) => readAmount(values) < 10 || readAmount(values) > 4999.99],
  'multiples of 50': [(values) => !isMultiple(values, 50)],
  'multiples of 0.25': [(values) => !isMultiple(values, 0.25)],
  'prices that end in .90': [(values) => !isMultiple(values, 1, 0.9)],
  'a few amounts': [(values) => ![100, 250, 1000, 5000].includes(readAmount(values))],
  'whole amounts in one currency': [(values) => values['currency'] === 'EUR' && hasCents(values)],
  'whole amounts, as the refusal says': [hasCents, 'Amounts are multiples of 1'],
  'whole amounts, in Turkish': [hasCents, 'Kuruşlu tutar girilemez'],
  'no cents in a currency that has none': [(values) => values['currency'] === 'JPY' && hasCents(values)],
  'one currency is not served': [(values) => values['currency'] === 'TRY'],
  'bounds by currency': [(values) => values['currency'] === 'EUR' && readAmount(values) > 500],
  'one flag up to an amount': [(values) => values['commercial_disbursement'] === true && readAmount(values) > 100],
  'multiples of 100 from 1,000 on': [(values) => readAmount(values) >= 1000 && !isMultiple(values, 100)],
  'texts as ids of 12 characters at most': [({ order_id: id }) => typeof id === 'string' && id.length > 12],
  'no texts as ids': [({ order_id: id }) => typeof id === 'string'],
};

for (const [rule, [isMet, words]] of Object.entries(businessRules))
  test(`If the bank accepts only by the business rule “${rule}”, the learner reports nothing`, async () => {
    expect(await learnFrom('validateLoan', refuseIf(isMet), sampleChecks, words)).toEqual([]);
  });

for (const [border, words] of [
  [2 ** 31, 'an integer of 2,147,483,648 (2^31) and above'],
  [1e15, 'an integer of 1,000,000,000,000,000 and above'],
  [1e12, 'an integer of 1,000,000,000,000 and above'],
  [3_123_456_789, 'the integer 4,274,967,296, while 2,147,483,648 is accepted'],
] as const)
  test(`If order ids of ${border} and above are refused, the learner names ${words}`, async () => {
    const rule = refuseIf(({ order_id: id }) => typeof id !== 'string' && Number(id) >= border);
    const large = { ...(sampleChecks[0] as Values), order_id: 2n ** 53n + 1n };
    expect(await learnFrom('validateLoan', rule, [...sampleChecks, large])).toEqual([
      `order_id: status 422 for ${words}`,
    ]);
  });

/** Refuses integers of 2^53 and above: RFC 8259 calls only integers below interoperable. */
const refuseBeyondDouble = (outcome?: 'crashed') =>
  refuseIf(({ order_id: id }) => typeof id !== 'string' && Number(id) >= 2 ** 53, outcome);
const beyondDouble = { ...(sampleChecks[0] as Values), order_id: 2n ** 53n + 1n };

test('If order ids of 2^53 and above are refused, the learner reports nothing; if they crash, it names them', async () => {
  const requests = [...sampleChecks, beyondDouble];
  expect(await learnFrom('validateLoan', refuseBeyondDouble(), requests)).toEqual([]);
  expect(await learnFrom('validateLoan', refuseBeyondDouble('crashed'), requests)).toEqual([
    'order_id: status 500 for an integer of 9,007,199,254,740,992 (2^53) and above',
  ]);
});

test('If the caps leave no request to find the border of refused integers, the learner names only one refused integer', async () => {
  const rule = refuseIf(({ order_id: id }) => typeof id !== 'string' && Number(id) >= 2 ** 40);
  const large = [1n, 3n, 5n, 7n].map((nth) => ({ ...(sampleChecks[0] as Values), order_id: 2n ** 40n + nth }));
  const [found] = await learnFrom('validateLoan', rule, [...sampleChecks, ...large], '', {
    countRequestsLeft: () => 1,
    reservedRequestCount: 1,
  });
  expect(found).toContain('the integer 1,099,511,627,777, while 100,000,039 is accepted');
});

/** Faults: the operation refuses requests, or fails, in a way that no business rule explains. */
const ruleByFault: Readonly<Record<string, readonly [rule: Rule, said: string]>> = {
  'one value of a flag': [
    refuseIf((values) => values['disbursement_purpose'] === true),
    'disbursement_purpose: status 422 for the value true',
  ],
  cents: [refuseIf(hasCents), 'amount: status 422 for an amount with cents, such as'],
  'cents of large amounts': [
    refuseIf((values) => hasCents(values) && readAmount(values) >= 1000),
    'amount: status 422 for an amount with cents, such as 1109.',
  ],
  'one decimal': [
    refuseIf(({ amount }) => /\.\d$/.test(String(amount))),
    'amount: status 422 for an amount with one decimal',
  ],
  'an amount between others': [
    refuseIf((values) => readAmount(values) > 200 && readAmount(values) < 300),
    'amount: status 422 for the amount 250 between others that are accepted',
  ],
  'a crash at one currency': [
    refuseIf(({ currency }) => currency === 'JPY', 'crashed'),
    'currency: status 500 for a value such as JPY',
  ],
};

for (const [fault, [rule, sentence]] of Object.entries(ruleByFault))
  test(`If the fault is “${fault}”, the learner names the deciding input`, async () => {
    expect(await learnFrom('validateLoan', rule, sampleChecks)).toContainEqual(expect.stringContaining(sentence));
  });

test('The learner does not leave out a costly input if both requests are refused without the input', async () => {
  // Only the last account on offer gets a contract. A request that names no position means the first account.
  const rule = refuseIf(({ position }) => position !== 'last');
  const sample = sampleChecks
    .slice(0, 16)
    .map((values, nth) => ({ ...values, position: nth % 4 === 3 ? 'last' : nth % 4 }));
  const said = await learnFrom('approveContract', rule, sample, '', { costlyInputs: ['position'] });
  expect(said).toEqual([expect.stringMatching(/^account_id: status 422 for account [123] of those on offer$/)]);
});

const sampleDescriptions = [
  'plain words',
  'Straße',
  'Şişli',
  'Счёт № 7',
  '请款单 第三期',
  'خدمة',
  'O’Neil & Co',
  "it's 5 %",
  'Gift 🎁 for you',
  'x'.repeat(60),
];
const sampleLinks: readonly Values[] = sampleDescriptions.map((personal_description, nth) => ({
  personal_description: `Order ABCDEFGH${String(nth).padStart(4, '0')} ${personal_description}`,
  amount: 100,
  language_code: nth % 2 === 0 ? 'de' : 'en',
}));

/** Patterns of refused texts, and the kind of text that the report names. */
const textRules: Readonly<Record<string, readonly [pattern: RegExp, said: string]>> = {
  'beyond ASCII': [/[^\0-\x7F]/, 'a text with characters beyond ASCII, such as'],
  'of one script': [/\p{Script=Cyrillic}/u, 'a text with Greek or Cyrillic letters, such as'],
  'of one letter': [/ş/, 'a text with "ş"'],
  'of one sign': [/&/, 'a text with "&"'],
  'of a length': [/^.{70}/u, 'a text of'],
};

for (const [which, [pattern, sentence]] of Object.entries(textRules))
  test(`If texts ${which} are refused, the learner names this class of texts`, async () => {
    const said = await learnFrom(
      'createPaymentLink',
      refuseIf(({ personal_description: text }) => pattern.test(String(text))),
      sampleLinks,
    );
    expect(said).toEqual([expect.stringContaining(sentence)]);
  });

test('If a text is refused only in one language, the learner names the text', async () => {
  const isMet = ({ personal_description: text, language_code: language }: Values): boolean =>
    language === 'de' && /&|ş/.test(String(text));
  expect(await learnFrom('createPaymentLink', refuseIf(isMet), sampleLinks)).toEqual([
    expect.stringContaining('a text with "&"'),
  ]);
});

test('If one request has two values that each crash, the learner names both values', async () => {
  const gift = sampleLinks.find(({ personal_description: text }) => String(text).includes('🎁')) as Values;
  const crashes = ({ personal_description: text, language_code: language }: Values): boolean =>
    String(text).includes('🎁') || language === 'he';
  const run = [...sampleLinks, { ...gift, language_code: 'he' }];
  const said = await learnFrom('createPaymentLink', refuseIf(crashes, 'crashed'), run);
  expect(said).toEqual([
    expect.stringContaining('a text with "🎁"'),
    expect.stringContaining('language_code: status 500 for a value such as he'),
  ]);
});

const samplePlaces: readonly Values[] = [1, 2].flatMap((merchant_no) =>
  [1, 2].flatMap((branch_no) =>
    [1, 3, 6].flatMap((installment) =>
      ['EUR', 'TRY'].map((currency_code) => ({
        merchant_no,
        branch_no: 10 * merchant_no + branch_no,
        currency_code,
        installment,
        is_domestic: true,
        amount: 600,
        personal_description: 'Order ABCDEFGH0001',
      })),
    ),
  ),
);

/** Conditions about the entries of the lists of the bank, and the expected sentence of the report. */
const rulesAboutListEntries: Readonly<
  Record<string, readonly [isMet: (values: Values, nth: number) => boolean, said: readonly string[]]>
> = {
  'an installment': [
    ({ installment }) => installment === 3,
    ['installment: status 422 for an entry of a list of the bank'],
  ],
  'a branch': [({ branch_no: no }) => no === 12, ['branch_no: status 422 for an entry of a list of the bank']],
  'a merchant': [({ merchant_no: no }) => no === 2, ['merchant_no: status 422 for an entry of a list of the bank']],
  'installments below an amount': [(values) => values['installment'] === 3 && readAmount(values) < 3000, []],
  'a merchant whose share is used up': [({ merchant_no: no }, nth) => no === 2 && nth > 14, []],
};

for (const [which, [isMet, sentences]] of Object.entries(rulesAboutListEntries))
  test(`If the bank refuses ${which}, the learner reports ${sentences.length === 0 ? 'nothing' : 'an entry of its own lists'}`, async () => {
    expect(await learnFrom('createPaymentLink', refuseIf(isMet), samplePlaces)).toEqual(sentences);
  });

const sampleCards: readonly Values[] = samplePlaces.flatMap((place, nth) =>
  [true, false].flatMap((is_domestic) =>
    ['en', 'tr'].map((language_code) => ({
      ...place,
      is_domestic,
      language_code,
      amount: [600, 310.45, 1000, 12.5][nth % 4] ?? 600,
    })),
  ),
);

/** Rules for payment links that depend on two inputs. */
const cardRules: Readonly<Record<string, (values: Values) => boolean>> = {
  'links for foreign cards only in English': (values) =>
    values['is_domestic'] === false && values['language_code'] !== 'en',
  'only whole amounts in one currency': (values) => values['currency_code'] === 'EUR' && hasCents(values),
  'only whole amounts for several installments': (values) => Number(values['installment']) > 1 && hasCents(values),
};

for (const [rule, isMet] of Object.entries(cardRules))
  test(`If the bank accepts ${rule}, the learner reports nothing`, async () => {
    expect(await learnFrom('createPaymentLink', refuseIf(isMet), sampleCards)).toEqual([]);
  });

test('If every third request, or every request from a moment on, is refused, the learner names no value', async () => {
  const everyThird = refuseIf((_, nth) => nth % 3 === 0);
  expect(await learnFrom('validateLoan', everyThird, sampleChecks)).toEqual([]);
  // A bank with a quota refuses every request after the quota is used up.
  expect(
    await learnFrom(
      'validateLoan',
      refuseIf((_, nth) => nth > 20),
      sampleChecks,
    ),
  ).toEqual([]);
});

const isThrottledCurrency = (values: Values): boolean => values['currency'] === 'TRY';
const isPair = (values: Values): boolean => isThrottledCurrency(values) && values['commercial_disbursement'] === true;

/** Each row is a throttle, and what the learner says about it. */
const throttles: Readonly<Record<string, readonly [isMet: (values: Values, nth: number) => boolean, said: string[]]>> =
  {
    'a value at every try': [isThrottledCurrency, ['currency: status 429 for a value such as TRY']],
    'two values together at every try': [isPair, ['currency: status 429 for a value such as TRY']],
    'amounts with cents at every try': [hasCents, ['amount: status 429 for an amount with cents, such as 10.9']],
    'a value during the run, and not later': [
      (values, nth) => isThrottledCurrency(values) && nth < sampleChecks.length,
      [],
    ],
    'a value from its second request on': [countFrom(2, (values) => values['commercial_disbursement'] === true), []],
    'everything from one moment on': [(_, nth) => nth > 20, []],
    'every third request': [(_, nth) => nth % 3 === 0, []],
    'high amounts in one currency': [(values) => values['currency'] === 'EUR' && readAmount(values) > 70, []],
  };

/** True from the nth request on that meets the condition. */
function countFrom(first: number, isMet: (values: Values) => boolean): (values: Values) => boolean {
  let count = 0;
  return (values) => isMet(values) && (count += 1) >= first;
}

for (const [throttle, [isMet, said]] of Object.entries(throttles))
  test(`If the bank throttles ${throttle}, the learner reports ${said[0] ?? 'nothing'}`, async () => {
    expect(await learnFrom('validateLoan', refuseIf(isMet, 'throttled'), sampleChecks)).toEqual(said);
  });

test('If a daily sum throttles a high amount at every try, and no small amounts, the learner reports nothing', async () => {
  let sum = 0;
  const isTooMuch = (values: Values): boolean => {
    const isServed = sum + readAmount(values) <= 5300;
    if (isServed) sum += readAmount(values);
    return !isServed;
  };
  const sample = [5000, 10, 20, 400].map((amount) => ({ ...(sampleChecks[0] as Values), amount }));
  expect(await learnFrom('validateLoan', refuseIf(isTooMuch, 'throttled'), sample)).toEqual([]);
});

test('If a value was throttled only during the run, the learner sends three more requests and reports nothing', async () => {
  const inRun = refuseIf((values, nth) => isThrottledCurrency(values) && nth < sampleChecks.length, 'throttled');
  const { experiment, observed } = simulateOperation('validateLoan', inRun, sampleChecks);
  await learnCauses(experiment);
  expect(observed.length - sampleChecks.length).toBe(3);
});

test('A refusal that may have another reason than its values is reported only if accepted requests had the same reason', async () => {
  const isDenied = ({ disbursement_purpose: purpose }: Values): boolean => purpose === true;
  for (const [denied, accepted, count] of [
    [[], [], 1],
    [['age'], [], 0],
    [['age'], ['account'], 0],
    [['age'], ['age'], 1],
  ] as const) {
    const { experiment, said } = simulateOperation('validateLoan', refuseIf(isDenied), sampleChecks);
    const ask: typeof experiment.ask = async (base, change) => {
      const answer = await experiment.ask(base, change);
      return answer && { ...answer, reasons: isDenied({ ...base, ...change }) ? denied : accepted };
    };
    await learnCauses({ ...experiment, ask });
    expect(said).toHaveLength(count);
  }
});

test('If the bank refuses some texts, and crashes on different texts of the same length, the learner reports nothing', async () => {
  const rule: Rule = ({ personal_description: text }) =>
    String(text).length < 300 ? 'accepted' : /^x+$/.test(String(text)) ? 'crashed' : 'refused';
  const refused = ['ab', 'cd'].map((end) => ({ ...sampleLinks[0], personal_description: 'x'.repeat(300) + end }));
  expect(await learnFrom('createPaymentLink', rule, [...sampleLinks, ...refused])).toEqual([]);
});

test('If the bank accepted every request, or refused every request, the learner reports nothing', async () => {
  for (const rule of [refuseIf(() => false), refuseIf(() => true)] as const)
    for (const operation of ['validateLoan', 'createPaymentLink'] as const satisfies readonly OperationId[])
      expect(await learnFrom(operation, rule, operation === 'validateLoan' ? sampleChecks : sampleLinks)).toEqual([]);
});
