/**
 * `npm run compare`: compares several reports on one page and in one JSON file, and lists questions to the owner of the document.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { readReport } from '../journal/read-report.ts';
import { makeHistory } from '../compare/history.ts';
import { renderHistoryPage } from '../compare/history-page.ts';
import { counted } from '../text/phrases.ts';
import { writeReportFile } from '../formats/paths.ts';
import { compareReports, type Comparison } from '../compare/comparison.ts';
import { renderComparisonPage } from '../compare/page.ts';
import { toJson, toOneLine } from '../text/sanitize.ts';

const usage = `Compares the reports of several implementations.

  npm run compare -- <a.json> <b.json> … [options]

  --out <folder>     where comparison.html, comparison.json and questions.md go (default: reports/out)
  --over-time        the reports are runs of one bank: writes what changed when to history.html and history.json
  --help             this text
`;

/** Escapes a text for Markdown, so that it is plain text. */
const escapePlain = (text: string): string => toOneLine(text).replace(/[\\`<[&]/g, '\\$&');

/** Writes the questions to the owner of the document as Markdown. */
function writeQuestions({ implementations, questions }: Comparison): string {
  const entries = questions.map(
    ({ point, question, divergence, answers }, index) =>
      `## ${index + 1}. ${escapePlain(point)} (divergence ${divergence})\n\n${escapePlain(question)}\n\n${answers.map(({ answer, implementations: who }) => `- ${escapePlain(answer)}: ${escapePlain(who.join(', '))}`).join('\n')}\n`,
  );
  return `# Questions to the owner of the Bank Open API document\n\nFrom ${implementations.map(({ name }) => escapePlain(name)).join(', ')}.\n\n${entries.join('\n')}`;
}

export const compareCommand = defineCommand({
  usage,
  options: { out: { type: 'string' }, 'over-time': { type: 'boolean' } },
  positionals: [2, Infinity],
  run({ values, positionals }, print) {
    const reports = positionals.map((file) => readReport(file));
    const folder = values.out ?? 'reports/out';
    mkdirSync(folder, { recursive: true });
    const put = (name: string, text: string): void => writeReportFile(path.join(folder, name), text);
    const finish = (said: string, page: string): number => {
      print(`${said}\n${path.join(folder, page)}\n`);
      return 0;
    };
    if (values['over-time'] === true) {
      const history = makeHistory(reports);
      const { runs, clauses, latencies } = history;
      put('history.json', toJson(history));
      put('history.html', renderHistoryPage(history));
      const changed = latencies.filter(({ changes }) => changes.length > 0).length;
      return finish(
        `${counted(runs.length, 'run')}: ${counted(clauses.length, 'clause')} changed, and the latency of ${counted(changed, 'operation')}.`,
        'history.html',
      );
    }
    const comparison = compareReports(reports);
    put('comparison.json', toJson(comparison));
    put('comparison.html', renderComparisonPage(comparison));
    put('questions.md', writeQuestions(comparison));
    const differing = comparison.dialects.filter(({ different }) => different > 1).length;
    return finish(
      `${reports.length} implementations compared: ${counted(differing, 'open point')} ${differing === 1 ? 'differs' : 'differ'}; ${counted(comparison.questions.length, 'question')} to the owner of the document.`,
      'comparison.html',
    );
  },
});

void runIfMain(__filename, compareCommand);
