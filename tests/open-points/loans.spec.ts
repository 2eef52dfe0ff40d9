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
  (makeChange: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): RequestMutation =>
  (draft) => {
    const body = draft.body as Readonly<Record<string, unknown>>;
    return { ...draft, body: { ...body, ...makeChange(body) } };
  };
const replaceBody =
  (body: string): RequestMutation =>
  (draft) => ({ ...draft, body });

const unusualForms: Readonly<Record<string, RequestMutation>> = {
  'a number as text': changeMembers(({ amount }) => ({ amount: String(amount) })),
  'a boolean as text': changeMembers((body) => ({ commercial_disbursement: String(body['commercial_disbursement']) })),
  'a boolean as 1': changeMembers(() => ({ commercial_disbursement: 1 })),
  'a text as a number': changeMembers(() => ({ currency: 949 })),
  'null for a value': changeMembers(() => ({ disbursement_purpose: null })),
  'an unknown field': changeMembers(() => ({ [NONSENSE_WORD]: 'x' })),
  'an empty body': replaceBody(''),
  'an object without members': replaceBody('{}'),
  'an array': replaceBody('[]'),
};

test(
  'Validations without one field, and with undocumented types, bodies and methods',
  ...scenario('check-variants', { area, early: true }, async (tools) => {
    const { loans, probe } = tools;
    const probeWithout = probeMissingFields(tools, area);
    const { currency: currencyCode } = await loans.terms();
    /** Returns a function that sends a validation (the positive control) and then the same validation with a change. */
    const validateWith =
      (options: RequestOptions, changedValues: Values = {}) =>
      async () => {
        const { terms, reply } = await loans.validateNext();
        return probe(reply, { ...loans.values(terms), ...changedValues }, options);
      };
    const unusualCurrencies = {
      'a currency code that does not exist': unlistedValues.currency_code,
      'the currency in small letters': currencyCode.toLowerCase(),
    };
    const requestsToSend = [
      ...[...loanRequestFields, ...loanRequestFields].map((name) => async () => {
        const { terms, reply } = await loans.validateNext();
        return probeWithout(reply, loans.values(terms), name);
      }),
      ...Object.entries(unusualForms).map(([question, mutate]) =>
        validateWith({ mutate, open: { point: 'service.request-leniency', question } }),
      ),
      ...Object.entries(unusualCurrencies).map(([question, currency]) =>
        validateWith({ open: { point: 'loans.value-bounds', question } }, { currency }),
      ),
      ...['OPTIONS', 'GET'].map((method) =>
        validateWith({
          mutate: (draft) => ({ ...draft, method, body: null }),
          open: { point: 'service.other-methods', question: method },
        }),
      ),
    ];
    await mapAll(requestsToSend, MAX_CONCURRENT_PROBES, (send) => send());
  }),
);

test(
  'Loan requests without one field, and one with a repeated order_id',
  ...scenario('loan-request-variants', { area, creates: { applications: 3 } }, async (tools) => {
    const { loans, bank, run } = tools;
    const { terms, values, reply: acceptedReply } = await loans.requestNext();
    if (!acceptedReply.accepted) return;
    const repeatedReply = await bank.ask('requestLoan', values, { isProbe: true });
    if (repeatedReply.outcome !== 'not-sent') {
      const isSameApplication = repeatedReply.data.application_id === acceptedReply.data.application_id;
      const applicationText = isSameApplication ? 'the same application' : 'another application';
      const observation = repeatedReply.accepted ? applicationText : toObservedAnswer(repeatedReply);
      const context = { control: acceptedReply.exchange.id };
      run.observe('loans.order-id-repeated', 'requestLoan', observation, repeatedReply.exchange.id, context);
    }
    // This order_id differs from an earlier one only in upper and lower case.
    const orderId = values['order_id'];
    if (typeof orderId === 'string') await loans.request({ ...values, order_id: orderId.toUpperCase() });
    const probeWithout = probeMissingFields(tools, area);
    for (const name of [...loanRequestFields, ...loanRequestFields])
      await probeWithout(acceptedReply, loans.values(terms), name);
  }),
);

async function openLoan({ loans }: Tools): Promise<OpenedLoan | null> {
  const application = await loans.apply(await loans.nextTerms());
  const offer = application?.offers.find(({ limit }) => limit === null || limit > 0) ?? application?.offers[0];
  return application === null || offer === undefined ? null : { application, offer };
}

async function openApproved(tools: Tools): Promise<OpenedLoan | null> {
  const openedLoan = await openLoan(tools);
  if (openedLoan === null) return null;
  const contract = await tools.loans.approveInTurn(openedLoan.application, openedLoan.offer);
  return contract.accepted ? openedLoan : null;
}

/** Sends contracts that each lack one field. Returns the application that still has no contract. */
async function omitContractFields(
  tools: Tools,
  loanWithoutContract: OpenedLoan | null,
  contractReply: Reply,
): Promise<OpenedLoan | null> {
  const probeWithout = probeMissingFields(tools, area);
  let unusedLoan = loanWithoutContract;
  await Promise.all(
    ['account_id', 'application_id'].map(async (name) => {
      for (let count = 0; count < 2 && unusedLoan !== null; count += 1) {
        const values = {
          application_id: unusedLoan.application.id,
          account_id: unusedLoan.offer.account,
        };
        const reply = await probeWithout(contractReply, values, name);
        if (reply?.accepted === true) unusedLoan = await openLoan(tools);
      }
    }),
  );
  return unusedLoan;
}

/** Sends disbursements that each lack one of the fields `fieldNames`. Returns the application that still has no disbursement. */
async function omitDisbursementFields(
  tools: Tools,
  approvedLoan: OpenedLoan | null,
  disbursementReply: Reply,
  fieldNames: readonly string[],
): Promise<OpenedLoan | null> {
  const probeWithout = probeMissingFields(tools, area);
  let unusedLoan = approvedLoan;
  const omitTwice = (omittedFields: readonly string[]) =>
    mapAll([...omittedFields, ...omittedFields], 1, async (name) => {
      if (unusedLoan === null || !disbursementReply.accepted) return;
      const reply = await probeWithout(
        disbursementReply,
        tools.loans.disbursement(unusedLoan.application, unusedLoan.offer),
        name,
      );
      if (reply?.accepted === true) unusedLoan = await openApproved(tools);
    });
  // A request without an application_id concerns no application, so it may be sent at the same time.
  await Promise.all([
    omitTwice(fieldNames.filter((name) => name !== 'application_id')),
    omitTwice(fieldNames.filter((name) => name === 'application_id')),
  ]);
  return unusedLoan;
}

const openStateQuestion = (question: string) => ({ open: { point: 'loans.states', question } }) as const;

/**
 * Sends the steps of an application in another order, and steps without one field. `outcome`: the outcome of the accepted disbursement;
 * null if there is none.
 */
async function tryOtherOrders(
  tools: Tools,
  loanWithoutContract: OpenedLoan | null,
  disbursementReply: Reply<'disburse'>,
  outcomeReply: Reply<'queryDisbursement'> | null,
): Promise<void> {
  const { loans, probe } = tools;
  if (loanWithoutContract === null) return;
  if (outcomeReply !== null)
    await probe(
      outcomeReply,
      { application_id: loanWithoutContract.application.id },
      openStateQuestion('a query before the disbursement'),
    );
  const valuesWithoutContract = loans.disbursement(loanWithoutContract.application, loanWithoutContract.offer);
  const earlyReply = await probe(
    disbursementReply,
    valuesWithoutContract,
    openStateQuestion('a disbursement without a contract'),
  );
  // If the bank accepted the disbursement without a contract, this loan is used up.
  const loan = earlyReply?.accepted === true ? await openLoan(tools) : loanWithoutContract;
  if (loan === null || !(await loans.approveInTurn(loan.application, loan.offer)).accepted) return;
  const unusedLoan = await omitDisbursementFields(tools, loan, disbursementReply, ['contract_approved']);
  // This disbursement comes last. It is allowed to fail, and some banks make no disbursement after a failed one.
  if (unusedLoan !== null && disbursementReply.accepted)
    await disburseUnapproved(tools, unusedLoan, disbursementReply.exchange.id);
}

test(
  'Contracts and disbursements without one field, and steps too early or twice',
  ...scenario(
    'disbursement-variants',
    { area, early: true, creates: { applications: 3, disbursements: 5 } },
    async (tools) => {
      const { loans, bank, probe, run } = tools;
      const approvedLoan = openApproved(tools);
      const [firstLoan, secondLoan] = await Promise.all([openLoan(tools), openLoan(tools)]);
      if (firstLoan === null) return void (await approvedLoan);
      const contract = await loans.approveInTurn(firstLoan.application, firstLoan.offer);
      const loanWithoutContract = omitContractFields(tools, secondLoan, contract);
      const disbursementValues = loans.disbursement(firstLoan.application, firstLoan.offer);
      const disbursementReply = await bank.disburse(disbursementValues);
      const outcomeReply = disbursementReply.accepted ? loans.outcome(firstLoan.application) : null;
      const fieldNames = operations.disburse.inputs
        .map(({ name }) => name)
        .filter((name) => name !== 'contract_approved');
      const [secondReply] = await Promise.all([
        outcomeReply?.then(() =>
          probe(disbursementReply, disbursementValues, openStateQuestion('a second disbursement')),
        ),
        loanWithoutContract.then(async (opened) =>
          tryOtherOrders(tools, opened, disbursementReply, await outcomeReply),
        ),
        approvedLoan.then((opened) => omitDisbursementFields(tools, opened, disbursementReply, fieldNames)),
      ]);
      run.compare(belonging.sameIdAfterRepeat, { first: disbursementReply, second: secondReply ?? null });
    },
  ),
);
