/**
 * `npm run report`: renders a report again from its `conformance.json`. If a run ended before it wrote a report, makes the report
 * from the journals in the folder.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parsedJson } from '../../openapi/foreign/json.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { fileNames, moreRenderings, writeReport } from '../write-report.ts';
import { rebuild } from '../fold/rebuild.ts';
import { checkedReport, readReport } from '../journal/read-report.ts';
import { readBegun } from '../journal/run-file.ts';
import type { History } from '../journal/history.ts';
import type { Report } from '../model/report.ts';
import { summary } from '../formats/terminal.ts';

const usage = `Makes the files of a report again.

  npm run report -- <conformance.json> [options]
  npm run report -- <folder> [options]             also of a run that was ended before it made its report

  --out <folder>     where the files go (default: the folder of the report)
  --render <names>   more formats besides the page and JUnit: ${Object.keys(moreRenderings).join(', ')}, separated by commas
  --help             this text
`;

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the report of the last run in a folder, or makes it from the journals. Without both, throws an error of one sentence. */
function reportOf(folder: string): { readonly report: Report; readonly history?: History } {
  const file = path.join(folder, fileNames.json);
  const made = existsSync(file) ? readReport(file) : null;
  const begun = readBegun(folder);
  // If a run ended before it judged anything, the report may be from an earlier run.
  if (made !== null && (begun === null || Date.parse(made.startedAt) + made.durationMs >= Date.parse(begun.startedAt)))
    return { report: made };
  let rebuilt: ReturnType<typeof rebuild>;
  try {
    rebuilt = rebuild(folder);
    if (rebuilt !== null) checkedReport(parsedJson(JSON.stringify(rebuilt.report)), 'What its journals tell');
  } catch (error) {
    throw new Error(`The journals in ${folder} are not those of a run: ${(error as Error).message}.`, { cause: error });
  }
  if (rebuilt === null)
    throw new Error(`${folder} has no report and no journals of a run: give the REPORT_DIR of a run.`);
  return rebuilt;
}

/** `npm run report`. */
export const reportCommand = defineCommand({
  usage,
  options: { out: { type: 'string' }, render: { type: 'string' } },
  positionals: [1, 1],
  run({ values, positionals: [file = ''] }, print) {
    const more = values.render?.split(',').map((name) => name.trim()) ?? [];
    const unknown = more.find((name) => !Object.hasOwn(moreRenderings, name));
    if (unknown !== undefined)
      throw new Error(`--render names "${unknown}": give ${Object.keys(moreRenderings).join(', ')}.`);
    const fromFolder = isFolder(file);
    const { report, history } = fromFolder ? reportOf(file) : { report: readReport(file) };
    const folder = values.out ?? (fromFolder ? file : path.dirname(file));
    writeReport(report, folder, { render: more, history });
    print(summary(report, { color: false, afterwards: true, path: path.join(folder, fileNames.html) }));
    return 0;
  },
});

void runIfMain(__filename, reportCommand);
