/** The progress line that is shown during a run. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openJournalCounter, type Done } from '../../../../reports/reporter/journal-counter.ts';
import { Progress } from '../../../../reports/reporter/progress.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const nothing: Done = { requests: 0, scenarios: 0, findings: 0, pausedUntil: 0 };
/** Makes a progress line with its own clock and counts, and collects its output. */
function openProgress(more: object = {}) {
  const state = { now: 0, done: nothing, written: '' };
  const progress = new Progress({
    scenarios: 60,
    tests: 0,
    rateLimit: null,
    columns: null,
    now: () => state.now,
    done: () => state.done,
    print: (text) => void (state.written += text),
    erase: () => void (state.written += '\r\u001b[2K'),
    ...more,
  });
  return { state, progress };
}

type Row = readonly [title: string, options: object, now: number, done: Partial<Done>, line: RegExp];
const rows: readonly Row[] = [
  ['the counts', {}, 2000, { requests: 250, findings: 1 }, /^0 of 60 scenarios, 250 requests, 1 finding so far$/],
  ['ended scenarios', {}, 0, { requests: 1, scenarios: 31 }, /^31 of 60 scenarios, 1 request, no findings so far$/],
  ['a slow bank', {}, 6000, {}, /, no answer for 6\.0 s$/],
  ['a wait for RATE_LIMIT', { rateLimit: 0.2 }, 6000, {}, /^(?!.*no answer)/],
  ['a slow bank under RATE_LIMIT', { rateLimit: 0.2 }, 20_000, {}, /, no answer for 20 s$/],
  ['a pause', {}, 6000, { pausedUntil: 26_000 }, /, waiting 20 s: the bank said Retry-After$/],
];
for (const [title, options, now, done, line] of rows)
  test(`The progress line shows ${title}`, () => {
    const { state, progress } = openProgress(options);
    state.done = { ...nothing, ...done };
    state.now = now;
    expect(progress.line()).toMatch(line);
  });

test('Tests of the suite are counted, failed ones too', () => {
  const { progress } = openProgress({ scenarios: 0, tests: 40 });
  for (let at = 0; at < 10; at += 1) progress.testEnded(at === 3);
  expect(progress.line()).toBe('10 of 40 tests, 1 failed');
});

test('A terminal shows one changing line that fits its width; elsewhere each update is a new line', () => {
  const { state, progress } = openProgress({ columns: 30 });
  progress.show();
  progress.show();
  expect(state.written).toBe('0 of 60 scenarios, 0 request…\r\u001b[2K0 of 60 scenarios, 0 request…');
  progress.stop();
  expect(state.written.endsWith('\r\u001b[2K')).toBe(true);
  const log = openProgress();
  log.progress.show();
  log.progress.stop();
  expect(log.state.written).toBe('0 of 60 scenarios, 0 requests, no findings so far\n');
});

test('Journals are counted as they grow, incomplete lines too', () => {
  const folder = makeTempDir();
  const file = join(folder, 'a.jsonl');
  const count = openJournalCounter(folder);
  expect(count()).toEqual(nothing);
  appendFileSync(file, `{"line":"entry","id":"1"}\n{"line":"ent`);
  expect(count()).toEqual({ ...nothing, requests: 1 });
  appendFileSync(file, `ry","id":"2"}\n{"line":"findings","count":2}\n{"line":"pause","until":7}\n{"line":"end"}\n`);
  expect(count()).toEqual({ requests: 2, scenarios: 1, findings: 2, pausedUntil: 7 });
  expect(openJournalCounter(join(folder, 'none'))()).toEqual(nothing);
});
