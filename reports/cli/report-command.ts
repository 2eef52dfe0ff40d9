/**
 * `npm run report`: renders a report again from its `conformance.json` alone, and gives the same page; or makes the report
 * of a run that was ended before it could make one, from the journals in its folder.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileNames, moreRenderings, writeReport } from '../formats/write-report.ts';
import { rebuild } from '../fold/rebuild.ts';
import { format } from '../model/report.ts';
import type { Report } from '../model/report.ts';
import { summary } from '../formats/terminal.ts';

const usage = `Renders a report again.

  npm run report -- <conformance.json> [options]
  npm run report -- <folder> [options]             makes the report of an interrupted run from its journals

  --out <folder>     where the renderings go (default: the folder of the file)
  --render <names>   besides the page and JUnit: ${Object.keys(moreRenderings).join(', ')}, separated by commas
  --help             this text
`;

/** A report from a file. Throws an error of one sentence where it is none. */
export function readReport(file: string): Report {
  let report: Partial<Report>;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(missing ? `There is no file ${file}.` : `${file} is not a report: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  if (report?.format !== format) throw new Error(`${file} is not a report of the format ${format}.`);
  return report as Report;
}

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;

/** The report from the journals in a folder. Throws an error of one sentence where there are none. */
function rebuilt(folder: string): Report {
  const report = rebuild(folder);
  if (report === null) throw new Error(`No run left its journals in ${folder}: give the REPORT_DIR of a run.`);
  return report;
}

/** Does what the command line says; what is wrong with it is one sentence and exit status 2. */
export async function command(words: readonly string[], print: (text: string) => void): Promise<0 | 2> {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { out: { type: 'string' }, render: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    const [file, ...others] = positionals;
    if (values.help === true || file === undefined || others.length > 0) {
      print(usage);
      return values.help === true ? 0 : 2;
    }
    const more = values.render?.split(',').map((name) => name.trim()) ?? [];
    const unknown = more.find((name) => !Object.hasOwn(moreRenderings, name));
    if (unknown !== undefined)
      throw new Error(`--render names "${unknown}": give ${Object.keys(moreRenderings).join(', ')}.`);
    const fromFolder = isFolder(file);
    const report = fromFolder ? rebuilt(file) : readReport(file);
    const folder = values.out ?? (fromFolder ? file : path.dirname(file));
    await writeReport(report, folder, more);
    print(summary(report, { color: false, path: path.join(folder, fileNames.html) }));
    return 0;
  } catch (error) {
    print(`${(error as Error).message.split('\n')[0]}\n`);
    return 2;
  }
}
