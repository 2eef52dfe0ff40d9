/** Measures the client in a worker of Playwright, as in a real run. */
import { writeFileSync } from 'node:fs';
import { test } from '@playwright/test';
import { measureInProcess } from '../in-process.ts';

test('The client', async () => {
  const { BENCH_RESULT = '', BENCH_TIMES = '5' } = process.env;
  writeFileSync(BENCH_RESULT, JSON.stringify(await measureInProcess(Number(BENCH_TIMES))));
});
