/** Finds out why requests were refused, and queries the outcome of each disbursement. */
import {
  areas,
  claimUnused,
  compareSides,
  coversAmount,
  describeAnswer,
  findRefusedIds,
  hasLostDigits,
  listAccepted,
  loadProbes,
  openOffer,
  parseTurns,
  predictLostDigits,
  scenario,
  test,
  toInteger,
  toSent,
  type LoggedRequest,
  type OpenedLoan,
  type RequestDraft,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { anyDigits } from '../../openapi/bank/behaviours/loans/refused-ids.ts';

const clause = 'loans.offer.is-taken';

/**
 * Opens an application whose first offer covers the amount, and whose account has no other contract. Returns null if none of a few
 * applications has such an offer.
 */
async function openFreeLoan({ loans, run }: Tools): Promise<OpenedLoan | null> {
  const openedLoan = await openOffer(loans, await loans.terms(), ({ id, offers: [offer], terms }) => {
    // The document says that an account id is an integer: another id cannot be sent.
    if (offer === undefined || !coversAmount(offer, terms.amount) || toInteger(offer.account) === null) return;
    if (run.session.accountContracts.mayRefuseContract(id, offer.account)) return;
    // If several applications had this id, it would be unclear which one a request means.
    return loans.listUndisbursed().some((application) => application.id === id) ? offer : undefined;
  });
  if (openedLoan !== null) await run.session.waiting.waitUntilDataIsVisible();
  return openedLoan;
}

const MAX_OPENED_APPLICATIONS = 6;

const toIds = ({ application, offer }: OpenedLoan) => ({
  application_id: application.id,
  account_id: offer.account,
});

/** Compares contracts with ids as integers (documented) and with the same ids as texts. */
async function compareWithTexts(tools: Tools): Promise<boolean> {
  let currentLoan: OpenedLoan | null = null;
  /** Opens an application whose ids change if they are read as doubles. */
  const openNext = async (): Promise<OpenedLoan | null> => {
    for (let count = 0; count < MAX_OPENED_APPLICATIONS; count += 1) {
      const loan = await openFreeLoan(tools);
      if (loan === null || predictLostDigits(toIds(loan)) === 'never') return loan;
    }
    return null;
  };
  return compareSides(
    tools.run,
    clause,
    {
      // The application of the last two turns gets no contract with integers first: a repeated contract may be accepted anyway.
      turns: parseTurns('AABBAAB'),
      async ask(side, turn) {
        currentLoan = [0, 3, 4].includes(turn) ? await openNext() : currentLoan;
        if (currentLoan === null) return null;
        const body = toIds(currentLoan);
        const options = side === 'A' ? {} : { mutate: (draft: RequestDraft) => ({ ...draft, body }) };
        return tools.loans.approve(currentLoan.application, currentLoan.offer, options);
      },
    },
    (reply) => ({
      expected: 'a contract with ids as integers to be accepted, whatever their digits are',
      received: `${describeAnswer(reply)}, while the same ids are accepted as texts`,
    }),
  );
}

const readValues = (requests: readonly LoggedRequest[]) => requests.map(({ values }) => values);

/** Sends more contracts, if perhaps only ids that do not fit into a double were refused. Also sends ids as texts. */
async function sendMoreContracts(tools: Tools): Promise<void> {
  const { requests } = tools.run.session;
  const refusedSteps = loadProbes().listRefusedSteps(requests, 'approveContract');
  if (hasLostDigits(readValues(refusedSteps), readValues(listAccepted(requests, 'approveContract'))) !== 'perhaps')
    return;
  if (await compareWithTexts(tools)) return;
  for (let count = 0; count < MAX_OPENED_APPLICATIONS; count += 1) {
    const opened = await openFreeLoan(tools);
    if (opened !== null) await tools.loans.approve(opened.application, opened.offer);
  }
}

/** Sends the last refused step again, if the digits of its ids may be the reason for the refusal. */
async function compareIds({ bank, run }: Tools, operation: keyof typeof anyDigits): Promise<void> {
  const refusedSteps = loadProbes().listRefusedSteps(run.session.requests, operation);
  const acceptedSteps = listAccepted(run.session.requests, operation);
  const lastRefused = refusedSteps.at(-1);
  if (lastRefused === undefined || findRefusedIds(readValues(refusedSteps), readValues(acceptedSteps)) === undefined)
    return;
  const repeatedReply = await bank.ask(operation, lastRefused.values);
  run.compare(anyDigits[operation], {
    refused: refusedSteps.map((request) => toSent(operation, request)),
    accepted: acceptedSteps.map((request) => toSent(operation, request)),
    again: repeatedReply,
  });
}

// This scenario comes first: if a bank refuses the same contract only sometimes, other comparisons prove nothing.
test(
  'Contracts and disbursements that were refused in the right order, again with fresh applications',
  ...scenario('disbursed-at-times', { area: 'loans', stage: 'refused steps' }, (tools) =>
    loadProbes().askUnsteadySteps(tools),
  ),
);

test(
  'Contracts with ids as integers and as texts, if they may be refused for the digits of their ids',
  ...scenario('offers-taken', { area: 'loans', stage: 'refused steps' }, async (tools) => {
    const { run } = tools;
    claimUnused(run, 'loans');
    const [firstAccepted] = listAccepted(run.session.requests, 'approveContract');
    if (firstAccepted !== undefined) run.contrast(clause, { accepted: firstAccepted.exchange });
    await sendMoreContracts(tools);
    await compareIds(tools, 'approveContract');
    await compareIds(tools, 'disburse');
  }),
);

/** The budget to find which kinds of applications fail. */
const KINDS_BUDGET = { applications: 14, disbursements: 14 } as const;

test(
  'Contracts and disbursements for applications like those that were sometimes refused',
  ...scenario('kinds-taken', { area: 'loans', stage: 'refused steps', creates: KINDS_BUDGET }, (tools) =>
    loadProbes().learnSteps(tools),
  ),
);

test(
  'Outcome queries for every disbursement, and new disbursements like those without an outcome',
  ...scenario('outcomes-reached', { area: 'loans', stage: 'outcomes' }, (tools) => loadProbes().followOutcomes(tools)),
);

/** The budget to find what the refused requests have in common. A bank that refuses nothing leaves the budget unused. */
const refusalBudgets = { loans: { applications: 6 }, 'payment-links': { links: 18 }, atms: {} } as const;

for (const area of areas)
  test(
    `Refused requests and accepted requests in turn, with ever fewer differences (${area})`,
    ...scenario(`refusals-${area}`, { area, stage: 'refusals', creates: refusalBudgets[area] }, (tools) =>
      loadProbes().learnRequests(tools, area),
    ),
  );
