/** Prints how all cases of the gate end, as a table in Markdown: `npm run gate -- [words of a name]`; exit 1 where one ends otherwise. */
import { firstLines, type GateCase } from './case.ts';
import { gateCases } from './cases.ts';

const words = process.argv.slice(2).join(' ');
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const cell = (text: string): string =>
  text
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…');

async function row({ name, run, status: wanted, verdict: expected, says }: GateCase): Promise<string> {
  const { status, out, report } = await run();
  const lines = firstLines(out).map((line) => cell(line.slice(0, 160)));
  const verdict = report?.verdict ?? null;
  const isRight = status === wanted && verdict === expected && says.test(out.replaceAll(/\n\s*(?=\S)/g, ' ') + out);
  if (!isRight) process.exitCode = 1;
  const stated = [name, String(status), verdict ?? '–', lines.join('<br>')];
  return `| ${stated.join(' | ')} |${isRight ? '' : ` **not as it has to be: ${wanted}, ${expected}**`}`;
}

print('| Case | Exit status | Verdict in the folder | First lines of the terminal |\n| --- | --- | --- | --- |');
for (const one of gateCases) if (one.name.includes(words)) print(await row(one));
