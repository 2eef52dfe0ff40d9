/** Sends documented requests with values at the bounds of their types, and requests with compressed answers. */
import { fillWithLetters, findSameDouble, listBoundaryIntegers } from '../../fixtures/bank/arbitraries/order-ids.ts';
import { listIdEndings } from '../../fixtures/arbitraries/texts.ts';
import { areas, claimUnused, mapAll, scenario, test, type Reply, type Values } from '../../fixtures/runner/index.ts';
import { compareContentCodings } from './content-codings.ts';

/** Amounts below 1, with one decimal, and with cents that a binary number cannot hold exactly. */
const AMOUNTS = [0.29, 0.5, 1.1, 4.35, 8.2, 19.99, 64.1, 999.99, 1000.01, 4095.99, 10_075.25, 99_999.99] as const;
/** Lengths of order ids, each just above a usual width of a column in a database. */
const ORDER_ID_LENGTHS = [37, 51, 65, 101, 256] as const;
/** The length of the order_id in a loan request. */
const LONG_ORDER_ID = 101;
/** Lengths of descriptions: exactly a usual text column, and one character more. */
const TEXT_LENGTHS = [255, 256] as const;
/** Most banks refuse a description of this length. */
const LONG_TEXT = 1025;

test(
  'Validations and loan requests with amounts that are no exact double, long order ids and large integers',
  ...scenario('loan-bounds', { area: 'loans', stage: 'outcomes' }, async ({ loans, bank, run, target }) => {
    claimUnused(run, 'loans', { applications: 4 });
    const terms = await loans.terms();
    const amounts = target.testData.amounts.length > 0 ? [] : AMOUNTS.filter((amount) => amount <= target.caps.amount);
    const newOrderId = (): string => String(loans.values({ ...terms, order: 'text' })['order_id']);
    const newOrderIdOfLength = (length: number): string => fillWithLetters(newOrderId(), length, run.session);
    const newOrderIdWithEnding = (ending: string): string => `${newOrderId()}${ending}`;
    const endings = listIdEndings();
    const integers = listBoundaryIntegers(run.session);
    const orderIds = [...ORDER_ID_LENGTHS.map(newOrderIdOfLength), ...endings.map(newOrderIdWithEnding), ...integers];
    const toValues = (order_id: string | bigint): Values => ({ ...loans.values(terms), order_id });
    const validations = [...amounts.map((amount) => loans.values({ ...terms, amount })), ...orderIds.map(toValues)];
    // The loan requests have new order ids: a bank may refuse to validate an order that has an open application.
    const loanRequests = [newOrderIdOfLength(LONG_ORDER_ID), newOrderIdWithEnding(endings.join(''))].map(toValues);
    // Two order ids that are equal for a bank that reads integers as doubles.
    const largeIds = listBoundaryIntegers(run.session).slice(-1);
    const equalAsDoubles = [...largeIds, ...largeIds.map(findSameDouble)].map(toValues);
    // The same validation is sent three times: the bank may answer the second from a cache, and in another form.
    const repeatedValues = loans.values(terms);
    const repeatValidation = async (): Promise<void> => {
      for (let count = 0; count < 3; count += 1) await bank.validateLoan(repeatedValues);
    };
    await Promise.all([
      mapAll(validations, target.inFlight, (values) => bank.validateLoan(values)),
      mapAll(loanRequests, target.inFlight, (values) => loans.request(values)),
      mapAll(equalAsDoubles, 1, (values) => loans.request(values)),
      repeatValidation(),
    ]);
  }),
);

test(
  'Payment links with descriptions of 255, 256 and 1,025 characters',
  ...scenario(
    'link-bounds',
    { area: 'payment-links', stage: 'independence' },
    async ({ links, bank, probe, run, target }) => {
      claimUnused(run, 'payment-links', { links: TEXT_LENGTHS.length + 1 });
      const terms = await links.small();
      if (terms === undefined) return;
      const toValues = (length: number): Values => {
        const text = links.addMark('twelve reams of paper '.repeat(50)).slice(0, length - 1);
        return { ...links.values(terms), personal_description: `${text}s` };
      };
      const [control] = await mapAll<number, Reply>(TEXT_LENGTHS, target.inFlight, (length) =>
        bank.createPaymentLink(toValues(length)),
      );
      // The request is sent as a negative test, because most banks refuse it and need not explain the refusal.
      if (control !== undefined) await probe(control, toValues(LONG_TEXT));
    },
  ),
);

for (const area of areas)
  test(
    `Requests with and without Accept-Encoding: gzip (${area})`,
    ...scenario(`compressed-${area}`, { area, stage: 'independence' }, (tools) => compareContentCodings(tools, area)),
  );
