/** The findings, worst first, one entry for each cause: the promise, expected, received, and how to see it again. */
import type { Finding, Report } from '../../../model/report.ts';
import { asSentence, counted, operationName, sourceName, oftenInWords } from '../../../text/phrases.ts';
import { replayCommand } from '../../../text/replay.ts';
import { shortened } from '../../../text/sanitize.ts';
import { causesOf, MAX_IN_FULL, placesListed, type Cause } from '../../../fold/root-causes.ts';
import { exchange } from './evidence.ts';
import { knownMark, triageForm } from './triage.ts';
import { html, type Markup } from '../markup.ts';
import {
  clauseAnchor,
  command,
  evidenceLink,
  exchangeAnchor,
  findingAnchors,
  place,
  verdictMark,
} from '../components.ts';
import { evidenceOf, exchangesShown, MAX_CAUSES } from '../evidence-budget.ts';

/** Findings in full on paper, where not everything is printed. */
const MAX_ON_PAPER = 6;
/** Characters of what was received that a list shows. */
const MAX_RECEIVED = 120;

/** The section of the findings. */
export function findingsSection(report: Report): Markup {
  const anchors = findingAnchors(report);
  const causes = causesOf(report.findings);
  const shown = new Set<string>();
  const entries = causes
    .slice(0, MAX_IN_FULL)
    .map((cause, at) => entry(cause, at, anchors, report, at < MAX_CAUSES ? shown : null));
  const rest = causes.slice(MAX_IN_FULL).map((cause) => brief(cause, anchors));
  const several =
    causes.length < report.findings.length
      ? html`<p class="small soft">${counted(report.findings.length, 'finding')} with ${counted(causes.length, 'cause')}: the same fault at several places is one entry.</p>`
      : '';
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>${several}
${entries.length === 0 ? html`<p>No clause was broken, and there are no warnings.</p>` : entries}
${causes.length > MAX_ON_PAPER ? html`<p class="on-paper">${counted(causes.length - MAX_ON_PAPER, 'more cause')} in the report file.</p>` : ''}
${rest.length === 0 ? '' : html`<h3 class="on-screen">And ${counted(rest.length, 'more cause')}, in short</h3><ul class="small on-screen">${rest}</ul>`}${triageForm(report)}</section>`;
}

/** The exchanges that stand beside findings, each with its place on the page. */
export function exchangesOfFindings(report: Report): Set<string> {
  const causes = causesOf(report.findings).slice(0, MAX_CAUSES);
  return new Set(causes.flatMap(({ worst }) => evidenceOf(worst).map(([id]) => id)));
}

function brief({ worst: finding, findings }: Cause, anchors: ReadonlyMap<string, string>): Markup {
  const more = findings.length > 1 ? `, and at ${counted(findings.length - 1, 'more place')}` : '';
  return html`<li id="${anchors.get(finding.id)}">${verdictMark(finding.verdict)} <a href="#${clauseAnchor(finding.clause)}">${finding.clause}</a> · <code>${finding.operation}</code> at ${place(finding.pointer)} · ${shortened(finding.received, MAX_RECEIVED)} · ${oftenInWords(finding)}${more}</li>`;
}

function entry(
  { worst, findings }: Cause,
  rank: number,
  anchors: ReadonlyMap<string, string>,
  report: Report,
  shown: Set<string> | null,
): Markup {
  const anchor = anchors.get(worst.id)!;
  const replay = replayCommand(report, worst);
  const { id: operation } = report.operations.find((one) => operationName(one) === worst.operation) ?? {};
  const again =
    operation === 'approveContract' || operation === 'disburse'
      ? 'Send it again (where its application is used up, the replay opens another)'
      : 'Send it again';
  const area = report.clauses.find(({ id }) => id === worst.clause)?.area ?? 'service';
  return html`<article class="finding is-${worst.verdict}${rank < MAX_ON_PAPER ? '' : ' on-screen'}" id="${anchor}" tabindex="-1" data-finding data-verdict="${worst.verdict}" data-level="${worst.level}" data-area="${area}"><p class="where">${verdictMark(worst.verdict)} · <a href="#${clauseAnchor(worst.clause)}">${worst.clause}</a> · ${oftenInWords(worst)}${findings.length > 1 ? html` · <strong>${counted(findings.length, 'place')}</strong>` : ''} <a class="self" href="#${anchor}" aria-label="Link to this finding">#</a></p>
<h3>${worst.statement}</h3>
<p class="where">Document: ${sourceName(worst.source)}</p>
<p class="where"><code>${worst.operation}</code> at ${place(worst.instance ?? worst.pointer)}</p>
${known(worst)}${worst.known === undefined ? knownMark(findings) : ''}<dl class="versus"><div><dt>Expected</dt><dd>${worst.expected}</dd></div><div><dt>Received</dt><dd>${worst.received}</dd></div></dl>
${worst.curl === null ? '' : html`<div class="on-screen">${command(`curl-${anchor}`, again, worst.curl)}</div>`}
${replay === null ? '' : command(`replay-${anchor}`, 'Replay it with all settings of this run', replay)}
<div class="on-screen">${counterexample(worst)}${others(findings.slice(1), placesListed(rank), anchors, report)}</div>${evidence(worst, report, shown)}</article>`;
}

/** Who answers for a finding that is known, and until when. */
function known({ known: entry }: Finding): Markup | '' {
  if (entry === undefined) return '';
  return html`<p class="small"><strong>Tolerated</strong> until ${entry.expires}: ${entry.reason} (${entry.owner}). It does not fail the gate.</p>`;
}

/** The other places of the same cause. */
function others(
  findings: readonly Finding[],
  most: number,
  anchors: ReadonlyMap<string, string>,
  report: Report,
): Markup | '' {
  if (findings.length === 0) return '';
  const rows = findings
    .slice(0, most)
    .map(
      (one) =>
        html`<li id="${anchors.get(one.id)}"><code>${one.operation}</code> at ${place(one.pointer)}: ${evidenceLink(report, one.exchange, shortened(one.received, MAX_RECEIVED))} <span class="soft">(<a href="#${clauseAnchor(one.clause)}">${one.clause}</a>, ${oftenInWords(one)})</span></li>`,
    );
  const more = findings.length - most;
  return html`<details open><summary>The same at ${counted(findings.length, 'other place')}</summary><ul class="places">${rows}</ul>${more > 0 ? html`<p class="small">and ${more} more in conformance.json</p>` : ''}</details>`;
}

function counterexample(finding: Finding): Markup | null {
  const small = finding.counterexample;
  if (small === null) return null;
  const state = {
    minimal: `minimal, after ${counted(small.shrinks, 'step')}`,
    'stopped by cap': `the search for a smaller one was stopped after ${counted(small.shrinks, 'step')}`,
    'did not recur alone': 'sent alone, it did not show again',
    'not asked alone': 'it was not sent alone',
  }[small.state];
  const why = small.why === undefined ? '' : `: ${small.why}`;
  if (small.input === null) return html`<p class="small soft">${asSentence(`${state}${why}`)}</p>`;
  return html`<div class="command"><p class="label">Smallest input that showed it (${state}${why})</p><pre>${JSON.stringify(small.input, null, 2)}</pre></div>`;
}

function evidence(finding: Finding, report: Report, shown: Set<string> | null): Markup | null {
  const onPage = exchangesShown(report);
  const list = evidenceOf(finding).filter(([id]) => onPage.has(id));
  if (list.length === 0) {
    const isKept = evidenceOf(finding).some(([id]) => report.exchanges[id] !== undefined);
    return html`<p class="small soft">${isKept ? 'The exchange is not on this page; see conformance.json.' : 'Its exchange was not kept.'}</p>`;
  }
  if (shown === null) {
    return html`<p class="small">${list.map(([id, title]) => html`<a href="#${exchangeAnchor(id)}">${title}</a> `)}</p>`;
  }
  const blocks = list.map(([id, title]) => {
    const plain = exchange(report.exchanges[id]!, title, finding);
    const block = id === finding.contrast ? html`<div class="contrast">${plain}</div>` : plain;
    if (shown.has(id)) return block;
    shown.add(id);
    return html`<div id="${exchangeAnchor(id)}">${block}</div>`;
  });
  return html`<details class="on-screen"><summary>Evidence: request and response${finding.contrast === null ? '' : ', beside one that was judged fine'}</summary>${blocks}</details>`;
}
