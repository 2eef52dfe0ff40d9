/** Sends loan requests whose answers the document leaves open: without one field, in undocumented forms, or in another order. */
import {
  disburseUnapproved,
  toObservedAnswer,
  mapAll,
  MAX_CONCURRENT_PROBES,
  operations,
  probeMissingFields,
  scenario,
  test,
  type RequestOptions,
  type OpenedLoan,
  type Reply,
  type RequestMutation,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import * as belonging from '../../openapi/bank/behaviours/loans/belonging.ts';
import { NONSENSE_WORD, unlistedValues } from '../../fixtures/bank/arbitraries/made-up.ts';

const area = 'loans';
const loanRequestFields = operations.requestLoan.inputs.map(({ name }) => name);

const changeMembers =
  (change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): RequestMutation =>
  (draft) => {
    const body = draft.body as Readonly<Record<string, unknown>>;
    return { ...draft, body: { ...body, ...change(body) } };
  };
const withBody =
  (body: string): RequestMutation =>
  (draft) => ({ ...draft, body });

const unusualForms: Readonly<Record<string, RequestMutation>> = {
  'a number as text': changeMembers(({ amount }) => ({ amount: String(amount) })),
  'a boolean as text': changeMembers((body) => ({ commercial_disbursement: String(body['commercial_disbursement']) })),
  'a boolean as 1': changeMembers(() => ({ commercial_disbursement: 1 })),
  'a text as a number': changeMembers(() => ({ currency: 949 })),
  'null for a value': changeMembers(() => ({ disbursement_purpose: null })),
  'an unknown field': changeMembers(() => ({ [NONSENSE_WORD]: 'x' })),
  'an empty body': withBody(''),
  'an object without members': withBody('{}'),
  'an array': withBody('[]'),
};

test(
  'Validations without one field, and with undocumented types, bodies and methods',
  ...scenario('check-variants', { area, early: true }, async (tools) => {
    const { loans, probe } = tools;
    const probeWithout = probeMissingFields(tools, area);
    const { currency: code } = await loans.terms();
    /** Returns a function that sends a validation (the positive control) and then the same validation with a change. */
    const validateWith =
      (options: RequestOptions, change: Values = {}) =>
      async () => {
        const { terms, reply } = await loans.validateNext();
        return probe(reply, { ...loans.values(terms), ...change }, options);
      };
    const currencies = {
      'a currency code that does not exist': unlistedValues.currency_code,
      'the currency in small letters': code.toLowerCase(),
    };
    const variants = [
      ...[...loanRequestFields, ...loanRequestFields].map((name) => async () => {
        const { terms, reply } = await loans.validateNext();
        return probeWithout(reply, loans.values(terms), name);
      }),
      ...Object.entries(unusualForms).map(([question, mutate]) =>
        validateWith({ mutate, open: { point: 'service.request-leniency', question } }),
      ),
      ...Object.entries(currencies).map(([question, currency]) =>
        validateWith({ open: { point: 'loans.value-bounds', question } }, { currency }),
      ),
      ...['OPTIONS', 'GET'].map((method) =>
        validateWith({
          mutate: (draft) => ({ ...draft, method, body: null }),
          open: { point: 'service.other-methods', question: method },
        }),
      ),
    ];
    await mapAll(variants, MAX_CONCURRENT_PROBES, (send) => send());
  }),
);

test(
  'Loan requests without one field, and one with a repeated order_id',
  ...scenario('loan-request-variants', { area, creates: { applications: 3 } }, async (tools) => {
    const { loans, bank, run } = tools;
    const { terms, values, reply: control } = await loans.requestNext();
    if (!control.accepted) return;
    const repeatedReply = await bank.ask('requestLoan', values, { probe: true });
    if (repeatedReply.outcome !== 'not-sent') {
      const isSameApplication = repeatedReply.data.application_id === control.data.application_id;
      const observation = !repeatedReply.accepted
        ? toObservedAnswer(repeatedReply)
        : isSameApplication
          ? 'the same application'
          : 'another application';
      const context = { control: control.exchange.id };
      run.observe('loans.order-id-repeated', 'requestLoan', observation, repeatedReply.exchange.id, context);
    }
    // This order_id differs from an earlier one only in upper and lower case.
    const id = values['order_id'];
    if (typeof id === 'string') await loans.request({ ...values, order_id: id.toUpperCase() });
    const probeWithout = probeMissingFields(tools, area);
    for (const name of [...loanRequestFields, ...loanRequestFields])
      await probeWithout(control, loans.values(terms), name);
  }),
);

async function openLoan({ loans }: Tools): Promise<OpenedLoan | null> {
  const application = await loans.apply(await loans.nextTerms());
  const offer = application?.offers.find(({ limit }) => limit === null || limit > 0) ?? application?.offers[0];
  return application === null || offer === undefined ? null : { application, offer };
}

async function openApproved(tools: Tools): Promise<OpenedLoan | null> {
  const opened = await openLoan(tools);
  return opened !== null && (await tools.loans.approveInTurn(opened.application, opened.offer)).accepted
    ? opened
    : null;
}

/** Sends contracts that each lack one field. Returns the application that still has no contract. */
async function omitContractFields(tools: Tools, opened: OpenedLoan | null, control: Reply): Promise<OpenedLoan | null> {
  const probeWithout = probeMissingFields(tools, area);
  let loan = opened;
  await Promise.all(
    ['account_id', 'application_id'].map(async (name) => {
      for (let count = 0; count < 2 && loan !== null; count += 1) {
        const values = { application_id: loan.application.id, account_id: loan.offer.account };
        const reply = await probeWithout(control, values, name);
        if (reply?.accepted === true) loan = await openLoan(tools);
      }
    }),
  );
  return loan;
}

/** Sends disbursements that each lack one of the fields `names`. Returns the application that still has no disbursement. */
async function omitDisbursementFields(
  tools: Tools,
  opened: OpenedLoan | null,
  control: Reply,
  names: readonly string[],
): Promise<OpenedLoan | null> {
  const probeWithout = probeMissingFields(tools, area);
  let loan = opened;
  const omitTwice = (fields: readonly string[]) =>
    mapAll([...fields, ...fields], 1, async (name) => {
      if (loan === null || !control.accepted) return;
      const reply = await probeWithout(control, tools.loans.disbursement(loan.application, loan.offer), name);
      if (reply?.accepted === true) loan = await openApproved(tools);
    });
  // A request without an application_id concerns no application, so it may be sent at the same time.
  await Promise.all([
    omitTwice(names.filter((name) => name !== 'application_id')),
    omitTwice(names.filter((name) => name === 'application_id')),
  ]);
  return loan;
}

const openStateQuestion = (question: string) => ({ open: { point: 'loans.states', question } }) as const;

/**
 * Sends the steps of an application in another order, and steps without one field. `outcome`: the outcome of the accepted disbursement;
 * null if there is none.
 */
async function tryOtherOrders(
  tools: Tools,
  opened: OpenedLoan | null,
  control: Reply<'disburse'>,
  outcome: Reply<'queryDisbursement'> | null,
): Promise<void> {
  const { loans, probe } = tools;
  let loan = opened;
  if (loan === null) return;
  if (outcome !== null)
    await probe(outcome, { application_id: loan.application.id }, openStateQuestion('a query before the disbursement'));
  const withoutContract = loans.disbursement(loan.application, loan.offer);
  const earlyReply = await probe(control, withoutContract, openStateQuestion('a disbursement without a contract'));
  if (earlyReply?.accepted === true) loan = await openLoan(tools);
  if (loan === null || !(await loans.approveInTurn(loan.application, loan.offer)).accepted) return;
  loan = await omitDisbursementFields(tools, loan, control, ['contract_approved']);
  // This disbursement comes last. It is allowed to fail, and some banks make no disbursement after a failed one.
  if (loan !== null && control.accepted) await disburseUnapproved(tools, loan, control.exchange.id);
}

test(
  'Contracts and disbursements without one field, and steps too early or twice',
  ...scenario(
    'disbursement-variants',
    { area, early: true, creates: { applications: 3, disbursements: 5 } },
    async (tools) => {
      const { loans, bank, probe, run } = tools;
      const approved = openApproved(tools);
      const [first, second] = await Promise.all([openLoan(tools), openLoan(tools)]);
      if (first === null) return void (await approved);
      const contract = await loans.approveInTurn(first.application, first.offer);
      const loanWithoutContract = omitContractFields(tools, second, contract);
      const values = loans.disbursement(first.application, first.offer);
      const control = await bank.disburse(values);
      const outcome = control.accepted ? loans.outcome(first.application) : null;
      const names = operations.disburse.inputs.map(({ name }) => name).filter((name) => name !== 'contract_approved');
      const [secondReply] = await Promise.all([
        outcome?.then(() => probe(control, values, openStateQuestion('a second disbursement'))),
        loanWithoutContract.then(async (opened) => tryOtherOrders(tools, opened, control, await outcome)),
        approved.then((opened) => omitDisbursementFields(tools, opened, control, names)),
      ]);
      run.compare(belonging.sameIdAfterRepeat, { first: control, second: secondReply ?? null });
    },
  ),
);
