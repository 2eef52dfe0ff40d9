/** SARIF 2.1.0: findings as tools for code scanning read them, each at the line of the contract that it breaks. */
import { sha256OfText } from '../../openapi/util/hash.ts';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import type { Finding, Report } from '../model/report.ts';
import { asJson, shortened, visible } from '../text/sanitize.ts';
import { oftenInWords, sourceName, targetName } from '../text/phrases.ts';
import { contractLine, contractPath } from './contract-lines.ts';
import { operationNamed } from '../model/catalogue.ts';

/** What code scanning takes of one run. */
const MAX_RESULTS = 5_000;

/** The report as a SARIF log. */
export function sarif(report: Report): string {
  const { findings } = report;
  const broken = [...new Set(findings.map(({ clause }) => clause))];
  const rules = broken.map((id) => ruleOf(findings.find(({ clause }) => clause === id)!));
  const end = new Date(Date.parse(report.startedAt) + report.durationMs).toISOString();
  const log: Log = {
    version: '2.1.0',
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    runs: [
      {
        tool: {
          driver: { name: 'Bank Open API conformance suite', semanticVersion: report.suite.version, rules },
        },
        automationDetails: { id: `bank-open-api-conformance/${visible(targetName(report.target))}/` },
        invocations: [
          {
            executionSuccessful: report.errors.length === 0 && report.configuration.length === 0,
            startTimeUtc: report.startedAt,
            endTimeUtc: end,
            exitCode: report.gate.exitStatus,
            toolExecutionNotifications: report.errors.map(({ message }) => ({
              level: 'error',
              message: { text: shortened(visible(message), 1_000) },
            })),
          },
        ],
        results: findings.slice(0, MAX_RESULTS).map((finding) => resultOf(finding, broken.indexOf(finding.clause))),
        properties: {
          verdict: report.verdict,
          target: visible(report.target.baseUrl),
          seed: report.suite.seed,
          findings: findings.length,
        },
      },
    ],
  };
  return asJson(log);
}

function ruleOf({ clause, statement, source, verdict }: Finding): ReportingDescriptor {
  return {
    id: clause,
    shortDescription: { text: statement },
    help: { text: `Source in the document: ${sourceName(source)}` },
    defaultConfiguration: { level: verdict === 'fail' ? 'error' : 'warning' },
  };
}

function resultOf(finding: Finding, ruleIndex: number): Result {
  const { id, clause, verdict, operation, pointer, statement, expected, received, count } = finding;
  const where = `${operation} at ${pointer === '' ? 'the whole body' : pointer}`;
  const text = `${statement} Expected ${expected}; received ${received} (${where}, ${oftenInWords(finding)}).`;
  return {
    ruleId: clause,
    ruleIndex,
    level: verdict === 'fail' ? 'error' : 'warning',
    message: { text: shortened(visible(text), 1_000) },
    occurrenceCount: count,
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: contractPath, uriBaseId: '%SRCROOT%' },
          region: { startLine: contractLine(clause, operation) },
        },
        logicalLocations: [
          { fullyQualifiedName: visible(where), kind: operationNamed(operation) === null ? 'member' : 'function' },
        ],
      },
    ],
    partialFingerprints: { 'finding/v1': sha256OfText(id) },
  };
}
