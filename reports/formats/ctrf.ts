/** CTRF (ctrf.io): test results as JSON that many dashboards read. */
import type { Report } from '../model/report.ts';
import { asJson, shortened, visible } from '../text/sanitize.ts';
import { targetName } from '../text/phrases.ts';
import { casesOf, inShort, inWords } from './cases.ts';

/** The report as a CTRF document. */
export function ctrf(report: Report): string {
  const cases = casesOf(report);
  const start = Date.parse(report.startedAt);
  const tests = [
    ...cases.map(({ clause, operation, status, findings, why }) => ({
      name: `${clause.id} (${operation})`,
      status: status === 'warned' ? 'passed' : status,
      duration: 0,
      suite: [clause.source.section, operation],
      tags: [clause.level, clause.area],
      ...(status === 'warned' ? { rawStatus: 'warning' } : {}),
      ...(findings.length > 0
        ? { message: visible(inShort(findings[0]!)), trace: visible(findings.map(inWords(report)).join('\n\n')) }
        : {}),
      ...(why === null ? {} : { message: shortened(visible(why), 400) }),
    })),
    ...report.errors.map(({ scenario, message }, at) => ({
      name: visible(scenario ?? `fault ${at + 1}`),
      status: 'other' as const,
      duration: 0,
      suite: ['The suite itself'],
      rawStatus: 'error',
      message: shortened(visible(message), 400),
    })),
  ];
  if (!report.gate.pass && !tests.some(({ status }) => status === 'failed' || status === 'other'))
    tests.push({
      name: 'verdict',
      status: 'failed',
      duration: 0,
      suite: ['gate'],
      tags: [],
      message: shortened(visible([...report.gate.reasons, ...report.reasons].join('; ')), 400),
    });
  const count = (status: string): number => tests.filter((test) => test.status === status).length;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: 'Bank Open API conformance suite',
    results: {
      tool: { name: 'Bank Open API conformance suite', version: report.suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: start + report.durationMs,
        extra: { verdict: report.verdict, exitStatus: report.gate.exitStatus, seed: report.suite.seed },
      },
      tests,
      environment: {
        appName: visible(targetName(report.target)),
        ...(report.target.build === null ? {} : { buildName: visible(report.target.build) }),
      },
    },
  };
  return asJson(document);
}
