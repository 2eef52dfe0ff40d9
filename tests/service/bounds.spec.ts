import { claimUnused, eachOf, scenario, test, type Values } from '../../fixtures/runner/index.ts';

/** Amounts below one, with one decimal, and with cents that a binary fraction times a hundred does not hold. */
const AMOUNTS = [0.29, 0.5, 1.1, 4.35, 8.2, 19.99, 64.1, 999.99, 1000.01, 4095.99, 10_075.25, 99_999.99] as const;
/** Around the widths that columns for ids are often given. */
const ORDER_ID_LENGTHS = [37, 51, 65, 101] as const;

test(
  'Checks and loan requests are answered at the bounds of their values',
  ...scenario('loan-bounds', { area: 'loans', exclusive: 'bounds' }, async ({ loans, bank, run, target }) => {
    claimUnused(run, 'loans');
    const terms = await loans.terms();
    const amounts = target.testData.amounts.length > 0 ? [] : AMOUNTS.filter((amount) => amount <= target.caps.amount);
    const fresh = (): string => String(loans.values({ ...terms, order: 'text' })['order_id']);
    const ids = [
      ...ORDER_ID_LENGTHS.map((length) => fresh().padEnd(length, 'x')),
      `${fresh()}-Größe`,
      `${fresh()}-Счёт`,
      BigInt(2 ** 31) + BigInt(run.session.next()),
      BigInt(2 ** 32) + BigInt(run.session.next()),
    ];
    const asked = ids.map((order_id): Values => ({ ...loans.values(terms), order_id }));
    const checks = [...amounts.map((amount) => loans.values({ ...terms, amount })), ...asked];
    await eachOf(checks, target.inFlight, (values) => bank.validateLoan(values));
    const wished = asked.filter((_, nth) => nth === 3 || nth === 5);
    await eachOf(wished, target.inFlight, (values) => loans.request(values));
    // The very same twice: what comes from a cache has the form of what was worked out.
    const same = loans.values(terms);
    for (let time = 0; time < 3; time += 1) await bank.validateLoan(same);
  }),
);

test(
  'Payment links are answered at the bounds of their values',
  ...scenario('link-bounds', { area: 'payment-links', exclusive: 'bounds' }, async ({ links, bank, run }) => {
    claimUnused(run, 'payment-links');
    const terms = await links.small();
    if (terms === undefined) return;
    const mark = links.marked('').length + 1;
    const texts = ['x'.repeat(255 - mark), '请款单第三期'.repeat(12)];
    for (const text of texts)
      await bank.createPaymentLink({ ...links.values(terms), personal_description: links.marked(text) });
  }),
);
