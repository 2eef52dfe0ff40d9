import {
  claimUnused,
  eachOf,
  hasErrors,
  isRefusal,
  scenario,
  test,
  type Reply,
  type Values,
} from '../../fixtures/runner/index.ts';

/** Amounts below one, with one decimal, and with cents that a binary fraction times a hundred does not hold. */
const AMOUNTS = [0.29, 0.5, 1.1, 4.35, 8.2, 19.99, 64.1, 999.99, 1000.01, 4095.99, 10_075.25, 99_999.99] as const;
/** Around the widths that columns for ids are often given. */
const ORDER_ID_LENGTHS = [37, 51, 65, 101] as const;

test(
  'Checks and loan requests are answered at the bounds of their values',
  ...scenario('loan-bounds', { area: 'loans', exclusive: true }, async ({ loans, bank, run, target }) => {
    claimUnused(run);
    const terms = await loans.terms();
    const amounts = target.testData.amounts.length > 0 ? [] : AMOUNTS.filter((amount) => amount <= target.caps.amount);
    await eachOf(amounts, target.inFlight, (amount) => loans.validate({ ...terms, amount }));
    const fresh = (): string => String(loans.values({ ...terms, order: 'text' })['order_id']);
    const ids = [
      ...ORDER_ID_LENGTHS.map((length) => fresh().padEnd(length, 'x')),
      `${fresh()}-Größe`,
      `${fresh()}-Счёт`,
      BigInt(2 ** 31) + BigInt(run.session.next()),
      BigInt(2 ** 32) + BigInt(run.session.next()),
    ];
    const asked = ids.map((order_id): Values => ({ ...loans.values(terms), order_id }));
    await eachOf(asked, target.inFlight, (values) => bank.validateLoan(values));
    for (const nth of [3, 5]) if (asked[nth] !== undefined) await loans.request(asked[nth]);
    // The very same twice: what comes from a cache has the form of what was worked out.
    const same = loans.values(terms);
    for (let time = 0; time < 3; time += 1) await bank.validateLoan(same);
  }),
);

test(
  'Payment links are answered at the bounds of their values',
  ...scenario('link-bounds', { area: 'payment-links', exclusive: true }, async ({ links, bank, run }) => {
    claimUnused(run);
    const terms = await links.small();
    if (terms === undefined) return;
    const mark = links.marked('').length + 1;
    const texts = ['x'.repeat(255 - mark), '请款单第三期'.repeat(12)];
    for (const text of texts)
      await bank.createPaymentLink({ ...links.values(terms), personal_description: links.marked(text) });
  }),
);

test(
  'Exactly the available limit is disbursed like a cent less',
  ...scenario('at-limit', { area: 'loans', exclusive: true }, async ({ loans, run, target, check }) => {
    claimUnused(run);
    const terms = await loans.terms();
    /** Disburses the limit less `cents` of a new application; what came, told with errors or not. */
    const disbursed = async (cents: number) => {
      const application = await loans.apply(terms);
      const offer = application?.offers.find(({ limit }) => limit !== null && limit > 1 && limit <= target.caps.amount);
      if (application === null || offer?.limit == null || !(await loans.approve(application, offer)).accepted)
        return null;
      const amount = Number((offer.limit - cents / 100).toFixed(2));
      const reply = await loans.disburse(application, offer, { amount }, { probe: true });
      if (!reply.accepted) return { reply, made: isRefusal(reply) ? false : null };
      const told = await loans.settled(application.id, { probe: true });
      return { reply, made: told.accepted ? !hasErrors(told.body) : null };
    };
    let contrast: Reply | undefined;
    let exact: Reply | undefined;
    for (const cents of [0, 1, 1, 0]) {
      const seen = await disbursed(cents);
      if (seen === null || seen.made === null) return;
      if (cents === 0) exact = seen.reply;
      else contrast = seen.reply;
      const isAlike = seen.made === (cents === 1);
      if (isAlike) continue;
      if (cents === 0 && seen.made) check('loans.disbursement.at-limit', seen.reply, true, { expected: 'to be taken' });
      return;
    }
    if (exact !== undefined)
      check('loans.disbursement.at-limit', exact, false, {
        pointer: 'request/body/amount',
        expected: 'exactly the available limit to be disbursed, as a cent less is',
        contrast,
      });
  }),
);
