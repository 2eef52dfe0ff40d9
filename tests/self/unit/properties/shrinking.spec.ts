/** Faults that depend on no history: the counterexample is the smallest one, and the printed command shows it again. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawLoanTerms, type LoanTerms } from '../../../../fixtures/arbitraries/loans.ts';
import { isInteger } from '../../../../fixtures/arbitraries/order-ids.ts';
import { drawPositions, type PositionText } from '../../../../fixtures/arbitraries/positions.ts';
import type { Members } from '../../../../fixtures/banks/lib/exchange.ts';
import { editBody } from '../../../../fixtures/banks/lib/intercept.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { countDecimals } from '../../../../openapi/util/counted.ts';
import { systemClock } from '../../../../fixtures/http/clock.ts';
import { deriveSeed } from '../../../../fixtures/session/property.ts';
import { openMemoryJournal } from '../../../../fixtures/session/journal-writer.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { openSession } from '../../../../fixtures/session/session.ts';
import { runScenario, type Body } from '../../../../fixtures/runner/run-scenario.ts';
import { readTarget } from '../../../../fixtures/config/target.ts';
import type { Finding, Report } from '../../../../reports/model/report.ts';
import { runConformance, makeSandboxEnv, serveDuring } from '../../support/command.ts';
import { examineUrl } from '../../support/examine.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

test.describe.configure({ mode: 'parallel' });

const seed = 1;

/** A fault that depends only on the request, and not on earlier requests: it shows if `when` is true. */
interface Trap<T> {
  readonly when: (asked: T) => boolean;
  /** The smallest value that triggers the fault; left out if the arbitrary alone decides. */
  readonly smallest?: T;
}

const [highest, currencies] = [100_000, ['EUR', 'USD', 'TRY', 'GBP']];
const makeTerms = (change: Partial<LoanTerms> = {}): LoanTerms => ({
  amount: 1,
  currency: 'EUR',
  commercial_disbursement: false,
  disbursement_purpose: false,
  order: 'text',
  ...change,
});

const loans: Readonly<Record<string, Trap<LoanTerms>>> = {
  'loans of 250 and more without a purpose': {
    when: ({ disbursement_purpose: is, amount }) => !is && amount >= 250,
    smallest: makeTerms({ amount: 250 }),
  },
  'amounts that are not whole': {
    when: ({ amount }) => !Number.isInteger(amount),
    smallest: makeTerms({ amount: 1.1 }),
  },
  'order ids that are integers': { when: ({ order }) => isInteger(order), smallest: makeTerms({ order: 'integer' }) },
};

const readCoordinates = ({ latitude, longitude }: PositionText): [number, number] => [
  Number(latitude),
  Number(longitude),
];

const atms: Readonly<Record<string, Trap<PositionText>>> = {
  'five decimals and more': { when: ({ latitude }) => countDecimals(latitude) >= 5 },
  'the south-west': { when: (position) => readCoordinates(position)[0] < 0 && readCoordinates(position)[1] < 0 },
};

interface Property<T> {
  readonly scenario: string;
  readonly label: string;
  readonly arbitrary: fc.Arbitrary<T>;
}

/** Replays a finding in a new run. */
async function replayFinding(replay: string, url: string, areas: string): Promise<Report> {
  const folder = makeTempDir();
  const settings = { AREAS: areas, REPORT_DIR: folder, SEED: String(seed), REPLAY: replay };
  await runConformance({ ...makeSandboxEnv(url), ...settings });
  return JSON.parse(readFileSync(join(folder, 'replay', 'conformance.json'), 'utf8')) as Report;
}

/** Returns the positions at which the suite starts for a bank. */
async function startPositions(bank: Handler): Promise<readonly PositionText[]> {
  return serveDuring(bank, async (url) => {
    const target = readTarget({ ...makeSandboxEnv(url), AREAS: 'atms' }, null);
    const session = openSession({ target, clock: systemClock, seed, nonce: 'known' });
    let known: readonly PositionText[] = [];
    const body: Body = async ({ atms: locator }) => void (known = await locator.known());
    const ready = { id: 'known', title: 'Known', details: { area: 'atms' }, body } as const;
    await runScenario(ready, session, openMemoryJournal());
    await session.close();
    return known;
  });
}

/** Returns smaller values of a counterexample's arbitrary that trigger the fault as well. */
function listSmallerExamples<T>({ scenario, label, arbitrary }: Property<T>, { when }: Trap<T>, { replay }: Finding) {
  const path = /#([\d:]+)$/.exec(replay)?.[1] ?? '';
  const found = fc.check(
    fc.property(arbitrary, (value) => !when(value)),
    { seed: deriveSeed(seed, `${scenario} ${label}`), path, numRuns: 1 },
  );
  return { shrinks: found.numShrinks, input: found.counterexample?.[0] };
}

/** The trap whose command is run; the others use the same path of the same property. */
const askedAgain: unknown = atms['the south-west'];

/** Tests `traps`: `prepare` returns the property, and a bank that is wrong if the given function is true. */
function testTraps<T>(
  areas: string,
  traps: Readonly<Record<string, Trap<T>>>,
  prepare: (springs: (asked: T) => boolean) => Promise<readonly [Property<T>, Handler]>,
): void {
  for (const [name, trap] of Object.entries(traps))
    test(`The smallest example of ${name} is reported, and shown again`, async () => {
      let trapped: T | undefined;
      const [property, bank] = await prepare((asked) => {
        if (!trap.when(asked)) return false;
        trapped = asked;
        return true;
      });
      await serveDuring(bank, async (url) => {
        const report = await examineUrl(url, { seed, env: { AREAS: areas } });
        const finding = report.findings.find(({ counterexample }) => counterexample !== null);
        const input = finding?.counterexample?.input;
        expect(finding?.counterexample?.state).toBe('minimal');
        expect(listSmallerExamples(property, trap, finding as Finding)).toEqual({ shrinks: 0, input });
        if (trap.smallest !== undefined) expect(input).toEqual(trap.smallest);
        if (trap !== askedAgain) return;
        trapped = undefined;
        const again = await replayFinding(String(finding?.replay), url, areas);
        expect(again.findings.map(({ id }) => id)).toEqual([finding?.id]);
        expect(trapped).toEqual(input);
        expect(again.requests).toBeLessThan(20);
      });
    });
}

const readOrderType = (id: unknown): LoanTerms['order'] => (typeof id === 'number' ? 'integer' : 'text');

testTraps('loans', loans, async (springs) => [
  { scenario: 'check-any-request', label: 'checks', arbitrary: drawLoanTerms({ highest, currencies }) },
  editBody('validateLoan', (body, { sent }) => {
    const { order_id: id, ...asked } = sent ?? {};
    if (!springs({ ...asked, order: readOrderType(id) } as unknown as LoanTerms)) return false;
    return void ((body['data'] as Members)['result'] = 'perhaps');
  })(createBank()),
]);

testTraps('atms', atms, async (springs) => {
  const good = createBank();
  const bank = editBody('findAtms', (body, { url: { searchParams: asked } }) => {
    const [latitude, longitude] = [asked.get('latitude'), asked.get('longitude')];
    const [first] = body['data'] as unknown as Members[];
    if (latitude === null || longitude === null || first === undefined) return false;
    if (!springs({ latitude, longitude })) return false;
    return void (first['atm_name'] = 5);
  })(good);
  return [
    { scenario: 'atm-any-position', label: 'positions', arbitrary: drawPositions(await startPositions(good)) },
    bank,
  ];
});
