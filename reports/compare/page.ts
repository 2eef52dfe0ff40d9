/** Renders the comparison of banks as one page, which needs no script and no network. */
import { partition } from '../../openapi/util/group-by.ts';
import { html, renderLayout, type Markup } from '../formats/html/markup.ts';
import {
  renderCount,
  renderFoldedPart,
  describeHiddenItems,
  makeSectionTag,
  renderTable,
  markVerdict,
} from '../formats/html/components.ts';
import { countColumns } from '../formats/overview.ts';
import { counted, grouped, takeFirstItems, formatTime } from '../text/phrases.ts';
import type { AnswerRow, ClauseRow, BankComparison, OwnerQuestion } from './comparison.ts';

const MAX_SHOWN_ROWS = 400;
const MAX_SHOWN_ANSWERS = 4;

export function renderComparisonPage(comparison: BankComparison): string {
  const { implementations, clauses, dialects, questions } = comparison;
  const bankNames = implementations.map(({ name }) => name);
  const [differingClauses, sameClauses] = partition(clauses, ({ verdicts }) => new Set(verdicts).size > 1);
  const [clausesBrokenAtSomeBanks, clausesUntestedAtSomeBanks] = partition(differingClauses, ({ verdicts }) =>
    verdicts.some((verdict) => verdict === 'fail' || verdict === 'warning'),
  );
  const [differingAnswers, sameAnswers] = partition(dialects, ({ different }) => different > 1);
  const renderRows = (id: string, firstColumn: string, rows: readonly TableRow[]): Markup | string =>
    rows.length === 0
      ? html`<p>None.</p>`
      : html`<div class="wide" tabindex="0" role="region" aria-labelledby="${id}">${renderTable([firstColumn, ...bankNames], rows.slice(0, MAX_SHOWN_ROWS))}</div>${describeHiddenItems(MAX_SHOWN_ROWS, rows.length, 'comparison.json')}`;
  const renderFolded = (title: string, id: string, firstColumn: string, rows: readonly TableRow[]): Markup =>
    html`<div class="on-screen">${renderFoldedPart(title, counted(rows.length, firstColumn.toLowerCase()), renderRows(id, firstColumn, rows))}</div>`;
  const bankRows = implementations.map(({ name, verdict, counts, build, startedAt, requests }) => ({
    cells: [
      name,
      html`<span class="${verdict}">${verdict}</span>`,
      renderCount(counts.broken, 'fail'),
      renderCount(counts.warned, 'warning'),
      renderCount(counts.untested, 'inconclusive'),
      renderCount(counts.kept, 'pass'),
      build ?? 'not stated',
      formatTime(startedAt),
      grouped(requests),
    ],
  }));
  return renderLayout({
    title: `Comparison of ${counted(implementations.length, 'bank')}, Bank Open API`,
    body: html`<header><p class="small soft">Bank Open API · comparison of banks</p>
<h1>${counted(implementations.length, 'bank')}, side by side</h1>
<ul class="reasons">
<li>Some banks break ${counted(clausesBrokenAtSomeBanks.length, 'clause')} that the other banks do not break. Warnings count too.</li>
<li>The banks give different answers to ${counted(differingAnswers.length, 'open point')}.</li>
</ul></header>
${makeSectionTag('who', 'Judged banks')`${renderTable(['Bank', 'Verdict', ...countColumns.map(({ name }) => ({ number: name })), 'Build', 'Started', { number: 'Requests' }], bankRows)}`}
${makeSectionTag(
  'clauses',
  'Clauses that some banks break',
)`${renderRows('clauses', 'Clause', clausesBrokenAtSomeBanks.map(renderClause))}
${renderFolded('Not broken at any bank, and not tested at some', 'clauses', 'Clause', clausesUntestedAtSomeBanks.map(renderClause))}
${renderFolded('The same result at every bank', 'clauses', 'Clause', sameClauses.map(renderClause))}`}
${makeSectionTag(
  'dialects',
  'Open points with different answers',
)`<p>What each bank does where the document leaves a point open. The points with most differences come first.</p>
${renderRows('dialects', 'Open point', differingAnswers.map(makeAnswerRow))}
${renderFolded('The same answer at every bank', 'dialects', 'Open point', sameAnswers.map(makeAnswerRow))}`}
${makeSectionTag(
  'questions',
  'Questions to the owner of the document',
)`<p>Sorted by divergence: 1 if no two banks give the same answer, 0 if all banks give the same answer.</p>
${questions.length === 0 ? html`<p>None: the banks agree on all tested points.</p>` : html`<ol>${questions.map(renderQuestion)}</ol>`}`}
<footer><p>Made by the Bank Open API conformance suite. The same data are in comparison.json.</p></footer>`,
  });
}

interface TableRow {
  readonly cells: readonly (Markup | string)[];
}

function makeAnswerRow({ point, operation, about, answers, different }: AnswerRow): TableRow {
  const cells = answers.map((values) =>
    values.length === 0
      ? html`<span class="soft">not asked</span>`
      : takeFirstItems(values, MAX_SHOWN_ANSWERS, (more) => `and ${more} more`).join('; '),
  );
  const placeText = `${operation}${about === null ? '' : `, ${about}`}`;
  const rowHeader = html`${different < 2 ? point : html`<strong>${point}</strong>`}<br><span class="small soft">${placeText}</span>`;
  return { cells: [rowHeader, ...cells] };
}

const renderClause = ({ clause, level, statement, verdicts }: ClauseRow): TableRow => ({
  cells: [
    html`${statement}<br><span class="small soft">${clause} · ${level}</span>`,
    ...verdicts.map((verdict) => (verdict === null ? '' : markVerdict(verdict))),
  ],
});

function renderQuestion({ point, question: text, divergence, answers }: OwnerQuestion): Markup {
  return html`<li id="question-${point}"><p>${text}</p><p class="small soft">${point} · divergence ${divergence}</p><ul class="values">${answers.map(({ answer, implementations }) => html`<li><strong>${answer}</strong>: ${implementations.join(', ')}</li>`)}</ul></li>`;
}
