/** Shows the findings, the worst first, one entry per cause: the promise, expected, received, and how to see it again. */
import type { Finding, Report } from '../../../model/report.ts';
import {
  againInWords,
  asSentence,
  counted,
  findingLabel,
  oftenInWords,
  operationName,
  receivedInWords,
  sourceName,
} from '../../../text/phrases.ts';
import { requestAsSent, unlikeOthers } from '../../../text/difference.ts';
import { numberOf, replayCommand } from '../../../text/replay.ts';
import { shortened } from '../../../text/sanitize.ts';
import { causesOf, MAX_IN_FULL, placesListed, type Cause } from '../../../fold/root-causes.ts';
import { exchange } from './evidence.ts';
import { knownMark, triageForm } from './triage.ts';
import { html, type Markup } from '../markup.ts';
import {
  clauseLink,
  command,
  evidenceLink,
  exchangeAnchor,
  findingAnchors,
  moreThan,
  place,
  section,
  verdictMark,
} from '../components.ts';
import { evidenceOf, exchangesShown, MAX_CAUSES } from '../evidence-budget.ts';

/** Paper shows at most this many findings in full. */
const MAX_ON_PAPER = 7;
/** A list shows at most this many characters of a received value. */
const MAX_RECEIVED = 120;

/** Renders the section about findings. */
export function findingsSection(report: Report): Markup {
  const causes = causesOf(report.findings);
  const shown = new Set<string>();
  const entries = causes
    .slice(0, MAX_IN_FULL)
    .map((cause, rank) => entry(cause, rank, report, rank < MAX_CAUSES ? shown : null));
  const rest = causes.slice(MAX_IN_FULL).map((cause) => causeInShort(cause, report));
  return section(
    'findings',
    'Findings',
  )`${causes.length < report.findings.length ? html`<p class="small soft">${counted(report.findings.length, 'finding')} with ${counted(causes.length, 'cause')}: the same fault at several places is one entry.</p>` : ''}
${entries.length === 0 ? html`<p>No clause was broken, and there are no warnings.</p>` : entries}
${causes.length > MAX_ON_PAPER ? html`<p class="on-paper">${counted(causes.length - MAX_ON_PAPER, 'more cause')} in the report file.</p>` : ''}
${rest.length === 0 ? '' : html`<h3 class="on-screen">And ${counted(rest.length, 'more cause')}, in short</h3><ul class="small on-screen">${rest}</ul>`}${triageForm(report)}`;
}

/** Returns the exchanges that are shown with findings. */
export function exchangesOfFindings(report: Report): Set<string> {
  const causes = causesOf(report.findings).slice(0, MAX_CAUSES);
  return new Set(causes.flatMap(({ worst }) => evidenceOf(worst).map(([id]) => id)));
}

const mark = (finding: Finding): Markup => verdictMark(finding.verdict, findingLabel(finding));

function causeInShort({ worst, findings }: Cause, report: Report): Markup {
  const more = findings.length > 1 ? `, and at ${counted(findings.length - 1, 'more place')}` : '';
  return html`<li id="${findingAnchors(report).get(worst.id)}">${mark(worst)} ${clauseLink(worst.clause)} · <code>${worst.operation}</code> at ${place(worst.pointer)} · ${shortened(worst.received, MAX_RECEIVED)} · ${oftenInWords(worst)}${more}</li>`;
}

function entry(
  { worst, findings, consequenceOf: consequence }: Cause,
  rank: number,
  report: Report,
  shown: Set<string> | null,
): Markup {
  const { verdict, level, clause, known, curl } = worst;
  const anchor = findingAnchors(report).get(worst.id)!;
  const replay = replayCommand(report, worst);
  const operation = report.operations.find((one) => operationName(one) === worst.operation)?.id ?? '';
  const again = ['approveContract', 'disburse'].includes(operation)
    ? 'Send it again (where its application is used up, the replay opens another)'
    : 'Send it again';
  const area = report.clauses.find(({ id }) => id === clause)?.area ?? 'service';
  const tolerated =
    known &&
    html`<p class="small"><strong>Tolerated</strong> until ${known.expires}: ${known.reason} (${known.owner}). It does not fail the gate.</p>`;
  return html`<article class="finding is-${verdict}${rank < MAX_ON_PAPER ? '' : ' on-screen'}" id="${anchor}" tabindex="-1" data-item data-finding data-verdict="${verdict}" data-level="${level}" data-area="${area}"><p class="where">no. ${numberOf(report, worst)} · ${mark(worst)} · ${clauseLink(clause)} · ${oftenInWords(worst)}${findings.length > 1 ? html` · <strong>${counted(findings.length, 'place')}</strong>` : ''} <a class="self" href="#${anchor}" aria-label="Link to this finding">#</a></p>
<h3>${worst.statement}</h3>
<p class="where">Document: ${sourceName(worst.source)}</p>
<p class="where"><code>${worst.operation}</code> at ${place(worst.instance ?? worst.pointer)}</p>
${tolerated ?? knownMark(findings)}<dl class="versus"><div><dt>Expected</dt><dd>${worst.expected}</dd></div><div><dt>Received</dt><dd>${received(worst, report)}</dd></div></dl>
${unlikeOthers(report, worst).map((place) => html`<p class="small">Unlike ${place}</p>`)}${consequence === null ? '' : html`<p class="small">Probably a consequence of <a href="#${findingAnchors(report).get(consequence.id)}">no. ${numberOf(report, consequence)}</a>, ${consequence.clause}</p>`}${againInWords(worst).map((again) => html`<p class="small">Asked again: ${again}</p>`)}${curl === null ? '' : html`<div class="on-screen">${command(`curl-${anchor}`, again, curl)}</div>`}
${replay === null ? '' : command(`replay-${anchor}`, 'Replay it with all settings of this run', replay)}
<div class="on-screen">${counterexample(worst, report)}${otherPlaces(findings.slice(1), placesListed(rank), report)}</div>${evidence(worst, report, shown)}</article>`;
}

/** Shows what came, a row for each form. */
const received = (finding: Finding, report: Report): Markup => {
  const words = receivedInWords(finding);
  if (words.length < 2) return html`${words}`;
  return html`<ul class="values">${words.map((row, at) => html`<li>${finding.values[at] === undefined ? row : evidenceLink(report, finding.values[at].exchange, row)}</li>`)}</ul>`;
};

/** Lists the other places of the same cause. */
function otherPlaces(findings: readonly Finding[], most: number, report: Report): Markup | '' {
  if (findings.length === 0) return '';
  const rows = findings
    .slice(0, most)
    .map(
      (one) =>
        html`<li id="${findingAnchors(report).get(one.id)}"><code>${one.operation}</code> at ${place(one.pointer)}: ${evidenceLink(report, one.exchange, shortened(one.received, MAX_RECEIVED))} <span class="soft">(${clauseLink(one.clause)}, ${oftenInWords(one)})</span></li>`,
    );
  return html`<details open><summary>The same at ${counted(findings.length, 'other place')}</summary><ul class="places">${rows}</ul>${moreThan(most, findings.length, 'conformance.json')}</details>`;
}

function counterexample({ counterexample: smallest }: Finding, { exchanges }: Report): Markup | null {
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
    ? html`<p class="small soft">${asSentence(said)}</p>`
    : html`<div class="command"><p class="label">Smallest request that showed it (${said})</p><pre>${sent === undefined ? JSON.stringify(input, null, 2) : requestAsSent(sent)}</pre></div>`;
}

function evidence(finding: Finding, report: Report, shown: Set<string> | null): Markup {
  const all = evidenceOf(finding);
  const list = all.filter(([id]) => exchangesShown(report).has(id));
  if (list.length === 0) {
    const isKept = all.some(([id]) => report.exchanges[id] !== undefined);
    return html`<p class="small soft">${isKept ? 'The exchange is not on this page; see conformance.json.' : 'Its exchange was not kept.'}</p>`;
  }
  if (shown === null)
    return html`<p class="small">${list.map(([id, title]) => html`<a href="#${exchangeAnchor(id)}">${title}</a> `)}</p>`;
  const blocks = list.map(([id, title]) => {
    const plain = exchange(report.exchanges[id]!, title, finding);
    const block = id === finding.contrast ? html`<div class="contrast">${plain}</div>` : plain;
    if (shown.has(id)) return block;
    shown.add(id);
    return html`<div id="${exchangeAnchor(id)}">${block}</div>`;
  });
  return html`<details class="on-screen"><summary>Evidence: request and response${finding.contrast === null ? '' : ', beside one that was judged fine'}</summary>${blocks}</details>`;
}
