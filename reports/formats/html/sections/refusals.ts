/** What was refused of the documented requests, and what explains it: the unexplained first. */
import { ofRefusals } from '../../../fold/findings.ts';
import type { Report } from '../../../model/report.ts';
import { evidenceLink } from '../components.ts';
import { html, type Markup } from '../markup.ts';

const points: ReadonlySet<string> = new Set(['loans.refusals', 'links.refusals']);

/** The section of refusals; empty where nothing was refused. */
export function refusalsSection(report: Report): Markup | '' {
  const observed = report.observations.filter(({ point }) => points.has(point));
  if (observed.length === 0) return '';
  const found = report.findings.filter(({ clause }) => ofRefusals.test(clause));
  const contrasts = found.map(
    ({ operation, pointer, received, exchange }) =>
      html`<tr><td><code>${operation}</code></td><td>a contrast pair at <code>${pointer}</code></td><td>${evidenceLink(report, exchange, received)}</td></tr>`,
  );
  const rows = observed.map(
    ({ operation, about, value, exchange }) =>
      html`<tr><td><code>${operation}</code></td><td>${about}</td><td>${evidenceLink(report, exchange, value)}</td></tr>`,
  );
  return html`<section aria-labelledby="refusals"><h2 id="refusals">Refused requests, and what explains them</h2>
<p>A bank may have its own business rules. Where no rule explains a refusal, the suite sent the request again beside one that differs in a single value; a refusal that repeats is a finding.</p>
<table class="stack"><thead><tr><th scope="col">Operation</th><th scope="col">Explanation</th><th scope="col">Refused</th></tr></thead><tbody>${contrasts}${rows}</tbody></table></section>`;
}
