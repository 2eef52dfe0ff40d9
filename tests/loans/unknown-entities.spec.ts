/** Sends contracts, disbursements and outcome queries with unknown ids, and requests with invalid amounts and bodies. */
import { listInvalidAmounts } from '../../fixtures/arbitraries/amounts.ts';
import {
  mapAll,
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
import * as disbursements from '../../openapi/bank/behaviours/loans/disbursements.ts';
import { refusedLoans } from '../../openapi/bank/behaviours/service/refused.ts';
import { HUGE_ID, listMistakenIds } from '../../fixtures/bank/arbitraries/made-up.ts';
import { compareRefused, listOpened, probeUnreadable } from './compared-disbursements.ts';

const area = 'loans';
/** This id belongs to no application and no account, and is lower than every id of the bank. */
const ZERO = '0';
const removeZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** An accepted disbursement. The invalid disbursements are compared with it. */
interface ControlDisbursement {
  readonly application: Application;
  readonly contracted: Reply<'approveContract'>;
  readonly values: Values;
  readonly disbursed: Reply<'disburse'>;
  /** The final outcome. It differs from the outcome of a disbursement that was not made. */
  readonly outcome: Reply<'queryDisbursement'>;
}

/** Returns ids that a search may confuse with the id of the application: with letters after it, without its last digit, and 0. */
function listSimilarIds({ id }: Application): readonly string[] {
  const beginning = cutLastDigit(id);
  // A parser may read only the first digits. An apostrophe ends a text in SQL. A search may read % as any letters, and then find the
  // next higher number.
  return [`${id}'abc`, ...(beginning === '' ? [] : [beginning, `${beginning}%`]), ...(/^\d+$/.test(id) ? [ZERO] : [])];
}

const cutLastDigit = (id: string): string => id.slice(0, -1);

/** If at least this many applications have no account in common, accounts belong to applications. */
const MIN_APPLICATIONS_APART = 6;

/**
 * Returns an account that only another application offers. Returns null if two applications have an account in common: then
 * accounts belong to the customer.
 */
function findForeignAccount({ run }: Tools, { id }: Application): string | null {
  const applications = new Map(
    run.session.requests.flatMap(({ opened: application }) =>
      application === undefined ? [] : [[application.id, application]],
    ),
  );
  const accountSets = [...applications.values()].map(({ accounts }) => new Set(accounts.map(removeZeros)));
  const isDisjoint =
    new Set(accountSets.flatMap((accounts) => [...accounts])).size ===
    accountSets.reduce((sum, { size }) => sum + size, 0);
  if (!isDisjoint || accountSets.filter(({ size }) => size > 0).length < MIN_APPLICATIONS_APART) return null;
  return (
    [...applications.values()].find((application) => application.id !== id && application.accounts.length > 0)
      ?.accounts[0] ?? null
  );
}

const INVALID_ADDRESS = '192.0.2.999';

async function compareUnknownContracts(
  tools: Tools,
  contracted: Reply<'approveContract'>,
  contract: { readonly application_id: string; readonly account_id: string },
  unusedApplication: Application | null,
): Promise<void> {
  const { probe, run, target } = tools;
  // This application has no contract yet. A bank may refuse a second contract for any reason.
  const freeId = unusedApplication?.id ?? contract.application_id;
  const { unknownApplication, unknownAccount } = refusedLoans;
  const invalid = [
    [unknownApplication, { ...contract, application_id: UNKNOWN_ID }],
    [unknownAccount, { application_id: freeId, account_id: UNKNOWN_ID }],
    [unknownAccount, { application_id: freeId, account_id: HUGE_ID }],
    // A negative index may count from the end of a list.
    [unknownAccount, { application_id: freeId, account_id: -1n }],
    ...listMistakenIds(contract.account_id).map(
      (account_id) => [unknownAccount, { application_id: freeId, account_id }] as const,
    ),
    ...listMistakenIds(freeId).map((application_id) => [unknownApplication, { ...contract, application_id }] as const),
  ] as const;
  await Promise.all([
    mapAll(invalid, target.inFlight, async ([behaviour, values]) => {
      run.compare(behaviour, { probe: await probe(contracted, values), control: contracted });
    }),
    probeUnreadable(tools, contracted, { ...contract, application_id: freeId }),
  ]);
}

async function compareOutcomesOfSimilarIds(
  { probe, run }: Tools,
  { application, outcome: control }: ControlDisbursement,
): Promise<void> {
  const query = (ids: readonly string[]) =>
    Promise.all(ids.map((application_id) => probe(control, { application_id })));
  const [unknownReplies, similarReplies] = await Promise.all([
    query([UNKNOWN_ID, ...listMistakenIds(application.id)]),
    query(listSimilarIds(application)),
  ]);
  for (const reply of unknownReplies) run.compare(disbursements.unknownOutcome, { probe: reply, control });
  for (const similar of similarReplies) {
    const opened = listOpened(run.session, String(similar?.data.application_id));
    run.compare(disbursements.similarOutcome, { similar, control, opened });
  }
}

type InvalidDisbursementBehaviour = LikeBehaviour<typeof disbursements.unknownAccount>;

/** Says whether an invalid disbursement left the application unchanged. `refusal`: the answer, if the bank refused it. */
interface TrialResult {
  readonly isUnchanged: boolean;
  readonly refusal?: Reply<'disburse'>;
}

/** Sends an invalid disbursement. If the bank accepts the disbursement, queries its outcome. */
async function tryInvalidDisbursement(
  { bank, loans, probe, run }: Tools,
  control: ControlDisbursement,
  behaviour: InvalidDisbursementBehaviour,
  values: Values,
  isDocumented: boolean,
): Promise<TrialResult> {
  const reply = isDocumented ? await bank.disburse(values) : await probe(control.disbursed, values);
  if (reply === null || reply.outcome === 'not-sent') return { isUnchanged: true };
  const after: Reply<'queryDisbursement'>[] = [];
  if (reply.accepted)
    await run.session.waiting.repeatUntil(
      (query) => !isRefusal(query),
      async () => {
        const query = await loans.queryUntilFinal(String(values['application_id']), { isProbe: true });
        after.push(query);
        return query;
      },
    );
  run.compare(behaviour, { probe: reply, control: control.disbursed, made: control.outcome, after });
  const isUnchanged = !reply.accepted && !isEffectUnknown(reply) && !isThrottled(reply.exchange.answer);
  return isUnchanged ? { isUnchanged, refusal: reply } : { isUnchanged };
}

/** After a refused disbursement, compares the outcome of its application with the outcome of the accepted disbursement. */
async function compareAfterRefusal(
  tools: Tools,
  { outcome }: ControlDisbursement,
  applicationId: string,
  refusal?: Reply<'disburse'>,
): Promise<void> {
  if (refusal !== undefined) await compareRefused(tools, applicationId, { refused: refusal, made: outcome });
}

async function compareUnknownDisbursement(tools: Tools, control: ControlDisbursement): Promise<void> {
  const values = { ...control.values, application_id: UNKNOWN_ID };
  const { refusal } = await tryInvalidDisbursement(tools, control, disbursements.unknownApplication, values, false);
  await compareAfterRefusal(tools, control, UNKNOWN_ID, refusal);
}

/** An application with a contract for its offer. `foreignAccount`: an account that only another application offers. */
interface ApprovedLoan {
  readonly application: Application;
  readonly offer: Offer;
  readonly foreignAccount: string | null;
}

/** Sends a contract for the account of another application, then the right contract. Returns null if no contract is approved. */
async function approveOffer(
  tools: Tools,
  contracted: Reply<'approveContract'>,
  application: Application | null,
): Promise<ApprovedLoan | null> {
  const [offer] = application?.offers ?? [];
  if (application === null || offer === undefined) return null;
  const foreignAccount = findForeignAccount(tools, application);
  if (foreignAccount !== null) {
    const reply = await tools.probe(contracted, { application_id: application.id, account_id: foreignAccount });
    tools.run.compare(refusedLoans.unknownAccount, { probe: reply, control: contracted });
  }
  return (await tools.loans.approveInTurn(application, offer)).accepted ? { application, offer, foreignAccount } : null;
}

/** Sends invalid disbursements, one by one, for an application with a contract: without a contract all would be refused. */
async function compareInvalidDisbursements(
  tools: Tools,
  control: ControlDisbursement,
  { application, offer, foreignAccount }: ApprovedLoan,
): Promise<void> {
  const { loans, probe, target } = tools;
  const values = { ...control.values, application_id: application.id, account_id: offer.account };
  const invalid = [
    ...[UNKNOWN_ID, foreignAccount].flatMap((account_id) =>
      account_id === null ? [] : [[disbursements.unknownAccount, { account_id }, false] as const],
    ),
    ...listInvalidAmounts(5.25, target.caps.amount).map(
      (amount) => [disbursements.amountPositive, { amount }, true] as const,
    ),
  ];
  let lastRefusal: Reply<'disburse'> | undefined;
  const areAllUnchanged = await loans.withNewestContract(application, offer, async () => {
    for (const [behaviour, changed, isDocumented] of invalid) {
      const trialValues = { ...values, ...changed };
      const { isUnchanged, refusal } = await tryInvalidDisbursement(
        tools,
        control,
        behaviour,
        trialValues,
        isDocumented,
      );
      if (!isUnchanged) return false;
      lastRefusal = refusal ?? lastRefusal;
    }
    return true;
  });
  if (!areAllUnchanged) return;
  await compareAfterRefusal(tools, control, application.id, lastRefusal);
  await Promise.all([
    probe(control.disbursed, { ...values, customer_ip: INVALID_ADDRESS }),
    probeUnreadable(tools, control.disbursed, values),
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
      const [application, secondApplication] = await Promise.all([loans.apply(terms), loans.apply(terms)]);
      const [offer] = application?.offers ?? [];
      if (application === null || offer === undefined) return;
      const contract = { application_id: application.id, account_id: offer.account };
      const contracted = await loans.approveInTurn(application, offer);
      const values = loans.disbursement(application, offer);
      const disburse = async () => [await bank.disburse(values), await loans.queryUntilFinal(application.id)] as const;
      const [[disbursed, outcome], approved] = await Promise.all([
        disburse(),
        compareUnknownContracts(tools, contracted, contract, secondApplication).then(() =>
          approveOffer(tools, contracted, secondApplication),
        ),
      ]);
      if (!disbursed.accepted || !outcome.accepted) return;
      const control: ControlDisbursement = { application, contracted, values, disbursed, outcome };
      await Promise.all([
        compareOutcomesOfSimilarIds(tools, control),
        compareUnknownDisbursement(tools, control),
        approved === null ? null : compareInvalidDisbursements(tools, control, approved),
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
