/** The committed samples are what the suite makes today. Where this fails, `npm run samples` makes them anew. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { Report } from '../../../reports/model/report.ts';
import { runSample, sampleFolder, samplePage, samples } from '../support/samples.ts';

test.describe.configure({ mode: 'parallel' });

/** A page without the judge in it: that changes with every change within the rules, and the words of the page do not. */
const withoutJudge = (html: string): string =>
  html.replace(/<meta http-equiv=[^>]*>/, '').replace(/<script>(?:.|\n)*?<\/script>/, '');

/** What a report says, whichever ids and times its run drew. */
function structure(report: Report): unknown {
  return {
    verdict: report.verdict,
    gate: report.gate.exitStatus,
    operations: report.operations.map(({ id, successes }) => [id, successes > 0]),
    clauses: report.clauses.map(({ id, verdict, statement }) => [id, verdict, statement]),
    findings: report.findings.map(({ id, verdict }) => `${id} ${verdict}`).sort(),
    flows: report.flows.map(({ area, steps }) => [area, steps.length > 3]),
    members: Object.keys(report).sort(),
  };
}

for (const sample of samples) {
  const file = path.join(sampleFolder, sample.name);
  const report = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Report;

  test(`The page of the sample “${sample.name}” is what its report gives today`, async () => {
    const committed = readFileSync(`${file}.html`, 'utf8');
    expect(withoutJudge(committed) === withoutJudge(await samplePage(report)), 'npm run samples').toBe(true);
  });

  test(`The report of the sample “${sample.name}” says what a run says today`, async () => {
    expect(structure(await runSample(sample)), 'npm run samples').toEqual(structure(report));
  });

  test(`The picture of the sample “${sample.name}” is small`, () => {
    expect(statSync(`${file}.png`).size).toBeLessThan(150_000);
    expect(statSync(`${file}.html`).size).toBeLessThan(1_500_000);
  });
}
