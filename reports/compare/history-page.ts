/** Renders the history of a bank as one page, which needs no script and no network. */
import { makeSectionTag, renderTable, markVerdict, renderScrollable, type Column } from '../formats/html/components.ts';
import { renderLayout } from '../formats/html/layout.ts';
import { html, type Markup } from '../formats/html/markup.ts';
import { counted } from '../text/phrases.ts';
import type { History } from './history.ts';

export function renderHistoryPage({ runs, clauses, latencies }: History): string {
  const steps = latencies.filter(({ changes }) => changes.length > 0).length;
  const startedAts = runs.map(({ startedAt }) => startedAt);
  const dates = html`<p class="small soft">${runs.map(({ startedAt }, run) => html`<a href="#run-${run + 1}">${run + 1}</a> ${shortenTime(startedAt, startedAts)} `)}</p>`;
  const byRun = (first: string, toColumn: (name: string) => Column): readonly Column[] => [
    first,
    ...runs.map((_, run) => toColumn(`Run ${run + 1}`)),
  ];
  const clauseRows = clauses.map(({ clause, statement, verdicts, changes }) => ({
    cells: [
      html`${statement}<br><span class="small soft">${clause}</span>`,
      ...verdicts.map((verdict, run) => markChanged(changes, run, verdict === null ? '' : markVerdict(verdict))),
    ],
  }));
  const latencyRows = latencies.map(({ operation, p50, p95, changes }) => ({
    cells: [
      html`<code>${operation}</code>`,
      ...p50.map((median, run) =>
        markChanged(changes, run, median === null ? 'no answer' : `${median} / ${p95[run] ?? median}`),
      ),
    ],
  }));
  const runRows = runs.map(({ startedAt, name, build, verdict, requests }, run) => {
    const shown = html`<span class="${verdict}">${verdict}</span>`;
    return {
      id: `run-${run + 1}`,
      cells: [run + 1, startedAt.slice(0, 19).replace('T', ' '), name, build ?? 'not stated', shown, requests],
    };
  });
  return renderLayout({
    title: `History of ${counted(runs.length, 'run')}, Bank Open API`,
    body: html`<header><p class="small soft">Bank Open API · history</p><h1>${counted(runs.length, 'run')}</h1>
<ul class="reasons"><li>${counted(clauses.length, 'clause')} changed.</li><li>The latency of ${counted(steps, 'operation')} changed.</li></ul></header>
${makeSectionTag('runs', 'Runs')`${renderTable(['Run', 'Started', 'Target', 'Build', 'Verdict', { number: 'Requests' }], runRows)}`}
${makeSectionTag('clauses', 'Clauses that changed')`${clauses.length === 0 ? html`<p>None.</p>` : html`${dates}${renderScrollable('clauses', renderTable(byRun('Clause', String), clauseRows))}`}`}
${makeSectionTag(
  'latencies',
  'Latency',
)`<p>In milliseconds: the median, and the time within which 95 of 100 answers came. Bold: the median has changed.</p>
${renderScrollable(
  'latencies',
  renderTable(
    byRun('Operation', (number) => ({ number })),
    latencyRows,
  ),
)}`}
<footer><p>Made by the Bank Open API conformance suite. The same data are in history.json.</p></footer>`,
  });
}

/** Returns the date of a run; with the time if another run has the same date. */
const shortenTime = (startedAt: string, all: readonly string[]): string => {
  const isAlone = (length: number): boolean =>
    all.filter((one) => one.slice(0, length) === startedAt.slice(0, length)).length < 2;
  return startedAt.slice(0, [10, 16].find(isAlone) ?? 19).replace('T', ' ');
};

/** Makes content bold if it changed in this run. */
const markChanged = (
  changes: readonly { readonly run: number }[],
  run: number,
  content: Markup | string,
): Markup | string => (changes.some((change) => change.run === run) ? html`<strong>${content}</strong>` : content);
