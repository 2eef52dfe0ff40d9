/** What the run was held against besides the document: an overlay, pins, known findings, an earlier run. */
import type { Report } from '../../../model/report.ts';
import { counted, verdictName } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import { clauseAnchor } from '../components.ts';
import type { Changes, JudgedEntry } from '../../../model/comparison.ts';

/** The section; nothing where the run was held against the document alone. */
export function baselineSection(report: Report): Markup | null {
  const { suite, against } = report;
  if (suite.overlay === undefined && against === undefined) return null;
  return html`<section aria-labelledby="against"><h2 id="against">Compared with</h2>
${suite.overlay === undefined ? '' : overlay(report)}
${against?.pins === undefined ? '' : html`<h3>Pinned answers</h3><p>${counted(against.pins.points.length, 'open point')} ${against.pins.points.length === 1 ? 'was' : 'were'} pinned to the answers of ${against.pins.target ?? 'a run'} of ${against.pins.startedAt}: ${links(against.pins.points)}. Another answer is a finding.</p>`}
${against?.known === undefined ? '' : known(against.known)}
${against?.changes === undefined ? '' : changes(against.changes)}</section>`;
}

function overlay({ suite }: Report): Markup {
  const { overlay: given } = suite;
  return html`<h3>An overlay</h3><p class="warning"><strong>The contract was changed before this run by the overlay “${given?.title}” (${counted(given?.actions ?? 0, 'action')}).</strong> The bank is judged by the changed contract, not by the document alone.</p>
<dl class="facts"><div><dt>Contract as published</dt><dd><code>${suite.contractDigest}</code></dd></div><div><dt>Overlay</dt><dd><code>${given?.digest}</code></dd></div><div><dt>Contract with the overlay</dt><dd><code>${given?.contractDigest}</code></dd></div></dl>`;
}

const links = (points: readonly string[]): readonly Markup[] =>
  points.map((point, at) => html`${at > 0 ? ', ' : ''}<a href="#${clauseAnchor(point)}">${point}</a>`);

function known(entries: readonly JudgedEntry[]): Markup {
  const rows = entries.map(
    ({ clause, operation, pointer, reason, owner, expires, state }) =>
      html`<tr><td data-label="State"><strong class="${state === 'tolerated' ? 'pass' : state === 'not tested' ? 'inconclusive' : 'fail'}">${state}</strong></td><td data-label="Finding"><span>${clause}<br><code>${operation}</code> ${pointer}</span></td><td data-label="Reason"><span>${reason}</span></td><td data-label="Owner"><span>${owner}</span></td><td data-label="Until"><span>${expires}</span></td></tr>`,
  );
  return html`<h3>Known findings</h3>${rows.length === 0 ? html`<p>None.</p>` : html`<table class="stack"><thead><tr><th scope="col">State</th><th scope="col">Finding</th><th scope="col">Reason</th><th scope="col">Owner</th><th scope="col">Until</th></tr></thead><tbody>${rows}</tbody></table>`}`;
}

function changes({ before, verdict, clauses, findings, answers, latency, factor }: Changes): Markup {
  const entries = [
    ...(verdict === null ? [] : [html`<li>The verdict: before ${verdict[0]}, now <strong>${verdict[1]}</strong></li>`]),
    ...clauses.map(
      (one) =>
        html`<li><a href="#${clauseAnchor(one.clause)}">${one.clause}</a>: before ${verdictName(one.before)}, now <strong>${verdictName(one.now)}</strong></li>`,
    ),
    ...findings.fresh.map((id) => html`<li>New: ${id}</li>`),
    ...findings.gone.map((id) => html`<li>Gone: ${id}</li>`),
    ...answers.map(
      (one) =>
        html`<li><a href="#${clauseAnchor(one.point)}">${one.point}</a> at <code>${one.operation}</code>${one.about === null ? '' : `, ${one.about}`}: before ${one.before.join('; ')}, now <strong>${one.now.join('; ')}</strong></li>`,
    ),
    ...latency.map(
      (one) => html`<li><code>${one.operation}</code> takes ${one.now} ms (median), before ${one.before} ms</li>`,
    ),
  ];
  return html`<h3>What changed since ${before.startedAt}</h3><p>Compared with the run against ${before.name ?? 'a bank without a name'}${before.build === null ? '' : `, build ${before.build}`}; a latency is listed where it rose by more than a factor of ${factor}. Changes do not affect the verdict or the gate.</p>
${entries.length === 0 ? html`<p>Nothing.</p>` : html`<ul>${entries}</ul>`}`;
}
