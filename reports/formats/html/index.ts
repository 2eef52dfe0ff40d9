/** Renders the report as one page, which needs no script and no network. */
import { replaceCommands } from '../../../openapi/util/installation.ts';
import { groupCauses } from '../../build/causes.ts';
import type { Report } from '../../model/report.ts';
import { formatTargetName } from '../../text/phrases.ts';
import { CLIENT_SCRIPT } from './client-script.ts';
import { renderFoldedPart } from './components.ts';
import { html, renderLayout, type Markup } from './markup.ts';
import { renderBehaviourProfile, renderClauses } from './sections/clauses.ts';
import { renderEvidence } from './sections/evidence.ts';
import { renderFindings } from './sections/findings.ts';
import { renderCreatedResources, renderErrors, renderOperations, renderRunFacts } from './sections/run.ts';
import { renderSummary } from './sections/summary.ts';

export function renderHtml(report: Report): string {
  const possibleSections: readonly (readonly [id: string, name: string, content: Markup | '' | null])[] = [
    ['faults', `Errors of the suite (${report.errors.length})`, renderErrors(report)],
    ['findings', `Findings (${groupCauses(report.findings).length})`, renderFindings(report)],
    ['operations', 'Operations', renderOperations(report)],
    ['clauses', 'Clauses', renderClauses(report)],
    ['open-points', 'Open points', renderBehaviourProfile(report)],
    ['created', 'Created', renderCreatedResources(report)],
    ['evidence', 'Evidence', renderEvidence(report)],
    ['run', 'The run', renderRunFacts(report)],
  ];
  const hasContent = (content: Markup | '' | null): boolean => content !== null && content !== '';
  const sections = possibleSections.filter(([, , content]) => hasContent(content));
  const printedSections = new Set(['faults', 'findings', 'operations', 'run']);
  return renderLayout({
    title: `${report.headline}: ${formatTargetName(report.target)}, Bank Open API`,
    skipLink: { anchor: 'findings', text: 'Skip to the findings' },
    script: CLIENT_SCRIPT,
    body: html`${renderSummary(report)}
<div class="bar"><nav aria-label="Sections"><ul>${sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<form id="filters" hidden aria-label="Filter everything on this page">
<input type="search" name="text" placeholder="Filter ( / )" aria-label="Filter by any words, such as broken or loans">
<span id="filter-count" role="status"></span> <button type="reset" hidden>Show all</button></form></div>
${sections.map(([id, , content]) => (printedSections.has(id) ? content : html`<div class="on-screen">${content}</div>`))}
<footer><p>Made by the Bank Open API conformance suite ${report.suite.version} from ${report.format}. All data come from conformance.json; <code>${replaceCommands('npm run verify -- conformance.json')}</code> judges the evidence again.</p>
<div class="on-screen"><p>Keys: <kbd>/</kbd> filter, <kbd>Esc</kbd> show all.</p>
${renderFoldedPart('Terms', '', html`<dl class="terms">${EXPLAINED_TERMS.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl>`, 'terms')}</div></footer>`,
  });
}

const EXPLAINED_TERMS: readonly (readonly [term: string, meaning: string])[] = [
  ['Clause', 'one sentence that is true for each bank that conforms, with its place in the document.'],
  ['must', 'the document states the clause. A broken clause makes the bank non-conformant.'],
  [
    'should',
    'the document does not state the clause, but every reasonable reader expects it. A broken clause is a warning.',
  ],
  ['open', 'the document leaves the point open. The report shows the answers of the bank, and none of them is wrong.'],
  ['Finding', 'a clause that the bank broke, with the exchange that proves it.'],
  ['Class', 'what a broken clause puts at risk: security, money, consistency or robustness.'],
  ['Not tested', 'no answer in this run tested the clause; the report gives the reason.'],
  ['Gate', 'whether this run passes in CI. The verdict, known findings and settings decide the gate.'],
  ['Invalid request', 'a request that differs from the document on purpose. Its answer never breaks a must clause.'],
  [
    'Positive control',
    'a documented request that the bank accepted just before an invalid request. The two requests differ in one thing.',
  ],
];
