/** Tests that the HAR of a run is judged like the run, with its comparisons. Other statements in the file are ignored. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { serveOperations } from '../../../../fixtures/banks/lib/serving.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { readHar } from '../../../../fixtures/recording/har.ts';
import type { Comparison } from '../../../../openapi/model/check.ts';
import type { ExchangeRecord, JournalLine } from '../../../../openapi/model/journal.ts';
import { toHar } from '../../../../reports/formats/har.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { examineBank, createInstantClock } from '../../support/examine.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';
import { judgeHar } from './record-run.ts';

const listFindingIds = ({ findings }: Report): readonly string[] => findings.map(({ id }) => id).toSorted();

/** Runs the suite against a bank. Returns the report and the HAR. */
async function runOnBank(open: (bank: Handler) => Handler, areas: string): Promise<{ report: Report; text: string }> {
  const clock = createInstantClock();
  let lines: readonly JournalLine[] = [];
  const onLines = (all: readonly JournalLine[]): void => void (lines = all);
  const report = await examineBank(open(createBank({ now: () => clock.now() })), {
    clock,
    env: { AREAS: areas },
    onLines,
  });
  return { report, text: toHar(report, { lines }) };
}

const judgeText = (text: string) => judgeHar(makeTempFile('run.har', text), makeTempDir());

const applyIncident = (name: string) => (bank: Handler) => {
  const { mutate } = findByName(incidents, 'incident', name);
  return mutate(bank, createInstantClock());
};

for (const [kind, open, areas] of [
  ['a race', (bank: Handler) => findMutant('link-made-twice-at-the-same-time').mutate(bank), 'payment-links'],
  ['a probe', applyIncident('outcomes-searched-with-the-id-in-the-sql'), 'loans'],
  ['a contrast', applyIncident('thousands-crash-the-label'), 'payment-links'],
  ['a rule over several exchanges', applyIncident('labels-of-the-next-plan'), 'payment-links'],
] as const)
  test(`The HAR of a run has its findings: ${kind}`, async () => {
    const { report, text } = await runOnBank(open, areas);
    expect(listFindingIds(report)).not.toEqual([]);
    const { report: again, out } = await judgeText(text);
    expect(listFindingIds(again), out).toEqual(listFindingIds(report));
  });

test('An exchange is not judged again if the HAR shows less than the run judged', async () => {
  let one: ExchangeRecord | undefined;
  const onLines = (lines: readonly JournalLine[]): void => {
    for (const line of lines) if (line.line === 'entry') one ??= line.entry;
  };
  const report = await examineBank(createBank(), { env: { AREAS: 'atms' }, onLines });
  for (const [more, count] of [
    [{}, 1],
    [{ takenFromRun: { breaks: [] } }, 0],
    [{ provesNothing: true }, 0],
  ] as const) {
    const text = toHar(report, { lines: [{ line: 'entry', entry: { ...one!, ...more } }] });
    expect((await readHar(makeTempFile('run.har', text))).exchanges).toHaveLength(count);
  }
});

interface ForgedHar {
  readonly log: { readonly entries: { _conformance?: Record<string, unknown> }[]; _comparisons: unknown[] };
}

test('Additional statements in a HAR file break no clause, and are ignored if no run would write them', async () => {
  // The bank loses some payment link requests, independent of their content.
  let asked = 0;
  const losing = (bank: Handler) =>
    serveOperations(bank, ['createPaymentLink'], (_, forward) =>
      (asked += 1) % 9 === 0 ? new Response('', { status: 502 }) : forward(),
    );
  const { text } = await runOnBank(losing, 'payment-links');
  const { exchanges } = await readHar(makeTempFile('run.har', text));
  const links = exchanges.filter(({ request }) => request.url.endsWith('/payment-links'));
  const idsWith = (status: number) =>
    links.flatMap(({ answer, asks }) => (answer?.status === status && asks ? [asks.id] : [])).slice(0, 4);
  const [refused, taken] = [idsWith(502), idsWith(200)];
  expect([refused.length, taken.length]).toEqual([4, 4]);
  const contrast = (clause: Comparison['clause'], more: object = {}) => ({
    clause,
    exchanges: { refused, taken },
    about: { kind: 'server-error', pointer: 'request/body/amount' },
    ...more,
  });
  const forged = (change: (log: ForgedHar['log']) => void): string => {
    const file = JSON.parse(text) as ForgedHar;
    change(file.log);
    return JSON.stringify(file);
  };
  const must = ({ findings }: Report) => findings.filter(({ level }) => level === 'must').map(({ clause }) => clause);
  const before = await judgeText(text);
  const lied = await judgeText(
    forged(({ _comparisons }) => {
      _comparisons.push(contrast('links.link.request.amount'), contrast('links.link.end-date'));
      _comparisons.push(contrast('links.link.path'), contrast('links.listed-is-taken'));
    }),
  );
  expect([must(lied.report), lied.out]).toEqual([must(before.report), expect.not.stringContaining('ignored')]);

  const first = ({ entries }: ForgedHar['log']) => entries[0]!._conformance!;
  for (const change of [
    (log) => log._comparisons.push(contrast('no.clause' as Comparison['clause'])),
    (log) => log._comparisons.push(contrast('links.listed-is-taken', { exchanges: { refused: ['nobody-1'] } })),
    (log) => log._comparisons.push(contrast('links.listed-is-taken', { about: { received: 'x'.repeat(9999) } })),
    (log) => log._comparisons.push(contrast('links.listed-is-taken', { about: [] })),
    (log) => log._comparisons.push(...log.entries.flatMap(() => Array<unknown>(11).fill(log._comparisons[0]))),
    (log) => (first(log)['control'] = 'nobody-1'),
    (log) => (first(log)['ticks'] = [1, '2']),
    (log) => (first(log)['open'] = { point: 'links.unknown-ids', question: { with: 1 } }),
    (log) => (first(log)['id'] = log.entries[1]!._conformance!['id']),
  ] as readonly ((log: ForgedHar['log']) => unknown)[]) {
    const read = await readHar(makeTempFile('forged.har', forged(change)));
    expect([read.comparisons, read.exchanges.filter(({ asks }) => asks !== undefined)], String(change)).toEqual([
      null,
      [],
    ]);
    expect(read.exchanges.length).toBe(exchanges.length);
  }
  const { report, out } = await judgeText(forged((log) => log._comparisons.push({})));
  expect([report.recording?.judged, out]).toEqual([
    before.report.recording?.judged,
    expect.stringContaining(
      'What the file says of exchanges side by side is not as this suite writes it, and was ignored.',
    ),
  ]);
  const about = { received: '\u001b[2J' };
  const active = forged((log) => log._comparisons.push(contrast('links.listed-is-taken', { about })));
  const acts = await readHar(makeTempFile('acts.har', active));
  expect(acts.comparisons?.at(-1)?.about).toEqual({ received: String.raw`\u001b[2J` });
});
