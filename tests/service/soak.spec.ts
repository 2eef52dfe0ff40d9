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
const openPointId = 'service.over-time';

/** Returns the time at which SOAK ends. All areas, which run in parallel, have the same end. */
const getSoakEnd = ({ run: { session } }: Tools): Promise<number> =>
  session.lookupOnce('loans', 'end of SOAK', () => Promise.resolve(session.clock.now() + session.target.soakMs));

/** Until SOAK ends, sends a round of requests after each pause, and extra requests at `extraMoments` (milliseconds since 1970). */
async function repeatUntilEnd(
  tools: Tools,
  sendRound: () => Promise<unknown>,
  extraMoments: readonly number[] = [],
  sendExtra: () => Promise<unknown> = sendRound,
): Promise<void> {
  const { clock, target, waiting } = tools.run.session;
  const endMs = await getSoakEnd(tools);
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, target.soakMs / ROUND_COUNT));
  const nextMoments = extraMoments.filter((moment) => moment <= endMs).toSorted((a, b) => a - b);
  for (let nextRoundMs = clock.now() + pauseMs; clock.now() < endMs && !waiting.isOver();) {
    const isExtra = nextMoments[0] !== undefined && nextMoments[0] < nextRoundMs;
    await waiting.waitUntil(Math.min(isExtra ? (nextMoments.shift() as number) : nextRoundMs, endMs));
    if (isExtra) await sendExtra();
    else {
      await sendRound();
      nextRoundMs = clock.now() + pauseMs;
    }
  }
}

const getNextStart = (nowMs: number, unitMs: number): number => (Math.floor(nowMs / unitMs) + 1) * unitMs;

/**
 * Returns at most `maxCount` moments at which the bank's clock shows times that are often written wrongly: just before and after full
 * minutes, and after full hours, days and months. If these are fewer, other moments are spread evenly. The bank's clock is `aheadMs`
 * milliseconds ahead of the clock of the run.
 */
function listClockChanges(nowMs: number, endMs: number, aheadMs: number, maxCount: number): readonly number[] {
  const bankNowMs = nowMs + aheadMs;
  const bankEndMs = endMs + aheadMs;
  const bankNow = new Date(bankNowMs);
  const nextMinuteMs = getNextStart(bankNowMs, MINUTE_MS);
  const criticalMoments = [
    Date.UTC(bankNow.getUTCFullYear(), bankNow.getUTCMonth() + 1, 1) + 3 * MINUTE_MS,
    getNextStart(bankNowMs, DAY_MS) + 2 * MINUTE_MS,
    getNextStart(bankNowMs, HOUR_MS) + SECOND_MS,
    nextMinuteMs - SECOND_MS / 4,
    nextMinuteMs + 3 * SECOND_MS,
    getNextStart(nextMinuteMs, MINUTE_MS) - SECOND_MS / 3,
    getNextStart(nextMinuteMs, MINUTE_MS) + 7 * SECOND_MS,
  ].filter((moment) => moment > bankNowMs && moment < bankEndMs);
  const chosenMoments = criticalMoments.slice(0, maxCount);
  const missingCount = maxCount - chosenMoments.length;
  const evenMoments = Array.from(
    { length: missingCount },
    (_, index) => bankNowMs + ((index + 1) * (bankEndMs - bankNowMs)) / (missingCount + 1),
  );
  return [...chosenMoments, ...evenMoments].map((moment) => moment - aheadMs);
}

test(
  'Payment links around full minutes, hours and days',
  ...scenario('soak-links', { area: 'payment-links', stage: 'soak', soak: true }, async (tools) => {
    const { links, bank, run } = tools;
    claimUnused(run, 'payment-links');
    const { clock } = run.session;
    const terms = await links.small();
    if (terms === undefined) return;
    const endDates: (readonly number[])[] = [];
    let aheadMs = 0;
    let lastExchange = '';
    const createLink = async (): Promise<void> => {
      const reply = await bank.createPaymentLink(links.values(terms));
      const endDate = reply.accepted ? parseDateTime(String(reply.data.end_date)) : null;
      if (endDate === null) return;
      const [year, month, day, hour, minute, second] = endDate;
      const startedAt = reply.exchange.startedAt;
      const shownMs = Date.UTC(year, month - 1, day, hour, minute, second);
      // Links show only whole seconds. Clocks differ by whole seconds, because of zones and periods of validity.
      if (endDates.length === 0) aheadMs = Math.ceil((shownMs - startedAt) / SECOND_MS) * SECOND_MS;
      lastExchange = reply.exchange.id;
      endDates.push(endDate);
    };
    await createLink();
    const moments = listClockChanges(clock.now(), await getSoakEnd(tools), aheadMs, run.budget.countLeft('links'));
    const { merchant_no, is_domestic, branch_no, currency_code } = terms;
    await repeatUntilEnd(
      tools,
      async () => {
        await bank.listMerchants();
        await bank.listCurrencies({ merchant_no, is_domestic });
        await bank.listInstallments({ merchant_no, is_domestic, branch_no, currency_code });
      },
      moments,
      createLink,
    );
    if (endDates.length === 0) return;
    const shownMinutes = new Set(endDates.map((moment) => moment.slice(0, 5).join(' ')));
    const shownDays = new Set(endDates.map((moment) => moment.slice(0, 3).join(' ')));
    const shownSeconds = new Set(endDates.map((moment) => moment[5]));
    const value = `${countOf(shownSeconds.size, 'second')} of ${countOf(shownMinutes.size, 'minute')}, on ${countOf(shownDays.size, 'day')}`;
    run.observe(openPointId, 'createPaymentLink', value, lastExchange, { question: 'end dates of links' });
  }),
);

test(
  'Outcome queries and validations, repeated over many seconds',
  ...scenario('soak-loans', { area: 'loans', stage: 'soak', soak: true }, async (tools) => {
    const { loans, bank, run } = tools;
    claimUnused(run, 'loans');
    const { clock, disbursedApplications: disbursed } = run.session;
    const terms = await loans.terms();
    const startedAt = clock.now();
    let lastAnswerAt = 0;
    let lastExchange = '';
    let round = 0;
    await repeatUntilEnd(tools, async () => {
      await loans.validate(terms);
      const applicationIds = [...disbursed];
      // The first outcome is queried each time, together with one of the others.
      for (const application_id of new Set([
        applicationIds[0],
        applicationIds[(round += 1) % Math.max(1, applicationIds.length)],
      ])) {
        if (application_id === undefined) continue;
        const reply = await bank.queryDisbursement({ application_id });
        if (!reply.accepted) continue;
        lastAnswerAt = reply.exchange.startedAt;
        lastExchange = reply.exchange.id;
      }
    });
    // The application is new, because older ones may have expired.
    const application = await loans.apply(terms);
    const offer = application?.offers.find((offered) => coversAmount(offered, terms.amount));
    if (application !== null && offer !== undefined && (await loans.approve(application, offer)).accepted)
      if ((await loans.disburse(application, offer, { amount: terms.amount })).accepted)
        await loans.queryUntilFinal(application.id);
    if (lastExchange === '') return;
    const value = `the same ${Math.round((lastAnswerAt - startedAt) / SECOND_MS)} seconds later`;
    run.observe(openPointId, 'queryDisbursement', value, lastExchange, {
      question: 'the outcome of the first disbursement',
    });
  }),
);

test(
  'ATM queries, repeated over many seconds',
  ...scenario('soak-atms', { area: 'atms', stage: 'soak', soak: true }, async (tools) => {
    const { atms } = tools;
    const [position] = await atms.findKnownPositions();
    const [codes] = await atms.findCodes();
    await repeatUntilEnd(tools, async () => {
      if (position !== undefined) await atms.findNear(position);
      if (codes !== undefined) await atms.findInDistrict(codes);
    });
  }),
);
