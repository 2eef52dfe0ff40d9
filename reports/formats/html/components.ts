/** Small parts that several sections of the page use. */
import { memoizeByObject } from '../../../openapi/util/memoize.ts';
import type { ClauseVerdict, Report } from '../../model/report.ts';
import { causesOf, placesListed } from '../../fold/root-causes.ts';
import { verdictName } from '../../text/phrases.ts';
import { html, slug, type Markup } from './markup.ts';
import { exchangesShown } from './evidence-budget.ts';

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

/** The verdict of a clause, stated by word, sign and colour. */
export function verdictMark(verdict: ClauseVerdict): Markup {
  return html`<span class="verdict ${verdict}"><span aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictName(verdict)}</span>`;
}

/** Where a clause stands on the page. */
export function clauseAnchor(id: string): string {
  return `clause-${slug(id)}`;
}

/** Where an operation stands on the page. */
export function operationAnchor(id: string): string {
  return `operation-${slug(id)}`;
}

/** Where an exchange stands on the page. */
export function exchangeAnchor(id: string): string {
  return `exchange-${slug(id)}`;
}

/**
 * Where each finding stands on the page: by what it is, so that a link outlives the run. One that its cause does not list
 * any more is found where the cause is.
 */
export const findingAnchors = memoizeByObject((report: Report): ReadonlyMap<string, string> => {
  const taken = new Map<string, number>();
  const anchors = new Map<string, string>();
  causesOf(report.findings).forEach(({ findings }, rank) => {
    findings.forEach((finding, at) => {
      if (at > placesListed(rank)) return anchors.set(finding.id, anchors.get(findings[0]!.id)!);
      const name = `finding-${slug(finding.id)}`;
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      return anchors.set(finding.id, before === 0 ? name : `${name}-${before + 1}`);
    });
  });
  return anchors;
});

/** A text that leads to an exchange where that stands on the page. */
export function evidenceLink(report: Report, exchange: string | null, text: string | Markup, label?: string): Markup {
  if (exchange === null || !exchangesShown(report).has(exchange)) return html`${text}`;
  return label === undefined
    ? html`<a href="#${exchangeAnchor(exchange)}">${text}</a>`
    : html`<a href="#${exchangeAnchor(exchange)}" aria-label="${label}">${text}</a>`;
}

/** A place as a reader takes it in: the root of the body has no name of its own. */
export function place(pointer: string): Markup {
  return pointer === '' ? html`the whole body` : html`<code>${pointer}</code>`;
}

/** A command with a button that copies it. The text stays selectable where there is no script. */
export function command(id: string, label: string, text: string): Markup {
  return html`<div class="command">
<div class="head"><p class="label">${label}</p><button type="button" hidden data-copy="${id}" aria-label="${`Copy: ${label}`}">Copy</button></div>
<pre id="${id}">${text}</pre>
</div>`;
}
