/** Shows the operations: requests, answers and latencies. */
import { areas } from '../../../../openapi/model/exchange.ts';
import { formatOperationName, areaTitles, grouped } from '../../../text/phrases.ts';
import type { OperationReport, Report } from '../../../model/report.ts';
import { html, type Markup } from '../markup.ts';
import {
  joinParts,
  anchorFindings,
  anchorOperation,
  makeSectionTag,
  renderTable,
  markVerdict,
  type Column,
} from '../components.ts';

const OPERATION_COLUMNS: readonly Column[] = [
  'Operation',
  { number: 'Requests' },
  { number: 'Successes' },
  'Statuses',
  { number: 'p50' },
  { number: 'p95' },
  { number: 'Slowest' },
  'Clauses',
];

export function renderOperations(report: Report): Markup {
  const rows = areas.flatMap((area) => {
    const ofArea = report.operations.filter((operation) => operation.area === area);
    return ofArea.length === 0
      ? []
      : [{ group: areaTitles[area] }, ...ofArea.map((one) => renderOperationRow(one, report))];
  });
  const caption = html`<caption>A success is a documented request that was answered as the document says.</caption>`;
  return makeSectionTag('operations', 'Operations')`${renderTable(OPERATION_COLUMNS, rows, caption)}`;
}

function renderOperationRow(operation: OperationReport, report: Report) {
  const { id, requests, successes, statuses, unanswered, latencyMs } = operation;
  const answers = [
    ...Object.entries(statuses).map(([status, n]) => html`<code>${status}</code> × ${grouped(n)}`),
    ...(unanswered > 0 ? [html`no answer × ${grouped(unanswered)}`] : []),
  ];
  const name = formatOperationName(operation);
  return {
    id: anchorOperation(id),
    cells: [
      html`${id}<br><code class="soft">${name}</code>`,
      grouped(requests),
      successes === 0 ? html`<strong class="inconclusive">none</strong>` : grouped(successes),
      renderLines(answers),
      ...[latencyMs?.p50, latencyMs?.p95, latencyMs?.max].map((ms) =>
        ms === undefined ? '' : renderLines([html`${ms} ms`]),
      ),
      renderClauses(name, report),
    ],
  };
}

const renderLines = (parts: readonly Markup[]): Markup =>
  joinParts(parts.map((part) => html`<span class="pair">${part}</span>`));

/** Counts the clauses at an operation that are broken, a warning or kept. The counts link to the first finding. */
function renderClauses(operation: string, report: Report): Markup {
  const found = (['fail', 'warning'] as const).flatMap((verdict) => {
    const here = report.findings.filter((one) => one.operation === operation && one.verdict === verdict);
    const count = new Set(here.map(({ clause }) => clause)).size;
    const anchor = here[0] && anchorFindings(report).get(here[0].id);
    return count === 0 ? [] : html`<a href="#${anchor}">${count} ${markVerdict(verdict)}</a>`;
  });
  const kept = report.clauses.filter(
    ({ level, places }) =>
      level !== 'open' && places.some((one) => one.operation === operation && one.exercised > 0 && one.broken === 0),
  );
  return renderLines([...found, ...(kept.length === 0 ? [] : [html`${kept.length} ${markVerdict('pass')}`])]);
}
