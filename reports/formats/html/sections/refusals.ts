/** What was refused of the documented requests, and what explains it: the unexplained first. */
import type { Report } from '../../../model/report.ts';
import { evidenceLink } from '../components.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';

const points: ReadonlySet<string> = new Set(['loans.refusals', 'links.refusals']);
/** Clauses that say that what is refused has a reason. */
const ofRefusals = /\.(?:refusal-explained|listed-is-taken|is-taken)$/;

/** The section of refusals; empty where nothing was refused. */
export function refusalsSection(report: Report): Markup | '' {
  const told = report.observations.filter(({ point }) => points.has(point));
  if (told.length === 0) return '';
  const found = report.findings.filter(({ clause }) => ofRefusals.test(clause));
  const contrasts = found.map(
    ({ operation, pointer, received, exchange }) =>
      html`<tr><td><code>${operation}</code></td><td>a contrast pair at <code>${pointer}</code></td><td>${evidenceLink(report, exchange, received)}</td></tr>`,
  );
  const rows = told.map(
    ({ operation, about, value, exchange }) =>
      html`<tr><td><code>${operation}</code></td><td>${about}</td><td>${evidenceLink(report, exchange, value)}</td></tr>`,
  );
  return html`<section aria-labelledby="refusals"><h2 id="refusals">What was refused, and what explains it</h2>
<p>Rules of business are the target's own affair. What no rule explains was asked again beside a request that differs in one value; what repeats is a finding.</p>
<table class="stack"><thead><tr><th scope="col">Asked at</th><th scope="col">What</th><th scope="col">Refused</th></tr></thead><tbody>${contrasts}${rows}</tbody></table></section>`;
}
