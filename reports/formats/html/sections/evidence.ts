/** Shows exchanges: those of a finding with its place marked, and all others by operation. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { operationIds } from '../../../../openapi/api.ts';
import { getScenario } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import { groupCauses } from '../../../fold/causes.ts';
import type { Finding, Report } from '../../../model/report.ts';
import { counted, takeFirstItems } from '../../../text/phrases.ts';
import { shortenText } from '../../../text/sanitize.ts';
import {
  getEvidence,
  makeAnchor,
  makeSectionTag,
  MAX_BODY_LENGTH,
  MAX_SHOWN_CAUSES,
  renderFoldedPart,
  selectExchanges,
} from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** Shows the exchanges of a finding; those in `shown` are already on the page. */
export function renderFindingEvidence(finding: Finding, report: Report, shown: Set<string>): Markup {
  const all = getEvidence(finding);
  const list = all.filter(([id]) => selectExchanges(report).has(id));
  if (list.length === 0) {
    const isKept = all.some(([id]) => report.exchanges[id] !== undefined);
    return html`<p class="small soft">${isKept ? 'The exchange is not on this page; see conformance.json.' : 'The report does not have the exchange.'}</p>`;
  }
  const blocks = list.map(([id, title]) => {
    const plain = renderExchange(report.exchanges[id]!, title, finding);
    const block = id === finding.contrast ? html`<div class="contrast">${plain}</div>` : plain;
    if (shown.has(id)) return block;
    shown.add(id);
    return html`<div id="${makeAnchor('exchange', id)}">${block}</div>`;
  });
  return html`<details class="on-screen"><summary>Evidence: request and response${finding.contrast === null ? '' : ', beside an exchange that keeps the clause'}</summary>${blocks}</details>`;
}

const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 2_000;
const MAX_SHOWN_HEADERS = 40;
const MAX_INDENT_COLUMNS = 20;

const requestKinds = { positive: 'documented request', probe: 'probe' } as const;

function renderExchange(record: ExchangeRecord, title: string, finding: Finding | null = null): Markup {
  const { id, request, timing, redacted } = record;
  const pointer = finding?.pointer ?? null;
  const isMissing = finding?.kind === 'missing';
  // `request/body/amount` is a place in the body of the request.
  const inRequest = pointer?.startsWith('request/body') ? pointer.slice('request/body'.length) : null;
  const sent = request.body === null ? '' : renderBody(request.body, inRequest, isMissing);
  const notes = `${record.truncated ? 'Only the beginning of the body was kept. ' : ''}${redacted > 0 ? `${counted(redacted, 'secret')} replaced. ` : ''}`;
  return html`<div class="exchange" data-exchange="${id}"><p><strong>${title}</strong> <span class="soft">${id} · ${timing.startedAt} · ${Math.round(timing.durationMs * 10) / 10} ms · ${requestKinds[record.kind]}</span></p>
<div class="exchanges"><div><p class="label">Request</p><pre>${request.method} ${request.url}
${renderFields(Object.entries(request.headers), pointer, 'request/header/')}</pre>${sent}</div>
<div><p class="label">Response</p>${renderResponse(record, pointer, isMissing)}</div></div>
<p class="soft">${notes}SHA-256 <code>${record.sha256.slice(0, 16)}…</code></p></div>`;
}

function renderResponse({ response, failure }: ExchangeRecord, pointer: string | null, isMissing: boolean): Markup {
  if (response === null) return html`<pre>No answer: ${failure?.message ?? failure?.kind ?? ''}</pre>`;
  const inBody = pointer === 'response/body' ? '' : pointer;
  return html`<pre>${markText(`HTTP ${response.status}`, pointer === 'response/status')}
${renderFields(response.headers, pointer, 'response/header/')}</pre>${renderBody(response.body, inBody, isMissing, response.encoding)}`;
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
  return html`<pre class="body">${renderLines(json)}</pre>`;
}

/** Renders the chosen lines, and says how many are left out between them. */
function renderLines(json: readonly JsonLine[]): Markup[] {
  const chosen = selectLines(json);
  let [room, leftOut] = [MAX_BODY_LENGTH, 0];
  return json.flatMap(({ indent, text, marked, missing }, index) => {
    const isShown = chosen.has(index) && (room > 0 || marked);
    leftOut = isShown ? leftOut : leftOut + 1;
    const isGapEnd = leftOut > 0 && (isShown || index === json.length - 1);
    const gap = isGapEnd ? [html`<span class="gap">… ${counted(leftOut, 'line')} …</span>\n`] : [];
    if (!isShown) return gap;
    leftOut = 0;
    const written = shortenText(text, MAX_LINE_LENGTH);
    room -= written.length;
    const note = missing && html` <mark class="missing">${missing} is missing here</mark>`;
    const indented = '  '.repeat(Math.min(indent, MAX_INDENT_COLUMNS));
    return [...gap, html`${indented}${markText(written, marked && missing === undefined)}${marked && note}\n`];
  });
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
    const entries = records?.map((record) => renderExchangeEntry(record, report));
    return entries && renderFoldedPart(operation, counted(entries.length, 'exchange'), html`${entries}`);
  });
  return makeSectionTag(
    'evidence',
    'Evidence',
  )`<p>Of ${counted(report.requests, 'request')}, the report keeps the first of each kind and the requests that prove a verdict. The evidence of a finding stands under the finding. Secrets were replaced before anything was written.</p>
${parts}${more > 0 ? html`<p>${counted(more, 'more exchange')} ${more === 1 ? 'is' : 'are'} left out here to keep the page small; see conformance.json.</p>` : ''}`;
}

function renderExchangeEntry(record: ExchangeRecord, report: Report): Markup {
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
function splitJson(text: string, pointer: string | null, missing = false): JsonLine[] | null {
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
  const members = listMembers(value);
  const mark = markLine(value, steps);
  if (members.length === 0) return yield { indent, text: `${label}${stringify(value)}${end}`, ...mark };
  yield { indent, text: `${label}${isArray ? '[' : '{'}`, ...mark };
  const [step, ...rest] = steps ?? [];
  for (const [index, { name, member }] of members.entries()) {
    const below = step === '*' || step === name ? rest : null;
    const comma = index < members.length - 1 ? ',' : '';
    yield* listLinesOfValue(member, below, isArray ? '' : `${JSON.stringify(name)}: `, comma, indent + 1);
  }
  yield { indent, text: `${isArray ? ']' : '}'}${end}`, marked: false };
}

const listMembers = (value: unknown): readonly { readonly name: string; readonly member: unknown }[] =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value)
    ? Object.entries(value).map(([name, member]) => ({ name, member: member as unknown }))
    : [];

/** Marks a value at the end of the steps, or an object that does not have the member of the last step. */
function markLine(value: unknown, steps: readonly string[] | null): Pick<JsonLine, 'marked' | 'missing'> {
  const [step, ...rest] = steps ?? [];
  if (step === undefined) return { marked: steps !== null };
  const isObject = typeof value === 'object' && value !== null && !isLosslessNumber(value) && !Array.isArray(value);
  const isMissing = isObject && rest.length === 0 && step !== '*' && !Object.hasOwn(value, step);
  return isMissing ? { marked: true, missing: step } : { marked: false };
}

/** How many lines of a long text are shown: in total, at its beginning, around each mark, and around all marks. */
const MAX_LINES = 60;
const MAX_HEAD = 12;
const LINES_AROUND_MARK = 6;
const MAX_AROUND_MARKS = 120;

/** Chooses the lines to show by their numbers. Of a long text, shows its beginning and the lines around marks. */
function selectLines(lines: readonly JsonLine[]): ReadonlySet<number> {
  if (lines.length <= MAX_LINES) return new Set(lines.keys());
  const hasMarks = lines.some(({ marked }) => marked);
  const chosen = new Set(lines.slice(0, hasMarks ? MAX_HEAD : MAX_LINES).keys());
  for (const [index, { marked }] of lines.entries())
    if (marked && chosen.size <= MAX_AROUND_MARKS)
      for (let near = Math.max(0, index - LINES_AROUND_MARK); near <= index + LINES_AROUND_MARK; near += 1)
        chosen.add(near);
  return chosen;
}
