/** Shows exchanges: below each finding its exchanges with a mark at the fault, and below "Evidence" all other exchanges. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { operationIds } from '../../../../openapi/api.ts';
import { getScenario } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import { groupCauses } from '../../../build/causes.ts';
import type { Finding, Report } from '../../../model/report.ts';
import { counted, takeFirstItems } from '../../../text/phrases.ts';
import { shortenText } from '../../../text/sanitize.ts';
import {
  listEvidence,
  makeAnchor,
  makeSectionTag,
  MAX_BODY_LENGTH,
  MAX_SHOWN_CAUSES,
  renderFoldedPart,
  selectExchanges,
} from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** Shows the exchanges of a finding. `shownIds` has the ids of exchanges that are already on the page: they get no second anchor. */
export function renderFindingEvidence(finding: Finding, report: Report, shownIds: Set<string>): Markup {
  const evidence = listEvidence(finding);
  const evidenceOnPage = evidence.filter(([id]) => selectExchanges(report).has(id));
  if (evidenceOnPage.length === 0) {
    const isInReport = evidence.some(([id]) => report.exchanges[id] !== undefined);
    return html`<p class="small soft">${isInReport ? 'The exchange is not on this page; see conformance.json.' : 'The report does not have the exchange.'}</p>`;
  }
  const blocks = evidenceOnPage.map(([exchangeId, title]) => {
    const exchangeMarkup = renderExchange(report.exchanges[exchangeId]!, title, finding);
    const block =
      exchangeId === finding.contrast ? html`<div class="contrast">${exchangeMarkup}</div>` : exchangeMarkup;
    if (shownIds.has(exchangeId)) return block;
    shownIds.add(exchangeId);
    return html`<div id="${makeAnchor('exchange', exchangeId)}">${block}</div>`;
  });
  return html`<details class="on-screen"><summary>Evidence: request and response${finding.contrast === null ? '' : ', beside an exchange that keeps the clause'}</summary>${blocks}</details>`;
}

const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 2_000;
const MAX_SHOWN_HEADERS = 40;
const MAX_INDENT_COLUMNS = 20;

const requestKinds = { positive: 'documented request', probe: 'invalid request' } as const;

function renderExchange(record: ExchangeRecord, title: string, finding: Finding | null = null): Markup {
  const { id, request, timing, redacted } = record;
  const pointer = finding?.pointer ?? null;
  const isMissing = finding?.kind === 'missing';
  // `request/body/amount` is the place `/amount` in the body of the request.
  const pointerInBody = pointer?.startsWith('request/body') ? pointer.slice('request/body'.length) : null;
  const requestBody = request.body === null ? '' : renderBody(request.body, pointerInBody, isMissing);
  const truncationNote = record.truncated ? 'Only the beginning of the body was kept. ' : '';
  const secretNote = redacted > 0 ? `${counted(redacted, 'secret')} replaced. ` : '';
  return html`<div class="exchange" data-exchange="${id}"><p><strong>${title}</strong> <span class="soft">${id} · ${timing.startedAt} · ${Math.round(timing.durationMs * 10) / 10} ms · ${requestKinds[record.kind]}</span></p>
<div class="exchanges"><div><p class="label">Request</p><pre>${request.method} ${request.url}
${renderFields(Object.entries(request.headers), pointer, 'request/header/')}</pre>${requestBody}</div>
<div><p class="label">Response</p>${renderResponse(record, pointer, isMissing)}</div></div>
<p class="soft">${truncationNote}${secretNote}SHA-256 <code>${record.sha256.slice(0, 16)}…</code></p></div>`;
}

function renderResponse({ response, failure }: ExchangeRecord, pointer: string | null, isMissing: boolean): Markup {
  if (response === null) return html`<pre>No answer: ${failure?.message ?? failure?.kind ?? ''}</pre>`;
  const pointerInBody = pointer === 'response/body' ? '' : pointer;
  return html`<pre>${markText(`HTTP ${response.status}`, pointer === 'response/status')}
${renderFields(response.headers, pointer, 'response/header/')}</pre>${renderBody(response.body, pointerInBody, isMissing, response.encoding)}`;
}

const markText = (text: string, isMarked: boolean): Markup => (isMarked ? html`<mark>${text}</mark>` : html`${text}`);

function renderFields(headers: readonly (readonly [string, string])[], pointer: string | null, prefix: string): Markup {
  const markedName = pointer?.startsWith(prefix) ? pointer.slice(prefix.length).toLowerCase() : null;
  const lines = headers.map(
    ([name, value]) =>
      html`${markText(`${name}: ${shortenText(value, MAX_LINE_LENGTH)}`, name.toLowerCase() === markedName)}\n`,
  );
  const hasMarkedHeader = headers.some(([name]) => name.toLowerCase() === markedName);
  const isMissing = markedName !== null && !hasMarkedHeader;
  return html`${takeFirstItems(lines, MAX_SHOWN_HEADERS, (more) => html`… ${more} more`)}${isMissing ? html`<mark class="missing">${markedName} is missing</mark>` : ''}`;
}

function renderBody(text: string, pointer: string | null, isMissing: boolean, encoding = 'utf-8'): Markup {
  if (text === '') return html`<pre class="soft">no body</pre>`;
  const lines = encoding === 'base64' ? null : listJsonLines(text, pointer, isMissing);
  const isObjectOrArray = /^\s*[{[]/.test(text);
  if (lines === null || !isObjectOrArray) {
    const label = encoding === 'base64' ? 'not UTF-8, in base64: ' : '';
    return html`<pre class="body">${markText(`${label}${shortenText(text, MAX_TEXT_LENGTH)}`, pointer === '')}</pre>`;
  }
  return html`<pre class="body">${renderLines(lines)}</pre>`;
}

/** Renders the most important lines. Says between them how many lines are left out. */
function renderLines(lines: readonly JsonLine[]): Markup[] {
  const selectedLines = selectLines(lines);
  let [remainingCharacters, leftOutLines] = [MAX_BODY_LENGTH, 0];
  return lines.flatMap(({ indent, text, isMarked, missingMember }, index) => {
    const isShown = selectedLines.has(index) && (remainingCharacters > 0 || isMarked);
    leftOutLines = isShown ? leftOutLines : leftOutLines + 1;
    const isGapEnd = leftOutLines > 0 && (isShown || index === lines.length - 1);
    const gap = isGapEnd ? [html`<span class="gap">… ${counted(leftOutLines, 'line')} …</span>\n`] : [];
    if (!isShown) return gap;
    leftOutLines = 0;
    const shortText = shortenText(text, MAX_LINE_LENGTH);
    remainingCharacters -= shortText.length;
    const note = missingMember && html` <mark class="missing">${missingMember} is missing here</mark>`;
    const indentation = '  '.repeat(Math.min(indent, MAX_INDENT_COLUMNS));
    return [
      ...gap,
      html`${indentation}${markText(shortText, isMarked && missingMember === undefined)}${isMarked && note}\n`,
    ];
  });
}

/** Renders all exchanges of the report that are not shown with a finding, by operation. */
export function renderEvidence(report: Report): Markup {
  const causes = groupCauses(report.findings).slice(0, MAX_SHOWN_CAUSES);
  const shownWithFindings = new Set(causes.flatMap(([worst]) => listEvidence(worst).map(([id]) => id)));
  const pageExchanges = selectExchanges(report);
  const recordsByOperation = groupBy(
    [...pageExchanges.values()].filter((record) => !shownWithFindings.has(record.id)),
    (record) => record.operation,
  );
  const leftOut = Object.keys(report.exchanges).length - pageExchanges.size;
  const foldedParts = operationIds.map((operation) => {
    const records = recordsByOperation.get(operation);
    const exchangeEntries = records?.map((record) => renderExchangeEntry(record, report));
    return (
      exchangeEntries &&
      renderFoldedPart(operation, counted(exchangeEntries.length, 'exchange'), html`${exchangeEntries}`)
    );
  });
  return makeSectionTag(
    'evidence',
    'Evidence',
  )`<p>Of ${counted(report.requests, 'request')}, the report keeps the first request of each kind and the requests that prove a verdict. The evidence of a finding is below the finding. Secrets were replaced before anything was written.</p>
${foldedParts}${leftOut > 0 ? html`<p>${counted(leftOut, 'more exchange')} ${leftOut === 1 ? 'is' : 'are'} left out here to keep the page small; see conformance.json.</p>` : ''}`;
}

function renderExchangeEntry(record: ExchangeRecord, report: Report): Markup {
  const { id, kind, request, response, failure } = record;
  const scenario = report.scenarios.find((candidate) => candidate.id === getScenario(id));
  const result = response === null ? (failure?.kind ?? 'no answer') : String(response.status);
  return html`<details data-item><summary><code>${request.method} ${shortenText(request.path, 120)}</code> · ${result} · ${requestKinds[kind]}${scenario && html` <span class="soft">· ${shortenText(scenario.title, 80)}</span>`}</summary><div id="${makeAnchor('exchange', id)}">${renderExchange(record, result)}</div></details>`;
}

interface JsonLine {
  readonly indent: number;
  readonly text: string;
  isMarked: boolean;
  /** The name of a missing member, if the object that starts here does not have the member at the pointer. */
  readonly missingMember?: string;
}

/**
 * Returns the lines of a JSON text; null if the text is not JSON. Marks the lines of the values at `pointer`, which may have `*` for any
 * index. If `missing` is true, marks the objects that do not have the last member of the pointer.
 */
function listJsonLines(text: string, pointer: string | null, missing = false): JsonLine[] | null {
  const path = pointer?.startsWith('/') ? pointer.slice(1).split('/').map(unescapeName) : null;
  let lines: JsonLine[];
  try {
    lines = [...listLinesOfValue(parse(text), path)];
  } catch {
    // The text is incomplete, has a key twice, or is nested too deeply.
    return null;
  }
  // Marks of the other kind stay only if there is no mark of the kind that is searched.
  const isMarkToKeep = (line: JsonLine): boolean => line.isMarked && (line.missingMember !== undefined) === missing;
  if (lines.some(isMarkToKeep)) for (const line of lines) line.isMarked = isMarkToKeep(line);
  return lines;
}

const unescapeName = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** Yields the lines of a value. `path` has the names from the value to the marked place; null if the place is not in the value. */
function* listLinesOfValue(
  value: unknown,
  path: readonly string[] | null,
  label = '',
  end = '',
  indent = 0,
): Generator<JsonLine> {
  const isArray = Array.isArray(value);
  const members = listMembers(value);
  const markOfLine = markLine(value, path);
  if (members.length === 0) return yield { indent, text: `${label}${stringify(value)}${end}`, ...markOfLine };
  yield { indent, text: `${label}${isArray ? '[' : '{'}`, ...markOfLine };
  const [nextName, ...pathBelow] = path ?? [];
  for (const [index, { name, member }] of members.entries()) {
    const memberPath = nextName === '*' || nextName === name ? pathBelow : null;
    const comma = index < members.length - 1 ? ',' : '';
    yield* listLinesOfValue(member, memberPath, isArray ? '' : `${JSON.stringify(name)}: `, comma, indent + 1);
  }
  yield { indent, text: `${isArray ? ']' : '}'}${end}`, isMarked: false };
}

const listMembers = (value: unknown): readonly { readonly name: string; readonly member: unknown }[] =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value)
    ? Object.entries(value).map(([name, member]) => ({ name, member: member as unknown }))
    : [];

/** Marks the value at the end of the path, or an object that does not have the last member of the path. */
function markLine(value: unknown, path: readonly string[] | null): Pick<JsonLine, 'isMarked' | 'missingMember'> {
  const [nextName, ...pathBelow] = path ?? [];
  if (nextName === undefined) return { isMarked: path !== null };
  const isObject = typeof value === 'object' && value !== null && !isLosslessNumber(value) && !Array.isArray(value);
  const isMissing = isObject && pathBelow.length === 0 && nextName !== '*' && !Object.hasOwn(value, nextName);
  return isMissing ? { isMarked: true, missingMember: nextName } : { isMarked: false };
}

/** Shorter texts are shown completely. */
const MAX_LINES = 60;
/** This many lines at the beginning of a long text with marks are shown. */
const MAX_LINES_AT_START = 12;
/** This many lines before and after each mark are shown. */
const LINES_AROUND_MARK = 6;
/** If more lines are selected, no further mark is shown. */
const MAX_SELECTED_LINES = 120;

/** Returns the numbers of the lines to show: of a long text, its beginning and the lines around marks. */
function selectLines(lines: readonly JsonLine[]): ReadonlySet<number> {
  if (lines.length <= MAX_LINES) return new Set(lines.keys());
  const hasMarks = lines.some(({ isMarked }) => isMarked);
  const selectedLines = new Set(lines.slice(0, hasMarks ? MAX_LINES_AT_START : MAX_LINES).keys());
  for (const [index, { isMarked }] of lines.entries())
    if (isMarked && selectedLines.size <= MAX_SELECTED_LINES)
      for (let line = Math.max(0, index - LINES_AROUND_MARK); line <= index + LINES_AROUND_MARK; line += 1)
        selectedLines.add(line);
  return selectedLines;
}
