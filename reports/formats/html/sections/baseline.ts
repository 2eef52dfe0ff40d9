/** Says on the first screen what the run was compared with: an overlay, pins, known findings, an earlier run. */
import type { ComparisonResult, Changes, JudgedEntry } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import { changesInWords, counted, timeInWords } from '../../../text/phrases.ts';
import { clauseLink, fold, joined, table } from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** Longer lists of changes are closed at first. */
const MAX_OPEN = 5;

/** Renders the comparisons; null if the run was compared only with the document. */
export function comparedWith({ suite, against }: Report): Markup | null {
  if (suite.overlay === undefined && against === undefined) return null;
  const { pins, known, changes } = against ?? {};
  return html`<div id="against">${suite.overlay && overlayPart(suite.overlay)}${known && knownPart(known)}${changes && changesPart(changes)}${pins && pinsPart(pins)}</div>`;
}

const overlayPart = ({ title, actions, digest }: NonNullable<Report['suite']['overlay']>): Markup =>
  html`<p class="warning"><strong>The contract was changed before this run by the overlay “${title}” (${counted(actions, 'action')}).</strong> The bank is judged by the changed contract, not by the document alone. Digest of the overlay: <code>${digest}</code></p>`;

const pinsPart = ({ points, target, startedAt }: NonNullable<ComparisonResult['pins']>): Markup =>
  html`<p><strong>${counted(points.length, 'open point')} pinned</strong> to the answers of ${target ?? 'a run'} of ${timeInWords(startedAt)}: ${joined(points.map(clauseLink))}. Another answer is a finding.</p>`;

const states = { tolerated: 'pass', expired: 'fail', stale: 'fail', 'not tested': 'inconclusive' } as const;

function knownPart(entries: readonly JudgedEntry[]): Markup {
  const rows = entries.map(({ clause, operation, pointer, value, reason, owner, expires, state }) => ({
    cells: [
      html`<strong class="${states[state]}">${state}</strong>`,
      html`${clause}<br><code>${operation}</code> ${pointer}${value === undefined ? '' : html` with the value <code>${value}</code>`}`,
      reason,
      owner,
      expires,
    ],
  }));
  const counts = Object.entries(states).flatMap(([state, verdict]) => {
    const count = entries.filter((one) => one.state === state).length;
    return count === 0 ? [] : [html`<strong class="${verdict}">${count} ${state}</strong>`];
  });
  const list = table(['State', 'Finding', 'Reason', 'Owner', 'Until'], rows);
  return fold(html`<strong>Known findings:</strong> ${counts.length === 0 ? 'none' : joined(counts)}`, '', list);
}

function changesPart(changes: Changes): Markup {
  const { before, factor } = changes;
  const said = changesInWords(changes);
  const entries = html`<ul>${said.map(({ clause, text }) => html`<li>${clause === null ? '' : html`${clauseLink(clause)}: `}${text}</li>`)}</ul>`;
  const list = said.length > MAX_OPEN ? fold('All changes', '', entries) : said.length > 0 ? entries : '';
  return html`<p><strong>Changed since ${timeInWords(before.startedAt)}: ${said.length === 0 ? 'nothing' : counted(said.length, 'thing')}</strong> <span class="small soft">(${before.name ?? 'a bank without a name'}${before.build === null ? '' : `, build ${before.build}`}; a latency counts if it rose by more than a factor of ${factor})</span></p>${list}`;
}
