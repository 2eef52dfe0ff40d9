/** Writes a Code Quality report for GitLab, and the data of a badge for shields.io. */
import { hashText } from '../../openapi/util/hash.ts';
import type { Finding, Report } from '../model/report.ts';
import { formatTargetName } from '../text/phrases.ts';
import { escapeHarmful, shortenText, toJson } from '../text/sanitize.ts';
import { fileNames } from './paths.ts';
import { chooseSignal, summarizeFinding } from './overview.ts';

const MAX_DESCRIPTION_CHARACTERS = 1_000;

function rateSeverity({ verdict, class: clauseClass, known }: Finding): string {
  if (known !== undefined) return 'info';
  const isSevereClass = clauseClass === 'security' || clauseClass === 'money';
  if (verdict === 'fail') return isSevereClass ? 'blocker' : 'critical';
  return isSevereClass ? 'major' : 'minor';
}

/** GitLab compares two reports by fingerprints. A finding has the same fingerprint in all runs at a bank of the same name. */
export function toCodeQuality(report: Report): string {
  const { findings, target, suite } = report;
  const issues = findings.map((finding) => {
    const text = `${formatTargetName(target)}: ${summarizeFinding(report, finding)}`;
    return {
      description: shortenText(escapeHarmful(text), MAX_DESCRIPTION_CHARACTERS),
      check_name: finding.clause,
      fingerprint: hashText(`${target.name ?? ''} ${finding.id}`),
      severity: rateSeverity(finding),
      location: { path: escapeHarmful(suite.repositoryFile ?? fileNames.json), lines: { begin: 1 } },
    };
  });
  return toJson(issues);
}

const badgeColours = { pass: 'brightgreen', warning: 'orange', fail: 'red', inconclusive: 'yellow' } as const;

export function writeBadge(report: Report): string {
  const { headline, target } = report;
  const signal = chooseSignal(report);
  return toJson({
    schemaVersion: 1,
    label: escapeHarmful(target.name ?? 'Bank Open API'),
    message: escapeHarmful(headline),
    color: badgeColours[signal],
    isError: signal === 'fail' || signal === 'inconclusive',
  });
}
