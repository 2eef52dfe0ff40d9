/** Shows the findings, the worst first, one entry per cause, and the exchanges, with the place of a finding marked. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { operationIds, getScenario } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import { groupCauses, type Cause } from '../../../fold/causes.ts';
import { groupUntested } from '../../../fold/untested.ts';
import type { Finding, Report } from '../../../model/report.ts';
import { describeContrastDifference, renderSentRequest } from '../../../text/difference.ts';
import { describeFollowers, describeWhatCame, describeWhere } from '../../overview.ts';
import {
  areaTitles,
  counted,
  describeFrequency,
  describeReceivedValues,
  describeRepetitions,
  formatOperationName,
  formatSource,
  labelFinding,
  takeFirstItems,
  toSentence,
} from '../../../text/phrases.ts';
import { getFindingNumber, makeReplayCommand } from '../../../text/replay.ts';
import { shortenText } from '../../../text/sanitize.ts';
import {
  anchorFindings,
  describeHiddenItems,
  joinParts,
  getEvidence,
  linkClause,
  linkEvidence,
  makeAnchor,
  makeSectionTag,
  markVerdict,
  MAX_BODY_LENGTH,
  MAX_SHOWN_CAUSES,
  renderFoldedPart,
  selectExchanges,
} from '../components.ts';
import { html, type Markup } from '../markup.ts';
import { CHOICES } from '../style.ts';
import { makeCurlLine } from '../../../text/curl.ts';

/** On paper, at most this many findings are shown in full. */
const MAX_PAPER_FINDINGS = 7;
/** With more causes, each is one line at first. */
const MAX_OPEN_FINDINGS = 2;
const MAX_SHOWN_PLACES = 25;
const MAX_RECEIVED_LENGTH = 120;

export function renderFindings(report: Report): Markup {
  const all = groupCauses(report.findings);
  const causes = all.filter(({ consequenceOf }) => consequenceOf === null);
  const isOpen = causes.length <= MAX_OPEN_FINDINGS;
  const shown = new Set<string>();
  const renderWithConsequences = (cause: Cause, rank: number): Markup => {
    const following = all.filter(
      ({ consequenceOf }) => consequenceOf !== null && cause.findings.includes(consequenceOf),
    );
    return renderFindingEntry(cause, { rank, isOpen, following: following.map(renderWithConsequences) }, report, shown);
  };
  const entries = causes.slice(0, MAX_SHOWN_CAUSES).map(renderWithConsequences);
  const rest = causes.slice(MAX_SHOWN_CAUSES).map((cause) => summarizeCause(cause, report));
  return makeSectionTag(
    'findings',
    'Findings',
  )`${causes.length > MAX_OPEN_FINDINGS ? renderChoices(causes, report) : ''}
${entries.length === 0 ? html`<p>No clause was found broken, and there are no warnings.</p>` : entries}
${causes.length > MAX_PAPER_FINDINGS ? html`<p class="on-paper">${counted(causes.length - MAX_PAPER_FINDINGS, 'more cause')} in the report file.</p>` : ''}
${rest.length === 0 ? '' : html`<h3 class="on-screen">And ${counted(rest.length, 'more cause')}, in short</h3><ul class="small on-screen">${rest}</ul>`}
${renderOtherGaps(report)}`;
}

const choiceLabels: Readonly<Record<string, string>> = { fail: 'broken only', ...areaTitles };

/** The words by which a cause is chosen: the verdict, classes and areas of its findings. */
function listChoiceWords({ findings }: Cause, { operations }: Report): readonly string[] {
  const areaOf = ({ operation }: Finding) =>
    operations.find((one) => formatOperationName(one) === operation)?.area ?? '';
  return [...new Set(findings.flatMap((one) => [one.verdict, one.class, areaOf(one)]))];
}

/** Radio buttons that hide other findings without a script: `style.ts` has a rule for each word. */
function renderChoices(causes: readonly Cause[], report: Report): Markup | '' {
  const words = causes.map((cause) => listChoiceWords(cause, report));
  const choices = CHOICES.map((word) => ({ word, count: words.filter((some) => some.includes(word)).length }));
  const button = (id: string, label: string, count: number, checked: Markup | '' = ''): Markup =>
    html`<label><input type="radio" name="choice" id="choose-${id}"${checked}> ${label} <span class="soft">${count}</span></label>`;
  const useful = choices.filter(({ count }) => count > 0 && count < causes.length);
  if (useful.length === 0) return '';
  return html`<fieldset class="choices on-screen"><legend>Show</legend>${button('all', 'all', causes.length, html` checked`)}
${useful.map(({ word, count }) => button(word, choiceLabels[word] ?? word, count))}</fieldset>`;
}

/** Lists what was not tested for another reason than a finding, folded. */
function renderOtherGaps(report: Report): Markup | '' {
  const { clauses } = groupUntested(report).get(null)!;
  const rows = [...groupBy(clauses, ({ why }) => why ?? '')].map(
    ([why, same]) => html`<li>${why} <span class="soft">${joinParts(same.map(({ id }) => linkClause(id)))}</span></li>`,
  );
  return rows.length === 0
    ? ''
    : html`<div class="on-screen">${renderFoldedPart('Not tested for other reasons:', counted(clauses.length, 'clause'), html`<ul class="places">${rows}</ul>`)}</div>`;
}

const renderFindingLabel = (finding: Finding): Markup => markVerdict(finding.verdict, labelFinding(finding));

function summarizeCause({ worst, findings }: Cause, report: Report): Markup {
  const more = findings.length > 1 ? `, and at ${counted(findings.length - 1, 'more place')}` : '';
  return html`<li id="${anchorFindings(report).get(worst.id)}">${renderFindingLabel(worst)} ${linkClause(worst.clause)} · <code>${worst.operation}</code> at ${renderPlace(worst.pointer)} · ${shortenText(worst.received, MAX_RECEIVED_LENGTH)} · ${describeFrequency(worst)}${more}</li>`;
}

interface Entry {
  readonly rank: number;
  readonly isOpen: boolean;
  readonly following: readonly Markup[];
}

function renderFindingEntry(
  cause: Cause,
  { rank, isOpen, following }: Entry,
  report: Report,
  shown: Set<string>,
): Markup {
  const { worst, consequenceOf } = cause;
  const { verdict, clause } = worst;
  const anchor = anchorFindings(report).get(worst.id)!;
  return html`<article class="finding is-${verdict}${rank < MAX_PAPER_FINDINGS ? '' : ' on-screen'}" id="${anchor}" data-item data-choice="${listChoiceWords(cause, report).join(' ')}"><details class="detail"${isOpen ? html` open` : ''}><summary><h3>${worst.statement}</h3>
<p class="where">${renderFindingLabel(worst)} · ${describeWhere(report, cause)} · ${shortenText(describeWhatCame(cause), MAX_RECEIVED_LENGTH)}</p></summary>
<p class="where">no. ${getFindingNumber(report, worst)}${consequenceOf === null ? '' : `, probably a consequence of no. ${getFindingNumber(report, consequenceOf)}`} · ${linkClause(clause)} · ${formatSource(worst.source)} <a class="self" href="#${anchor}" aria-label="Link to this finding">#</a><br><code>${worst.operation}</code> at ${renderPlace(worst.instance ?? worst.pointer)}</p>
${renderFindingDetails(cause, anchor, report)}${renderFindingEvidence(worst, report, shown)}</details>
${renderFollowers(cause, report)}${following}</article>`;
}

/** Names what could not be tested because of a cause; the clauses are folded. */
function renderFollowers(cause: Cause, report: Report): Markup | '' {
  const words = describeFollowers(report, cause);
  const clauses = cause.findings.flatMap(({ id }) => groupUntested(report).get(id)?.clauses ?? []);
  if (words === null) return '';
  return html`<details class="followers"><summary>Not tested for that reason: ${words}</summary><p class="small">${joinParts(clauses.map(({ id }) => linkClause(id)))}</p></details>`;
}

function renderFindingDetails({ worst, findings }: Cause, anchor: string, report: Report): Markup {
  const { known } = worst;
  const curl = makeCurlLine(report, worst);
  const replay = makeReplayCommand(report, worst);
  const tolerated =
    known &&
    html`<p class="small"><strong>Tolerated</strong> until ${known.expires}: ${known.reason} (${known.owner}). It does not fail the gate.</p>`;
  return html`${tolerated}<dl class="versus"><div><dt>Expected</dt><dd>${worst.expected}</dd></div><div><dt>Received</dt><dd>${renderReceivedValues(worst, report)}</dd></div></dl>
${describeContrastDifference(report, worst).map((place) => html`<p class="small">Unlike ${place}</p>`)}${describeRepetitions(worst).map((again) => html`<p class="small">Asked again: ${again}</p>`)}${curl === null ? '' : html`<div class="on-screen">${renderCommand(`curl-${anchor}`, 'Send it again', curl)}</div>`}
${replay === null ? '' : renderCommand(`replay-${anchor}`, 'Replay it with all settings of this run', replay)}
<div class="on-screen">${renderCounterexample(worst, report)}${renderFurtherPlaces(findings.slice(1), report)}</div>`;
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

/** Shows a JSON pointer to a reader: the root of the body has no name. */
const renderPlace = (pointer: string): Markup =>
  pointer === '' ? html`the whole body` : html`<code>${pointer}</code>`;

/** Shows a command with a button to copy it. Without script, the text can still be selected. */
function renderCommand(id: string, label: string, text: string): Markup {
  return html`<div class="command">
<div class="head"><p class="label">${label}</p><button type="button" hidden data-copy="${id}" aria-label="${`Copy: ${label}`}">Copy</button></div>
<pre id="${id}">${text}</pre>
</div>`;
}

const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 2_000;
const MAX_SHOWN_HEADERS = 40;
const MAX_INDENT_COLUMNS = 20;

const requestKinds = { positive: 'documented request', probe: 'probe' } as const;

function renderExchange(record: ExchangeRecord, title: string, finding: Finding | null = null): Markup {
  const { id, request, response, failure, timing, redacted } = record;
  const pointer = finding?.pointer ?? null;
  const isMissing = finding?.kind === 'missing';
  // `request/body/amount` is a place in the body of the request.
  const inRequest = pointer?.startsWith('request/body') ? pointer.slice('request/body'.length) : null;
  const sent = request.body === null ? '' : renderBody(request.body, inRequest, isMissing);
  const received =
    response === null
      ? html`<pre>No answer: ${failure?.message ?? failure?.kind ?? ''}</pre>`
      : html`<pre>${markText(`HTTP ${response.status}`, pointer === 'response/status')}
${renderFields(response.headers, pointer, 'response/header/')}</pre>${renderBody(response.body, pointer === 'response/body' ? '' : pointer, isMissing, response.encoding)}`;
  const notes = `${record.truncated ? 'Only the beginning of the body was kept. ' : ''}${redacted > 0 ? `${counted(redacted, 'secret')} replaced. ` : ''}`;
  return html`<div class="exchange" data-exchange="${id}"><p><strong>${title}</strong> <span class="soft">${id} · ${timing.startedAt} · ${Math.round(timing.durationMs * 10) / 10} ms · ${requestKinds[record.kind]}</span></p>
<div class="exchanges"><div><p class="label">Request</p><pre>${request.method} ${request.url}
${renderFields(Object.entries(request.headers), pointer, 'request/header/')}</pre>${sent}</div>
<div><p class="label">Response</p>${received}</div></div>
<p class="soft">${notes}SHA-256 <code>${record.sha256.slice(0, 16)}…</code></p></div>`;
}

const markText = (text: string, isMarked: boolean): Markup => (isMarked ? html`<mark>${text}</mark>` : html`${text}`);

function renderFields(headers: readonly (readonly [string, string])[], pointer: string | null, prefix: string): Markup {
  const wanted = pointer?.startsWith(prefix) ? pointer.slice(prefix.length).toLowerCase() : null;
  const lines = headers.map(
    ([name, value]) =>
      html`${markText(`${name}: ${shortenText(value, MAX_LINE_LENGTH)}`, name.toLowerCase() === wanted)}\n`,
  );
  const isMissing = wanted !== null && !headers.some(([name]) => name.toLowerCase() === wanted);
  return html`${takeFirstItems(lines, MAX_SHOWN_HEADERS, (more) => html`… ${more} more`)}${isMissing ? html`<mark class="missing">${wanted} is missing</mark>` : ''}`;
}

function renderBody(text: string, pointer: string | null, isMissing: boolean, encoding = 'utf-8'): Markup {
  if (text === '') return html`<pre class="soft">no body</pre>`;
  const json = encoding === 'base64' ? null : splitJson(text, pointer, isMissing);
  if (json === null || !/^\s*[{[]/.test(text)) {
    const label = encoding === 'base64' ? 'not UTF-8, in base64: ' : '';
    return html`<pre class="body">${markText(`${label}${shortenText(text, MAX_TEXT_LENGTH)}`, pointer === '')}</pre>`;
  }
  const chosen = selectLines(json);
  let [room, leftOut] = [MAX_BODY_LENGTH, 0];
  const lines: Markup[] = [];
  const gap = (): void => {
    if (leftOut > 0) lines.push(html`<span class="gap">… ${counted(leftOut, 'line')} …</span>\n`);
    leftOut = 0;
  };
  for (const [at, { indent, text: line, marked, missing }] of json.entries()) {
    if (!chosen.has(at) || (room <= 0 && !marked)) {
      leftOut += 1;
      continue;
    }
    gap();
    const written = shortenText(line, MAX_LINE_LENGTH);
    room -= written.length;
    const note = missing && html` <mark class="missing">${missing} is missing here</mark>`;
    lines.push(
      html`${'  '.repeat(Math.min(indent, MAX_INDENT_COLUMNS))}${markText(written, marked && missing === undefined)}${marked && note}\n`,
    );
  }
  gap();
  return html`<pre class="body">${lines}</pre>`;
}

/** Renders all exchanges of the report that are not shown with a finding, by operation. */
export function renderEvidence(report: Report): Markup {
  const causes = groupCauses(report.findings).slice(0, MAX_SHOWN_CAUSES);
  const shown = new Set(causes.flatMap(({ worst }) => getEvidence(worst).map(([id]) => id)));
  const onPage = selectExchanges(report);
  const groups = groupBy(
    [...onPage.values()].filter((record) => !shown.has(record.id)),
    (record) => record.operation,
  );
  const more = Object.keys(report.exchanges).length - onPage.size;
  const parts = operationIds.map((operation) => {
    const records = groups.get(operation);
    const entries = records?.map((record) => renderEntry(record, report));
    return entries && renderFoldedPart(operation, counted(entries.length, 'exchange'), html`${entries}`);
  });
  return makeSectionTag(
    'evidence',
    'Evidence',
  )`<p>Out of ${counted(report.requests, 'request')} the suite keeps the first of each kind and those that verdicts refer to. The evidence of findings is shown with them. Secrets were replaced before anything was written.</p>
${parts}${more > 0 ? html`<p>${counted(more, 'more exchange')} ${more === 1 ? 'is' : 'are'} left out here to keep the page small; see conformance.json.</p>` : ''}`;
}

function renderEntry(record: ExchangeRecord, report: Report): Markup {
  const { id, kind, request, response, failure } = record;
  const scenario = report.scenarios.find((one) => one.id === getScenario(id));
  const came = response === null ? (failure?.kind ?? 'no answer') : String(response.status);
  return html`<details data-item><summary><code>${request.method} ${shortenText(request.path, 120)}</code> · ${came} · ${requestKinds[kind]}${scenario && html` <span class="soft">· ${shortenText(scenario.title, 80)}</span>`}</summary><div id="${makeAnchor('exchange', id)}">${renderExchange(record, came)}</div></details>`;
}

interface JsonLine {
  readonly indent: number;
  readonly text: string;
  marked: boolean;
  /** The name of a missing member, if the object that starts here does not have the member at the pointer. */
  readonly missing?: string;
}

/**
 * Returns the lines of a JSON text; null if the text is not JSON. Marks the values at a pointer with `*` for any index. With
 * `missing`, marks the objects that do not have the member.
 */
export function splitJson(text: string, pointer: string | null, missing = false): JsonLine[] | null {
  const steps = pointer?.startsWith('/') ? pointer.slice(1).split('/').map(unescapeStep) : null;
  let lines: JsonLine[];
  try {
    lines = [...listLinesOfValue(parse(text), steps)];
  } catch {
    // The text is incomplete, has a key twice, or is nested too deeply.
    return null;
  }
  const isWanted = (line: JsonLine): boolean => line.marked && (line.missing !== undefined) === missing;
  if (lines.some(isWanted)) for (const line of lines) line.marked = isWanted(line);
  return lines;
}

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Yields the lines of a value. `steps` lead from the value to the marked place; null if the place is elsewhere. */
function* listLinesOfValue(
  value: unknown,
  steps: readonly string[] | null,
  label = '',
  end = '',
  indent = 0,
): Generator<JsonLine> {
  const isArray = Array.isArray(value);
  const isObject = typeof value === 'object' && value !== null && !isLosslessNumber(value);
  const members = isObject ? Object.entries(value) : [];
  const [step = '', ...rest] = steps ?? [];
  const isMissing = isObject && !isArray && steps?.length === 1 && step !== '*' && !Object.hasOwn(value, step);
  const mark = { marked: steps?.length === 0 || isMissing, ...(isMissing ? { missing: step } : {}) };
  if (members.length === 0) return yield { indent, text: `${label}${stringify(value)}${end}`, ...mark };
  yield { indent, text: `${label}${isArray ? '[' : '{'}`, ...mark };
  for (const [at, [name, member]] of members.entries()) {
    const isOnWay = steps !== null && steps.length > 0 && (step === '*' || step === name);
    const comma = at < members.length - 1 ? ',' : '';
    yield* listLinesOfValue(
      member,
      isOnWay ? rest : null,
      isArray ? '' : `${JSON.stringify(name)}: `,
      comma,
      indent + 1,
    );
  }
  yield { indent, text: `${isArray ? ']' : '}'}${end}`, marked: false };
}

/** How many lines of a long text are shown: in total, at its beginning, around each mark, and around all marks. */
const [MAX_LINES, MAX_HEAD, LINES_AROUND_MARK, MAX_AROUND_MARKS] = [60, 12, 6, 120];

/** Chooses the lines to show by their numbers. Of a long text, shows its beginning and the lines around marks. */
export function selectLines(lines: readonly JsonLine[]): ReadonlySet<number> {
  if (lines.length <= MAX_LINES) return new Set(lines.keys());
  const hasMarks = lines.some(({ marked }) => marked);
  const chosen = new Set(lines.slice(0, hasMarks ? MAX_HEAD : MAX_LINES).keys());
  for (const [at, { marked }] of lines.entries())
    if (marked && chosen.size <= MAX_AROUND_MARKS)
      for (let near = Math.max(0, at - LINES_AROUND_MARK); near <= at + LINES_AROUND_MARK; near += 1) chosen.add(near);
  return chosen;
}
