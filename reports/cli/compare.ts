/** `npm run compare`: compares several reports on one page, in one JSON file, and as questions to the owner of the document. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { readReport } from '../journal/read-report.ts';
import { historyOf } from '../compare/history.ts';
import { historyPage } from '../compare/history-page.ts';
import { counted } from '../text/phrases.ts';
import { write } from '../formats/paths.ts';
import { compare, type Comparison } from '../compare/comparison.ts';
import { comparisonPage } from '../compare/page.ts';
import { asJson, oneLine } from '../text/sanitize.ts';

const usage = `Compares the reports of several implementations.

  npm run compare -- <a.json> <b.json> … [options]

  --out <folder>     where comparison.html, comparison.json and questions.md go (default: reports/out)
  --over-time        the reports are runs of one bank: writes what changed when to history.html and history.json
  --help             this text
`;

/** Escapes a text for Markdown, so that it is no mark-up, link or heading. */
const plain = (text: string): string => oneLine(text).replace(/[\\`<[&]/g, '\\$&');

/** Writes the questions to the owner of the document, as Markdown. */
function questionsText({ implementations, questions }: Comparison): string {
  const entries = questions.map(
    ({ point, question, divergence, answers }, index) =>
      `## ${index + 1}. ${plain(point)} (divergence ${divergence})\n\n${plain(question)}\n\n${answers.map(({ answer, implementations: who }) => `- ${plain(answer)}: ${plain(who.join(', '))}`).join('\n')}\n`,
  );
  return `# Questions to the owner of the Bank Open API document\n\nFrom ${implementations.map(({ name }) => plain(name)).join(', ')}.\n\n${entries.join('\n')}`;
}

/** `npm run compare`. */
export const compareCommand = defineCommand({
  usage,
  options: { out: { type: 'string' }, 'over-time': { type: 'boolean' } },
  positionals: [2, Infinity],
  run({ values, positionals }, print) {
    const reports = positionals.map((file) => readReport(file));
    const folder = values.out ?? 'reports/out';
    mkdirSync(folder, { recursive: true });
    const put = (name: string, text: string): void => write(path.join(folder, name), text);
    const finish = (said: string, page: string): number => {
      print(`${said}\n${path.join(folder, page)}\n`);
      return 0;
    };
    if (values['over-time'] === true) {
      const history = historyOf(reports);
      const { runs, clauses, latencies } = history;
      put('history.json', asJson(history));
      put('history.html', historyPage(history));
      const changed = latencies.filter(({ changes }) => changes.length > 0).length;
      return finish(
        `${counted(runs.length, 'run')}: ${counted(clauses.length, 'clause')} changed, and the latency of ${counted(changed, 'operation')}.`,
        'history.html',
      );
    }
    const comparison = compare(reports);
    put('comparison.json', asJson(comparison));
    put('comparison.html', comparisonPage(comparison));
    put('questions.md', questionsText(comparison));
    const differing = comparison.dialects.filter(({ different }) => different > 1).length;
    return finish(
      `${reports.length} implementations compared: ${counted(differing, 'open point')} ${differing === 1 ? 'differs' : 'differ'}; ${counted(comparison.questions.length, 'question')} to the owner of the document.`,
      'comparison.html',
    );
  },
});

void runIfMain(__filename, compareCommand);
