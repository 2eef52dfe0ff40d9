/** `npm run known`: writes a file of known findings from a report, to be completed by people. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { readReport } from './report-command.ts';
import type { KnownEntry } from '../baseline/expected-failures.ts';
import type { Report } from '../model/report.ts';

const usage = `Writes the findings of a report as known findings, for KNOWN.

  npm run known -- <conformance.json> [options]

  --out <file>       where to (default: the terminal)
  --owner <name>     who answers for them (default: to be named)
  --days <number>    until when they are tolerated, in days from the run (default: 30)
  --help             this text
`;

/** The findings of a report as entries, each once, tolerated for so many days from the run on. */
export function knownFrom(report: Report, owner: string, days: number): readonly KnownEntry[] {
  const expires = new Date(Date.parse(report.startedAt) + days * 86_400_000).toISOString().slice(0, 10);
  const entries = new Map(
    report.findings.map(({ clause, operation, pointer, statement, received }): [string, KnownEntry] => [
      `${clause} ${operation} ${pointer}`,
      { clause, operation, pointer, reason: `${statement} Received: ${received}`, owner, expires },
    ]),
  );
  return [...entries.values()];
}

/** Does what the command line says; what is wrong with it is one sentence and exit status 2. */
export function knownCommand(words: readonly string[], print: (text: string) => void): 0 | 2 {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        owner: { type: 'string' },
        days: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [file, ...others] = positionals;
    if (values.help === true || file === undefined || others.length > 0) {
      print(usage);
      return values.help === true ? 0 : 2;
    }
    const days = Number(values.days ?? '30');
    if (!Number.isInteger(days) || days < 0)
      throw new Error(`--days is ${JSON.stringify(values.days)}: give a whole number.`);
    const text = stringify(
      { known: knownFrom(readReport(file), values.owner ?? 'to be named', days) },
      { lineWidth: 120 },
    );
    if (values.out === undefined) print(text);
    else writeFileSync(values.out, text);
    return 0;
  } catch (error) {
    print(`${(error as Error).message.split('\n')[0]}\n`);
    return 2;
  }
}
