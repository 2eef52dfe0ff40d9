/** Shows what the run was compared with: an overlay, pins, known findings, an earlier run. */
import type { Report } from '../../../model/report.ts';
import { counted, verdictName } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import { clauseLink, factList, joined, section, table } from '../components.ts';
import type { Changes, ComparisonResult, JudgedEntry } from '../../../model/contents.ts';

/** Renders the section; null if the run was compared only with the document. */
export function baselineSection({ suite, against }: Report): Markup | null {
  if (suite.overlay === undefined && against === undefined) return null;
  const { pins, known, changes } = against ?? {};
  return section('against', 'Compared with')`${suite.overlay && overlayPart(suite.overlay, suite.contractDigest)}
${pins && pinsPart(pins)}
${known && knownPart(known)}
${changes && changesPart(changes)}`;
}

const code = (text: string): Markup => html`<code>${text}</code>`;

const overlayPart = (given: NonNullable<Report['suite']['overlay']>, published: string): Markup =>
  html`<h3>An overlay</h3><p class="warning"><strong>The contract was changed before this run by the overlay “${given.title}” (${counted(given.actions, 'action')}).</strong> The bank is judged by the changed contract, not by the document alone.</p>
${factList([
  ['Contract as published', code(published)],
  ['Overlay', code(given.digest)],
  ['Contract with the overlay', code(given.contractDigest)],
])}`;

const pinsPart = ({ points, target, startedAt }: NonNullable<ComparisonResult['pins']>): Markup =>
  html`<h3>Pinned answers</h3><p>${counted(points.length, 'open point')} ${points.length === 1 ? 'was' : 'were'} pinned to the answers of ${target ?? 'a run'} of ${startedAt}: ${joined(points.map(clauseLink))}. Another answer is a finding.</p>`;

const stateClass = { tolerated: 'pass', 'not tested': 'inconclusive', expired: 'fail', stale: 'fail' } as const;

function knownPart(entries: readonly JudgedEntry[]): Markup {
  const rows = entries.map(({ clause, operation, pointer, reason, owner, expires, state }) => ({
    cells: [
      html`<strong class="${stateClass[state]}">${state}</strong>`,
      html`${clause}<br><code>${operation}</code> ${pointer}`,
      reason,
      owner,
      expires,
    ],
  }));
  const shown = rows.length === 0 ? html`<p>None.</p>` : table(['State', 'Finding', 'Reason', 'Owner', 'Until'], rows);
  return html`<h3>Known findings</h3>${shown}`;
}

function changesPart({ before, verdict, clauses, findings, answers, latency, factor }: Changes): Markup {
  const change = (was: string, is: string): Markup => html`before ${was}, now <strong>${is}</strong>`;
  const entries = [
    ...(verdict === null ? [] : [html`The verdict: ${change(...verdict)}`]),
    ...clauses.map((one) => {
      return html`${clauseLink(one.clause)}: ${change(verdictName(one.before), verdictName(one.now))}`;
    }),
    ...findings.fresh.map((id) => html`New: ${id}`),
    ...findings.gone.map((id) => html`Gone: ${id}`),
    ...answers.map(({ point, operation, about, ...one }) => {
      const named = html`${clauseLink(point)} at <code>${operation}</code>${about === null ? '' : `, ${about}`}`;
      return html`${named}: ${change(one.before.join('; '), one.now.join('; '))}`;
    }),
    ...latency.map((one) => html`<code>${one.operation}</code> takes ${one.now} ms (median), before ${one.before} ms`),
  ];
  return html`<h3>What changed since ${before.startedAt}</h3><p>Compared with the run against ${before.name ?? 'a bank without a name'}${before.build === null ? '' : `, build ${before.build}`}; a latency is listed where it rose by more than a factor of ${factor}. Changes do not affect the verdict or the gate.</p>
${entries.length === 0 ? html`<p>Nothing.</p>` : html`<ul>${entries.map((one) => html`<li>${one}</li>`)}</ul>`}`;
}
