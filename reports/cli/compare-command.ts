/** `npm run compare`: several reports on one page, in one JSON file, and as questions to the owner of the document. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readReport } from './report-command.ts';
import { write } from '../formats/paths.ts';
import { compare, type Comparison } from '../compare/comparison.ts';
import { comparisonPage } from '../compare/page.ts';

const usage = `Compares the reports of several implementations.

  npm run compare -- <a.json> <b.json> … [options]

  --out <folder>     where comparison.html, comparison.json and questions.md go (default: reports/out)
  --help             this text
`;

/** The questions dossier as text. */
export function dossier({ implementations, questions }: Comparison): string {
  const entries = questions.map(
    ({ point, question, divergence, answers }, index) =>
      `## ${index + 1}. ${point} (divergence ${divergence})\n\n${question}\n\n${answers.map(({ answer, implementations: who }) => `- ${answer}: ${who.join(', ')}`).join('\n')}\n`,
  );
  return `# Questions to the owner of the Bank Open API document\n\nFrom ${implementations.map(({ name }) => name).join(', ')}.\n\n${entries.join('\n')}`;
}

/** Does what the command line says; what is wrong with it is one sentence and exit status 2. */
export function compareCommand(words: readonly string[], print: (text: string) => void): 0 | 2 {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help === true || positionals.length < 2) {
      print(usage);
      return values.help === true ? 0 : 2;
    }
    const comparison = compare(positionals.map(readReport));
    const folder = values.out ?? 'reports/out';
    mkdirSync(folder, { recursive: true });
    write(path.join(folder, 'comparison.json'), `${JSON.stringify(comparison, null, 2)}\n`);
    write(path.join(folder, 'comparison.html'), comparisonPage(comparison));
    write(path.join(folder, 'questions.md'), dossier(comparison));
    const differing = comparison.dialects.filter(({ different }) => different > 1).length;
    print(
      `${positionals.length} implementations compared: ${differing} open questions are answered differently, ${comparison.questions.length} questions to the owner of the document.\n${path.join(folder, 'comparison.html')}\n`,
    );
    return 0;
  } catch (error) {
    print(`${(error as Error).message.split('\n')[0]}\n`);
    return 2;
  }
}
