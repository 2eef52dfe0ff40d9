/** Writes SARIF 2.1.0 for tools for code scanning. A finding is about a bank: it is shown at a file of the user's repository. */
import { sha256OfText } from '../../openapi/util/hash.ts';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import type { Finding, Report } from '../model/report.ts';
import { asJson, shortened, visible } from '../text/sanitize.ts';
import { consequenceInWords } from '../text/replay.ts';
import { given } from '../text/given.ts';
import { oftenInWords, placeName, receivedInWords, sourceName, targetName } from '../text/phrases.ts';
import { operationNamed } from '../model/catalogue.ts';

/** Code scanning accepts at most this many results per run. */
const MAX_RESULTS = 5_000;
const MAX_CHARACTERS = 1_000;

const messageOf = (text: string) => ({ text: shortened(visible(text), MAX_CHARACTERS) });
const levelOf = ({ verdict }: Finding) => (verdict === 'fail' ? 'error' : 'warning');

/** Writes the report as a SARIF log. */
export function sarif(report: Report): string {
  const { findings, suite, target, startedAt, errors } = report;
  const byClause = new Map(findings.toReversed().map((finding) => [finding.clause, finding]));
  const broken = [...new Set(findings.map(({ clause }) => clause))];
  const rules = broken.map((clause) => ruleOf(byClause.get(clause)!));
  const log: Log = {
    version: '2.1.0',
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    runs: [
      {
        tool: { driver: { name: 'Bank Open API conformance suite', semanticVersion: suite.version, rules } },
        automationDetails: { id: `bank-open-api-conformance/${visible(targetName(target))}/` },
        invocations: [
          {
            executionSuccessful: errors.length === 0 && report.configuration.length === 0,
            startTimeUtc: startedAt,
            endTimeUtc: new Date(Date.parse(startedAt) + report.durationMs).toISOString(),
            exitCode: report.gate.exitStatus,
            toolExecutionNotifications: errors.map(({ message }) => ({ level: 'error', message: messageOf(message) })),
          },
        ],
        results: findings
          .slice(0, MAX_RESULTS)
          .map((finding) => ({ ...resultOf(report, finding), ruleIndex: broken.indexOf(finding.clause) })),
        properties: {
          verdict: report.verdict,
          target: visible(target.baseUrl),
          seed: suite.seed,
          findings: findings.length,
        },
      },
    ],
  };
  return asJson(log);
}

const ruleOf = (finding: Finding): ReportingDescriptor => ({
  id: finding.clause,
  shortDescription: { text: finding.statement },
  fullDescription: { text: finding.statement },
  help: { text: `Source in the document: ${sourceName(finding.source)}` },
  defaultConfiguration: { level: levelOf(finding) },
  ...given({ properties: finding.class && { tags: [finding.class] } }),
});

/** Describes a finding. Code scanning needs a region, and takes findings with the same primaryLocationLineHash for one. */
function resultOf(report: Report, finding: Finding): Result {
  const { id, clause, operation, pointer, statement, expected, values, count, known } = finding;
  const file = report.suite.repositoryFile;
  const received = receivedInWords(finding).join('; ');
  const where = `${operation} at ${placeName(pointer)}`;
  return {
    ruleId: clause,
    level: levelOf(finding),
    message: messageOf(
      [
        `${statement} Expected ${expected}; received ${received} (${where}, ${oftenInWords(finding)}).`,
        ...consequenceInWords(report, finding),
      ].join(' '),
    ),
    occurrenceCount: count,
    locations: [
      {
        ...given({ physicalLocation: file === undefined ? undefined : placeIn(file) }),
        logicalLocations: [
          { fullyQualifiedName: visible(where), kind: operationNamed(operation) === null ? 'member' : 'function' },
        ],
      },
    ],
    properties: { values },
    ...given({
      suppressions: known && [
        { kind: 'external', justification: shortened(visible(known.reason), MAX_CHARACTERS) } as const,
      ],
    }),
    partialFingerprints: { 'finding/v1': sha256OfText(id), primaryLocationLineHash: sha256OfText(id) },
  };
}

const placeIn = (file: string) => ({
  artifactLocation: { uri: encodeURI(visible(file)), uriBaseId: '%SRCROOT%' },
  region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
});
