/** What is offered is taken, and what was taken on has an outcome. */
import {
  claimUnused,
  isRefusal,
  missOutcomes,
  scenario,
  test,
  type Application,
  type Offer,
  type Reply,
} from '../../fixtures/runner/index.ts';

/** Pause after which whatever was written last can be read. Milliseconds. */
const SETTLING_MS = 1000;

test(
  'An account on offer is taken in a contract',
  ...scenario('offers-taken', { area: 'loans', exclusive: true }, async (tools) => {
    const { loans, check, run } = tools;
    claimUnused(run, 'loans');
    const { requests, clock } = run.session;
    const accounts = new Map(
      requests.flatMap(({ opened }) => (opened === undefined ? [] : [[opened.id, opened.accounts]])),
    );
    const positionOf = (values: Readonly<Record<string, unknown>>): number =>
      (accounts.get(String(values['application_id'])) ?? []).indexOf(String(values['account_id']));
    const isLastOf = (values: Readonly<Record<string, unknown>>): boolean =>
      positionOf(values) === (accounts.get(String(values['application_id'])) ?? []).length - 1;
    const contracts = requests.filter(({ operation }) => operation === 'approveContract');
    const [known] = contracts.filter(({ how }) => how === 'taken');
    if (known === undefined) return;
    const about = 'loans.offer.is-taken';
    run.exercised(about, 'approveContract', known.exchange);
    const refused = contracts.filter(({ how, values }) => how === 'refused' && positionOf(values) >= 0);
    // A limit below the amount that was applied for is a reason to refuse.
    const covers = ({ limit }: Offer, { amount }: Application['terms']): boolean => limit === null || limit >= amount;
    if (refused.length === 0) return;
    const positions = new Set(contracts.filter(({ how }) => how === 'taken').map(({ values }) => positionOf(values)));
    const terms = await loans.terms();
    const ask = async (position: number, times: number): Promise<readonly Reply[]> => {
      const application = await loans.apply(terms);
      const offer = application?.offers.at(position);
      if (application === null || offer === undefined || !covers(offer, application.terms)) return [];
      await clock.sleep(SETTLING_MS);
      const first = await loans.approve(application, offer);
      return times === 1 || first.accepted ? [first] : [first, await loans.approve(application, offer)];
    };
    /** Whether the account at one end is taken and that at the other is not, twice in turn. */
    const differ = async (takenAt: number, refusedAt: number, which: string): Promise<boolean> => {
      let [taken, other]: (Reply | undefined)[] = [];
      for (const position of [takenAt, refusedAt, takenAt, refusedAt]) {
        const [reply] = await ask(position, 1);
        if (reply === undefined || (position === takenAt ? !reply.accepted : !isRefusal(reply))) return false;
        if (position === takenAt) taken = reply;
        else other = reply;
      }
      if (other !== undefined) check(about, other, false, { expected: which, contrast: taken });
      return true;
    };
    const isRefusedAt = (isAt: (position: number) => boolean): boolean =>
      refused.some(({ values }) => isAt(positionOf(values)));
    if (positions.size === 1 && positions.has(0) && isRefusedAt((position) => position > 0)) {
      await differ(0, 1, 'the second account on offer to be taken, as the first is');
      return;
    }
    const asTheLast = 'the first account on offer to be taken, as the last is';
    if (positions.size > 1 && isRefusedAt((position) => position === 0) && (await differ(-1, 0, asTheLast))) return;
    const atLast = contracts.filter(({ values }) => positionOf(values) > 0 && isLastOf(values));
    if (atLast.length > 0 && atLast.every(({ how }) => how === 'refused')) {
      await differ(0, -1, 'the last account on offer to be taken, as the first is');
      return;
    }
    for (let time = 1; time <= 2; time += 1) {
      const [first, again] = await ask(0, 2);
      if (first === undefined || again === undefined || !isRefusal(first) || !again.accepted) return;
      if (time === 2)
        check(about, first, false, {
          expected: 'a contract to be taken at once, as it is when it is asked for again',
          contrast: again,
        });
    }
  }),
);

test(
  'A disbursement that was taken on has an outcome, whichever values it has',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, (tools) => missOutcomes(tools)),
);
