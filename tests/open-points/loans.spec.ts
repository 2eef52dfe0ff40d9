import {
  belonging,
  toObservedAnswer,
  mapAll,
  MAX_CONCURRENT_PROBES,
  probeMissingFields,
  scenario,
  test,
  type Application,
  type Asking,
  type Offer,
  type Reply,
  type RequestMutation,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import { NONSENSE_WORD, unlistedValues } from '../../fixtures/arbitraries/made-up.ts';
import { disburseUnapproved } from './unapproved.ts';

const area = 'loans';
const LOAN_REQUEST_FIELDS = [
  'amount',
  'currency',
  'commercial_disbursement',
  'disbursement_purpose',
  'order_id',
] as const;

const changeMembers =
  (change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): RequestMutation =>
  (draft) => ({ ...draft, body: change(draft.body as Readonly<Record<string, unknown>>) });
const withBody =
  (body: string): RequestMutation =>
  (draft) => ({ ...draft, body });

const unusualRequestForms: readonly (readonly [about: string, mutate: RequestMutation])[] = [
  ['a number as text', changeMembers((body) => ({ ...body, amount: String(body['amount']) }))],
  [
    'a boolean as text',
    changeMembers((body) => ({ ...body, commercial_disbursement: String(body['commercial_disbursement']) })),
  ],
  ['a boolean as 1', changeMembers((body) => ({ ...body, commercial_disbursement: 1 }))],
  ['a text as a number', changeMembers((body) => ({ ...body, currency: 949 }))],
  ['null for a value', changeMembers((body) => ({ ...body, disbursement_purpose: null }))],
  ['an unknown field', changeMembers((body) => ({ ...body, [NONSENSE_WORD]: 'x' }))],
  ['an empty body', withBody('')],
  ['an object without members', withBody('{}')],
  ['an array', withBody('[]')],
];

test(
  'Validations without one field, and in undocumented forms',
  ...scenario('check-variants', { area, early: true }, async ({ loans, probe, run }) => {
    const terms = await loans.terms();
    const omitted = probeMissingFields({ probe, run, area });
    /** Sends one validation in another way, after its control. */
    const asked = async (how: Asking, changed: Values = {}) =>
      probe(await loans.validate(terms), { ...loans.values(terms), ...changed }, how);
    const currencies = [
      ['a currency code that does not exist', unlistedValues.currency_code],
      ['the currency in small letters', terms.currency.toLowerCase()],
    ] as const;
    const variants = [
      ...[...LOAN_REQUEST_FIELDS, ...LOAN_REQUEST_FIELDS].map(
        (name) => async () => omitted.try(await loans.validate(terms), loans.values(terms), name),
      ),
      ...unusualRequestForms.map(
        ([question, mutate]) =>
          () =>
            asked({ mutate, open: { point: 'service.request-leniency', question } }),
      ),
      ...currencies.map(
        ([question, currency]) =>
          () =>
            asked({ open: { point: 'loans.value-bounds', question } }, { currency }),
      ),
      ...['OPTIONS', 'GET'].map(
        (method) => () =>
          asked({
            mutate: (draft) => ({ ...draft, method, body: null }),
            open: { point: 'service.other-methods', question: method },
          }),
      ),
    ];
    await mapAll(variants, MAX_CONCURRENT_PROBES, (ask) => ask());
  }),
);

test(
  'Loan requests without one field, and with a repeated order_id',
  ...scenario('loan-request-variants', { area, creates: { applications: 3 } }, async ({ loans, bank, probe, run }) => {
    const values = loans.values(await loans.terms());
    const control = await loans.request(values);
    if (!control.accepted) return;
    const again = await bank.ask('requestLoan', values, { probe: true });
    if (again.outcome !== 'not-sent') {
      const same = again.data.application_id === control.data.application_id;
      const value = !again.accepted ? toObservedAnswer(again) : same ? 'the same application' : 'another application';
      run.observe('loans.order-id-repeated', 'requestLoan', value, again.exchange.id, undefined, control.exchange.id);
    }
    // Another order_id that differs only in upper and lower case.
    const id = values['order_id'];
    if (typeof id === 'string') await loans.request({ ...values, order_id: id.toUpperCase() });
    const terms = await loans.terms();
    const omitted = probeMissingFields({ probe, run, area });
    for (const name of [...LOAN_REQUEST_FIELDS, ...LOAN_REQUEST_FIELDS])
      await omitted.try(control, loans.values(terms), name);
  }),
);

interface Opened {
  readonly application: Application;
  readonly offer: Offer;
}

async function openLoan({ loans }: Tools): Promise<Opened | null> {
  const application = await loans.apply(await loans.terms());
  const offer = application?.offers.find(({ limit }) => limit === null || limit > 0) ?? application?.offers[0];
  return application === null || offer === undefined ? null : { application, offer };
}

const CONTRACT_FIELDS = ['account_id', 'application_id'] as const;
/** The fields in two parts. Each part needs one application. */
const DISBURSEMENT_FIELDS = [
  ['amount', 'account_id', 'currency', 'application_id', 'customer_ip'],
  ['contract_approved'],
] as const;

const askAboutState = (question: string) => ({ open: { point: 'loans.states', question } }) as const;

/** Opens a fresh application with a contract. */
async function openApproved(tools: Tools): Promise<Opened | null> {
  const opened = await openLoan(tools);
  return opened !== null && (await tools.loans.approve(opened.application, opened.offer)).accepted ? opened : null;
}

/** Sends contracts that each lack one field. Returns the application that still has no contract. */
async function leaveOutContractFields(tools: Tools, opened: Opened | null, control: Reply): Promise<Opened | null> {
  const omitted = probeMissingFields({ ...tools, area });
  let fresh = opened;
  /** Sends two contracts without the field `name`. */
  const omit = async (name: string): Promise<void> => {
    for (let time = 0; time < 2 && fresh !== null; time += 1) {
      const values = { application_id: fresh.application.id, account_id: fresh.offer.account };
      const reply = await omitted.try(control, values, name);
      if (reply?.accepted === true) fresh = await openLoan(tools);
    }
  };
  await Promise.all(CONTRACT_FIELDS.map(omit));
  return fresh;
}

/** Sends disbursements that each lack one of `fields`. Returns the application that still has no disbursement. */
async function leaveOutDisbursementFields(
  tools: Tools,
  opened: Opened | null,
  control: Reply,
  fields: readonly string[],
): Promise<Opened | null> {
  const omitted = probeMissingFields({ ...tools, area });
  let fresh = opened;
  const omit = async (name: string): Promise<void> => {
    if (fresh === null || !control.accepted) return;
    const reply = await omitted.try(control, tools.loans.disbursement(fresh.application, fresh.offer), name);
    if (reply?.accepted === true) fresh = await openApproved(tools);
  };
  // A request without an application_id is about no application: it may be sent at the same time.
  const [own, ofNone] = [true, false].map((isOwn) => fields.filter((name) => (name !== 'application_id') === isOwn));
  await Promise.all([own, ofNone].map((names = []) => mapAll([...names, ...names], 1, omit)));
  return fresh;
}

/**
 * Sends the requests of an application in another order, and requests that lack one field. `outcome` is null if nothing was
 * disbursed.
 */
async function tryOtherOrders(
  tools: Tools,
  opened: Opened | null,
  control: Reply<'disburse'>,
  outcome: Reply<'queryDisbursement'> | null,
): Promise<void> {
  const { loans, probe } = tools;
  let fresh = opened;
  if (fresh === null) return;
  if (outcome !== null)
    await probe(outcome, { application_id: fresh.application.id }, askAboutState('a query before the disbursement'));
  const withoutContract = loans.disbursement(fresh.application, fresh.offer);
  const early = await probe(control, withoutContract, askAboutState('a disbursement without a contract'));
  if (early?.accepted === true) fresh = await openLoan(tools);
  if (fresh === null || !(await loans.approve(fresh.application, fresh.offer)).accepted) return;
  fresh = await leaveOutDisbursementFields(tools, fresh, control, DISBURSEMENT_FIELDS[1]);
  // Comes last, because it may rightly fail: some banks make no disbursement after a failed one.
  if (fresh !== null && control.accepted)
    await disburseUnapproved(tools, fresh.application, fresh.offer, control.exchange.id);
}

test(
  'Contracts and disbursements without one field, and in another order',
  ...scenario(
    'disbursement-variants',
    { area, early: true, creates: { applications: 3, disbursements: 5 } },
    async (tools) => {
      const { loans, bank, probe, run } = tools;
      const other = openApproved(tools);
      const [known, fresh] = await Promise.all([openLoan(tools), openLoan(tools)]);
      if (known === null) return void (await other);
      const contracted = await loans.approve(known.application, known.offer);
      const untaken = leaveOutContractFields(tools, fresh, contracted);
      const values = loans.disbursement(known.application, known.offer);
      const control = await bank.disburse(values);
      const outcome = control.accepted ? loans.outcome(known.application) : null;
      const [second] = await Promise.all([
        outcome?.then(() => probe(control, values, askAboutState('a second disbursement'))),
        untaken.then(async (one) => tryOtherOrders(tools, one, control, await outcome)),
        other.then((one) => leaveOutDisbursementFields(tools, one, control, DISBURSEMENT_FIELDS[0])),
      ]);
      run.compare(belonging.sameIdAgain, { first: control, second: second ?? null });
    },
  ),
);
