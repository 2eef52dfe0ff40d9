/** Shows refused documented requests with explanations. Refusals without an explanation come first. */
import { REFUSAL_CLAUSE } from '../../../fold/findings.ts';
import type { Report } from '../../../model/report.ts';
import { counted } from '../../../text/phrases.ts';
import { linkEvidence, renderFold, openSection, renderTable } from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** Renders the section about refusals; empty if nothing was refused. */
export function renderRefusals(report: Report): Markup | '' {
  const observed = report.observations.filter(({ point }) => /^(?:loans|links)\.refusals$/.test(point));
  if (observed.length === 0) return '';
  const found = report.findings.filter(({ clause }) => REFUSAL_CLAUSE.test(clause));
  const rows = [
    ...found.map(({ operation, pointer, received, exchange }) => {
      const explanation = html`a contrast pair at <code>${pointer}</code>`;
      return [html`<code>${operation}</code>`, explanation, linkEvidence(report, exchange, received)];
    }),
    ...observed.map(({ operation, about, value, exchange }) => {
      return [html`<code>${operation}</code>`, about ?? '', linkEvidence(report, exchange, value)];
    }),
  ];
  return openSection(
    'refusals',
    'Refused requests, and what explains them',
  )`<p>A bank may have its own business rules. Where no rule explains a refusal, the suite sent the request again beside one that differs in a single value; a refusal that repeats is a finding.</p>
${renderFold(
  'Refused requests',
  counted(rows.length, 'explanation'),
  renderTable(
    ['Operation', 'Explanation', 'Refused'],
    rows.map((cells) => ({ attributes: html` data-item`, cells })),
  ),
)}`;
}
