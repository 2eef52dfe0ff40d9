/** Small parts that several sections and pages use. */
import { memoizeByObject } from '../../../openapi/util/memoize.ts';
import type { ClauseVerdict, Report } from '../../model/report.ts';
import { causesOf, placesListed } from '../../fold/root-causes.ts';
import { verdictName } from '../../text/phrases.ts';
import { html, slug, type Markup } from './markup.ts';
import { exchangesShown } from './evidence-budget.ts';

export type Content = Markup | string | number;

/** The sign of each verdict. */
export const verdictSigns: Readonly<Record<ClauseVerdict, string>> = {
  pass: '●',
  fail: '■',
  warning: '▲',
  inconclusive: '○',
  'not-applicable': '–',
  observed: '◆',
};

/** In the order of their weight. */
export const verdictOrder = ['fail', 'warning', 'inconclusive', 'pass', 'observed', 'not-applicable'] as const;

/** A verdict, stated by word, sign and colour. */
export const verdictMark = (verdict: ClauseVerdict, words = verdictName(verdict)): Markup =>
  html`<span class="verdict ${verdict}"><span aria-hidden="true">${verdictSigns[verdict]}</span> ${words}</span>`;

/** Parts with a separator between them. */
export const joined = (parts: readonly Content[], separator: Content = ', '): Markup =>
  html`${parts.map((part, at) => html`${at > 0 ? separator : ''}${part}`)}`;

/** A section of a page with its heading: a tag for the template of its body. */
export const section =
  (id: string, title: string, attributes: Markup | '' = ''): typeof html =>
  (strings, ...parts) =>
    html`<section${attributes} aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${html(strings, ...parts)}</section>`;

/** A column of a table by its name; numbers stand on the right. */
export type Column = string | { readonly number: string };
/** The cells of a row, the first one its head; or a heading over the rows that follow. */
type Row =
  | { readonly cells: readonly Content[]; readonly id?: string; readonly attributes?: Markup }
  | { readonly group: Content };

/** A table that becomes a list on a narrow screen. */
export function table(columns: readonly Column[], rows: readonly Row[], caption: Markup | '' = ''): Markup {
  const names = columns.map((column) => (typeof column === 'string' ? column : column.number));
  const numbers = columns.map((column) => (typeof column === 'string' ? '' : html` class="number"`));
  const row = (one: Row): Markup => {
    if ('group' in one) return html`<tr><th colspan="${columns.length}" scope="rowgroup">${one.group}</th></tr>`;
    const [head = '', ...cells] = one.cells;
    return html`<tr${one.id === undefined ? '' : html` id="${one.id}"`}${one.attributes ?? ''}><th scope="row">${head}</th>${cells.map((cell, at) => html`<td${numbers[at + 1]} data-label="${names[at + 1]}">${cell === '' ? '' : html`<span>${cell}</span>`}</td>`)}</tr>`;
  };
  return html`<table class="stack">${caption}<thead><tr>${names.map((name, at) => html`<th scope="col"${numbers[at]}>${name}</th>`)}</tr></thead><tbody>${rows.map(row)}</tbody></table>`;
}

/** What is wider than a narrow screen and scrolls by itself. */
export const wide = (labelledBy: string, body: Markup): Markup =>
  html`<div class="wide" tabindex="0" role="region" aria-labelledby="${labelledBy}">${body}</div>`;

/** Names with their values. */
export const factList = (facts: readonly (readonly [name: string, value: Content])[]): Markup =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** How many of `all` are not shown where at most so many are; nothing if all are. */
export const moreThan = (most: number, all: number, where: string): Markup | '' =>
  all > most ? html`<p class="small">and ${all - most} more in ${where}</p>` : '';

/** Where a clause, an operation and an exchange stand on the page. */
export const clauseAnchor = (id: string): string => `clause-${slug(id)}`;
export const operationAnchor = (id: string): string => `operation-${slug(id)}`;
export const exchangeAnchor = (id: string): string => `exchange-${slug(id)}`;

/** A link to a clause, by its id. */
export const clauseLink = (id: string): Markup => html`<a href="#${clauseAnchor(id)}">${id}</a>`;

/**
 * Where each finding stands on the page: by what it is, so that a link outlives the run. A place that its cause does not list
 * leads to the cause.
 */
export const findingAnchors = memoizeByObject((report: Report): ReadonlyMap<string, string> => {
  const taken = new Map<string, number>();
  const anchors = new Map<string, string>();
  causesOf(report.findings).forEach(({ findings }, rank) => {
    findings.forEach((finding, at) => {
      if (at > placesListed(rank)) return anchors.set(finding.id, anchors.get(findings[0]!.id)!);
      const name = `finding-${slug(finding.id)}`;
      const count = (taken.get(name) ?? 0) + 1;
      taken.set(name, count);
      return anchors.set(finding.id, count === 1 ? name : `${name}-${count}`);
    });
  });
  return anchors;
});

/** A text that leads to an exchange where that stands on the page. */
export function evidenceLink(report: Report, exchange: string | null, text: Content, label?: string): Markup {
  if (exchange === null || !exchangesShown(report).has(exchange)) return html`${text}`;
  const named = label === undefined ? '' : html` aria-label="${label}"`;
  return html`<a href="#${exchangeAnchor(exchange)}"${named}>${text}</a>`;
}

/** A place as a reader takes it in: the root of the body has no name of its own. */
export const place = (pointer: string): Markup =>
  pointer === '' ? html`the whole body` : html`<code>${pointer}</code>`;

/** A command with a button that copies it. The text stays selectable where there is no script. */
export function command(id: string, label: string, text: string): Markup {
  return html`<div class="command">
<div class="head"><p class="label">${label}</p><button type="button" hidden data-copy="${id}" aria-label="${`Copy: ${label}`}">Copy</button></div>
<pre id="${id}">${text}</pre>
</div>`;
}
