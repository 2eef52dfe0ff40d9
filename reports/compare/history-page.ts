/** The history as one page: self-contained, readable without script and without network. */
import { verdictMark } from '../formats/html/components.ts';
import { layout } from '../formats/html/layout.ts';
import { html, type Markup } from '../formats/html/markup.ts';
import { counted } from '../text/phrases.ts';
import type { ClauseHistory, History, LatencyHistory } from './history.ts';

/** Renders a history. Pure. */
export function historyPage(history: History): string {
  const { runs, clauses, latencies } = history;
  const steps = latencies.filter(({ changes }) => changes.length > 0).length;
  const heads = runs.map(
    ({ startedAt }, run) =>
      html`<th scope="col"><a href="#run-${run + 1}">${run + 1}</a><br><span class="small soft">${startedAt.slice(0, 10)}</span></th>`,
  );
  return layout({
    title: `History of ${counted(runs.length, 'run')}, Bank Open API`,
    body: html`<header><p class="title">Bank Open API · history</p><h1>${counted(runs.length, 'run')}</h1>
<ul class="reasons"><li>${counted(clauses.length, 'clause')} changed.</li><li>The latency of ${counted(steps, 'operation')} changed.</li></ul></header>
<section aria-labelledby="runs"><h2 id="runs">Runs</h2><table class="stack"><thead><tr><th scope="col">Run</th><th scope="col">Started</th><th scope="col">Target</th><th scope="col">Build</th><th scope="col">Verdict</th><th scope="col" class="number">Requests</th></tr></thead><tbody>
${runs.map((one, run) => html`<tr id="run-${run + 1}"><th scope="row">${run + 1}</th><td data-label="Started"><span>${one.startedAt}</span></td><td data-label="Target"><span>${one.name}</span></td><td data-label="Build"><span>${one.build ?? 'not stated'}</span></td><td data-label="Verdict"><span class="${one.verdict}">${one.verdict}</span></td><td class="number" data-label="Requests"><span>${one.requests}</span></td></tr>`)}
</tbody></table></section>
<section aria-labelledby="clauses"><h2 id="clauses">Clauses that changed</h2>
${clauses.length === 0 ? html`<p>None.</p>` : html`<div class="wide" tabindex="0" role="region" aria-labelledby="clauses"><table class="stack"><thead><tr><th scope="col">Clause</th>${heads}</tr></thead><tbody>${clauses.map(clauseRow)}</tbody></table></div>`}</section>
<section aria-labelledby="latencies"><h2 id="latencies">Latency</h2><p>In milliseconds: the median, and the time within which 95 of 100 answers came. Bold: the median has changed.</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="latencies"><table class="stack"><thead><tr><th scope="col">Operation</th>${heads}</tr></thead><tbody>${latencies.map(latencyRow)}</tbody></table></div></section>
<footer><p>Made by the Bank Open API conformance suite. The same data are in history.json.</p></footer>`,
  });
}

function clauseRow({ clause, statement, verdicts, changes }: ClauseHistory): Markup {
  const cells = verdicts.map((verdict, run) => {
    const mark = verdict === null ? '' : verdictMark(verdict);
    const isChange = changes.some((change) => change.run === run);
    return html`<td data-label="Run ${run + 1}">${isChange ? html`<strong>${mark}</strong>` : html`<span>${mark}</span>`}</td>`;
  });
  return html`<tr><th scope="row">${statement}<br><span class="small soft">${clause}</span></th>${cells}</tr>`;
}

function latencyRow({ operation, p50, p95, changes }: LatencyHistory): Markup {
  const cells = p50.map((median, run) => {
    const text = median === null ? 'no answer' : `${median} / ${p95[run] ?? median}`;
    const isChange = changes.some((change) => change.run === run);
    return html`<td class="number" data-label="Run ${run + 1}">${isChange ? html`<strong>${text}</strong>` : html`<span>${text}</span>`}</td>`;
  });
  return html`<tr><th scope="row"><code>${operation}</code></th>${cells}</tr>`;
}
