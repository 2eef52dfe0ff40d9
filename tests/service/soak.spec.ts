/**
 * With SOAK: sends few requests over many seconds, within the caps. Creates links when the clock reaches a new minute, hour, day
 * or month, and repeats lists, validations and outcome queries. Behaviours of the run compare the answers.
 */
import {
  coversAmount,
  claimUnused,
  countOf,
  parseDateTime,
  scenario,
  test,
  type Tools,
} from '../../fixtures/runner/index.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ROUND_COUNT = 60;
const MIN_PAUSE_MS = 5 * SECOND_MS;
const MAX_PAUSE_MS = MINUTE_MS;
const point = 'service.over-time';

/** Returns the end of SOAK on the session's clock: the same for all areas, which run in parallel. */
const getSoakEnd = ({ run: { session } }: Tools): Promise<number> =>
  session.lookupOnce('loans', 'end of SOAK', () => Promise.resolve(session.clock.now() + session.target.soakMs));

async function repeatUntilEnd(
  tools: Tools,
  round: () => Promise<unknown>,
  moments: readonly number[] = [],
  extra: () => Promise<unknown> = round,
): Promise<void> {
  const { clock, target, waiting } = tools.run.session;
  const end = await getSoakEnd(tools);
  const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, target.soakMs / ROUND_COUNT));
  const due = moments.filter((moment) => moment <= end).toSorted((a, b) => a - b);
  for (let next = clock.now() + pause; clock.now() < end && !waiting.isOver();) {
    const isExtra = due[0] !== undefined && due[0] < next;
    await waiting.until(Math.min(isExtra ? (due.shift() as number) : next, end));
    if (isExtra) await extra();
    else {
      await round();
      next = clock.now() + pause;
    }
  }
}

const getNextStart = (now: number, unit: number): number => (Math.floor(now / unit) + 1) * unit;

/**
 * Returns at most `most` times at which a clock that is `ahead` milliseconds ahead shows times that are often written wrongly:
 * just before and after full minutes, and after full hours, days and months. The other times are spread evenly.
 */
function listClockChanges(now: number, end: number, ahead: number, most: number): readonly number[] {
  const from = now + ahead;
  const until = end + ahead;
  const then = new Date(from);
  const minute = getNextStart(from, MINUTE_MS);
  const wanted = [
    Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 1) + 3 * MINUTE_MS,
    getNextStart(from, DAY_MS) + 2 * MINUTE_MS,
    getNextStart(from, HOUR_MS) + SECOND_MS,
    minute - SECOND_MS / 4,
    minute + 3 * SECOND_MS,
    getNextStart(minute, MINUTE_MS) - SECOND_MS / 3,
    getNextStart(minute, MINUTE_MS) + 7 * SECOND_MS,
  ].filter((moment) => moment > from && moment < until);
  const chosen = wanted.slice(0, most);
  const rest = most - chosen.length;
  const even = Array.from({ length: rest }, (_, nth) => from + ((nth + 1) * (until - from)) / (rest + 1));
  return [...chosen, ...even].map((moment) => moment - ahead);
}

test(
  'Payment links around full minutes, hours and days',
  ...scenario('soak-links', { area: 'payment-links', stage: 'soak', soak: true }, async (tools) => {
    const { links, bank, run } = tools;
    claimUnused(run, 'payment-links');
    const { clock } = run.session;
    const terms = await links.small();
    if (terms === undefined) return;
    const shown: (readonly number[])[] = [];
    let ahead = 0;
    let exchange = '';
    const link = async (): Promise<void> => {
      const reply = await bank.createPaymentLink(links.values(terms));
      const moment = reply.accepted ? parseDateTime(String(reply.data.end_date)) : null;
      if (moment === null) return;
      const [year, month, day, hour, minute, second] = moment;
      const from = reply.exchange.startedAt;
      const written = Date.UTC(year, month - 1, day, hour, minute, second);
      // Links show only whole seconds, and clocks differ by whole seconds of zones and periods.
      if (shown.length === 0) ahead = Math.ceil((written - from) / SECOND_MS) * SECOND_MS;
      exchange = reply.exchange.id;
      shown.push(moment);
    };
    await link();
    const moments = listClockChanges(clock.now(), await getSoakEnd(tools), ahead, run.budget.left('links'));
    const { merchant_no, is_domestic, branch_no, currency_code } = terms;
    await repeatUntilEnd(
      tools,
      async () => {
        await bank.listMerchants();
        await bank.listCurrencies({ merchant_no, is_domestic });
        await bank.listInstallments({ merchant_no, is_domestic, branch_no, currency_code });
      },
      moments,
      link,
    );
    if (shown.length === 0) return;
    const minutes = new Set(shown.map((moment) => moment.slice(0, 5).join(' ')));
    const days = new Set(shown.map((moment) => moment.slice(0, 3).join(' ')));
    const seconds = new Set(shown.map((moment) => moment[5]));
    const value = `${countOf(seconds.size, 'second')} of ${countOf(minutes.size, 'minute')}, on ${countOf(days.size, 'day')}`;
    run.observe(point, 'createPaymentLink', value, exchange, { question: 'end dates of links' });
  }),
);

test(
  'Outcome queries and validations, repeated over many seconds',
  ...scenario('soak-loans', { area: 'loans', stage: 'soak', soak: true }, async (tools) => {
    const { loans, bank, run } = tools;
    claimUnused(run, 'loans');
    const { clock, disbursed } = run.session;
    const terms = await loans.terms();
    const began = clock.now();
    let last = 0;
    let exchange = '';
    let round = 0;
    await repeatUntilEnd(tools, async () => {
      await loans.validate(terms);
      const known = [...disbursed];
      // The first outcome is queried each time, together with one of the others.
      for (const application_id of new Set([known[0], known[(round += 1) % Math.max(1, known.length)]])) {
        if (application_id === undefined) continue;
        const reply = await bank.queryDisbursement({ application_id });
        if (!reply.accepted) continue;
        last = reply.exchange.startedAt;
        exchange = reply.exchange.id;
      }
    });
    // The application is fresh, because older ones may have expired.
    const application = await loans.apply(terms);
    const offer = application?.offers.find((offered) => coversAmount(offered, terms.amount));
    if (application !== null && offer !== undefined && (await loans.approve(application, offer)).accepted)
      if ((await loans.disburse(application, offer, { amount: terms.amount })).accepted)
        await loans.settled(application.id);
    if (exchange === '') return;
    const value = `the same ${Math.round((last - began) / SECOND_MS)} seconds later`;
    run.observe(point, 'queryDisbursement', value, exchange, { question: 'the outcome of the first disbursement' });
  }),
);

test(
  'ATM queries, repeated over many seconds',
  ...scenario('soak-atms', { area: 'atms', stage: 'soak', soak: true }, async (tools) => {
    const { atms } = tools;
    const [position] = await atms.known();
    const [codes] = await atms.codes();
    await repeatUntilEnd(tools, async () => {
      if (position !== undefined) await atms.near(position);
      if (codes !== undefined) await atms.at(codes);
    });
  }),
);
