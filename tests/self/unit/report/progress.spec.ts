/** Tests the progress line of a run. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { JournalCounter, Progress } from '../../../../reports/reporter/progress.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

test('The progress line counts scenarios, requests and findings, and says why no answer comes', () => {
  const journals = makeTempDir();
  const progress = new Progress({ scenarios: 60, tests: 0, journals, columns: null });
  const begun = Date.now();
  const file = join(journals, 'a.jsonl');
  appendFileSync(file, '{"line":"entry","id":"1"}\n{"line":"findings","count":1}\n{"line":"end","scenario":"s"}\n');
  expect(progress.write(begun)).toBe('1 of 60 scenarios, 1 request, 1 finding so far');
  expect(progress.write(begun + 12_000)).toBe('1 of 60 scenarios, 1 request, 1 finding so far, no answer for 12 s');
  appendFileSync(file, `{"line":"pause","until":${begun + 26_000}}\n`);
  expect(progress.write(begun + 14_000)).toMatch(/so far, waiting 12 s: the bank said Retry-After$/);
  progress.stop();
  const tests = new Progress({ scenarios: 0, tests: 1200, journals, columns: null });
  tests.testEnded(true);
  expect(tests.write(begun)).toBe('1 of 1,200 tests, 1 failed');
  tests.stop();
});

test('The counter reads the growing logs of the workers, and counts a line once it is complete', () => {
  const folder = makeTempDir();
  const file = join(folder, 'a.jsonl');
  const counter = new JournalCounter(folder);
  const read = (): readonly number[] => {
    counter.update();
    return [counter.requests, counter.scenarios, counter.findings, counter.pausedUntil];
  };
  expect(read()).toEqual([0, 0, 0, 0]);
  const found = (count: number): string => `{"line":"findings","count":${count}}\n`;
  appendFileSync(file, `{"line":"entry","id":"1"}\n{"line":"ent`);
  expect(read()).toEqual([1, 0, 0, 0]);
  appendFileSync(file, `ry","id":"2"}\n${found(1)}${found(2)}{"line":"pause","until":7}\n`);
  expect(read()).toEqual([2, 0, 2, 7]);
  appendFileSync(file, `{"line":"end","scenario":"s"}\n`);
  expect(read()).toEqual([2, 1, 2, 7]);
  expect(() => new JournalCounter(join(folder, 'none')).update()).not.toThrow();
});
