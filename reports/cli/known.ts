/** `npm run known`: writes the findings of a report as a file of known findings. The user then completes the file. */
import { defineCommand, runIfMain, writeOrPrint } from '../../openapi/util/command.ts';
import { readReportFile } from '../journal/read-report.ts';
import { describeForm, findCondition, listForms } from '../baseline/expected-failures.ts';
import { omitUndefined, type KnownEntry, type Report } from '../model/report.ts';
import { toYaml } from '../text/sanitize.ts';

const usage = `Writes the findings of a report as a file of known findings, for KNOWN.

  npm run known -- <conformance.json> [options]

  --out <file>       the file to write (default: the terminal)
  --owner <name>     who is responsible for the findings (default: to be named)
  --days <number>    for how many days after the run the findings are tolerated (default: 30)
  --help             this text

An entry tolerates only values of its form: null, a number, a text of digits, missing, … An entry without a form tolerates every value
at its place. "only" is the condition of the finding, such as: amount has decimals. If the finding also occurs without this condition,
the run says this, and still tolerates the finding.
`;

/** Makes an entry for each finding of a report and each form of its values. The entries are valid for `days` days after the run. */
export function makeKnownEntries(report: Report, owner: string, days: number): readonly KnownEntry[] {
  const expires = new Date(Date.parse(report.startedAt) + days * 86_400_000).toISOString().slice(0, 10);
  const entryByPlaceAndForm = new Map(
    report.findings.flatMap((finding) =>
      listForms(finding).map((form): [string, KnownEntry] => {
        const { clause, operation, pointer, statement, received, values } = finding;
        const example = values.find(({ value }) => describeForm(finding, value) === form)?.value ?? received;
        const placeAndForm = {
          clause,
          operation,
          pointer,
          form,
          ...omitUndefined({ only: findCondition(finding, form) }),
        };
        return [
          Object.values(placeAndForm).slice(0, 4).join(' '),
          { ...placeAndForm, reason: `${statement} Received: ${example}`, owner, expires },
        ];
      }),
    ),
  );
  return [...entryByPlaceAndForm.values()];
}

export const knownCommand = defineCommand({
  usage,
  options: { out: { type: 'string' }, owner: { type: 'string' }, days: { type: 'string' } },
  positionals: [1, 1],
  run({ values, positionals: [file = ''] }, print) {
    const { days = '30', owner = 'to be named', out } = values;
    if (!/^\d{1,4}$/.test(days))
      throw new Error(`--days is ${JSON.stringify(days)}: give a whole number from 0 to 9999.`);
    const entries = makeKnownEntries(readReportFile(file), owner, Number(days));
    writeOrPrint(out, toYaml({ known: entries }), print);
    if (out !== undefined && values.owner === undefined && entries.length > 0)
      print(`Fill in owner and reason of each entry in ${out}: now the owner is “${owner}”.\n`);
    return 0;
  },
});

void runIfMain(__filename, knownCommand);
