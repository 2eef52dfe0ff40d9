/** The report as one page: self-contained, readable without script and without network. */
import type { Report } from '../../model/report.ts';
import { targetName } from '../../text/phrases.ts';
import { documentSection } from './sections/document.ts';
import type { Strength } from './sections/document.ts';
import { evidenceSection } from './sections/evidence.ts';
import { filterBar } from './filters.ts';
import { exchangesOfFindings, findingsSection } from './sections/findings.ts';
import { summarySection } from './sections/summary.ts';
import { html } from './markup.ts';
import { operationsSection } from './sections/operations.ts';
import { picturesSection } from './sections/pictures.ts';
import { baselineSection } from './sections/baseline.ts';
import { behaviourProfileSection } from './sections/behaviour-profile.ts';
import { createdResourcesSection, errorsSection, scenariosSection } from './sections/resources.ts';
import { script } from './client-script.ts';
import { layout } from './layout.ts';

/**
 * Renders a report as one self-contained page. Pure: the same report gives the same page. `strength` says how well the
 * suite is proven to notice each clause.
 */
export function renderHtml(report: Report, strength: Strength = new Map()): string {
  return layout({
    title: `${report.headline}: ${targetName(report.target)}, Bank Open API`,
    skip: { to: 'findings', text: 'Skip to the findings' },
    script,
    body: html`${summarySection(report)}
${errorsSection(report)}
${baselineSection(report)}
${filterBar(report)}
${findingsSection(report)}
${documentSection(report, strength)}
${behaviourProfileSection(report)}
${picturesSection(report)}
${operationsSection(report)}
${createdResourcesSection(report)}
${scenariosSection(report)}
${evidenceSection(report, exchangesOfFindings(report))}
<footer><p>Made by the Bank Open API conformance suite ${report.suite.version} from ${report.format}. Everything here is rendered from conformance.json; <code>npm run verify -- conformance.json</code> judges its evidence again.</p>
<p>Keys: <kbd>/</kbd> filters, <kbd>j</kbd> and <kbd>k</kbd> go to the next and the previous finding, <kbd>Esc</kbd> shows all again.</p></footer>`,
  });
}
