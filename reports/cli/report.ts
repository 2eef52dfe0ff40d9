/**
 * `npm run report`: renders a report again from its `conformance.json` alone, and gives the same page; or makes the report
 * of a run that was ended before it could make one, from the journals in its folder.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { fileNames, moreRenderings, writeReport } from '../write-report.ts';
import { rebuild } from '../fold/rebuild.ts';
import { readReport } from '../journal/read-report.ts';
import type { Report } from '../model/report.ts';
import { summary } from '../formats/terminal.ts';

const usage = `Makes the files of a report again.

  npm run report -- <conformance.json> [options]
  npm run report -- <folder> [options]             makes the report of an interrupted run

  --out <folder>     where the files go (default: the folder of the report)
  --render <names>   more formats besides the page and JUnit: ${Object.keys(moreRenderings).join(', ')}, separated by commas
  --help             this text
`;

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;

/** The report from the journals in a folder. Throws an error of one sentence where there are none. */
function rebuilt(folder: string): Report {
  const report = rebuild(folder);
  if (report === null) throw new Error(`${folder} has no journals of a run: give the REPORT_DIR of a run.`);
  return report;
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
    const report = fromFolder ? rebuilt(file) : readReport(file);
    const folder = values.out ?? (fromFolder ? file : path.dirname(file));
    writeReport(report, folder, more);
    print(summary(report, { color: false, path: path.join(folder, fileNames.html) }));
    return 0;
  },
});

await runIfMain(import.meta.url, reportCommand);
