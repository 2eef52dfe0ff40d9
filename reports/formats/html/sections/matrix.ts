/** The matrix of the first screen: each operation, and what was asked of it. Every cell leads to its evidence. */
import { areas } from '../../../../openapi/model/exchange.ts';
import { operationName, areaTitle, counted, grouped, verdictName } from '../../../text/phrases.ts';
import type { ClauseVerdict, Finding, OperationReport, Report } from '../../../model/report.ts';
import { isMostlyUnanswered } from '../../../fold/verdict/remedies.ts';
import { html, type Markup } from '../markup.ts';
import { evidenceLink, findingAnchors, operationAnchor, verdictSigns } from '../components.ts';
import { originOf, type RequestOrigin } from '../../../model/view-model.ts';

type Column = 'shape' | 'rules' | RequestOrigin;

const columns: readonly (readonly [Column, string, string])[] = [
  ['shape', 'Shape', 'clauses about fields, types and formats'],
  ['rules', 'Rules', 'clauses that compare fields, requests or answers'],
  ['flow', 'Flow', 'requests that are steps of a flow'],
  ['property', 'Properties', 'documented requests with random values'],
  ['probe', 'Probes', 'requests that differ from the document on purpose'],
];

interface Cell {
  readonly verdict: ClauseVerdict;
  readonly text: string;
  readonly label: string;
  /** The worst finding, or null. */
  readonly finding: Finding | null;
  readonly exchange: string | null;
}

/** The matrix. */
export function matrix(report: Report): Markup {
  const anchors = findingAnchors(report);
  const rows = areas.flatMap((area) => {
    const mine = report.operations.filter((operation) => operation.area === area);
    if (mine.length === 0) return [];
    return [
      html`<tr class="area"><th colspan="6" scope="rowgroup">${areaTitle[area]}</th></tr>`,
      ...mine.map((operation) => row(operation, report, anchors)),
    ];
  });
  const heads = columns.map(([, name, meaning]) => html`<th scope="col"><abbr title="${meaning}">${name}</abbr></th>`);
  return html`<section class="on-screen" aria-labelledby="matrix"><h2 id="matrix">What was tested, by operation</h2>
<div class="wide" tabindex="0" role="region" aria-labelledby="matrix"><table class="matrix"><thead><tr><th scope="col">Operation</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>
<p class="small soft">Shape and Rules count clauses; Flow, Properties and Probes count requests. Each cell links to its evidence.</p></section>`;
}

function row(operation: OperationReport, report: Report, anchors: ReadonlyMap<string, string>): Markup {
  const cells = columns.map(([column, name]) => {
    const one = cellOf(column, operation, report);
    const shown = html`<span class="${one.verdict}"><span aria-hidden="true">${verdictSigns[one.verdict]}</span>\u00a0${one.text}</span>`;
    const label = `${operation.id}, ${name.toLowerCase()}: ${one.label}`;
    const linked =
      one.finding === null
        ? evidenceLink(report, one.exchange, shown, label)
        : html`<a href="#${anchors.get(one.finding.id)}" aria-label="${label}">${shown}</a>`;
    return html`<td>${one.label === '' ? html`<span class="not-applicable" aria-label="${`${name}: not tested`}" role="img">–</span>` : linked}</td>`;
  });
  return html`<tr><th scope="row"><a href="#${operationAnchor(operation.id)}">${operation.id}</a></th>${cells}</tr>`;
}

function cellOf(column: Column, operation: OperationReport, report: Report): Cell {
  const name = operationName(operation);
  const findings = report.findings.filter((one) => one.operation === name);
  if (column === 'shape' || column === 'rules') return clausesCell(column, operation, findings, report);
  const { requests, exchange } = operation.ways[column];
  const mine = findings.filter(({ exchange }) => {
    const record = report.exchanges[exchange];
    return record !== undefined && originOf(record) === column;
  });
  const broken = new Set(mine.map(({ clause }) => clause)).size;
  if (requests === 0) return { verdict: 'inconclusive', text: '', label: '', finding: null, exchange: null };
  return {
    verdict: worst(mine) ?? (column !== 'probe' && isSilent(operation) ? 'inconclusive' : 'pass'),
    text: grouped(requests),
    label: `${counted(requests, 'request')}${broken > 0 ? `, ${counted(broken, 'clause')} ${verdictName(worst(mine)!)}` : ''}`,
    finding: mine[0] ?? null,
    exchange,
  };
}

function clausesCell(
  column: 'shape' | 'rules',
  operation: OperationReport,
  findings: readonly Finding[],
  report: Report,
): Cell {
  const name = operationName(operation);
  const here = report.clauses.flatMap(({ id, level, places }) => {
    const place = places.find((one) => one.operation === name);
    const isShape = place !== undefined && place.pointers.length > 0;
    return place !== undefined && level !== 'open' && isShape === (column === 'shape')
      ? [{ id, asked: place.exercised > 0 }]
      : [];
  });
  if (here.length === 0) return { verdict: 'inconclusive', text: '', label: '', finding: null, exchange: null };
  const ids = new Set(here.map(({ id }) => id));
  const mine = findings.filter(({ clause }) => ids.has(clause));
  const broken = new Set(mine.map(({ clause }) => clause)).size;
  const asked = Math.max(here.filter((one) => one.asked).length, broken);
  const { ways } = operation;
  return {
    verdict: worst(mine) ?? (asked === 0 || isSilent(operation) ? 'inconclusive' : 'pass'),
    text: broken > 0 ? `${broken} of ${asked}` : asked < here.length ? `${asked} of ${here.length}` : `${asked}`,
    label: `${asked} of ${counted(here.length, 'clause')} tested, ${broken} not kept`,
    finding: mine[0] ?? null,
    exchange: ways.flow.exchange ?? ways.property.exchange ?? ways.probe.exchange,
  };
}

/** An operation that never succeeded, or lost most of its documented requests, is not shown as kept. */
const isSilent = (operation: OperationReport): boolean => operation.successes === 0 || isMostlyUnanswered(operation);

function worst(findings: readonly Finding[]): 'fail' | 'warning' | null {
  return findings.some(({ verdict }) => verdict === 'fail') ? 'fail' : findings.length > 0 ? 'warning' : null;
}
