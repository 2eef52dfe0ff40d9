/** Writes SARIF 2.1.0 for code scanning. Code scanning shows findings in files: here, in a file that the user chose in the repository. */
import { groupBy } from '../../openapi/util/group-by.ts';
import { hashText } from '../../openapi/util/hash.ts';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import { omitUndefined, type Finding, type Report } from '../model/report.ts';
import { toJson, shortenText, escapeHarmful } from '../text/sanitize.ts';
import { formatSource, formatTargetName, titleFinding } from '../text/phrases.ts';
import { describeFinding, summarizeFinding } from './overview.ts';

const MAX_SARIF_RESULTS = 5_000;
const MAX_MESSAGE_CHARACTERS = 1_000;

/** In a message, `[text](address)` is a link (SARIF 2.1.0, 3.11.6): text of a bank must not make one. */
const makeSarifMessage = (text: string) => ({
  text: shortenText(escapeHarmful(text).replaceAll('](', '] ('), MAX_MESSAGE_CHARACTERS),
});
const getSarifLevel = ({ verdict }: Finding) => (verdict === 'fail' ? 'error' : 'warning');

export function toSarif(report: Report): string {
  const { findings, suite, target, startedAt, errors } = report;
  const findingsByClause = groupBy(findings, ({ clause }) => clause);
  const brokenClauses = [...findingsByClause.keys()];
  const rules = [...findingsByClause.values()].map(([firstFinding]) => makeSarifRule(firstFinding));
  const log: Log = {
    version: '2.1.0',
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    runs: [
      {
        tool: { driver: { name: 'Bank Open API conformance suite', semanticVersion: suite.version, rules } },
        automationDetails: { id: `bank-open-api-conformance/${escapeHarmful(formatTargetName(target))}/` },
        invocations: [
          {
            executionSuccessful: errors.length === 0 && report.configuration.length === 0,
            startTimeUtc: startedAt,
            endTimeUtc: new Date(Date.parse(startedAt) + report.durationMs).toISOString(),
            exitCode: report.gate.exitStatus,
            toolExecutionNotifications: errors.map(({ message }) => ({
              level: 'error',
              message: makeSarifMessage(message),
            })),
          },
        ],
        results: findings.slice(0, MAX_SARIF_RESULTS).map((finding) => ({
          ...makeSarifResult(report, finding),
          ruleIndex: brokenClauses.indexOf(finding.clause),
        })),
        properties: {
          verdict: report.verdict,
          target: escapeHarmful(target.baseUrl),
          seed: suite.seed,
          findings: findings.length,
        },
      },
    ],
  };
  return toJson(log);
}

const makeSarifRule = (finding: Finding): ReportingDescriptor => ({
  id: finding.clause,
  // Code scanning shows this text as the title of an alert.
  shortDescription: makeSarifMessage(titleFinding(finding)),
  fullDescription: makeSarifMessage(finding.statement),
  help: { text: `Source in the document: ${formatSource(finding.source)}` },
  defaultConfiguration: { level: getSarifLevel(finding) },
  properties: { tags: [finding.class] },
});

/** Describes a finding. Code scanning needs a region, and treats findings with the same `primaryLocationLineHash` as one. */
function makeSarifResult(report: Report, finding: Finding): Result {
  const { id, clause, values, count, known } = finding;
  const file = report.suite.repositoryFile;
  const { place, consequenceNotes } = describeFinding(report, finding);
  return {
    ruleId: clause,
    level: getSarifLevel(finding),
    message: makeSarifMessage([summarizeFinding(report, finding), ...consequenceNotes].join(' ')),
    occurrenceCount: count,
    locations: [
      {
        ...omitUndefined({ physicalLocation: file === undefined ? undefined : makeSarifLocation(file) }),
        logicalLocations: [{ fullyQualifiedName: escapeHarmful(place), kind: 'function' }],
      },
    ],
    properties: { values },
    ...omitUndefined({
      suppressions: known && [
        { kind: 'external', justification: shortenText(escapeHarmful(known.reason), MAX_MESSAGE_CHARACTERS) } as const,
      ],
    }),
    partialFingerprints: { 'finding/v1': hashText(id), primaryLocationLineHash: hashText(id) },
  };
}

const makeSarifLocation = (file: string) => ({
  artifactLocation: { uri: encodeURI(escapeHarmful(file)), uriBaseId: '%SRCROOT%' },
  region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
});
