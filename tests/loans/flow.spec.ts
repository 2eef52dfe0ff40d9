import { boundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import { loanParameterCases, offerAt } from '../../fixtures/arbitraries/loans.ts';
import {
  answerOf,
  eachOf,
  hasErrors,
  isConclusive,
  isPending,
  isRefusal,
  scenario,
  test,
  type Application,
  type Reply,
} from '../../fixtures/runner/index.ts';

const area = 'loans';
/** Milliseconds for which an outcome that may not be the last is waited for, again and again. */
const OUTCOME_DELAYS_MS = [300, 1200, 3000] as const;
/** Refused disbursements whose outcome is asked for all the same. */
const MAX_REFUSED = 3;

test(
  'A loan goes from the check to the outcome of its disbursement, whichever offer is taken',
  ...scenario(
    'loan-flow',
    { area, creates: { applications: 14, disbursements: 14 } },
    async ({ loans, bank, run, target, check }) => {
      const plain = await loans.terms();
      const [, ...others] = await loans.currencies();
      const ips = [5, 1, 2, 3, 4].map((nth) => loans.ip(nth));
      const amounts = boundaryAmounts(target.caps.amount, target.testData.amounts);
      const refused: [id: string, reply: Reply][] = [];
      let made: string | undefined;
      const rounds = loanParameterCases(amounts, ips, run.budget.left('disbursements'));
      await eachOf(rounds, target.inFlight, async ({ ip, position, ...wish }, round) => {
        const currency =
          (round % 3 === 2 ? others[Math.floor(round / 3) % others.length] : undefined) ?? plain.currency;
        const varied = { ...wish, currency };
        const terms =
          round === 0 || !(await loans.validate(varied)).accepted ? { ...plain, order: wish.order } : varied;
        const application = (await loans.apply(terms)) ?? (await loans.apply(plain));
        const offer = offerAt(application?.offers ?? [], position);
        if (application === null || offer === undefined) return;
        await loans.approve(application, offer);
        const first = await loans.disburse(application, offer, { amount: loans.within(offer, wish.amount), ip });
        const plainly = loans.within(offer, plain.amount);
        const disbursed =
          first.outcome === 'refused' ? await loans.disburse(application, offer, { amount: plainly, ip }) : first;
        if (isRefusal(first) && isRefusal(disbursed)) refused.push([application.id, first]);
        if (!disbursed.accepted) return;
        made = application.id;
        for (let asked = 0; asked < 4; asked += 1) await loans.outcome(application);
      });
      if (made === undefined || refused.length === 0) return;
      await run.session.clock.sleep(OUTCOME_DELAYS_MS[2]);
      const usual = await loans.settled(made);
      if (!usual.accepted || isPending(usual.data.result) || hasErrors(usual.body)) return;
      await eachOf(refused.slice(0, MAX_REFUSED), target.inFlight, async ([id, contrast]) => {
        const told = await bank.ask('queryDisbursement', { application_id: id }, { probe: true });
        check('loans.outcome.not-of-a-refused', told, !told.accepted || told.data.result !== usual.data.result, {
          pointer: '/data/result',
          expected: 'no outcome in the words of a disbursement that was made',
          received: String(told.data.result),
          contrast,
        });
      });
    },
  ),
);

test(
  'An amount above the available limit is not disbursed like one within it',
  ...scenario(
    'loan-over-limit',
    { area, creates: { applications: 3, disbursements: 4 } },
    async ({ loans, bank, check, target, run }) => {
      const terms = await loans.terms();
      const queried = ({ id }: Application) => bank.ask('queryDisbursement', { application_id: id }, { probe: true });
      /** Disburses `amount` to the first offer of a new application; the outcome where the disbursement was taken on. */
      const outcomeOf = async (amountOf: (limit: number) => number, overLimit: boolean, nth = 0) => {
        const application = await loans.apply(terms);
        const offers = (application?.offers ?? []).filter(({ limit }) => limit !== null && limit > 0);
        const cheapest = offers.toSorted((a, b) => Number(a.limit) - Number(b.limit));
        // The first, since errors may be told of it alone; and the least of the others: where limits were swapped, it is too low.
        const [first, ...others] = offers.filter(({ limit }) => Number(limit) < target.caps.amount);
        const least = cheapest.find((one) => others.includes(one)) ?? first;
        const offer = (overLimit ? [least, first][nth] : undefined) ?? cheapest[0];
        if (application === null || offer === undefined || offer.limit === null) return null;
        await loans.approve(application, offer);
        const amount = amountOf(offer.limit);
        // Of a very large limit the next cent cannot be represented in a double.
        if (overLimit && amount <= offer.limit) return null;
        if (overLimit && amount > target.caps.amount) {
          run.unexercised('loans.over-limit', 'the available limit is above MAX_AMOUNT');
          return null;
        }
        const before = overLimit ? await queried(application) : null;
        const disbursed = await loans.disburse(application, offer, { amount }, { overLimit });
        if (!disbursed.accepted) return { application, before, disbursed, outcome: null };
        let outcome = await loans.outcome(application);
        for (let asked = 0; asked < 3; asked += 1) outcome = await loans.outcome(application);
        for (const ms of OUTCOME_DELAYS_MS)
          if (isPending(outcome.data.result)) {
            await run.session.clock.sleep(ms);
            outcome = await loans.outcome(application);
          }
        return { application, before, disbursed, outcome };
      };
      if (!target.overLimit) {
        run.unexercised('loans.over-limit', 'OVER_LIMIT=0');
        return;
      }
      const within = await outcomeOf((limit) => loans.within({ account: '', limit }, terms.amount), false);
      const control = within?.outcome;
      if (within === null || control?.accepted !== true) return;
      /** The outcomes of both after a delay: until a disbursement is completed, both may read alike. */
      const bothLater = async (application: Application, ms: number) => {
        await run.session.clock.sleep(ms);
        const usual = await loans.outcome(within.application);
        return { outcome: await loans.outcome(application), usual };
      };
      /** What was refused is not told like what was made, unless that is told of an application without a disbursement, too. */
      const refusedIsNotMade = async (application: Application, before: Reply, contrast: Reply) => {
        await run.session.clock.sleep(OUTCOME_DELAYS_MS[0]);
        const usual = await loans.outcome(within.application);
        if (!usual.accepted || isPending(usual.data.result) || hasErrors(usual.body)) return;
        const isTold = ({ accepted, data, body }: Reply): boolean =>
          accepted && (data as { result?: unknown }).result === usual.data.result && !hasErrors(body);
        if (isTold(before)) return;
        const told = await queried(application);
        check('loans.outcome.not-of-a-refused', told, !isTold(told), {
          pointer: '/data/result',
          expected: 'no outcome in the words of a disbursement that was made',
          received: String(told.data.result),
          contrast,
        });
      };
      const cent = (limit: number): number => Number((limit + 0.01).toFixed(2));
      // A whole amount as well.
      const twice = (limit: number): number => Math.min(Math.floor(limit) * 2 + 1, Math.floor(target.caps.amount));
      await eachOf([cent, twice], target.inFlight, async (above, nth) => {
        const over = await outcomeOf(above, true, nth);
        if (over === null || over.disbursed.outcome === 'not-sent') return;
        if (over.before !== null && isRefusal(over.disbursed))
          await refusedIsNotMade(over.application, over.before, over.disbursed);
        let [outcome, usual] = [over.outcome, control];
        // Errors beside the usual outcome say that it failed: an account may have no disbursement made at all.
        const isAlike = (): boolean =>
          outcome?.accepted === true && outcome.data.result === usual.data.result && !hasErrors(usual.body);
        for (const ms of OUTCOME_DELAYS_MS) if (isAlike()) ({ outcome, usual } = await bothLater(over.application, ms));
        if (isPending(outcome?.data.result) || isPending(usual.data.result)) return;
        const [text, alike] = [outcome?.data.result, isAlike()];
        const shown = outcome ?? over.disbursed;
        const value = outcome === null ? answerOf(over.disbursed) : `accepted, with the outcome “${String(text)}”`;
        run.observe(
          'loans.amount-above-limit',
          shown.operation,
          value,
          shown.exchange.id,
          undefined,
          usual.exchange.id,
        );
        if (alike && !isConclusive(text)) return;
        check('loans.over-limit', shown, !alike, {
          pointer: outcome === null ? 'response/status' : '/data/result',
          expected: 'a refusal, or another outcome than within the limit',
          received: String(text),
          contrast: usual,
        });
      });
    },
  ),
);
