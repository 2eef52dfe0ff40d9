/** Shows the top of the page: the verdict and its reasons, what changed, and the steps and counts of each area. */
import { operationFacts, type Area } from '../../../../openapi/api.ts';
import type { Changes, JudgedEntry, OperationReport, Report } from '../../../model/report.ts';
import { describeKnownFindings } from '../../../baseline/expected-failures.ts';
import {
  chooseSignal,
  countByArea,
  countColumns,
  describeBank,
  describeGate,
  describeHeadline,
  listOtherReasons,
} from '../../overview.ts';
import {
  EMBEDDED_BANK,
  areaTitles,
  counted,
  describeChanges,
  describeRequests,
  formatOperationName,
  formatTime,
  grouped,
} from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import {
  joinParts,
  linkClause,
  makeAnchor,
  renderCount,
  renderFoldedPart,
  renderTable,
  verdictSigns,
} from '../components.ts';

export function renderSummary(report: Report): Markup {
  const { target, gate, startedAt } = report;
  const { headline, cause } = describeHeadline(report);
  const { outcome, reasonText, untestedNote } = describeGate(report);
  const reasons = listOtherReasons(report).map((reason) => html`<li>${reason}</li>`);
  return html`<header class="first">
<p class="small soft">Bank Open API · conformance report · <time datetime="${startedAt}">${formatTime(startedAt)}</time> · ${describeRequests(report)}</p>
<h1 class="${chooseSignal(report)}">${headline.charAt(0).toUpperCase()}${headline.slice(1)}${cause === '' ? '' : html`<small>${cause}</small>`}${target.embedded ? `: ${EMBEDDED_BANK}` : ''}</h1>
<p class="who">${describeBank(report)}</p>
<p class="small"><strong class="${gate.pass ? 'pass' : 'fail'}">${outcome}</strong>: ${reasonText} (exit status ${gate.exitStatus})${untestedNote === '' ? '' : html`. <a href="#not-tested">${untestedNote}</a>`}</p>
${reasons.length === 0 ? '' : html`<ul class="reasons">${reasons}</ul>`}
${renderComparisons(report)}${report.requests === 0 ? '' : renderAreas(report)}</header>`;
}

/** Shows for each area its counts, and its operations in their order as a line of steps. */
function renderAreas(report: Report): Markup {
  // Shared clauses need no row if the bank kept all of them.
  const isKeptWhole = (counts: readonly number[]): boolean =>
    countColumns.every(({ verdict }, index) => verdict === 'pass' || counts[index] === 0);
  const rows = countByArea(report).filter(({ area, counts }) => area !== 'service' || !isKeptWhole(counts));
  const columns = [
    'Area',
    'Steps, with their accepted requests (a shared clause counts at each step)',
    ...countColumns.map(({ name }) => ({ number: name })),
  ];
  return renderTable(
    columns,
    rows.map(({ area, counts }) => ({
      cells: [
        areaTitles[area],
        area === 'service' ? '' : renderSteps(report, area),
        ...counts.map((count, index) => renderCount(count, countColumns[index]!.verdict)),
      ],
    })),
    '',
    'areas',
  );
}

function renderSteps(report: Report, area: Area): Markup {
  const steps = report.operations.filter((operation) => operation.area === area);
  return html`<ol class="steps">${steps.map((operation) => {
    const { verdict, note } = describeStep(operation, report);
    return html`<li class="${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span><a href="#${makeAnchor('operation', operation.id)}">${operationFacts[operation.id].label}</a><span class="soft">${grouped(operation.successes)} accepted</span>${note === '' ? '' : html`<strong>${note}</strong>`}</li>`;
  })}</ol>`;
}

function describeStep(operation: OperationReport, { findings }: Report) {
  const findingsHere = findings.filter((finding) => finding.operation === formatOperationName(operation));
  const countClauses = (verdict: string): number =>
    new Set(findingsHere.filter((finding) => finding.verdict === verdict).map(({ clause }) => clause)).size;
  const [brokenCount, warningCount] = [countClauses('fail'), countClauses('warning')];
  if (brokenCount > 0) return { verdict: 'fail', note: `${brokenCount} broken` } as const;
  if (operation.successes === 0)
    return { verdict: 'inconclusive', note: operation.requests === 0 ? 'not requested' : 'no success' } as const;
  if (warningCount > 0) return { verdict: 'warning', note: counted(warningCount, 'warning') } as const;
  return { verdict: 'pass', note: '' } as const;
}

const MAX_UNFOLDED_ENTRIES = 5;

function renderComparisons({ suite, against }: Report): Markup | null {
  if (suite.overlay === undefined && against === undefined) return null;
  const { known, changes } = against ?? {};
  return html`<div id="against">${suite.overlay && renderOverlay(suite.overlay)}${known && renderKnownFindings(known)}${changes && renderChanges(changes)}</div>`;
}

const renderOverlay = ({ title, actions, digest }: NonNullable<Report['suite']['overlay']>): Markup =>
  html`<p class="warning"><strong>The contract was changed before this run by the overlay “${title}” (${counted(actions, 'action')}).</strong> The bank is judged by the changed contract, not by the document alone. Digest of the overlay: <code>${digest}</code></p>`;

const verdictByState = { tolerated: 'pass', expired: 'fail', stale: 'warning', 'not tested': 'inconclusive' } as const;

const nameState = (state: string): string => (state === 'stale' ? 'did not show any more' : state);

function renderKnownFindings(entries: readonly JudgedEntry[]): Markup {
  const notes = describeKnownFindings(entries);
  const rows = entries.map(({ clause, operation, pointer, form, only, reason, owner, expires, state }) => ({
    cells: [
      html`<strong class="${verdictByState[state]}">${nameState(state)}</strong>`,
      html`${clause}<br><code>${operation}</code> ${pointer}${form === undefined ? '' : `: ${form}`}${only === undefined ? '' : `, only where ${only}`}`,
      reason,
      owner,
      expires,
    ],
  }));
  const stateCounts = Object.entries(verdictByState).flatMap(([state, verdict]) => {
    const count = entries.filter((entry) => entry.state === state).length;
    return count === 0 ? [] : [html`<strong class="${verdict}">${count} ${nameState(state)}</strong>`];
  });
  const table = renderTable(['State', 'Finding', 'Reason', 'Owner', 'Until'], rows);
  const title = html`<strong>Known findings:</strong> ${stateCounts.length === 0 ? 'none' : joinParts(stateCounts)}`;
  return html`${renderFoldedPart(title, '', table)}${notes.length === 0 ? '' : html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}`;
}

function renderChanges(changes: Changes): Markup {
  const { before, factor } = changes;
  const descriptions = describeChanges(changes);
  const entries = html`<ul>${descriptions.map(({ clause, text }) => html`<li>${clause === null ? '' : html`${linkClause(clause)}: `}${text}</li>`)}</ul>`;
  const changeList =
    descriptions.length > MAX_UNFOLDED_ENTRIES ? renderFoldedPart('All changes', '', entries) : entries;
  return html`<p><strong>Changed since ${formatTime(before.startedAt)}: ${descriptions.length === 0 ? 'nothing' : counted(descriptions.length, 'thing')}</strong> <span class="small soft">(${before.name ?? 'a bank without a name'}${before.build === null ? '' : `, build ${before.build}`}; a latency counts if it rose by more than a factor of ${factor})</span></p>${descriptions.length === 0 ? '' : changeList}`;
}
