/** Tests `dialect.json`, and which differences between two runs are reported as changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { BehaviourChange } from '../../../../../fixtures/reference-bank/options/index.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { makeBehaviourProfile } from '../../../../../reports/baseline/behaviour-profile.ts';
import { findChanges } from '../../../../../reports/baseline/changes.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import { examineBank } from '../../../support/examine.ts';
import { soundReport } from '../../../support/reports/sample-report.ts';
import { expect, test } from '../../../support/reports/samples.ts';
import { THOROUGH_ONLY } from '../../../support/thorough.ts';

test.describe.configure({ mode: 'parallel' });
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
const schema = ajv.compile(
  JSON.parse(readFileSync(join(__dirname, '../../../../../reports/baseline/dialect.schema.json'), 'utf8')) as object,
);

const profileBehaviour = (
  behaviour: BehaviourChange,
  env: Readonly<Record<string, string>> = {},
  seed = 1,
): Promise<Report> => examineBank(createBank({ behaviour }), { seed, env });

test('dialect.json lists every question that the document leaves open, the answers of the bank, and an exchange for each answer', ({
  good: report,
}) => {
  const dialect = makeBehaviourProfile(report);
  expect(schema(dialect), JSON.stringify(schema.errors)).toBe(true);
  expect(dialect.points.map(({ point }) => point).toSorted()).toEqual(
    report.clauses
      .filter(({ level }) => level === 'open')
      .map(({ id }) => id)
      .toSorted(),
  );
  const answers = dialect.points.flatMap(({ questions }) => questions.flatMap((question) => question.answers));
  expect(answers.length).toBeGreaterThan(200);
  for (const { exchange, control, count, value } of answers) {
    expect(count, value).toBeGreaterThan(0);
    if (exchange !== '') expect(report.exchanges[exchange], value).toBeDefined();
    if (control !== null) expect(report.exchanges[control], value).toBeDefined();
  }
});

test('Two runs with different seeds against the same bank show no change', THOROUGH_ONLY, async () => {
  const changes = findChanges(await profileBehaviour({}, {}, 1), await profileBehaviour({}, {}, 77));
  expect(changes).toMatchObject({
    verdict: null,
    clauses: [],
    findings: { fresh: [], gone: [] },
    answers: [],
  });
});

test('A latency of 900 ms after a few milliseconds in the earlier run is reported, the opposite is not', () => {
  const slow: Report = {
    ...soundReport,
    operations: soundReport.operations.map((operation) => ({
      ...operation,
      latencyMs: { p50: 900, p95: 950, max: 1000 },
    })),
  };
  expect(findChanges(soundReport, slow).latency).toHaveLength(11);
  expect(findChanges(slow, soundReport).latency).toEqual([]);
});
