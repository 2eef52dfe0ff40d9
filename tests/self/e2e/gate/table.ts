/** Prints how all cases of the gate end, as a table in Markdown: `npx tsx tests/self/e2e/gate/table.ts [words of a name]`. */
import { firstLines, type GateCase } from './case.ts';
import { gateCases } from './cases.ts';

const words = process.argv.slice(2).join(' ');
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const cell = (text: string): string =>
  text
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…');

async function row({ name, run }: GateCase): Promise<string> {
  const { status, said, report } = await run();
  const lines = firstLines(said).map((line) => cell(line.slice(0, 160)));
  return `| ${[name, String(status), report?.verdict ?? '–', lines.join('<br>')].join(' | ')} |`;
}

print('| Case | Exit status | Verdict in the folder | First lines of the terminal |\n| --- | --- | --- | --- |');
for (const one of gateCases) if (one.name.includes(words)) print(await row(one));
