/** Lists all formats of a report that show findings, and returns their text without mark-up. */
import { writeAnnotations } from '../../../../reports/formats/github.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { writeSummary } from '../../../../reports/formats/markdown.ts';
import { toSarif } from '../../../../reports/formats/sarif.ts';
import { writeTerminalSummary } from '../../../../reports/formats/terminal.ts';
import type { Report } from '../../../../reports/model/report.ts';

export const renderings: Readonly<Record<string, (report: Report) => string>> = {
  terminal: (report) => writeTerminalSummary(report, { color: false }),
  page: renderHtml,
  junit: toJunit,
  sarif: toSarif,
  summary: writeSummary,
  annotations: writeAnnotations,
};

/** Returns the report in the format `name`, without mark-up and escape sequences. */
export const readText = (name: string, report: Report): string =>
  renderings[name]!(report)
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('\\"', '"')
    .replace(/(?:\s|\\n|%0A)+/g, ' ');
