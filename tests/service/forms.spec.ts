/** Sends documented requests in rare forms: at the bounds of their values, and compressed. */
import { fillWithLetters, findSameDouble, listBoundaryIntegers } from '../../fixtures/arbitraries/order-ids.ts';
import { listIdEndings } from '../../fixtures/arbitraries/texts.ts';
import { areas, claimUnused, mapAll, scenario, test, type Reply, type Values } from '../../fixtures/runner/index.ts';
import { compareContentCodings } from './content-codings.ts';

/** Amounts below one, with one decimal, and with cents that binary fractions cannot store exactly. */
const AMOUNTS = [0.29, 0.5, 1.1, 4.35, 8.2, 19.99, 64.1, 999.99, 1000.01, 4095.99, 10_075.25, 99_999.99] as const;
/** Lengths just above usual widths of id columns. */
const ORDER_ID_LENGTHS = [37, 51, 65, 101, 256] as const;
/** Length of the order_id in a loan request. Validations have longer ids. */
const LONG_ORDER_ID = 101;
/** Lengths of descriptions with the mark of the run: exactly a usual text column, and one character more. */
const TEXT_LENGTHS = [255, 256] as const;
/** Most banks refuse a description of this length. */
const TOO_LONG = 1025;

test(
  'Validations and loan requests with amounts that are no exact double, long order ids and large integers',
  ...scenario('loan-bounds', { area: 'loans', stage: 'outcomes' }, async ({ loans, bank, run, target }) => {
    claimUnused(run, 'loans', { applications: 4 });
    const terms = await loans.terms();
    const amounts = target.testData.amounts.length > 0 ? [] : AMOUNTS.filter((amount) => amount <= target.caps.amount);
    const fresh = (): string => String(loans.values({ ...terms, order: 'text' })['order_id']);
    const long = (length: number): string => fillWithLetters(fresh(), length, run.session);
    const ended = (ending: string): string => `${fresh()}${ending}`;
    const endings = listIdEndings();
    const integers = listBoundaryIntegers(run.session);
    const ids = [...ORDER_ID_LENGTHS.map(long), ...endings.map(ended), ...integers];
    const valuesOf = (order_id: string | bigint): Values => ({ ...loans.values(terms), order_id });
    const validations = [...amounts.map((amount) => loans.values({ ...terms, amount })), ...ids.map(valuesOf)];
    // The loan requests have fresh order ids: a bank may refuse to validate an order with an open application.
    const wished = [long(LONG_ORDER_ID), ended(endings.join(''))].map(valuesOf);
    // Two order ids that are the same id for a bank that reads integers as doubles.
    const large = listBoundaryIntegers(run.session).slice(-1);
    const neighbours = [...large, ...large.map(findSameDouble)].map(valuesOf);
    // Exactly the same validation is repeated: a cached answer must have the same form.
    const same = loans.values(terms);
    const askAgain = async (): Promise<void> => {
      for (let time = 0; time < 3; time += 1) await bank.validateLoan(same);
    };
    await Promise.all([
      mapAll(validations, target.inFlight, (values) => bank.validateLoan(values)),
      mapAll(wished, target.inFlight, (values) => loans.request(values)),
      mapAll(neighbours, 1, (values) => loans.request(values)),
      askAgain(),
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
      const valuesOf = (length: number): Values => {
        const text = links.marked('twelve reams of paper '.repeat(50)).slice(0, length - 1);
        return { ...links.values(terms), personal_description: `${text}s` };
      };
      const [control] = await mapAll<number, Reply>(TEXT_LENGTHS, target.inFlight, (length) =>
        bank.createPaymentLink(valuesOf(length)),
      );
      // The request is sent as a probe, because most banks refuse it and need not explain the refusal.
      if (control !== undefined) await probe(control, valuesOf(TOO_LONG));
    },
  ),
);

for (const area of areas)
  test(
    `Requests with and without Accept-Encoding: gzip (${area})`,
    ...scenario(`compressed-${area}`, { area, stage: 'independence' }, (tools) => compareContentCodings(tools, area)),
  );
