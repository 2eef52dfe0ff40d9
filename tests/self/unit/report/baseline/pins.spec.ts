/**
 * Tests that `npm run pins` writes the file for PINS, that a pinned latency is an upper bound, and that a curl command uses new
 * ids.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { makeBehaviourProfile } from '../../../../../reports/baseline/behaviour-profile.ts';
import { type BehaviourProfile } from '../../../../../reports/model/description.ts';
import { pinsCommand } from '../../../../../reports/cli/pins.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import type { Comparisons } from '../../../../../reports/model/description.ts';
import { writeCurl } from '../../../../../reports/text/curl.ts';
import { foldJournal, makeLines, makeRecord, makeSoundJournal } from '../../../support/reports/sample-report.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';

const PINNED_POINT = 'service.success-status';

const makeReportWithLatency = (withinMs: number, baselineFiles: Comparisons = {}): Report =>
  foldJournal(
    [
      ...makeSoundJournal().filter((line) => line.line !== 'observation'),
      ...makeLines({
        line: 'observation',
        point: PINNED_POINT,
        operation: 'requestLoan',
        answer: { withinMs },
        exchange: 'requestLoan-1',
      }),
    ],
    { baselineFiles },
  );

async function runPins(withinMs: number, name = PINNED_POINT) {
  const file = makeTempFile('dialect.json', JSON.stringify(makeBehaviourProfile(makeReportWithLatency(withinMs))));
  const { status, out } = await runInProcess(pinsCommand, file, name);
  return { status, out, pins: JSON.parse(readFileSync(file, 'utf8')) as BehaviourProfile };
}

test('Every answer to a named point is pinned; an unknown point is reported by its name', async () => {
  const { status, out, pins } = await runPins(100);
  expect([status, out]).toEqual([0, expect.stringContaining('1 answer pinned in')]);
  expect(pins.points.flatMap(({ questions }) => questions.map(({ pinned }) => pinned))).toEqual([true]);
  expect(await runPins(100, 'atms.colour')).toMatchObject({ status: 2, out: 'There is no open point atms.colour.\n' });
});

test('A pinned latency is a bound, and a changed answer is called changed', async () => {
  const { pins } = await runPins(100);
  expect(makeReportWithLatency(30, { pins }).findings).toEqual([]);
  expect(makeReportWithLatency(300, { pins }).findings).toMatchObject([
    { expected: 'at most 100 ms, as it was pinned', received: 'within 300 ms', kind: 'pinned' },
  ]);
});

type Run = readonly [withinMs: number, pinnedMs: number | null];
for (const [title, before, now, verdict, changes] of [
  ['a pin that it keeps', [100, null], [100, 100], 'conformant', [false, 0, 0, 0, 0]],
  ['a pin that it broke before too', [300, null], [300, 100], 'non-conformant', [false, 0, 0, 0, 0]],
  ['a pin that is gone', [300, 100], [300, null], 'conformant', [false, 0, 0, 0, 0]],
  ['another answer than the pinned one', [100, null], [300, 100], 'non-conformant', [true, 1, 1, 0, 1]],
  ['the pinned answer again', [300, 100], [100, 100], 'conformant', [true, 1, 0, 1, 1]],
] satisfies [string, Run, Run, string, unknown][])
  test(`Beside pins, only what the bank answers otherwise than in the earlier run has changed: ${title}`, async () => {
    const report = async ([withinMs, pinnedMs]: Run, baseline?: Report): Promise<Report> =>
      makeReportWithLatency(withinMs, {
        ...(baseline === undefined ? {} : { baseline }),
        ...(pinnedMs === null ? {} : { pins: (await runPins(pinnedMs)).pins }),
      });
    const compared = await report(now, await report(before));
    const { verdict: change, clauses, findings, answers } = compared.against!.changes!;
    expect([
      compared.verdict,
      [change !== null, ...[clauses, findings.fresh, findings.gone, answers].map(({ length }) => length)],
    ]).toEqual([verdict, changes]);
  });

test('The curl line of an application has another order id each time, unless its own is short or missing', () => {
  for (const [sent, drawn] of [
    ['"order-1234567890"', '"order-12\\d{8}"'],
    ['1234567', '1\\d{6}'],
    ['"3731756e-0000-4000-8000-3731756e786e"', '"3731756e-0000-4000-8000-3731\\d{8}"'],
  ] as const) {
    const shown = Array.from({ length: 3 }, () => readSentBody(`{"order_id": ${sent},"currency":"TRY"}`));
    expect(new Set(shown).size).toBe(3);
    for (const text of shown) expect(text).toMatch(new RegExp(`\\{"order_id": ${drawn},"currency":"TRY"\\}`));
  }
  for (const sent of ['null', '"A-1"', '12', '["ABCDEFGH"]'])
    expect(readSentBody(`{"order_id":${sent}}`)).toContain(`{"order_id":${sent}}`);
});

function readSentBody(body: string): string {
  const asked = makeRecord('a', 'requestLoan');
  const line = writeCurl({ ...asked, request: { ...asked.request, body } }).replace(/^curl/, 'printf "%s\\n"');
  return execFileSync('bash', ['-c', line], { encoding: 'utf8' });
}
