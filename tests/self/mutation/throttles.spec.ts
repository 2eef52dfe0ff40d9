/** Tests throttles: limits on the number of requests are no finding, and a value that is throttled at every try is one. */
import { expect, test } from '@playwright/test';
import { readInputs, type InputMap } from '../../../fixtures/banks/drawn/engine.ts';
import type { BankChange, BankClock } from '../../../fixtures/banks/lib/mutant.ts';
import { refuseRequests } from '../../../fixtures/banks/lib/serving.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { operationIds, type Area, type OperationId } from '../../../openapi/api.ts';
import { createInstantClock, examineBank } from '../support/examine.ts';
import { thoroughUnless } from '../support/thorough.ts';

const throttle = (status = 429, seconds?: number): Response =>
  Response.json(
    { message: 'Slow down' },
    { status, headers: seconds === undefined ? {} : { 'retry-after': `${seconds}` } },
  );

/** Examines one area of a bank. Returns the verdict, and the place of each finding. */
async function examine(area: Area, open: (clock: BankClock) => BankChange) {
  const clock = createInstantClock();
  const bank = open(clock)(createBank({ now: () => clock.now() }));
  const { verdict, findings } = await examineBank(bank, { clock, env: { AREAS: area }, overlap: true });
  return [verdict, ...findings.map(({ clause, kind, pointer }) => `${clause} ${kind} ${pointer}`)];
}

/** Serves at most `readLimit(second)` requests in each second of the run. Seconds count from 0. */
const limitRate =
  (readLimit: (second: number) => number, refuse: () => Response) =>
  (clock: BankClock): BankChange => {
    const openedAt = clock.now();
    let served: readonly number[] = [];
    return refuseRequests(operationIds, () => {
      const now = clock.now();
      served = served.filter((at) => now - at < 1000);
      if (served.length >= readLimit((now - openedAt) / 1000)) return refuse();
      served = [...served, now];
      return undefined;
    });
  };

/** Serves at most `maxOfMerchant` payment links of each merchant, and `maxOfAll` of all merchants together. */
const limitLinks = (maxOfMerchant: number, maxOfAll: number) => (): BankChange => {
  const counts = new Map<unknown, number>();
  return refuseRequests('createPaymentLink', ({ sent, nth }) => {
    const count = (counts.get(sent['merchant_no']) ?? 0) + 1;
    counts.set(sent['merchant_no'], count);
    return count > maxOfMerchant || nth > maxOfAll ? throttle(429, 3600) : undefined;
  });
};

/** Banks that limit the number of requests. `npm test` examines those with `true`. */
const honest: Readonly<Record<string, readonly [Area, (clock: BankClock) => BankChange, isShown?: true]>> = {
  'a rate of 15 requests a second, with Retry-After': [
    'atms',
    limitRate(
      () => 15,
      () => throttle(429, 1),
    ),
    true,
  ],
  'a rate limit without Retry-After': [
    'payment-links',
    limitRate(
      () => 20,
      () => throttle(),
    ),
  ],
  'a slow start': [
    'atms',
    limitRate(
      (second) => 5 + 2 * second,
      () => throttle(429, 0),
    ),
  ],
  '503 with Retry-After during its first three seconds': [
    'loans',
    limitRate(
      (second) => (second < 3 ? 0 : Infinity),
      () => throttle(503, 1),
    ),
  ],
  'a quota of links': ['payment-links', limitLinks(Infinity, 15), true],
  'a quota of links for each merchant': ['payment-links', limitLinks(4, Infinity)],
};

for (const [title, [area, open, isShown = false]] of Object.entries(honest))
  test(
    `A bank that limits requests by ${title} is conformant, without a finding`,
    thoroughUnless(isShown),
    async () => {
      expect(await examine(area, open)).toEqual(['conformant']);
    },
  );

const throttleValue =
  (operations: OperationId | readonly OperationId[], holds: (inputs: InputMap) => boolean, refuse = throttle) =>
  (): BankChange =>
    refuseRequests(operations, (call) => (holds(readInputs(call)) ? refuse() : undefined));

const isNegative = (degrees: unknown): boolean => String(degrees).startsWith('-');
const isSouth = ({ latitude }: InputMap): boolean => isNegative(latitude);
const hasCents = ({ amount }: InputMap): boolean => !Number.isInteger(amount ?? 0);
const LISTS = ['listCurrencies', 'listBranches', 'listInstallments'] as const;
const { merchants } = createBank().seedData;
const lastMerchant = String(merchants.at(-1)?.no);

type Dishonest = readonly [Area, () => BankChange, place: string, isShown?: true];
const latitude = 'atms.refusal-explained throttled request/query/latitude';
const dishonest: Readonly<Record<string, Dishonest>> = {
  'southern positions': ['atms', throttleValue('findAtms', isSouth), latitude, true],
  'southern positions, with 503': ['atms', throttleValue('findAtms', isSouth, () => throttle(503, 0)), latitude],
  'southern positions, with 500 for an hour': [
    'atms',
    throttleValue('findAtms', isSouth, () => throttle(500, 3600)),
    latitude,
  ],
  'western positions': [
    'atms',
    throttleValue('findAtms', ({ longitude }) => isNegative(longitude)),
    'atms.refusal-explained throttled request/query/longitude',
  ],
  'payment links in a language': [
    'payment-links',
    throttleValue('createPaymentLink', (inputs) => inputs['language_code'] === 'tr'),
    'links.link.refusal-explained throttled request/body/language_code',
  ],
  'payment links in a currency, for a minute': [
    'payment-links',
    throttleValue(
      'createPaymentLink',
      (inputs) => inputs['currency_code'] === 'USD',
      () => throttle(429, 60),
    ),
    'links.listed-is-taken throttled request/body/currency_code',
    true,
  ],
  'payment links in a language and a currency': [
    'payment-links',
    throttleValue(
      'createPaymentLink',
      (inputs) => inputs['language_code'] === 'en' && inputs['currency_code'] === 'EUR',
    ),
    'links.link.refusal-explained throttled request/body/language_code',
  ],
  'the lists of a merchant': [
    'payment-links',
    throttleValue(LISTS, (inputs) => inputs['merchant_no'] === lastMerchant),
    'links.listed-is-taken throttled request/path/merchant_no',
  ],
  'payment links with a number of installments': [
    'payment-links',
    throttleValue('createPaymentLink', ({ installment }) => installment === 3),
    'links.listed-is-taken throttled request/body/installment',
  ],
  'payment links with cents': [
    'payment-links',
    throttleValue('createPaymentLink', hasCents),
    'links.link.refusal-explained throttled request/body/amount',
  ],
  'loans in a currency': [
    'loans',
    throttleValue(['validateLoan', 'requestLoan'], ({ currency }) => currency === 'USD'),
    'loans.validation.refusal-explained throttled request/body/currency',
    true,
  ],
  'disbursements for IPv6 addresses': [
    'loans',
    throttleValue('disburse', (inputs) => String(inputs['customer_ip']).includes(':')),
    'loans.disbursement.refusal-explained throttled request/body/customer_ip',
  ],
};

for (const [title, [area, open, place, isShown = false]] of Object.entries(dishonest))
  test(
    `If every request for ${title} is throttled, there is a finding, and the verdict is inconclusive`,
    thoroughUnless(isShown),
    async () => {
      const [verdict, ...found] = await examine(area, open);
      expect([verdict, found]).toEqual(['inconclusive', expect.arrayContaining([place])]);
    },
  );
