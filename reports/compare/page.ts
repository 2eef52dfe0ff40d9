/** Renders the comparison as one self-contained page, readable without script and network. */
import { layout } from '../formats/html/layout.ts';
import { html, type Markup } from '../formats/html/markup.ts';
import { moreThan, section, table, verdictMark, wide } from '../formats/html/components.ts';
import { counted, firstOf } from '../text/phrases.ts';
import type { AnswerRow, ClauseRow, Comparison, Question } from './comparison.ts';

const MAX_ROWS = 400;
const MAX_ANSWERS = 4;

/** Shows only the rows in which the implementations differ. */
const script = `'use strict';
const choice = document.getElementById('differences');
choice.hidden = false;
choice.addEventListener('input', ({ target }) => {
  for (const row of document.querySelectorAll('[data-alike=yes]')) row.hidden = target.checked;
});
`;

/** Renders a comparison. Pure: the same comparison gives the same page. */
export function comparisonPage(comparison: Comparison): string {
  const { implementations, clauses, dialects, questions } = comparison;
  const names = implementations.map(({ name }) => name);
  const divided = clauses.filter(({ verdicts }) => new Set(verdicts).size > 1).length;
  const differing = dialects.filter(({ different }) => different > 1).length;
  const rowsOf = (id: string, first: string, rows: readonly ReturnType<typeof row>[]): Markup =>
    html`${wide(id, table([first, ...names], rows.slice(0, MAX_ROWS)))}${moreThan(MAX_ROWS, rows.length, 'comparison.json')}`;
  const judged = implementations.map(({ name, verdict, build, startedAt, requests }) => ({
    cells: [name, html`<span class="${verdict}">${verdict}</span>`, build ?? 'not stated', startedAt, requests],
  }));
  return layout({
    script,
    title: `Comparison of ${counted(implementations.length, 'implementation')}, Bank Open API`,
    body: html`<header><p class="title">Bank Open API · comparison of implementations</p>
<h1>${counted(implementations.length, 'implementation')}, side by side</h1>
<ul class="reasons">
<li>${counted(divided, 'clause')} with different verdicts.</li>
<li>${counted(differing, 'open point')} with different answers.</li>
</ul>
<p id="differences" hidden><label><input type="checkbox"> Differences only</label></p></header>
${section('who', 'Who was judged')`${table(['Implementation', 'Verdict', 'Build', 'Started', { number: 'Requests' }], judged)}`}
${section(
  'dialects',
  'Dialects',
)`<p>What each implementation does where the document leaves it open. The points with most differences come first.</p>
${rowsOf('dialects', 'Open point', dialects.map(answerRow))}`}
${section(
  'questions',
  'Questions to the owner of the document',
)`<p>Sorted by divergence: 1 where no two implementations agree, 0 where all agree.</p>
${questions.length === 0 ? html`<p>None: the implementations agree on all tested points.</p>` : html`<ol>${questions.map(question)}</ol>`}`}
${section('clauses', 'Clauses')`<p>Clauses with different verdicts come first.</p>
${rowsOf('clauses', 'Clause', clauses.map(clauseRow))}`}
<footer><p>Made by the Bank Open API conformance suite. The same data are in comparison.json.</p></footer>`,
  });
}

const row = (isAlike: boolean, head: Markup, cells: readonly (Markup | string)[]) => ({
  attributes: html` data-alike="${isAlike ? 'yes' : 'no'}"`,
  cells: [head, ...cells],
});

function answerRow({ point, operation, about, answers, different }: AnswerRow) {
  const isAlike = different < 2;
  const cells = answers.map((values) =>
    values.length === 0
      ? html`<span class="soft">not asked</span>`
      : firstOf(values, MAX_ANSWERS, (more) => `and ${more} more`).join('; '),
  );
  const where = `${operation}${about === null ? '' : `, ${about}`}`;
  const head = html`${isAlike ? point : html`<strong>${point}</strong>`}<br><span class="small soft">${where}</span>`;
  return row(isAlike, head, cells);
}

const clauseRow = ({ clause, level, statement, verdicts }: ClauseRow) =>
  row(
    new Set(verdicts).size < 2,
    html`${statement}<br><span class="small soft">${clause} · ${level}</span>`,
    verdicts.map((verdict) => (verdict === null ? '' : verdictMark(verdict))),
  );

function question({ point, question: text, divergence, answers }: Question): Markup {
  return html`<li id="question-${point}"><p>${text}</p><p class="small soft">${point} · divergence ${divergence}</p><ul class="values">${answers.map(({ answer, implementations }) => html`<li><strong>${answer}</strong>: ${implementations.join(', ')}</li>`)}</ul></li>`;
}
