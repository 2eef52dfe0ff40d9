/**
 * `npm run report`: writes the files of a report again from its `conformance.json`. If a run ended without a report, makes the
 * report from the journals.
 */
import { statSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain, writeOrPrint } from '../../openapi/util/command.ts';
import { fileNames, RENDERINGS, writeReport } from '../write-report.ts';
import { checkReport, readReportFile } from '../journal/read-report.ts';
import { readRunFile } from '../journal/run-file.ts';
import { type PackedHistory, collectJournals } from '../journal/history.ts';
import { writeFinding } from '../formats/finding.ts';
import type { Finding, Report } from '../model/report.ts';
import { writeTerminalSummary } from '../formats/terminal.ts';
import { shortenText } from '../text/sanitize.ts';
import { buildReport } from '../build/index.ts';
import { JOURNAL_FOLDER } from '../journal/read.ts';

const usage = `Makes the files of a report again.

  npm run report -- <conformance.json> [options]
  npm run report -- <conformance.json> --finding 3  one finding as Markdown, for a ticket of the vendor
  npm run report -- <folder> [options]             also of a run that was ended before it made its report

  --out <folder>     where the files go (default: the folder of the report); with --finding, a file (default: the terminal)
  --finding <number> writes only this finding, counted as in the list of findings, and changes nothing in the folder
  --render <names>   more formats besides the page and JUnit: ${Object.keys(RENDERINGS).join(', ')}, separated by commas
  --help             this text
`;

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the report in a folder, or makes it from the journals. Throws an error of one sentence if the folder has neither. */
function loadReport(folder: string): { readonly report: Report; readonly history?: PackedHistory } {
  const file = path.join(folder, fileNames.json);
  const hasReport = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const existingReport = hasReport ? readReportFile(file) : null;
  const runStart = readRunFile(folder);
  // If a run ended before it judged anything, the report may belong to an earlier run.
  const endedAt = existingReport === null ? 0 : Date.parse(existingReport.startedAt) + existingReport.durationMs;
  if (existingReport !== null && (runStart === null || endedAt >= Date.parse(runStart.startedAt)))
    return { report: existingReport };
  let rebuilt: ReturnType<typeof rebuildReport>;
  try {
    rebuilt = rebuildReport(folder);
    if (rebuilt !== null) checkReport(JSON.parse(JSON.stringify(rebuilt.report)), 'What its journals tell');
  } catch (error) {
    throw new Error(`The journals in ${folder} are not those of a run: ${(error as Error).message}.`, { cause: error });
  }
  if (rebuilt === null)
    throw new Error(`${folder} has no report and no journals of a run: give the REPORT_DIR of a run.`);
  return rebuilt;
}

/** Returns the finding with a number; the first finding has the number 1. Throws an error of one sentence. */
function findFindingByNumber({ findings }: Report, number: string): Finding {
  const finding = /^[1-9]\d*$/.test(number) ? findings[Number(number) - 1] : undefined;
  if (finding !== undefined) return finding;
  const range = findings.length === 0 ? 'the report has no findings' : `give a number from 1 to ${findings.length}`;
  throw new Error(`--finding is ${JSON.stringify(shortenText(number, 20))}: ${range}.`);
}

export const reportCommand = defineCommand({
  usage,
  options: { out: { type: 'string' }, finding: { type: 'string' }, render: { type: 'string' } },
  positionals: [1, 1],
  run({ values, positionals: [file = ''] }, print) {
    const formatNames = values.render?.split(',').map((name) => name.trim()) ?? [];
    const unknownFormat = formatNames.find((name) => !Object.hasOwn(RENDERINGS, name));
    if (unknownFormat !== undefined)
      throw new Error(`--render names "${unknownFormat}": give ${Object.keys(RENDERINGS).join(', ')}.`);
    const isFromFolder = isFolder(file);
    const { report, history } = isFromFolder ? loadReport(file) : { report: readReportFile(file) };
    if (values.finding !== undefined) {
      writeOrPrint(values.out, writeFinding(report, findFindingByNumber(report, values.finding)), print);
      return 0;
    }
    const folder = values.out ?? (isFromFolder ? file : path.dirname(file));
    writeReport(report, folder, { render: formatNames, history });
    print(writeTerminalSummary(report, { color: false, afterwards: true, path: path.join(folder, fileNames.html) }));
    return 0;
  },
});

void runIfMain(__filename, reportCommand);

/** Makes the report from the journals; null if there are none. An incomplete run is inconclusive, but its findings count. */
function rebuildReport(folder: string): { readonly report: Report; readonly history: PackedHistory } | null {
  const runStart = readRunFile(folder);
  if (runStart === null) return null;
  const { description, startedAt, scenarios } = runStart;
  const { history, faults } = collectJournals(folder, description.run, []);
  const endedCount = history.countLines('end');
  const isComplete = Math.min(history.countLines('scenario'), endedCount) >= scenarios.length;
  const journalFolder = path.join(folder, JOURNAL_FOLDER);
  const writeTimes = readdirSync(journalFolder).map((name) => statSync(path.join(journalFolder, name)).mtimeMs);
  const lastWriteTime = Math.max(0, ...writeTimes);
  const interruption = `it was killed, or ended before it made its report; ${endedCount} of ${scenarios.length} scenarios had ended.`;
  const report = buildReport({
    lines: history.lines,
    history: history.sha256,
    run: {
      ...description,
      startedAt,
      durationMs: Math.max(0, lastWriteTime - Date.parse(startedAt)),
      errors: faults,
      interrupted: isComplete ? undefined : interruption,
    },
  });
  return { report, history };
}
