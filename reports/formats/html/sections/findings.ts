/** Shows the findings, the worst first, one entry per cause: the clause, expected, received, and how to reproduce it. */
import type { Finding, Report } from '../../../model/report.ts';
import {
  describeRepetitions,
  toSentence,
  counted,
  labelFinding,
  describeFrequency,
  describeReceivedValues,
  formatSource,
} from '../../../text/phrases.ts';
import { renderSentRequest, describeContrastDifference } from '../../../text/difference.ts';
import { getFindingNumber, makeReplayCommand } from '../../../text/replay.ts';
import { shortenText } from '../../../text/sanitize.ts';
import { groupCauses, type Cause } from '../../../fold/root-causes.ts';
import { renderExchange } from './evidence.ts';
import { html, type Markup } from '../markup.ts';
import {
  linkClause,
  renderCommand,
  linkEvidence,
  anchorFindings,
  describeHiddenItems,
  renderPlace,
  makeSectionTag,
  markVerdict,
  makeAnchor,
  getEvidence,
  selectExchanges,
  MAX_SHOWN_CAUSES,
} from '../components.ts';

/** On paper, at most this many findings are shown in full. */
const MAX_PAPER_FINDINGS = 7;
const MAX_SHOWN_PLACES = 25;
const MAX_RECEIVED_LENGTH = 120;

export function renderFindings(report: Report): Markup {
  const causes = groupCauses(report.findings);
  const shown = new Set<string>();
  const entries = causes
    .slice(0, MAX_SHOWN_CAUSES)
    .map((cause, rank) => renderFindingEntry(cause, rank, report, shown));
  const rest = causes.slice(MAX_SHOWN_CAUSES).map((cause) => summarizeCause(cause, report));
  return makeSectionTag(
    'findings',
    'Findings',
  )`${causes.length < report.findings.length ? html`<p class="small soft">${counted(report.findings.length, 'finding')} with ${counted(causes.length, 'cause')}: the same fault at several places is one entry.</p>` : ''}
${entries.length === 0 ? html`<p>No clause was broken, and there are no warnings.</p>` : entries}
${causes.length > MAX_PAPER_FINDINGS ? html`<p class="on-paper">${counted(causes.length - MAX_PAPER_FINDINGS, 'more cause')} in the report file.</p>` : ''}
${rest.length === 0 ? '' : html`<h3 class="on-screen">And ${counted(rest.length, 'more cause')}, in short</h3><ul class="small on-screen">${rest}</ul>`}`;
}

export function listFindingExchanges(report: Report): Set<string> {
  const causes = groupCauses(report.findings).slice(0, MAX_SHOWN_CAUSES);
  return new Set(causes.flatMap(({ worst }) => getEvidence(worst).map(([id]) => id)));
}

const renderFindingLabel = (finding: Finding): Markup => markVerdict(finding.verdict, labelFinding(finding));

function summarizeCause({ worst, findings }: Cause, report: Report): Markup {
  const more = findings.length > 1 ? `, and at ${counted(findings.length - 1, 'more place')}` : '';
  return html`<li id="${anchorFindings(report).get(worst.id)}">${renderFindingLabel(worst)} ${linkClause(worst.clause)} · <code>${worst.operation}</code> at ${renderPlace(worst.pointer)} · ${shortenText(worst.received, MAX_RECEIVED_LENGTH)} · ${describeFrequency(worst)}${more}</li>`;
}

function renderFindingEntry(
  { worst, findings, consequenceOf: consequence }: Cause,
  rank: number,
  report: Report,
  shown: Set<string>,
): Markup {
  const { verdict, clause, known, curl } = worst;
  const anchor = anchorFindings(report).get(worst.id)!;
  const replay = makeReplayCommand(report, worst);
  const tolerated =
    known &&
    html`<p class="small"><strong>Tolerated</strong> until ${known.expires}: ${known.reason} (${known.owner}). It does not fail the gate.</p>`;
  return html`<article class="finding is-${verdict}${rank < MAX_PAPER_FINDINGS ? '' : ' on-screen'}" id="${anchor}" data-item><p class="where">no. ${getFindingNumber(report, worst)} · ${renderFindingLabel(worst)} · ${linkClause(clause)} · ${describeFrequency(worst)}${findings.length > 1 ? html` · <strong>${counted(findings.length, 'place')}</strong>` : ''} <a class="self" href="#${anchor}" aria-label="Link to this finding">#</a></p>
<h3>${worst.statement}</h3>
<p class="where">Document: ${formatSource(worst.source)}</p>
<p class="where"><code>${worst.operation}</code> at ${renderPlace(worst.instance ?? worst.pointer)}</p>
${tolerated}<dl class="versus"><div><dt>Expected</dt><dd>${worst.expected}</dd></div><div><dt>Received</dt><dd>${renderReceivedValues(worst, report)}</dd></div></dl>
${describeContrastDifference(report, worst).map((place) => html`<p class="small">Unlike ${place}</p>`)}${consequence === null ? '' : html`<p class="small">Probably a consequence of <a href="#${anchorFindings(report).get(consequence.id)}">no. ${getFindingNumber(report, consequence)}</a>, ${consequence.clause}</p>`}${describeRepetitions(worst).map((again) => html`<p class="small">Asked again: ${again}</p>`)}${curl === null ? '' : html`<div class="on-screen">${renderCommand(`curl-${anchor}`, 'Send it again', curl)}</div>`}
${replay === null ? '' : renderCommand(`replay-${anchor}`, 'Replay it with all settings of this run', replay)}
<div class="on-screen">${renderCounterexample(worst, report)}${renderFurtherPlaces(findings.slice(1), report)}</div>${renderFindingEvidence(worst, report, shown)}</article>`;
}

const renderReceivedValues = (finding: Finding, report: Report): Markup => {
  const words = describeReceivedValues(finding);
  if (words.length < 2) return html`${words}`;
  return html`<ul class="values">${words.map((row, at) => html`<li>${finding.values[at] === undefined ? row : linkEvidence(report, finding.values[at].exchange, row)}</li>`)}</ul>`;
};

function renderFurtherPlaces(findings: readonly Finding[], report: Report): Markup | '' {
  if (findings.length === 0) return '';
  const rows = findings
    .slice(0, MAX_SHOWN_PLACES)
    .map(
      (one) =>
        html`<li><code>${one.operation}</code> at ${renderPlace(one.pointer)}: ${linkEvidence(report, one.exchange, shortenText(one.received, MAX_RECEIVED_LENGTH))} <span class="soft">(${linkClause(one.clause)}, ${describeFrequency(one)})</span></li>`,
    );
  return html`<details open><summary>The same at ${counted(findings.length, 'other place')}</summary><ul class="places">${rows}</ul>${describeHiddenItems(MAX_SHOWN_PLACES, findings.length, 'conformance.json')}</details>`;
}

function renderCounterexample({ counterexample: smallest }: Finding, { exchanges }: Report): Markup | null {
  if (smallest === null) return null;
  const { input, shrinks, exchange } = smallest;
  const sent = exchanges[exchange];
  const state = {
    minimal: `minimal, after ${counted(shrinks, 'step')}`,
    'stopped by cap': `the search for a smaller one was stopped after ${counted(shrinks, 'step')}`,
    'did not recur alone': 'sent alone, it did not show again',
    'not asked alone': 'it was not sent alone',
  }[smallest.state];
  const said = `${state}${smallest.why === undefined ? '' : `: ${smallest.why}`}`;
  return input === null
    ? html`<p class="small soft">${toSentence(said)}</p>`
    : html`<div class="command"><p class="label">Smallest request that showed it (${said})</p><pre>${sent === undefined ? JSON.stringify(input, null, 2) : renderSentRequest(sent)}</pre></div>`;
}

function renderFindingEvidence(finding: Finding, report: Report, shown: Set<string>): Markup {
  const all = getEvidence(finding);
  const list = all.filter(([id]) => selectExchanges(report).has(id));
  if (list.length === 0) {
    const isKept = all.some(([id]) => report.exchanges[id] !== undefined);
    return html`<p class="small soft">${isKept ? 'The exchange is not on this page; see conformance.json.' : 'Its exchange was not kept.'}</p>`;
  }
  const blocks = list.map(([id, title]) => {
    const plain = renderExchange(report.exchanges[id]!, title, finding);
    const block = id === finding.contrast ? html`<div class="contrast">${plain}</div>` : plain;
    if (shown.has(id)) return block;
    shown.add(id);
    return html`<div id="${makeAnchor('exchange', id)}">${block}</div>`;
  });
  return html`<details class="on-screen"><summary>Evidence: request and response${finding.contrast === null ? '' : ', beside one that was judged fine'}</summary>${blocks}</details>`;
}
