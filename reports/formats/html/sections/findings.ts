/** Shows the findings. Findings with the same cause are one entry, and the worst cause is first. */
import { listRootCauses, type Cause } from '../../../build/causes.ts';
import { groupUntested } from '../../../build/untested.ts';
import type { Finding, Report } from '../../../model/report.ts';
import { describeReferenceDifference, renderSentRequest } from '../../../text/difference.ts';
import {
  addCounts,
  areaTitles,
  counted,
  describeFrequency,
  describeReceivedValues,
  formatOperationName,
  formatSource,
  labelFinding,
  toSentence,
  writeVersus,
} from '../../../text/phrases.ts';
import { shortenText } from '../../../text/sanitize.ts';
import { describeCause, describeFinding, getFindingNumber, isWatchedByGate, listUntested } from '../../overview.ts';
import * as components from '../components.ts';
import { html, type Markup } from '../markup.ts';
import { CHOICE_WORDS } from '../style.ts';
import { renderFindingEvidence } from './evidence.ts';

/** On paper, at most this many findings are shown in full. */
const MAX_PAPER_FINDINGS = 7;
/** If there are more causes, each is folded to one line at first. */
const MAX_OPEN_FINDINGS = 2;
const MAX_SHOWN_PLACES = 25;
const MAX_RECEIVED_LENGTH = 120;

export function renderFindings(report: Report): Markup {
  const { causes, listConsequences } = listRootCauses(report.findings);
  // Few causes are shown unfolded.
  const isOpen = causes.length <= MAX_OPEN_FINDINGS;
  const shownIds = new Set<string>();
  const renderWithConsequences = (cause: Cause, rank: number, causeOfCause: Cause | null): Markup => {
    const consequences = listConsequences(cause).map((effect, effectRank) =>
      renderWithConsequences(effect, effectRank, cause),
    );
    return renderEntry(cause, { rank, isOpen, causeOfCause, consequences }, report, shownIds);
  };
  const entries = causes
    .slice(0, components.MAX_SHOWN_CAUSES)
    .map((cause, rank) => renderWithConsequences(cause, rank, null));
  const shortEntries = causes.slice(components.MAX_SHOWN_CAUSES).map((cause) => summarizeCause(cause, report));
  return components.makeSectionTag(
    'findings',
    'Findings',
  )`${renderChoices(causes, report)}${entries.length === 0 ? html`<p>No clause was found broken, and there are no warnings.</p>` : entries}
${causes.length > MAX_PAPER_FINDINGS ? html`<p class="on-paper">${counted(causes.length - MAX_PAPER_FINDINGS, 'more cause')} in the report file.</p>` : ''}
${shortEntries.length === 0 ? '' : html`<h3 class="on-screen">And ${counted(shortEntries.length, 'more cause')}, in short</h3><ul class="small on-screen">${shortEntries}</ul>`}
${renderUntested(report)}`;
}

const choiceLabels: Readonly<Record<string, string>> = { fail: 'failures', ...areaTitles };

/** Returns the words by which a reader can select a cause: the verdict, the classes and the areas of its findings. */
function listChoiceWords(cause: Cause, { operations }: Report): readonly string[] {
  const getArea = ({ operation }: Finding) =>
    operations.find((reported) => formatOperationName(reported) === operation)?.area ?? '';
  return [...new Set(cause.flatMap((finding) => [finding.verdict, finding.class, getArea(finding)]))];
}

/** Renders radio buttons that select findings. They work without a script: `style.ts` has a rule for each word. */
function renderChoices(causes: readonly Cause[], report: Report): Markup | '' {
  const wordsOfCauses = causes.map((cause) => listChoiceWords(cause, report));
  const choices = CHOICE_WORDS.map((word) => ({
    word,
    count: wordsOfCauses.filter((words) => words.includes(word)).length,
  }));
  const renderButton = (id: string, label: string, count: number, checked: Markup | '' = ''): Markup =>
    html`<label><input type="radio" name="choice" id="choose-${id}"${checked}> ${label} <span class="soft">${count}</span></label>`;
  const shownChoices = choices.filter(({ count }) => count > 0 && count < causes.length);
  if (shownChoices.length === 0) return '';
  return html`<fieldset class="choices on-screen"><legend>Show</legend>${renderButton('all', 'all', causes.length, html` checked`)}
${shownChoices.map(({ word, count }) => renderButton(word, choiceLabels[word] ?? word, count))}</fieldset>`;
}

function renderUntested(report: Report): Markup | '' {
  const clausesByReason = listUntested(report, { all: true });
  const items = clausesByReason.map(
    ([why, clauses]) =>
      html`<li>${why} <span class="soft">${components.joinParts(clauses.map((clause) => html`${components.linkClause(clause.id)}${isWatchedByGate(clause, report) ? ` (${clause.class})` : ''}`))}</span></li>`,
  );
  const count = addCounts(clausesByReason, ([, clauses]) => clauses.length);
  return items.length === 0
    ? ''
    : html`<div class="on-screen">${components.renderFoldedPart('Clauses that were not tested:', counted(count, 'clause'), html`<ul class="places">${items}</ul>`, 'not-tested')}</div>`;
}

const markFinding = (finding: Finding): Markup => components.markVerdict(finding.verdict, labelFinding(finding));

function summarizeCause([worstFinding, ...otherFindings]: Cause, report: Report): Markup {
  const moreNote = otherFindings.length > 0 ? `, and at ${counted(otherFindings.length, 'more place')}` : '';
  return html`<li id="${components.anchorFindings(report).get(worstFinding.id)}">${markFinding(worstFinding)} ${components.linkClause(worstFinding.clause)} · <code>${worstFinding.operation}</code> at ${renderPlace(worstFinding.pointer)} · ${shortenText(worstFinding.received, MAX_RECEIVED_LENGTH)} · ${describeFrequency(worstFinding)}${moreNote}</li>`;
}

interface Entry {
  readonly rank: number;
  readonly isOpen: boolean;
  /** This finding is probably a consequence of this cause; null if there is no such cause. */
  readonly causeOfCause: Cause | null;
  readonly consequences: readonly Markup[];
}

function renderEntry(
  cause: Cause,
  { rank, isOpen, causeOfCause, consequences }: Entry,
  report: Report,
  shownIds: Set<string>,
): Markup {
  const [worst] = cause;
  const { title } = describeFinding(report, worst);
  const { places, received, untested } = describeCause(report, cause);
  const anchor = components.anchorFindings(report).get(worst.id)!;
  const consequence =
    causeOfCause === null ? '' : `, probably a consequence of no. ${getFindingNumber(report, causeOfCause[0])}`;
  return html`<article class="finding is-${worst.verdict}${rank < MAX_PAPER_FINDINGS ? '' : ' on-screen'}" id="${anchor}" data-item data-choice="${listChoiceWords(cause, report).join(' ')}"><details class="detail"${isOpen ? html` open` : ''}><summary><h3>${title}</h3>
<p class="where">${markFinding(worst)} · ${places} · ${writeVersus(shortenText(worst.expected, MAX_RECEIVED_LENGTH), shortenText(received, MAX_RECEIVED_LENGTH))}</p></summary>
<p class="where">no. ${getFindingNumber(report, worst)}${consequence} · ${components.linkClause(worst.clause)} · ${formatSource(worst.source)} <a class="self" href="#${anchor}" aria-label="Link to this finding">#</a><br><code>${worst.operation}</code> at ${renderPlace(worst.instance ?? worst.pointer)}</p>
${renderDetails(cause, anchor, report)}${renderFindingEvidence(worst, report, shownIds)}</details>
${untested === null ? '' : renderUntestedClauses(cause, untested, report)}${consequences}</article>`;
}

function renderUntestedClauses(cause: Cause, untested: string, report: Report): Markup {
  const clauses = cause.flatMap(({ id }) => groupUntested(report).get(id)?.clauses ?? []);
  return html`<details class="followers"><summary>This fault prevented tests of ${untested}</summary><p class="small">${components.joinParts(clauses.map(({ id }) => components.linkClause(id)))}</p></details>`;
}

function renderDetails([worstFinding, ...otherFindings]: Cause, anchor: string, report: Report): Markup {
  const { known } = worstFinding;
  const { repetitionNotes, raceNotes, replayCommand, curlCommand } = describeFinding(report, worstFinding);
  const requestLabel = raceNotes.length === 0 ? 'Send the request again' : 'Send both requests again at once';
  const toleratedNote =
    known &&
    html`<p class="small"><strong>Tolerated</strong> until ${known.expires}: ${known.reason} (${known.owner}). This finding does not fail the gate.</p>`;
  return html`${toleratedNote}<dl class="versus"><div><dt>Expected</dt><dd>${worstFinding.expected}</dd></div><div><dt>Received</dt><dd>${renderReceivedValues(worstFinding, report)}</dd></div></dl>
${describeReferenceDifference(report, worstFinding).map((place) => html`<p class="small">Compare: ${place}</p>`)}${raceNotes.length === 0 ? '' : html`<p class="small">At once: ${raceNotes.join('; ')}.</p>`}${repetitionNotes.map((text) => html`<p class="small">Sent again: ${text}</p>`)}${curlCommand === null ? '' : html`<div class="on-screen">${renderCommand(`curl-${anchor}`, requestLabel, curlCommand)}</div>`}
${replayCommand === null ? '' : renderCommand(`replay-${anchor}`, 'Replay with all settings of this run', replayCommand)}
<div class="on-screen">${renderCounterexample(worstFinding, report)}${renderFurtherPlaces(otherFindings, report)}</div>`;
}

const renderReceivedValues = (finding: Finding, report: Report): Markup => {
  const texts = describeReceivedValues(finding);
  if (texts.length < 2) return html`${texts}`;
  const items = texts.map((text, index) => {
    const row = finding.values[index];
    return html`<li>${row === undefined ? text : components.linkEvidence(report, row.exchange, text)}</li>`;
  });
  return html`<ul class="values">${items}</ul>`;
};

function renderFurtherPlaces(findings: readonly Finding[], report: Report): Markup | '' {
  if (findings.length === 0) return '';
  const rows = findings
    .slice(0, MAX_SHOWN_PLACES)
    .map(
      (finding) =>
        html`<li><code>${finding.operation}</code> at ${renderPlace(finding.pointer)}: ${components.linkEvidence(report, finding.exchange, shortenText(finding.received, MAX_RECEIVED_LENGTH))} <span class="soft">(${components.linkClause(finding.clause)}, ${describeFrequency(finding)})</span></li>`,
    );
  return html`<details open><summary>The same fault at ${counted(findings.length, 'other place')}</summary><ul class="places">${rows}</ul>${components.describeHiddenItems(MAX_SHOWN_PLACES, findings.length, 'conformance.json')}</details>`;
}

function renderCounterexample({ counterexample }: Finding, { exchanges }: Report): Markup | null {
  if (counterexample === null) return null;
  const { input, shrinks, exchange } = counterexample;
  const record = exchanges[exchange];
  const stateText = {
    minimal: `minimal, after ${counted(shrinks, 'step')}`,
    'stopped by cap': `a cap stopped the search for a smaller request after ${counted(shrinks, 'step')}`,
    'did not recur alone': 'the suite sent the request alone, and the finding did not occur again',
    'not asked alone': 'the suite did not send the request alone',
  }[counterexample.state];
  const note = `${stateText}${counterexample.why === undefined ? '' : `: ${counterexample.why}`}`;
  return input === null
    ? html`<p class="small soft">${toSentence(note)}</p>`
    : html`<div class="command"><p class="label">Smallest request with this finding (${note})</p><pre>${record === undefined ? JSON.stringify(input, null, 2) : renderSentRequest(record)}</pre></div>`;
}

const renderPlace = (pointer: string): Markup =>
  pointer === '' ? html`the whole body` : html`<code>${pointer}</code>`;

/** Shows a command with a button to copy it. Without script, the text can still be selected. */
function renderCommand(id: string, label: string, text: string): Markup {
  return html`<div class="command">
<div class="head"><p class="label">${label}</p><button type="button" hidden data-copy="${id}" aria-label="${`Copy: ${label}`}">Copy</button></div>
<pre id="${id}">${text}</pre>
</div>`;
}
