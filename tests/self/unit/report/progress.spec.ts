/** Tests the progress line of a run. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openJournalCounter, Progress, type Done } from '../../../../reports/reporter/progress.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const NO_PROGRESS: Done = { requests: 0, scenarios: 0, findings: 0, pausedUntil: 0, isEnding: false };

function openProgress(
  more: { columns?: number; tests?: number; scenarios?: number; rateLimit?: number; soakMs?: number } = {},
) {
  const state = { now: 0, done: NO_PROGRESS, written: '' };
  const shown = new Progress({
    scenarios: 60,
    tests: 0,
    expectedRequests: 1000,
    rateLimit: null,
    soakMs: 0,
    columns: null,
    ...more,
    now: () => state.now,
    done: () => state.done,
    print: (text) => void (state.written += text),
    erase: () => void (state.written += '\r\u001b[2K'),
  });
  return { state, shown };
}

test('The line shows scenarios, requests, findings and the time left at the current pace', () => {
  const { state, shown } = openProgress();
  shown.scenarioEnded();
  Object.assign(state, { now: 2000, done: { ...NO_PROGRESS, requests: 250, findings: 1 } });
  expect(shown.writeLine()).toBe('1 of 60 scenarios, 250 requests, 1 finding so far, about 6.0 s left');
  state.now = 14_000;
  expect(shown.writeLine()).toContain('no answer for 12 s');
  state.done = { ...state.done, pausedUntil: 26_000 };
  expect(shown.writeLine()).toContain('so far, waiting 12 s: the bank said Retry-After, about');
  state.now = 26_000;
  expect(shown.writeLine()).toContain('no answer for 24 s');
});

test('A wait for RATE_LIMIT is not reported as slowness', () => {
  const { state, shown } = openProgress({ rateLimit: 0.2 });
  state.now = 6000;
  expect(shown.writeLine()).toContain('waiting for RATE_LIMIT=0.2');
  state.now = 20_000;
  expect(shown.writeLine()).toContain('no answer for 20 s');
});

test('With SOAK the time left is the rest of SOAK, at any pace', () => {
  const { state, shown } = openProgress({ soakMs: 600_000 });
  Object.assign(state, { now: 60_000, done: { ...NO_PROGRESS, requests: 990 } });
  expect(shown.writeLine()).toContain('about 9 min 0 s left');
  state.now = 601_000;
  expect(shown.writeLine()).not.toContain('left');
});

test('A terminal shows one changing line that fits its width; elsewhere each update is a new line', () => {
  const { state, shown } = openProgress({ columns: 30 });
  shown.show();
  shown.show();
  expect(state.written).toBe('0 of 60 scenarios, 0 request…\r\u001b[2K0 of 60 scenarios, 0 request…');
  shown.stop();
  expect(state.written.endsWith('\r\u001b[2K')).toBe(true);
  const log = openProgress();
  log.shown.show();
  log.shown.stop();
  expect(log.state.written).toBe('0 of 60 scenarios, 0 requests, no findings so far, waiting for the first answer\n');
});

test('Journals are counted as they grow, incomplete lines too', () => {
  const folder = makeTempDir();
  const file = join(folder, 'a.jsonl');
  const count = openJournalCounter(folder);
  expect(count()).toEqual(NO_PROGRESS);
  const found = (count: number): string => `{"line":"findings","count":${count}}\n`;
  appendFileSync(file, `{"line":"entry","id":"1"}\n{"line":"ent`);
  expect(count()).toEqual({ ...NO_PROGRESS, requests: 1 });
  appendFileSync(file, `ry","id":"2"}\n${found(1)}${found(2)}{"line":"pause","until":7}\n`);
  expect(count()).toEqual({ ...NO_PROGRESS, requests: 2, findings: 2, pausedUntil: 7, isEnding: false });
  appendFileSync(file, `{"line":"end","scenario":"s"}\n`);
  expect(count()).toEqual({ requests: 2, scenarios: 1, findings: 2, pausedUntil: 7, isEnding: false });
  appendFileSync(file, `{"line":"interrupted","why":"x"}\n`);
  expect(count().isEnding).toBe(true);
  expect(openJournalCounter(join(folder, 'none'))()).toEqual(NO_PROGRESS);
});
