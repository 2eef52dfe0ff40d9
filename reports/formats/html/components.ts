/** Makes the small parts of pages that several sections use: tables, marks, links, folded parts. Also chooses the exchanges of a page. */
import { memoizeByObject } from '../../../openapi/util/memoize.ts';
import type { ExchangeRecord } from '../../../openapi/model/journal.ts';
import type { ClauseVerdict, Finding, Report } from '../../model/report.ts';
import { groupCauses } from '../../build/causes.ts';
import { getFindingNumber } from '../overview.ts';
import { formatVerdict, grouped } from '../../text/phrases.ts';
import { html, type Markup } from './markup.ts';

type Content = Markup | string | number;

export const verdictSigns: Readonly<Record<ClauseVerdict, string>> = {
  pass: '●',
  fail: '■',
  warning: '▲',
  inconclusive: '○',
  'not-applicable': '–',
  observed: '◆',
};

export const verdictOrder = ['fail', 'warning', 'inconclusive', 'pass', 'observed', 'not-applicable'] as const;

export const markVerdict = (verdict: ClauseVerdict, text = formatVerdict(verdict)): Markup =>
  html`<span class="verdict ${verdict}"><span aria-hidden="true">${verdictSigns[verdict]}</span>\u00a0${text}</span>`;

export const joinParts = (contents: readonly Content[], separator: Content = ', '): Markup =>
  html`${contents.map((part, index) => html`${index > 0 ? separator : ''}${part}`)}`;

export const makeSectionTag =
  (id: string, title: string, attributes: Markup | '' = ''): typeof html =>
  (strings, ...parts) =>
    html`<section${attributes} aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${html(strings, ...parts)}</section>`;

/** A table column. Columns with numbers are right-aligned. */
type Column = string | { readonly number: string };
/** The cells of a row; the first cell is the row header. Or a heading for the next rows. */
type Row = { readonly id?: string; readonly attributes?: Markup } & (
  { readonly cells: readonly Content[] } | { readonly group: Content }
);

/** Makes a table. On a narrow screen, the table is shown as a list. The filter hides a heading if no row below it matches. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly Row[],
  caption: Markup | '' = '',
  className = 'stack',
): Markup {
  const columnNames = columns.map((column) => (typeof column === 'string' ? column : column.number));
  const numberAttributes = columns.map((column) => (typeof column === 'string' ? '' : html` class="number"`));
  const renderRow = (row: Row): Markup => {
    const attributes = html`${row.id === undefined ? '' : html` id="${row.id}"`}${row.attributes ?? ''}`;
    if ('group' in row)
      return html`<tr${attributes}><th colspan="${columns.length}" scope="rowgroup">${row.group}</th></tr>`;
    const [rowHeader = '', ...furtherCells] = row.cells;
    const cellTags = furtherCells.map((cell, index) => {
      const content = cell === '' ? '' : html`<div>${cell}</div>`;
      return html`<td${numberAttributes[index + 1]} data-label="${columnNames[index + 1]}">${content}</td>`;
    });
    return html`<tr${attributes}><th scope="row">${rowHeader}</th>${cellTags}</tr>`;
  };
  // A heading begins a new group of rows.
  const rowGroups: Row[][] = [];
  for (const row of rows)
    if (rowGroups.length === 0 || 'group' in row) rowGroups.push([row]);
    else rowGroups.at(-1)!.push(row);
  const headers = columnNames.map((name, index) => html`<th scope="col"${numberAttributes[index]}>${name}</th>`);
  const bodies = rowGroups.map((rowsOfGroup) => html`<tbody>${rowsOfGroup.map(renderRow)}</tbody>`);
  return html`<table class="${className}">${caption}<thead><tr>${headers}</tr></thead>${bodies}</table>`;
}

/** Shows the number of clauses with a verdict, in its colour; a dash if there are none. */
export const renderCount = (count: number, verdict: string): Markup =>
  html`<span class="${count === 0 ? 'soft' : verdict}">${count === 0 ? '–' : grouped(count)}</span>`;

/** Makes a part of a page that is folded at first. A click, a link, the filter or the search of the browser unfolds it. */
export const renderFoldedPart = (title: Content, note: Content, body: Content, id?: string): Markup =>
  html`<details class="fold"${id === undefined ? '' : html` id="${id}"`}><summary>${title} <span class="small soft">${note}</span></summary>
${body}</details>`;

/** Says how many of `count` items are hidden if at most `maxShown` are shown; an empty text if none is hidden. */
export const describeHiddenItems = (maxShown: number, count: number, file: string): Markup | '' =>
  count > maxShown ? html`<p class="small">and ${count - maxShown} more in ${file}</p>` : '';

export const makeAnchor = (kind: 'clause' | 'point' | 'operation' | 'exchange', id: string): string =>
  `${kind}-${id.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-|-$/g, '')}`;

export const linkClause = (id: string): Markup => html`<a href="#${makeAnchor('clause', id)}">${id}</a>`;

/** Returns the anchor of each finding. Findings with the same cause have the same anchor. */
export const anchorFindings = memoizeByObject(
  (report: Report): ReadonlyMap<string, string> =>
    new Map(
      groupCauses(report.findings).flatMap((cause) =>
        cause.map(({ id }) => [id, `finding-${getFindingNumber(report, cause[0])}`] as const),
      ),
    ),
);

/** Makes a link to an exchange. Returns only the text if the page does not show the exchange. */
export function linkEvidence(report: Report, exchangeId: string | null, text: Content, label?: string): Markup {
  if (exchangeId === null || !selectExchanges(report).has(exchangeId)) return html`${text}`;
  const labelAttribute = label === undefined ? '' : html` aria-label="${label}"`;
  return html`<a href="#${makeAnchor('exchange', exchangeId)}"${labelAttribute}>${text}</a>`;
}

/** A page has at most this many characters of exchanges, and more characters for each cause. */
const MAX_EVIDENCE_CHARACTERS = 260_000;
const EXTRA_CHARACTERS_PER_CAUSE = 15_000;
export const MAX_SHOWN_CAUSES = 60;
export const MAX_BODY_LENGTH = 5_000;

/** Returns the exchanges of a finding with their titles. The last is the reference exchange: the most similar one without the finding. */
export function listEvidence({
  exchange,
  concurrent,
  counterexample,
  contrast,
}: Finding): (readonly [id: string, title: string])[] {
  const furtherExchanges = [
    [concurrent, 'The request that was in flight at the same time'],
    [counterexample?.exchange, 'The smallest request with this finding'],
    [contrast, 'The most similar exchange that keeps the clause'],
  ] as const;
  return [
    [exchange, 'The exchange with this finding'] as const,
    ...furtherExchanges.flatMap(([id, title]) => (id == null || id === exchange ? [] : [[id, title] as const])),
  ];
}

/** Estimates how many characters an exchange takes on the page. */
const estimateCharacters = ({ request, response }: ExchangeRecord): number =>
  1_500 +
  Math.min(MAX_BODY_LENGTH, request.body?.length ?? 0) * 2 +
  Math.min(MAX_BODY_LENGTH, response?.body.length ?? 0) * 2;

/** Returns the exchanges that fit on the page. The exchanges of findings come first. */
export const selectExchanges = memoizeByObject((report: Report): ReadonlyMap<string, ExchangeRecord> => {
  const causes = groupCauses(report.findings).slice(0, MAX_SHOWN_CAUSES);
  const idsByImportance = new Set([
    ...causes.flatMap(([worst]) => listEvidence(worst).map(([id]) => id)),
    ...report.operations.flatMap(({ ways }) => Object.values(ways).map(({ exchange }) => exchange)),
    ...report.clauses.map(({ exchange }) => exchange),
    ...report.findings.map(({ exchange }) => exchange),
    ...report.observations.flatMap(({ exchange, control }) => [exchange, control]),
    ...Object.keys(report.exchanges),
  ]);
  let remainingCharacters = MAX_EVIDENCE_CHARACTERS + causes.length * EXTRA_CHARACTERS_PER_CAUSE;
  const selectedIds = new Set<string>();
  for (const id of idsByImportance) {
    const record = id === null ? undefined : report.exchanges[id];
    if (record === undefined) continue;
    const characters = estimateCharacters(record);
    if (characters > remainingCharacters) continue;
    remainingCharacters -= characters;
    selectedIds.add(record.id);
  }
  return new Map(Object.entries(report.exchanges).filter(([id]) => selectedIds.has(id)));
});
