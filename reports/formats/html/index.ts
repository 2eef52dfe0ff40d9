/** The report as one page: self-contained, readable without script and without network. */
import { gzipSync } from 'node:zlib';
import type { Report } from '../../model/report.ts';
import { targetName } from '../../text/phrases.ts';
import { documentSection } from './sections/document.ts';
import type { Strength } from './sections/document.ts';
import { evidenceSection } from './sections/evidence.ts';
import { filterBar } from './filters.ts';
import { exchangesOfFindings, findingsSection } from './sections/findings.ts';
import { summarySection } from './sections/summary.ts';
import type { Evidence } from './judging/rejudge.ts';
import { html, rawHtml } from './markup.ts';
import type { Markup } from './markup.ts';
import { operationsSection } from './sections/operations.ts';
import { picturesSection } from './sections/pictures.ts';
import { baselineSection } from './sections/baseline.ts';
import { behaviourProfileSection } from './sections/behaviour-profile.ts';
import { createdResourcesSection, errorsSection, scenariosSection } from './sections/resources.ts';
import { script } from './client-script.ts';
import { exchangesCarried } from './evidence-budget.ts';
import { layout } from './layout.ts';

export interface PageOptions {
  /** The judge as a script, with which the page judges itself; without it the page says that it cannot. */
  readonly judge?: string;
  /** How well the suite is proven to notice each clause. */
  readonly strength?: Strength;
}

/** Renders a report as one self-contained page. Pure: the same report gives the same page. */
export function renderHtml(report: Report, { judge = '', strength = new Map() }: PageOptions = {}): string {
  return layout({
    title: `${report.headline}: ${targetName(report.target)}, Bank Open API`,
    skip: { to: 'findings', text: 'Skip to the findings' },
    scripts: [judge, script],
    body: html`${summarySection(report, judge !== '')} ${errorsSection(report)} ${baselineSection(report)}
      ${filterBar(report)} ${findingsSection(report)} ${documentSection(report, strength)}
      ${behaviourProfileSection(report)} ${picturesSection(report)} ${operationsSection(report)}
      ${createdResourcesSection(report)} ${scenariosSection(report)}
      ${evidenceSection(report, exchangesOfFindings(report))}
      <footer>
        <p>
          Made by the Bank Open API conformance suite ${report.suite.version} from ${report.format}. Everything here is
          rendered from conformance.json.
        </p>
        <p>
          Keys: <kbd>/</kbd> filters, <kbd>j</kbd> and <kbd>k</kbd> go to the next and the previous finding,
          <kbd>Esc</kbd> shows all again.
        </p>
      </footer>`,
    data: judge === '' ? null : evidenceData(report),
  });
}

/** The evidence as the page carries it: packed, because it stands on the page in words already. */
function evidenceData(report: Report): Markup {
  const exchanges = exchangesCarried(report);
  const evidence: Evidence = {
    verdict: report.verdict,
    exchanges,
    judged: Object.fromEntries(Object.entries(report.judged).filter(([id]) => id in exchanges)),
    clauseSets: report.clauseSets,
    clauses: report.clauses.map(({ id, level, verdict, exercised, broken }) => ({
      id,
      level,
      verdict,
      exercised,
      broken,
    })),
  };
  const packed = gzipSync(JSON.stringify(evidence), { level: 9 }).toString('base64');
  return html`<script type="application/octet-stream" id="evidence-data">
    ${rawHtml(packed)}
  </script>`;
}
