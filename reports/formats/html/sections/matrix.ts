/** Shows the matrix on the first screen: each operation and its requests. Every cell links to its evidence. */
import { areas } from '../../../../openapi/model/exchange.ts';
import { nameOperation, areaTitles, counted, grouped, nameVerdict } from '../../../text/phrases.ts';
import type { ClauseVerdict, Finding, OperationReport, Report } from '../../../model/report.ts';
import { isMostlyUnanswered } from '../../../fold/verdict/remedies.ts';
import { html, type Markup } from '../markup.ts';
import { linkEvidence, anchorFindings, anchorOperation, openSection, verdictSigns, renderWide } from '../components.ts';
import { getOrigin, type RequestOrigin } from '../../../model/contents.ts';

type Column = 'shape' | 'rules' | RequestOrigin;

const COLUMNS: readonly (readonly [Column, string, string])[] = [
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
  readonly findings: readonly Finding[];
  readonly exchange: string | null;
}

export function renderMatrix(report: Report): Markup {
  const rows = areas.flatMap((area) => {
    const ofArea = report.operations.filter((operation) => operation.area === area);
    if (ofArea.length === 0) return [];
    return [
      html`<tr class="area"><th colspan="6" scope="rowgroup">${areaTitles[area]}</th></tr>`,
      ...ofArea.map((operation) => renderRow(operation, report)),
    ];
  });
  const heads = COLUMNS.map(([, name, meaning]) => html`<th scope="col"><abbr title="${meaning}">${name}</abbr></th>`);
  const table = html`<table class="matrix"><thead><tr><th scope="col">Operation</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
  return openSection('matrix', 'What was tested, by operation', html` class="on-screen"`)`${renderWide('matrix', table)}
<p class="small soft">Shape and Rules count clauses; Flow, Properties and Probes count requests. Each cell links to its evidence.</p>`;
}

function renderRow(operation: OperationReport, report: Report): Markup {
  const anchors = anchorFindings(report);
  const cells = COLUMNS.map(([column, name]) => {
    const cell = makeCell(column, operation, report);
    if (cell === null)
      return html`<td><span class="not-applicable" aria-label="${`${name}: not tested`}" role="img">–</span></td>`;
    const { verdict, text, findings, exchange } = cell;
    const shown = html`<span class="${verdict}"><span aria-hidden="true">${verdictSigns[verdict]}</span>\u00a0${text}</span>`;
    const label = `${operation.id}, ${name.toLowerCase()}: ${cell.label}`;
    const [first] = findings;
    return html`<td>${first === undefined ? linkEvidence(report, exchange, shown, label) : html`<a href="#${anchors.get(first.id)}" aria-label="${label}">${shown}</a>`}</td>`;
  });
  return html`<tr><th scope="row"><a href="#${anchorOperation(operation.id)}">${operation.id}</a></th>${cells}</tr>`;
}

/** Returns a cell; null if no request was sent. */
function makeCell(column: Column, operation: OperationReport, report: Report): Cell | null {
  const { ways } = operation;
  const name = nameOperation(operation);
  const here = report.findings.filter((one) => one.operation === name);
  const clausesOf = (findings: readonly Finding[]): number => new Set(findings.map(({ clause }) => clause)).size;
  // An operation that never succeeded, or lost most documented requests, must not look good.
  const isSilent = operation.successes === 0 || isMostlyUnanswered(operation);
  const verdictOf = (findings: readonly Finding[], isUntested: boolean): ClauseVerdict =>
    getWorst(findings) ?? (isUntested ? 'inconclusive' : 'pass');
  if (column === 'shape' || column === 'rules') {
    const places = new Map(
      report.clauses.flatMap(({ id, level, places }) => {
        const place = places.find((one) => one.operation === name);
        if (place === undefined || level === 'open') return [];
        return place.pointers.length > 0 === (column === 'shape') ? [[id, place] as const] : [];
      }),
    );
    if (places.size === 0) return null;
    const findings = here.filter(({ clause }) => places.has(clause));
    const broken = clausesOf(findings);
    const tested = Math.max([...places.values()].filter((one) => one.exercised > 0).length, broken);
    return {
      verdict: verdictOf(findings, tested === 0 || isSilent),
      text: broken > 0 ? `${broken} of ${tested}` : tested < places.size ? `${tested} of ${places.size}` : `${tested}`,
      label: `${tested} of ${counted(places.size, 'clause')} tested, ${broken} not kept`,
      findings,
      exchange: ways.flow.exchange ?? ways.property.exchange ?? ways.probe.exchange,
    };
  }
  const { requests, exchange } = ways[column];
  if (requests === 0) return null;
  const findings = here.filter((one) => {
    const record = report.exchanges[one.exchange];
    return record !== undefined && getOrigin(record) === column;
  });
  const verdict = verdictOf(findings, column !== 'probe' && isSilent);
  const broken = findings.length === 0 ? '' : `, ${counted(clausesOf(findings), 'clause')} ${nameVerdict(verdict)}`;
  return { verdict, text: grouped(requests), label: `${counted(requests, 'request')}${broken}`, findings, exchange };
}

function getWorst(findings: readonly Finding[]): 'fail' | 'warning' | null {
  return findings.some(({ verdict }) => verdict === 'fail') ? 'fail' : findings.length > 0 ? 'warning' : null;
}
