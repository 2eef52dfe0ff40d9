/** Exchanges as evidence: what was asked and what came, with the spot marked that a finding is about. */
import { operationIds, scenarioOf } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../model/report.ts';
import { shortened } from '../../../text/sanitize.ts';
import { counted } from '../../../text/phrases.ts';
import { jsonLines, windowed } from '../json-lines.ts';
import { html, type Markup } from '../markup.ts';
import { exchangeAnchor } from '../components.ts';
import { exchangesShown, MAX_PER_BODY } from '../evidence-budget.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';

const MAX_CHARACTERS = 200_000;
const MAX_PER_LINE = 400;
const MAX_HEADERS = 40;
const MAX_QUESTION = 80;

/** How a request stands to the document. */
const kindWords = { positive: 'documented request', probe: 'probe' } as const;

/** What a finding points at. */
interface Spot {
  readonly pointer: string;
  readonly kind: string;
}

/** One exchange, with its request and its response. */
export function exchange(record: ExchangeRecord, title: string, spotted: Spot | null = null): Markup {
  const { request, response, failure } = record;
  const pointer = spotted?.pointer ?? null;
  const lacking = spotted?.kind === 'missing';
  return html`<div class="exchange" data-exchange="${record.id}"><p><strong>${title}</strong> <span class="soft">${record.id} · ${record.timing.startedAt} · ${Math.round(record.timing.durationMs * 10) / 10} ms · ${kindWords[record.kind]}</span></p>
<div class="exchanges"><div><p class="label">Request</p><pre>${request.method} ${request.url}
${fields(Object.entries(request.headers), pointer, 'request/header/')}</pre>${request.body === null ? '' : body(request.body, inBody(pointer), lacking)}</div>
<div><p class="label">Response</p>${
    response === null
      ? html`<pre>No answer: ${failure?.message ?? failure?.kind ?? ''}</pre>`
      : html`<pre>${spot(`HTTP ${response.status}`, pointer === 'response/status')}
${fields(response.headers, pointer, 'response/header/')}</pre>${body(response.body, pointer === 'response/body' ? '' : pointer, lacking, response.encoding)}`
  }</div></div>
<p class="soft">${record.truncated ? 'Only the beginning of the body was kept. ' : ''}${record.redacted > 0 ? `${record.redacted} secret${record.redacted === 1 ? '' : 's'} replaced. ` : ''}SHA-256 <code>${record.sha256.slice(0, 16)}…</code></p></div>`;
}

/** `request/body/amount` leads into the body that was sent. */
function inBody(pointer: string | null): string | null {
  return pointer?.startsWith('request/body') ? pointer.slice('request/body'.length) : null;
}

function spot(text: string, marked: boolean): Markup {
  return marked ? html`<mark>${text}</mark>` : html`${text}`;
}

function fields(headers: readonly (readonly [string, string])[], pointer: string | null, prefix: string): Markup {
  const wanted = pointer?.startsWith(prefix) ? pointer.slice(prefix.length).toLowerCase() : null;
  const shown = headers
    .slice(0, MAX_HEADERS)
    .map(
      ([name, value]) => html`${spot(`${name}: ${shortened(value, MAX_PER_LINE)}`, name.toLowerCase() === wanted)}\n`,
    );
  const more = headers.length - MAX_HEADERS;
  const missing = wanted !== null && !headers.some(([name]) => name.toLowerCase() === wanted);
  return html`${shown}${more > 0 ? `… ${more} more` : ''}${missing ? html`<mark class="missing">${wanted} is missing</mark>` : ''}`;
}

function body(text: string, pointer: string | null, lacking: boolean, encoding: 'utf-8' | 'base64' = 'utf-8'): Markup {
  if (text === '') return html`<pre class="soft">no body</pre>`;
  if (encoding === 'base64') {
    return html`<pre class="body">${spot(`not UTF-8, in base64: ${shortened(text, 2_000)}`, pointer === '')}</pre>`;
  }
  if (!/^\s*[{[]/.test(text)) return html`<pre class="body">${spot(shortened(text, 2_000), pointer === '')}</pre>`;
  let room = MAX_PER_BODY;
  let left = 0;
  const lines: Markup[] = [];
  const gap = (): void => {
    if (left > 0) lines.push(html`<span class="gap">… ${counted(left, 'line')} …</span>\n`);
    left = 0;
  };
  for (const line of windowed(jsonLines(text.slice(0, MAX_CHARACTERS), pointer, lacking))) {
    if (typeof line === 'number') left += line;
    else if (room <= 0 && !line.marked) left += 1;
    else {
      gap();
      const written = shortened(line.text, MAX_PER_LINE);
      room -= written.length;
      const missing =
        line.missing === undefined ? '' : html` <mark class="missing">${line.missing} is missing here</mark>`;
      const shown = line.marked && line.missing === undefined ? html`<mark>${written}</mark>` : html`${written}`;
      lines.push(html`${'  '.repeat(Math.min(line.indent, 20))}${shown}${missing}\n`);
    }
  }
  gap();
  return html`<pre class="body">${lines}</pre>`;
}

/** All exchanges that are kept and not shown beside a finding already, operation by operation. */
export function evidenceSection(report: Report, shown: ReadonlySet<string>): Markup {
  const onPage = exchangesShown(report);
  const all = [...onPage.values()].filter((record) => !shown.has(record.id));
  const groups = groupBy(all, (record) => record.operation);
  const more = Object.keys(report.exchanges).length - onPage.size;
  const questions = questionsOf(report);
  const parts = operationIds.map((operation) => {
    const records = groups.get(operation);
    return records ? html`<h3>${operation}</h3>${records.map((record) => entry(record, questions))}` : null;
  });
  return html`<section aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>
<p>Out of ${counted(report.requests, 'request')} the suite keeps the first of each kind and those that verdicts refer to. The evidence of findings is shown with them. Secrets were replaced before anything was written.</p>
${parts}${more > 0 ? html`<p>${counted(more, 'more exchange')} ${more === 1 ? 'is' : 'are'} left out here to keep the page small; see conformance.json.</p>` : ''}</section>`;
}

/** What an exchange was to find out: the open point that it shows, else the scenario that sent it. By exchange or scenario. */
function questionsOf({ observations, scenarios }: Report): ReadonlyMap<string, string> {
  const asked = observations.flatMap(({ exchange, point, about }) =>
    about === null ? [] : [[exchange, `${point}: ${about}`] as const],
  );
  return new Map([...scenarios.map(({ id, title }) => [id, title] as const), ...asked]);
}

function entry(record: ExchangeRecord, questions: ReadonlyMap<string, string>): Markup {
  const question = questions.get(record.id) ?? questions.get(scenarioOf(record.id));
  const came = record.response === null ? (record.failure?.kind ?? 'no answer') : String(record.response.status);
  return html`<details><summary><code>${record.request.method} ${shortened(record.request.path, 120)}</code> · ${came} · ${kindWords[record.kind]}${question === undefined ? '' : html` <span class="soft">· ${shortened(question, MAX_QUESTION)}</span>`}</summary><div id="${exchangeAnchor(record.id)}">${exchange(record, came)}</div></details>`;
}
