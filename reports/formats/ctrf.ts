/** Writes CTRF (ctrf.io): test results as JSON for dashboards. */
import type { Report } from '../model/report.ts';
import { omitUndefined } from '../text/given.ts';
import { formatTargetName } from '../text/phrases.ts';
import { toJson, escapeHarmful } from '../text/sanitize.ts';
import { makeCases, type Case } from './cases.ts';

/** Maps the statuses of the suite to statuses of CTRF. Adds a raw status if it contains more information. */
const statusesByResult = {
  passed: ['passed'],
  failed: ['failed'],
  skipped: ['skipped'],
  warned: ['passed', 'warning'],
  error: ['other', 'error'],
} as const;

export function toCtrf(report: Report): string {
  const start = Date.parse(report.startedAt);
  const tests = makeCases(report).map(makeCtrfTest);
  const count = (status: string): number => tests.filter((test) => test.status === status).length;
  const name = 'Bank Open API conformance suite';
  const { verdict, gate, suite, target } = report;
  return toJson({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: name,
    results: {
      tool: { name, version: suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: start + report.durationMs,
        extra: { verdict, exitStatus: gate.exitStatus, seed: suite.seed },
      },
      tests,
      environment: {
        appName: escapeHarmful(formatTargetName(target)),
        ...omitUndefined({ buildName: target.build === null ? undefined : escapeHarmful(target.build) }),
      },
    },
  });
}

function makeCtrfTest({ clause, name, operation, status, message, durationMs, detail }: Case) {
  // If the gate fails without a clause, the test is `failed`: dashboards treat `other` as harmless.
  const [shown, rawStatus] = operation === 'gate' ? (['failed'] as const) : statusesByResult[status];
  return {
    name: clause === null ? escapeHarmful(name) : `${name} (${operation})`,
    status: shown,
    duration: durationMs,
    suite: clause === null ? [operation === 'gate' ? 'gate' : 'The suite itself'] : [clause.source.section, operation],
    tags: clause === null ? [] : [clause.level, clause.area, ...(clause.class === undefined ? [] : [clause.class])],
    ...omitUndefined({
      rawStatus,
      message: message === '' ? undefined : escapeHarmful(message),
      trace: detail === '' ? undefined : escapeHarmful(detail),
    }),
  };
}
