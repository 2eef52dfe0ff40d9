/** Tests banks that break HTTP or JSON: each run gives its expected verdict, after a limited number of lost requests. */
import { expect, test } from '@playwright/test';
import {
  bankWithForeignRedirects,
  malformedHttpBanks,
  type MalformedHttpBank,
} from '../../../fixtures/banks/malformed-http/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { examineUrl } from '../support/examine.ts';
import { thoroughUnless } from '../support/thorough.ts';

/** The settings of a small run: a malformed answer shows at once, in any area. */
const smallRunSettings = { RUNS: '1', AREAS: 'payment-links' };
/** A run against a bank of malformed HTTP ends after at most this many requests without an answer. */
const MAX_LOST_ANSWERS = 59;
/** `npm test` runs one of this many banks. */
const BANKS_PER_CHOSEN_BANK = 6;
/** The fourth of each six: among them is a bank that never answers, and the run against each of them is short. */
const CHOSEN_BANK = 3;

async function examineBank(bank: MalformedHttpBank): Promise<Report> {
  const opened = await bank.open();
  try {
    return await examineUrl(opened.url, { env: { ...smallRunSettings, ...bank.env } });
  } finally {
    await opened.close();
  }
}

/** Collects every text of a report that people read, except recorded exchanges. */
const readableTexts = ({ reasons, findings, clauses, errors, exchanges, operations }: Report): string =>
  [
    ...reasons,
    ...findings.flatMap(({ expected, received }) => [expected, received]),
    ...clauses.map(({ why }) => why ?? ''),
    ...errors.map(({ message }) => message),
    ...Object.values(exchanges).map(({ failure }) => failure?.message ?? ''),
    ...operations.flatMap(({ statuses }) => Object.keys(statuses)),
  ].join('\n');

for (const [index, bank] of malformedHttpBanks.entries()) {
  test(
    `A bank with ${bank.name} gets the verdict ${bank.expected.verdict}, after few lost requests`,
    thoroughUnless(index % BANKS_PER_CHOSEN_BANK === CHOSEN_BANK),
    async () => {
      const { expected } = bank;
      const report = await examineBank(bank);
      const texts = readableTexts(report);
      const found = report.findings
        .map(({ clause, pointer, received }) => `${clause} ${pointer} ${received}`)
        .join('\n');
      expect(report.errors).toEqual([]);
      expect(report.verdict, `${report.reasons.join('\n')}\n${found}`).toBe(expected.verdict);
      if (expected.words !== undefined) expect(texts).toMatch(expected.words);
      const broken = report.findings.filter(({ verdict }) => verdict === 'fail');
      expect(broken.length > 0, found).toBe(expected.breaks !== undefined);
      for (const { clause, pointer } of broken) {
        expect(clause).toMatch(expected.breaks?.clause ?? /^$/);
        expect(pointer).toMatch(expected.breaks?.pointer ?? /^$/);
      }
      const warned = [
        ...new Set(report.findings.filter(({ verdict }) => verdict === 'warning').map(({ clause }) => clause)),
      ];
      if (expected.warns !== undefined) expect(warned, found).toEqual([...expected.warns]);
      if (report.verdict === 'inconclusive') expect(report.reasons.length).toBeGreaterThan(0);
      expect(texts, 'no trace of an exception').not.toMatch(/\n\s+at \S+ \(|node:internal|UND_ERR|ECONN|\bundefined\b/);
      expect(Object.keys(report.exchanges).length, 'evidence of what came').toBeGreaterThan(0);
      const lost = report.operations.reduce((sum, { unanswered }) => sum + unanswered, 0);
      expect(lost).toBeLessThanOrEqual(MAX_LOST_ANSWERS);
    },
  );
}

test('If the bank redirects to another host, the suite sends no request to that host', async () => {
  const opened = await bankWithForeignRedirects.open();
  try {
    await examineUrl(opened.url, { env: smallRunSettings });
    expect(opened.arrived.length).toBeGreaterThan(0);
    expect(opened.there.arrived).toEqual([]);
  } finally {
    await opened.close();
  }
});
