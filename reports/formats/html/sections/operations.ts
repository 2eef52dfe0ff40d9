/** The operations: what was asked, what came, how fast. */
import { areas } from '../../../../openapi/model/exchange.ts';
import { operationName, areaTitle, grouped } from '../../../text/phrases.ts';
import type { OperationReport, Report } from '../../../model/report.ts';
import { html, type Markup } from '../markup.ts';
import { operationAnchor, verdictMark } from '../components.ts';

/** The table of operations. */
export function operationsSection(report: Report): Markup {
  const rows = areas.flatMap((area) => {
    const mine = report.operations.filter((operation) => operation.area === area);
    if (mine.length === 0) return [];
    return [
      html`<tr><th colspan="8" scope="rowgroup">${areaTitle[area]}</th></tr>`,
      ...mine.map((operation) => row(operation, report)),
    ];
  });
  return html`<section aria-labelledby="operations"><h2 id="operations">Operations</h2>
<table class="stack"><caption>A success is a documented request that was answered as the document says.</caption>
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Successes</th><th scope="col">Statuses</th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">Slowest</th><th scope="col">Clauses</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

function row(operation: OperationReport, report: Report): Markup {
  const name = operationName(operation);
  const silent = operation.successes === 0;
  return html`<tr id="${operationAnchor(operation.id)}"><th scope="row">${operation.id}<br><code class="soft">${name}</code></th>
<td class="number" data-label="Requests"><span>${grouped(operation.requests)}</span></td>
<td class="number" data-label="Successes"><span class="${silent ? 'inconclusive' : ''}">${silent ? html`<strong>none</strong>` : grouped(operation.successes)}</span></td>
<td data-label="Statuses"><span>${statuses(operation)}</span></td>
${latencies(operation)}
<td data-label="Clauses"><span>${clauses(name, report)}</span></td></tr>`;
}

function statuses(operation: OperationReport): Markup {
  const parts = Object.entries(operation.statuses).map(
    ([status, n]) => html`<span class="pair"><code>${status}</code> × ${grouped(n)}</span>`,
  );
  if (operation.unanswered > 0)
    parts.push(html`<span class="pair">no answer × ${grouped(operation.unanswered)}</span>`);
  return html`${parts.map((part, at) => html`${at > 0 ? ', ' : ''}${part}`)}`;
}

function latencies({ latencyMs }: OperationReport): Markup {
  const cell = (label: string, ms: number | undefined): Markup =>
    html`<td class="number" data-label="${label}">${ms === undefined ? '' : html`<span class="pair">${ms} ms</span>`}</td>`;
  return html`${cell('p50', latencyMs?.p50)}${cell('p95', latencyMs?.p95)}${cell('Slowest', latencyMs?.max)}`;
}

/** How many clauses are broken, warned of and kept at this operation. */
function clauses(operation: string, report: Report): Markup {
  const broken = new Set<string>();
  const warned = new Set<string>();
  for (const finding of report.findings) {
    if (finding.operation === operation) (finding.verdict === 'fail' ? broken : warned).add(finding.clause);
  }
  const kept = report.clauses.filter(
    (clause) =>
      clause.level !== 'open' &&
      clause.places.some((one) => one.operation === operation && one.exercised > 0 && one.broken === 0),
  ).length;
  const parts = [
    ...(broken.size > 0 ? [html`<span class="pair">${broken.size} ${verdictMark('fail')}</span>`] : []),
    ...(warned.size > 0 ? [html`<span class="pair">${warned.size} ${verdictMark('warning')}</span>`] : []),
    ...(kept > 0 ? [html`<span class="pair">${kept} ${verdictMark('pass')}</span>`] : []),
  ];
  return html`${parts.map((part, at) => html`${at > 0 ? ', ' : ''}${part}`)}`;
}
