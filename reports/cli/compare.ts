/**
 * `npm run compare`: compares several reports on one page and in one JSON file, and lists questions to the owner of the document.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { readReportFile } from '../journal/read-report.ts';
import { counted } from '../text/phrases.ts';
import { writeReportFile } from '../formats/paths.ts';
import { compareReports, type BankComparison } from '../compare/comparison.ts';
import { renderComparisonPage } from '../compare/page.ts';
import { toJson, toOneLine } from '../text/sanitize.ts';

const usage = `Compares the reports of several banks.

  npm run compare -- <a.json> <b.json> … [options]

  --out <folder>     where comparison.html, comparison.json and questions.md go (default: reports/out)
  --help             this text
`;

const escapePlain = (text: string): string => toOneLine(text).replace(/[\\`<[&]/g, '\\$&');

function writeQuestions({ implementations, questions }: BankComparison): string {
  const questionTexts = questions.map(({ point, question, divergence, answers }, index) => {
    const answerLines = answers.map(
      ({ answer, implementations: bankNames }) => `- ${escapePlain(answer)}: ${escapePlain(bankNames.join(', '))}`,
    );
    const heading = `## ${index + 1}. ${escapePlain(point)} (divergence ${divergence})`;
    return `${heading}\n\n${escapePlain(question)}\n\n${answerLines.join('\n')}\n`;
  });
  const allBankNames = implementations.map(({ name }) => escapePlain(name)).join(', ');
  return `# Questions to the owner of the Bank Open API document\n\nFrom ${allBankNames}.\n\n${questionTexts.join('\n')}`;
}

export const compareCommand = defineCommand({
  usage,
  options: { out: { type: 'string' } },
  positionals: [2, Infinity],
  run({ values, positionals }, print) {
    const reports = positionals.map((file) => readReportFile(file));
    const folder = values.out ?? 'reports/out';
    mkdirSync(folder, { recursive: true });
    const write = (name: string, text: string): void => writeReportFile(path.join(folder, name), text);
    const comparison = compareReports(reports);
    write('comparison.json', toJson(comparison));
    write('comparison.html', renderComparisonPage(comparison));
    write('questions.md', writeQuestions(comparison));
    const differingPoints = comparison.dialects.filter(({ different }) => different > 1).length;
    print(
      `${reports.length} banks compared: ${counted(differingPoints, 'open point')} ${differingPoints === 1 ? 'differs' : 'differ'}; ${counted(comparison.questions.length, 'question')} to the owner of the document.\n${path.join(folder, 'comparison.html')}\n`,
    );
    return 0;
  },
});

void runIfMain(__filename, compareCommand);
