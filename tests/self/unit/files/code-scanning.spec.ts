/** Tests SARIF for code scanning on GitHub: its rules for uploads, and the file at which it shows findings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Log, Run } from 'sarif';
import { chooseRepositoryFile } from '../../../../fixtures/runner/run-identity.ts';
import { toSarif } from '../../../../reports/formats/sarif.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { faultyReport as nasty, soundReport } from '../../support/reports/sample-report.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const setRepositoryFile = (report: Report, repositoryFile: string): Report => ({
  ...report,
  suite: { ...report.suite, repositoryFile },
});

function readSarif(report: Report): Run {
  const text = toSarif(setRepositoryFile(report, 'teams/acme bank/Jenkinsfile'));
  expect(Buffer.byteLength(text)).toBeLessThan(10 * 2 ** 20);
  const { version, runs } = JSON.parse(text) as Log;
  expect([version, runs.length]).toEqual(['2.1.0', 1]);
  return runs[0]!;
}

/** A relative URI without a scheme, without `..`, with its blanks escaped. */
const FILE_LOCATION = {
  artifactLocation: { uri: 'teams/acme%20bank/Jenkinsfile', uriBaseId: '%SRCROOT%' },
  region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: expect.any(Number) },
};

/** The rules of GitHub for uploads of SARIF: what is required, what is rejected, and how much is accepted. */
test('The SARIF file has the required texts, locations and fingerprints of GitHub code scanning, within its limits', async ({
  faulty,
}) => {
  for (const report of [faulty, soundReport, nasty]) {
    const { tool, results = [], automationDetails, invocations } = readSarif(report);
    expect(invocations).toMatchObject([{ executionSuccessful: report.errors.length === 0 }]);
    const { rules = [] } = tool.driver;
    // Two banks in one workflow need two categories. The text before the last slash is the category.
    expect(automationDetails?.id).toMatch(/^bank-open-api-conformance\/.+\/$/);
    for (const { id, shortDescription, fullDescription, help } of rules) {
      expect([id, help?.text]).toEqual([expect.stringMatching(/^.{1,255}$/), expect.stringMatching(/\S/)]);
      for (const description of [shortDescription, fullDescription]) expect(description?.text).toMatch(/^[^]{1,1024}$/);
    }
    expect(results.map(({ ruleId, ruleIndex, level }) => [ruleId, rules[ruleIndex!]?.id, level])).toEqual(
      report.findings.map(({ clause, verdict }) => [clause, clause, verdict === 'fail' ? 'error' : 'warning']),
    );
    for (const { message, locations } of results) {
      expect(message.text).toMatch(/\S/);
      expect(locations).toMatchObject([{ physicalLocation: FILE_LOCATION }]);
    }
    // All findings are at one line: without fingerprints, GitHub would treat them as one.
    const prints = results.map(({ partialFingerprints }) => partialFingerprints?.['primaryLocationLineHash']);
    expect(new Set(prints).size).toBe(results.length);
    for (const print of prints) expect(print).toMatch(/^[0-9a-f]{64}$/);
  }
  // Outside of a repository, a result names no file.
  const elsewhere = (JSON.parse(toSarif(nasty)) as Log).runs[0]!.results!;
  for (const { locations } of elsewhere) expect(locations).toEqual([{ logicalLocations: [expect.anything()] }]);
});

test('SARIF shows findings at the CI file or package.json in the repository of the user', async () => {
  const folder = makeTempDir();
  const inner = path.join(folder, 'bank', 'tests');
  mkdirSync(path.join(folder, '.git'));
  mkdirSync(inner, { recursive: true });
  expect(chooseRepositoryFile(inner)).toBeNull();
  writeFileSync(path.join(inner, 'package.json'), '{}');
  expect(chooseRepositoryFile(inner)).toBe('bank/tests/package.json');
  mkdirSync(path.join(folder, '.github/workflows'), { recursive: true });
  for (const file of ['.github/workflows/conformance.yml', '.gitlab-ci.yml']) {
    writeFileSync(path.join(folder, file), '');
    expect(chooseRepositoryFile(inner)).toBe(file);
  }
  // In a job of GitHub Actions, the workflow is the file that started the run.
  process.env['GITHUB_ACTIONS'] = 'true';
  try {
    expect(chooseRepositoryFile(inner)).toBe('.github/workflows/conformance.yml');
  } finally {
    delete process.env['GITHUB_ACTIONS'];
  }
});
