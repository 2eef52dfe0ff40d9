/** Tests that the requests of a finding are repeated, and that it is classified: always, in a state, under load, or sometimes. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import {
  editMemberAt,
  selectFirstEntry,
  set,
  triggerAlways,
  triggerOnEveryNthAnswer,
  type Trigger,
} from '../../../../fixtures/banks/lib/mutators.ts';
import { editAnswers } from '../../../../fixtures/banks/lib/serving.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Finding } from '../../../../reports/model/report.ts';
import { examineBank } from '../../support/examine.ts';

const replaceCodesWhen = (when: Trigger) =>
  editMemberAt('listCurrencies', '/data/currencies/*', set('EUR'), when, selectFirstEntry);

/** Makes a bank that answers wrongly while more than `maxInFlight` requests are in flight. */
function makeBusyBank(maxInFlight: number): Handler {
  const good = createBank();
  const bad = replaceCodesWhen(triggerAlways)(good);
  let underWay = 0;
  return {
    async fetch(request) {
      const bank = (underWay += 1) > maxInFlight ? bad : good;
      // Waits for turns of the event loop, in which more requests arrive. A wait in milliseconds would depend on other processes.
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      const answer = await bank.fetch(request);
      underWay -= 1;
      return answer;
    },
  };
}

/** Makes a bank whose outcome for the first queried application is never a text. */
function makeBankWithWrongFirstOutcome(): Handler {
  let first: string | undefined;
  return editAnswers('queryDisbursement', ({ data }, { params }) => {
    first ??= params['application_id'];
    if (params['application_id'] === first) data['result'] = 7;
  })(createBank());
}

/** Answers every second query of an outcome with 500. */
function failEverySecondQuery(bank: Handler): Handler {
  let queries = 0;
  return {
    async fetch(request) {
      const isQuery = request.method === 'GET' && request.url.includes('/disbursements/');
      return isQuery && (queries += 1) % 2 === 0 ? new Response(null, { status: 500 }) : bank.fetch(request);
    },
  };
}

const linkSettings = { AREAS: 'payment-links', RUNS: '3' };
const isAboutCurrencies = ({ operation }: Finding): boolean => operation.endsWith('available-currency-codes');
const brokenLinks = editMemberAt('createPaymentLink', '/data/is_success', set('yes'));

type Row = readonly [as: string, open: () => Handler, env: Record<string, string>, isIt: (finding: Finding) => boolean];
const rows: Readonly<Record<string, Row>> = {
  'A fault in every answer': [
    'deterministic',
    () => replaceCodesWhen(triggerAlways)(createBank()),
    linkSettings,
    isAboutCurrencies,
  ],
  'A fault in every ninth answer': [
    'intermittent',
    () => replaceCodesWhen(triggerOnEveryNthAnswer(9))(createBank()),
    linkSettings,
    isAboutCurrencies,
  ],
  'A fault at a busy bank': ['load-dependent', () => makeBusyBank(2), linkSettings, isAboutCurrencies],
  'A fault that depends on the application': [
    'state-dependent',
    makeBankWithWrongFirstOutcome,
    { AREAS: 'loans', RUNS: '3' },
    ({ pointer }) => pointer === '/data/result',
  ],
  'A fault that depends on the application, at a bank with server errors,': [
    'state-dependent',
    () => failEverySecondQuery(makeBankWithWrongFirstOutcome()),
    { AREAS: 'loans', RUNS: '3' },
    ({ pointer }) => pointer === '/data/result',
  ],
  'A fault whose request the cap does not allow again': [
    'not tried',
    () => brokenLinks(createBank()),
    { ...linkSettings, MAX_LINKS: '1' },
    ({ pointer }) => pointer === '/data/is_success',
  ],
};

for (const [title, [as, open, env, isSought]] of Object.entries(rows))
  test(`${title} is classified as ${as}`, async () => {
    const report = await examineBank(open(), { env });
    const finding = report.findings.find((entry) => entry.verdict === 'fail' && isSought(entry));
    const { classification } = finding ?? {};
    expect(classification, JSON.stringify(finding)).toMatchObject({ as });
    expect(report.verdict).toBe('non-conformant');
    if (as === 'not tried')
      expect(classification).toMatchObject({ of: 0, why: 'the request was not repeated: the cap on links is reached' });
    else expect(classification?.broken).toBeGreaterThan(0);
    expect(classification?.of ?? 0).toBeLessThanOrEqual(14);
  });
