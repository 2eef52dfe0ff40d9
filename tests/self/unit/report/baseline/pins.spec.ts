/** `npm run pins` writes the file for PINS; a pinned latency is a bound; a curl line uses new ids. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { makeBehaviourProfile } from '../../../../../reports/baseline/behaviour-profile.ts';
import { pinsCommand } from '../../../../../reports/cli/pins.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import type { BehaviourProfile } from '../../../../../reports/model/behaviour-profile.ts';
import { writeCurl } from '../../../../../reports/text/curl.ts';
import {
  foldJournal,
  makeLines,
  makeRecord,
  makeSoundJournal,
  soundReport,
} from '../../../support/reports/sample-report.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';

async function runPins(...points: readonly string[]): Promise<[number, string, BehaviourProfile]> {
  const file = makeTempFile('dialect.json', JSON.stringify(makeBehaviourProfile(soundReport)));
  const { status, out } = await runInProcess(pinsCommand, file, ...points);
  return [status, out, JSON.parse(readFileSync(file, 'utf8')) as BehaviourProfile];
}

test('Every answer to a named point is pinned', async () => {
  const [status, out, profile] = await runPins('service.success-status');
  expect([status, out]).toEqual([0, expect.stringContaining('1 answer pinned in')]);
  expect(profile.points.flatMap(({ questions }) => questions.map(({ pinned }) => pinned))).toEqual([true]);
});

test('An unknown point is reported by its name', async () => {
  expect((await runPins('atms.colour')).slice(0, 2)).toEqual([2, 'There is no open point atms.colour.\n']);
});

test('A pinned latency is a bound, and a changed answer is called changed', () => {
  const point = 'service.success-status';
  const observed = (withinMs: number) =>
    makeLines({
      line: 'observation',
      point,
      operation: 'requestLoan',
      answer: { withinMs },
      exchange: 'requestLoan-1',
    });
  const first = makeBehaviourProfile(foldJournal([...makeSoundJournal(), ...observed(100)]));
  const pins: BehaviourProfile = {
    ...first,
    points: first.points.map((entry) => ({
      ...entry,
      questions: entry.questions.map((of) => ({ ...of, pinned: true })),
    })),
  };
  const later = (withinMs: number) =>
    foldJournal([...makeSoundJournal(), ...observed(withinMs)], { baselineFiles: { pins } });
  expect(later(30).findings).toEqual([]);
  expect(later(300).findings).toMatchObject([
    { expected: 'at most 100 ms, as it was pinned', received: 'within 300 ms', kind: 'pinned' },
  ]);
});

test('Beside pins, only what the bank answers otherwise than in the earlier run counts as changed', () => {
  const point = 'service.success-status';
  const answering = (value: number) => [
    ...makeSoundJournal().filter((line) => line.line !== 'observation' || line.point !== point),
    ...makeLines({
      line: 'observation',
      point,
      operation: 'requestLoan',
      answer: { withinMs: value },
      exchange: 'requestLoan-1',
    }),
  ];
  const pinsTo = (value: number): BehaviourProfile => {
    const profile = makeBehaviourProfile(foldJournal(answering(value)));
    const pin = (one: BehaviourProfile['points'][number]) => ({
      ...one,
      questions: one.questions.map((of) => ({ ...of, pinned: one.point === point })),
    });
    return { ...profile, points: profile.points.map(pin) };
  };
  const changes = (baseline: Report, value: number, pinned: number | null) => {
    const pins = pinned === null ? {} : { pins: pinsTo(pinned) };
    const report = foldJournal(answering(value), { baselineFiles: { baseline, ...pins } });
    const { verdict, clauses, findings, answers } = report.against!.changes!;
    return [
      report.verdict,
      verdict !== null,
      clauses.length,
      findings.fresh.length,
      findings.gone.length,
      answers.length,
    ];
  };
  const plain = (value: number): Report => foldJournal(answering(value));
  const pinnedTo = (pinned: number, value: number): Report =>
    foldJournal(answering(value), { baselineFiles: { pins: pinsTo(pinned) } });
  // The bank answers as before: a pin that it keeps, and one that it breaks now as then.
  expect(changes(plain(100), 100, 100)).toEqual(['conformant', false, 0, 0, 0, 0]);
  expect(changes(plain(300), 300, 100)).toEqual(['non-conformant', false, 0, 0, 0, 0]);
  expect(changes(pinnedTo(100, 300), 300, null)).toEqual(['conformant', false, 0, 0, 0, 0]);
  // The bank answers otherwise than before.
  expect(changes(plain(100), 300, 100)).toEqual(['non-conformant', true, 1, 1, 0, 1]);
  expect(changes(pinnedTo(100, 300), 100, 100)).toEqual(['conformant', true, 1, 0, 1, 1]);
});

for (const [sent, drawn] of [
  ['"order-1234567890"', '"order-12\\d{8}"'],
  ['1234567', '1\\d{6}'],
  ['"ct-5fccwl1e-374"', '"ct-5\\d{7}-374"'],
  ['"3731756e-0000-4000-8000-3731756e786e"', '"3731756e-0000-4000-8000-3731\\d{8}"'],
] as const)
  test(`The curl line of an application uses another order id of the same length each time: ${sent}`, () => {
    const body = `{"amount":100,"order_id": ${sent},"currency":"TRY"}`;
    const shown = new Set(Array.from({ length: 3 }, () => readSentBody(body)));
    expect(shown.size).toBe(3);
    for (const text of shown)
      expect(text).toMatch(new RegExp(`\\{"amount":100,"order_id": ${drawn},"currency":"TRY"\\}`));
  });

test('The curl line of an application keeps an order id that is short or missing', () => {
  for (const sent of ['false', 'null', '"A-1"', '12', '""', '["ABCDEFGH"]', '"\\u00e9bcdefg"'])
    expect(readSentBody(`{"order_id":${sent}}`)).toContain(`{"order_id":${sent}}`);
});

/** Returns the body that the curl line of a loan request sends. */
function readSentBody(body: string): string {
  const asked = makeRecord('a', 'requestLoan');
  const line = writeCurl({ ...asked, request: { ...asked.request, body } }).replace(/^curl/, 'printf "%s\\n"');
  return execFileSync('bash', ['-c', line], { encoding: 'utf8' });
}
