/** Sends loan steps with ids of no application and no account, and with invalid values and bodies. */
import { listInvalidAmounts } from '../../fixtures/arbitraries/amounts.ts';
import {
  disbursements,
  mapAll,
  refusedLoans,
  isRefusal,
  isThrottled,
  isEffectUnknown,
  scenario,
  test,
  UNKNOWN_ID,
  type Application,
  type LikeBehaviour,
  type Offer,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import { HUGE_ID, listMistakenIds } from '../../fixtures/arbitraries/made-up.ts';
import { compareRefused, listOpened, probeUnreadable } from './compared-disbursements.ts';

const area = 'loans';
/** An id of no application and no account, lower than all other ids. */
const ZERO = '0';
const removeZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** An accepted disbursement, with which the invalid disbursements are compared. */
interface Made {
  readonly application: Application;
  readonly contracted: Reply<'approveContract'>;
  readonly values: Values;
  readonly disbursed: Reply<'disburse'>;
  /** The outcome. A final outcome distinguishes this disbursement from disbursements that were not made. */
  readonly outcome: Reply<'queryDisbursement'>;
}

/** Returns ids that a search may confuse with `id`: the id with letters after it, its first digits, and 0. */
function listSimilarIds({ id }: Application): readonly string[] {
  const beginning = cutLastDigit(id);
  // A parser may read only the leading digits; an apostrophe ends a text in SQL; a search treats % as any letters, and may find
  // the next higher number.
  return [`${id}'abc`, ...(beginning === '' ? [] : [beginning, `${beginning}%`]), ...(/^\d+$/.test(id) ? [ZERO] : [])];
}

const cutLastDigit = (id: string): string => id.slice(0, -1);

/** If this many applications have no common account, each account belongs to an application. */
const MIN_DIGITS_APART = 6;

/**
 * Returns an account that only another application offers. Returns null if two applications offer the same account: then accounts
 * belong to the customer.
 */
function findOtherAccount({ run }: Tools, { id }: Application): string | null {
  const opened = new Map(run.session.requests.flatMap(({ opened: one }) => (one === undefined ? [] : [[one.id, one]])));
  const sets = [...opened.values()].map(({ accounts }) => new Set(accounts.map(removeZeros)));
  const isApart = new Set(sets.flatMap((one) => [...one])).size === sets.reduce((sum, { size }) => sum + size, 0);
  if (!isApart || sets.filter(({ size }) => size > 0).length < MIN_DIGITS_APART) return null;
  return [...opened.values()].find((one) => one.id !== id && one.accounts.length > 0)?.accounts[0] ?? null;
}

const INVALID_ADDRESS = '192.0.2.999';

async function compareUnknownContracts(
  tools: Tools,
  contracted: Reply<'approveContract'>,
  contract: { readonly application_id: string; readonly account_id: string },
  other: Application | null,
): Promise<void> {
  const { probe, run, target } = tools;
  // The application has no contract yet: a bank may refuse a second contract for any reason.
  const free = other?.id ?? contract.application_id;
  const { unknownApplication, unknownAccount } = refusedLoans;
  const invalid = [
    [unknownApplication, { ...contract, application_id: UNKNOWN_ID }],
    [unknownAccount, { application_id: free, account_id: UNKNOWN_ID }],
    [unknownAccount, { application_id: free, account_id: HUGE_ID }],
    // A negative index may count from the end of a list.
    [unknownAccount, { application_id: free, account_id: -1n }],
    ...listMistakenIds(contract.account_id).map(
      (account_id) => [unknownAccount, { application_id: free, account_id }] as const,
    ),
    ...listMistakenIds(free).map((application_id) => [unknownApplication, { ...contract, application_id }] as const),
  ] as const;
  await Promise.all([
    mapAll(invalid, target.inFlight, async ([behaviour, values]) => {
      run.compare(behaviour, { probe: await probe(contracted, values), control: contracted });
    }),
    probeUnreadable(tools, contracted, { ...contract, application_id: free }),
  ]);
}

async function compareOutcomesOfSimilarIds(
  { probe, run }: Tools,
  { application, outcome: control }: Made,
): Promise<void> {
  const ask = (ids: readonly string[]) => Promise.all(ids.map((application_id) => probe(control, { application_id })));
  const [unknown, others] = await Promise.all([
    ask([UNKNOWN_ID, ...listMistakenIds(application.id)]),
    ask(listSimilarIds(application)),
  ]);
  for (const one of unknown) run.compare(disbursements.unknownOutcome, { probe: one, control });
  for (const similar of others) {
    const opened = listOpened(run.session, String(similar?.data.application_id));
    run.compare(disbursements.similarOutcome, { similar, control, opened });
  }
}

type Forbidden = LikeBehaviour<typeof disbursements.unknownAccount>;

/** Whether the application is the same as before its invalid disbursement, and the answer if the disbursement was refused. */
interface Tried {
  readonly isUntouched: boolean;
  readonly refusal?: Reply<'disburse'>;
}

/** Sends an invalid disbursement, and queries the outcome if the bank accepted the disbursement. */
async function tryInvalidDisbursement(
  { bank, loans, probe, run }: Tools,
  made: Made,
  behaviour: Forbidden,
  values: Values,
  asPositive: boolean,
): Promise<Tried> {
  const reply = asPositive ? await bank.disburse(values) : await probe(made.disbursed, values);
  if (reply === null || reply.outcome === 'not-sent') return { isUntouched: true };
  const after: Reply<'queryDisbursement'>[] = [];
  if (reply.accepted)
    await run.session.waiting.askUntil(
      (one) => !isRefusal(one),
      async () => {
        const query = await loans.settled(String(values['application_id']), { probe: true });
        after.push(query);
        return query;
      },
    );
  run.compare(behaviour, { probe: reply, control: made.disbursed, made: made.outcome, after });
  const isUntouched = !reply.accepted && !isEffectUnknown(reply) && !isThrottled(reply.exchange.answer);
  return isUntouched ? { isUntouched, refusal: reply } : { isUntouched };
}

/** Compares the outcome of an application with the outcome of `made`. `refusal` is the last answer to an invalid disbursement. */
async function compareLast(
  tools: Tools,
  { outcome }: Made,
  applicationId: string,
  refusal?: Reply<'disburse'>,
): Promise<void> {
  if (refusal !== undefined) await compareRefused(tools, applicationId, { refused: refusal, made: outcome });
}

async function compareUnknownDisbursement(tools: Tools, made: Made): Promise<void> {
  const values = { ...made.values, application_id: UNKNOWN_ID };
  const { refusal } = await tryInvalidDisbursement(tools, made, disbursements.unknownApplication, values, false);
  await compareLast(tools, made, UNKNOWN_ID, refusal);
}

/** An application with a contract for its offer. `ofAnother` is an account that only another application offers. */
interface Approved {
  readonly application: Application;
  readonly offer: Offer;
  readonly ofAnother: string | null;
}

/** Sends a contract for the account of another application, then the right contract. Returns null if no contract is approved. */
async function approveOwnAccount(
  tools: Tools,
  contracted: Reply<'approveContract'>,
  application: Application | null,
): Promise<Approved | null> {
  const [offer] = application?.offers ?? [];
  if (application === null || offer === undefined) return null;
  const ofAnother = findOtherAccount(tools, application);
  if (ofAnother !== null) {
    const reply = await tools.probe(contracted, { application_id: application.id, account_id: ofAnother });
    tools.run.compare(refusedLoans.unknownAccount, { probe: reply, control: contracted });
  }
  return (await tools.loans.approve(application, offer)).accepted ? { application, offer, ofAnother } : null;
}

/** Sends invalid disbursements, one by one, for an application with a contract: without a contract all would be refused. */
async function compareInvalidDisbursements(
  tools: Tools,
  made: Made,
  { application, offer, ofAnother }: Approved,
): Promise<void> {
  const { probe, target } = tools;
  const values = { ...made.values, application_id: application.id, account_id: offer.account };
  const invalid = [
    ...[UNKNOWN_ID, ofAnother].flatMap((account_id) =>
      account_id === null ? [] : [[disbursements.unknownAccount, { account_id }, false] as const],
    ),
    ...listInvalidAmounts(5.25, target.caps.amount).map(
      (amount) => [disbursements.amountPositive, { amount }, true] as const,
    ),
  ];
  let last: Reply<'disburse'> | undefined;
  for (const [behaviour, changed, asPositive] of invalid) {
    const { isUntouched, refusal } = await tryInvalidDisbursement(
      tools,
      made,
      behaviour,
      { ...values, ...changed },
      asPositive,
    );
    if (!isUntouched) return;
    last = refusal ?? last;
  }
  await compareLast(tools, made, application.id, last);
  await Promise.all([
    probe(made.disbursed, { ...values, customer_ip: INVALID_ADDRESS }),
    probeUnreadable(tools, made.disbursed, values),
  ]);
}

test(
  'Contracts, disbursements and outcome queries with unknown ids, and disbursements of invalid amounts',
  ...scenario(
    'loan-unknown-ids',
    { area, early: true, creates: { applications: 2, disbursements: 5 } },
    async (tools) => {
      const { loans, bank } = tools;
      const terms = await loans.nextTerms();
      const [application, other] = await Promise.all([loans.apply(terms), loans.apply(terms)]);
      const [offer] = application?.offers ?? [];
      if (application === null || offer === undefined) return;
      const contract = { application_id: application.id, account_id: offer.account };
      const contracted = await bank.approveContract(contract);
      const values = loans.disbursement(application, offer);
      const disburse = async () => [await bank.disburse(values), await loans.settled(application.id)] as const;
      const [[disbursed, outcome], approved] = await Promise.all([
        disburse(),
        compareUnknownContracts(tools, contracted, contract, other).then(() =>
          approveOwnAccount(tools, contracted, other),
        ),
      ]);
      if (!disbursed.accepted || !outcome.accepted) return;
      const made: Made = { application, contracted, values, disbursed, outcome };
      await Promise.all([
        compareOutcomesOfSimilarIds(tools, made),
        compareUnknownDisbursement(tools, made),
        approved === null ? null : compareInvalidDisbursements(tools, made, approved),
      ]);
    },
  ),
);

test(
  'Validations with a body that is no JSON',
  ...scenario('loan-malformed-body', { area }, async ({ loans, probe, run, target }) => {
    const spells = [
      (json: string) => json.slice(0, -1),
      () => `amount=${Math.min(100, target.caps.amount)}`,
      () => '{"amount":',
    ];
    await mapAll(spells, target.inFlight, async (spell) => {
      const { terms, reply: control } = await loans.validateNext();
      const reply = await probe(control, loans.values(terms), {
        mutate: (draft) => ({
          ...draft,
          body: spell(JSON.stringify({ amount: terms.amount, currency: terms.currency })),
        }),
      });
      run.compare(refusedLoans.body, { probe: reply, control });
    });
  }),
);
