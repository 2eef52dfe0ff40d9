/** The comparison as one page: self-contained, readable without script and without network. */
import { layout } from '../formats/html/layout.ts';
import { html, type Markup } from '../formats/html/markup.ts';
import { verdictMark } from '../formats/html/components.ts';
import { counted } from '../text/phrases.ts';
import type { AnswerRow, ClauseRow, Comparison, Question } from './comparison.ts';

const MAX_ROWS = 400;

/** Shows the rows alone in which the implementations differ. */
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
  const heads = implementations.map(({ name }) => html`<th scope="col">${name}</th>`);
  const divided = clauses.filter(({ verdicts }) => new Set(verdicts).size > 1).length;
  const differing = dialects.filter(({ different }) => different > 1);
  return layout({
    script,
    title: `Comparison of ${counted(implementations.length, 'implementation')}, Bank Open API`,
    body: html`<header><p class="title">Bank Open API · comparison of implementations</p>
<h1>${counted(implementations.length, 'implementation')}, side by side</h1>
<ul class="reasons">
<li>${counted(divided, 'clause')} with different verdicts.</li>
<li>${counted(differing.length, 'open point')} with different answers.</li>
</ul>
<p id="differences" hidden><label><input type="checkbox"> Differences only</label></p></header>
<section aria-labelledby="who"><h2 id="who">Who was judged</h2><table class="stack"><thead><tr><th scope="col">Implementation</th><th scope="col">Verdict</th><th scope="col">Build</th><th scope="col">Started</th><th scope="col" class="number">Requests</th></tr></thead><tbody>
${implementations.map((one) => html`<tr><th scope="row">${one.name}</th><td data-label="Verdict"><span class="${one.verdict}">${one.verdict}</span></td><td data-label="Build"><span>${one.build ?? 'not stated'}</span></td><td data-label="Started"><span>${one.startedAt}</span></td><td class="number" data-label="Requests"><span>${one.requests}</span></td></tr>`)}
</tbody></table></section>
<section aria-labelledby="dialects"><h2 id="dialects">Dialects</h2><p>What each implementation does where the document leaves it open. The points with most differences come first.</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="dialects"><table class="stack"><thead><tr><th scope="col">Open point</th>${heads}</tr></thead><tbody>${dialects.slice(0, MAX_ROWS).map((row) => answerRow(row, comparison))}</tbody></table></div>${more(dialects.length)}</section>
<section aria-labelledby="questions"><h2 id="questions">Questions to the owner of the document</h2><p>Sorted by divergence: 1 where no two implementations agree, 0 where all agree.</p>
${questions.length === 0 ? html`<p>None: the implementations agree on all tested points.</p>` : html`<ol>${questions.map(question)}</ol>`}</section>
<section aria-labelledby="clauses"><h2 id="clauses">Clauses</h2><p>Clauses with different verdicts come first.</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="clauses"><table class="stack"><thead><tr><th scope="col">Clause</th>${heads}</tr></thead><tbody>${clauses.slice(0, MAX_ROWS).map((row) => clauseRow(row, comparison))}</tbody></table></div>${more(clauses.length)}</section>
<footer><p>Made by the Bank Open API conformance suite. The same data are in comparison.json.</p></footer>`,
  });
}

function more(all: number): Markup | string {
  return all > MAX_ROWS ? html`<p class="small">and ${all - MAX_ROWS} more in comparison.json</p>` : '';
}

function answerRow(
  { point, operation, about, answers, different }: AnswerRow,
  { implementations }: Comparison,
): Markup {
  const cells = answers.map(
    (values, index) =>
      html`<td data-label="${implementations[index]?.name ?? ''}"><span>${values.length === 0 ? html`<span class="soft">not asked</span>` : values.slice(0, 4).join('; ')}${values.length > 4 ? ` and ${values.length - 4} more` : ''}</span></td>`,
  );
  return html`<tr data-alike="${different > 1 ? 'no' : 'yes'}"><th scope="row">${different > 1 ? html`<strong>${point}</strong>` : point}<br><span class="small soft">${operation}${about === null ? '' : `, ${about}`}</span></th>${cells}</tr>`;
}

function clauseRow({ clause, level, statement, verdicts }: ClauseRow, { implementations }: Comparison): Markup {
  const cells = verdicts.map(
    (verdict, index) =>
      html`<td data-label="${implementations[index]?.name ?? ''}"><span>${verdict === null ? '' : verdictMark(verdict)}</span></td>`,
  );
  return html`<tr data-alike="${new Set(verdicts).size > 1 ? 'no' : 'yes'}"><th scope="row">${statement}<br><span class="small soft">${clause} · ${level}</span></th>${cells}</tr>`;
}

function question({ point, question: text, divergence, answers }: Question): Markup {
  return html`<li id="question-${point}"><p>${text}</p><p class="small soft">${point} · divergence ${divergence}</p><ul class="values">${answers.map(({ answer, implementations }) => html`<li><strong>${answer}</strong>: ${implementations.join(', ')}</li>`)}</ul></li>`;
}
