import {
  eachOf,
  isPending,
  isRefusal,
  isUndecided,
  scenario,
  test,
  type ClauseId,
  type Values,
} from '../../fixtures/runner/index.ts';

const area = 'loans';
/** An id that no target has given: 18 digits, of which the first are not likely to be anybody's. */
const UNKNOWN_ID = '987654321098765432';
/** More digits than any machine number holds. */
const HUGE_ID = '98765432109876543210987654321';
/** Milliseconds after which what was taken on can be asked for. */
const SETTLING_MS = 3000;

test(
  'Unknown applications and accounts have no contract, no disbursement and no outcome',
  ...scenario(
    'loan-unknown-ids',
    {
      area,
      creates: { applications: 2, disbursements: 6 },
    },
    async ({ loans, bank, probe, check, target, run }) => {
      const terms = await loans.terms();
      const [application, other] = await Promise.all([loans.apply(terms), loans.apply(terms)]);
      const [offer] = application?.offers ?? [];
      if (application === null || offer === undefined) return;
      const contract = { application_id: application.id, account_id: offer.account };
      const contracted = await bank.approveContract(contract);
      // An application that has a contract may be refused a second one, whatever the account.
      const free = other?.id ?? application.id;
      const odd = [
        ['loans.unknown-application.contract', { ...contract, application_id: UNKNOWN_ID }],
        ['loans.unknown-account.contract', { application_id: free, account_id: UNKNOWN_ID }],
        ['loans.unknown-account.contract', { application_id: free, account_id: HUGE_ID }],
      ] as const;
      await eachOf(odd, target.inFlight, async ([clause, values]) => {
        const reply = await probe(contracted, values);
        if (reply !== null) check(clause, reply, !reply.accepted, { expected: 'a refusal', contrast: contracted });
      });

      const disbursement = loans.disbursement(application, offer);
      const disbursed = await bank.disburse(disbursement);
      const outcome = await loans.settled(application.id);
      if (!disbursed.accepted || !outcome.accepted) return;
      const success = outcome.data.result;
      if (isPending(success)) return;
      // An id with letters behind it, and its beginning, alone and with the sign that a search takes for any other letters;
      // and the numbers beside it, for which a search may find the next one.
      const beginning = application.id.slice(0, -1);
      const beside = /^\d+$/.test(application.id)
        ? [-1n, 1n].map((one) => String(BigInt(application.id) + one).padStart(application.id.length, '0'))
        : [];
      const similar = [`${application.id}abc`, ...(beginning === '' ? [] : [beginning, `${beginning}%`]), ...beside];
      const isOfRun = (id: string): boolean => run.session.requests.some(({ opened }) => opened?.id === id);
      const [unknownOutcome, ...others] = await Promise.all(
        [UNKNOWN_ID, ...similar].map((application_id) => probe(outcome, { application_id })),
      );
      if (unknownOutcome != null)
        check(
          'loans.unknown-application.outcome',
          unknownOutcome,
          !unknownOutcome.accepted || unknownOutcome.data.result !== success,
          {
            pointer: '/data/result',
            expected: 'no outcome of another application',
            received: String(unknownOutcome.data.result),
            contrast: outcome,
          },
        );

      for (const reply of others) {
        if (reply === null) continue;
        const answered = String(reply.data.application_id);
        const isOwn = [beginning, String(reply.exchange.request.asked['application_id'])].includes(answered);
        const isSimilar = beginning !== '' && answered.startsWith(beginning);
        check(
          'loans.unknown-application.outcome',
          reply,
          !(reply.accepted && (isSimilar || isOfRun(answered)) && !isOwn),
          {
            pointer: '/data/application_id',
            expected: 'no outcome of an application with another id',
            received: answered,
            contrast: outcome,
          },
        );
      }

      /**
       * It is refused at once, or the query answers with another outcome than that of a disbursement that was made. Resolves
       * to whether it was refused: what is told of the application after that is about no other disbursement.
       */
      const isNotMade = async (clause: ClauseId, values: Values, asPositive: boolean): Promise<boolean> => {
        const reply = asPositive ? await bank.disburse(values) : await probe(disbursed, values);
        if (reply === null || reply.outcome === 'not-sent') return true;
        if (isUndecided(reply)) return false;
        const application_id = String(values['application_id']);
        let query = await loans.settled(application_id, { probe: true });
        if (reply.accepted && isRefusal(query)) {
          await run.session.clock.sleep(SETTLING_MS);
          query = await loans.settled(application_id, { probe: true });
        }
        const isTold = query.accepted && query.data.result === success;
        if (!reply.accepted)
          check('loans.outcome.not-of-a-refused', query, !isTold, {
            pointer: '/data/result',
            expected: 'no outcome in the words of a disbursement that was made',
            received: String(query.data.result),
            contrast: reply,
          });
        const isLost = application_id === UNKNOWN_ID && isRefusal(query);
        check(clause, reply, !reply.accepted || !(isTold || isLost), {
          expected: 'a refusal, or an outcome that is no success',
          contrast: disbursed,
        });
        return !reply.accepted;
      };
      const [second] = other?.offers ?? [];
      /** One after the other, over one application. */
      const overOther = async (): Promise<void> => {
        if (other === null || second === undefined) return;
        // Without a contract everything would be refused.
        if (!(await loans.approve(other, second)).accepted) return;
        const values = { ...disbursement, application_id: other.id, account_id: second.account };
        const unknownAccount = { ...values, account_id: UNKNOWN_ID };
        let isUntouched = await isNotMade('loans.unknown-account.disbursement', unknownAccount, false);
        for (const amount of [0, -5.25])
          isUntouched &&= await isNotMade('loans.amount-positive.disbursement', { ...values, amount }, true);
      };
      const unknown = { ...disbursement, application_id: UNKNOWN_ID };
      await Promise.all([isNotMade('loans.unknown-application.disbursement', unknown, false), overOther()]);
    },
  ),
);

test(
  'A loan request whose body is no JSON is refused',
  ...scenario('loan-malformed-body', { area }, async ({ loans, probe, check, target }) => {
    const terms = await loans.terms();
    const spells = [(json: string) => json.slice(0, -1), () => 'amount=100', () => '{"amount":'];
    await eachOf(spells, target.inFlight, async (spell) => {
      const control = await loans.validate(terms);
      const reply = await probe(control, loans.values(terms), {
        mutate: (draft) => ({
          ...draft,
          body: spell(JSON.stringify({ amount: terms.amount, currency: terms.currency })),
        }),
      });
      if (reply !== null)
        check('loans.malformed.refused', reply, !reply.accepted, { expected: 'a refusal', contrast: control });
    });
  }),
);
