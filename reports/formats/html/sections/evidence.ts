/** Shows exchanges: request and answer, with the place of a finding marked. */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { operationIds, getScenario } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import type { Finding, Report } from '../../../model/report.ts';
import { shortenText } from '../../../text/sanitize.ts';
import { counted, takeFirstItems } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import { makeAnchor, MAX_BODY_LENGTH, makeSectionTag, renderFoldedPart, selectExchanges } from '../components.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';

const MAX_LINE_LENGTH = 400;
const MAX_TEXT_LENGTH = 2_000;
const MAX_SHOWN_HEADERS = 40;
const MAX_INDENT_COLUMNS = 20;

const requestKinds = { positive: 'documented request', probe: 'probe' } as const;

export function renderExchange(record: ExchangeRecord, title: string, finding: Finding | null = null): Markup {
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
export function renderEvidence(report: Report, shown: ReadonlySet<string>): Markup {
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
