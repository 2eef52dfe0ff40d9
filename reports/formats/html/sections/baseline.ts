/** Shows what the run was compared with: an overlay, pins, known findings, an earlier run. */
import type { ComparisonResult, Changes, JudgedEntry } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import { describeChanges, counted, formatTime } from '../../../text/phrases.ts';
import { linkClause, renderFoldedPart, joinParts, renderTable } from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** Lists of changes with more entries are folded at first. */
const MAX_UNFOLDED_ENTRIES = 5;

/** Renders the comparisons; null if the run was compared only with the document. */
export function renderComparisons({ suite, against }: Report): Markup | null {
  if (suite.overlay === undefined && against === undefined) return null;
  const { pins, known, changes } = against ?? {};
  return html`<div id="against">${suite.overlay && renderOverlay(suite.overlay)}${known && renderKnown(known)}${changes && renderChanges(changes)}${pins && renderPins(pins)}</div>`;
}

const renderOverlay = ({ title, actions, digest }: NonNullable<Report['suite']['overlay']>): Markup =>
  html`<p class="warning"><strong>The contract was changed before this run by the overlay “${title}” (${counted(actions, 'action')}).</strong> The bank is judged by the changed contract, not by the document alone. Digest of the overlay: <code>${digest}</code></p>`;

const renderPins = ({ points, target, startedAt }: NonNullable<ComparisonResult['pins']>): Markup =>
  html`<p><strong>${counted(points.length, 'open point')} pinned</strong> to the answers of ${target ?? 'a run'} of ${formatTime(startedAt)}: ${joinParts(points.map(linkClause))}. Another answer is a finding.</p>`;

const verdictByState = { tolerated: 'pass', expired: 'fail', stale: 'fail', 'not tested': 'inconclusive' } as const;

function renderKnown(entries: readonly JudgedEntry[]): Markup {
  const rows = entries.map(({ clause, operation, pointer, value, reason, owner, expires, state }) => ({
    cells: [
      html`<strong class="${verdictByState[state]}">${state}</strong>`,
      html`${clause}<br><code>${operation}</code> ${pointer}${value === undefined ? '' : html` with the value <code>${value}</code>`}`,
      reason,
      owner,
      expires,
    ],
  }));
  const counts = Object.entries(verdictByState).flatMap(([state, verdict]) => {
    const count = entries.filter((one) => one.state === state).length;
    return count === 0 ? [] : [html`<strong class="${verdict}">${count} ${state}</strong>`];
  });
  const list = renderTable(['State', 'Finding', 'Reason', 'Owner', 'Until'], rows);
  return renderFoldedPart(
    html`<strong>Known findings:</strong> ${counts.length === 0 ? 'none' : joinParts(counts)}`,
    '',
    list,
  );
}

function renderChanges(changes: Changes): Markup {
  const { before, factor } = changes;
  const said = describeChanges(changes);
  const entries = html`<ul>${said.map(({ clause, text }) => html`<li>${clause === null ? '' : html`${linkClause(clause)}: `}${text}</li>`)}</ul>`;
  const list =
    said.length > MAX_UNFOLDED_ENTRIES ? renderFoldedPart('All changes', '', entries) : said.length > 0 ? entries : '';
  return html`<p><strong>Changed since ${formatTime(before.startedAt)}: ${said.length === 0 ? 'nothing' : counted(said.length, 'thing')}</strong> <span class="small soft">(${before.name ?? 'a bank without a name'}${before.build === null ? '' : `, build ${before.build}`}; a latency counts if it rose by more than a factor of ${factor})</span></p>${list}`;
}
