/** Tests that every report is valid by `reports/conformance.schema.json`, and that the schema refuses other documents. */
import { openLines } from '../../../../openapi/model/journal.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildReport } from '../../../../reports/build/index.ts';
import {
  faultyReport,
  reportOfLines,
  RUN_FACTS,
  makeSoundJournal,
  soundReport,
} from '../../support/reports/sample-report.ts';

const schema = JSON.parse(
  readFileSync(join(__dirname, '../../../../reports/conformance.schema.json'), 'utf8'),
) as object;
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats(ajv);
const validate = ajv.compile(schema);

const listFaults = (document: unknown): string[] => {
  validate(JSON.parse(JSON.stringify(document)));
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
};

test('Reports of sound, faulty, empty, misconfigured and interrupted runs are valid by the published schema', () => {
  for (const report of [
    soundReport,
    faultyReport,
    buildReport({ lines: openLines([]), run: RUN_FACTS }),
    reportOfLines([], { configuration: ['SEED is no number.'] }),
    reportOfLines(makeSoundJournal(), { interrupted: 'its time was up.' }),
  ])
    expect(listFaults(report)).toEqual([]);
});

test('The schema refuses an unknown member, an unknown verdict, a wrong pointer and a missing gate', () => {
  const report = faultyReport;
  expect(listFaults({ ...report, colour: 'green' })).toEqual([' must NOT have additional properties']);
  expect(listFaults({ ...report, verdict: 'passed' })).toEqual(['/verdict must be equal to one of the allowed values']);
  expect(listFaults({ ...report, findings: [{ ...report.findings[0], pointer: 'data' }] })).toHaveLength(1);
  const { gate: _, ...without } = report;
  expect(listFaults(without)).toEqual([" must have required property 'gate'"]);
});
