/** Shows how many resources the run created, and faults of the suite. */
import type { CreatedKind } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import { grouped, joinWithAnd } from '../../../text/phrases.ts';
import { makeSectionTag, renderTable } from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** The name of each kind of resource, with its cap. Contracts have no cap. */
const RESOURCE_KINDS: readonly (readonly [
  what: CreatedKind,
  words: string,
  cap: 'applications' | 'disbursements' | 'links' | null,
])[] = [
  ['application', 'Applications', 'applications'],
  ['contract', 'Contracts', null],
  ['disbursement', 'Disbursements', 'disbursements'],
  ['link', 'Payment links', 'links'],
];

export function renderCreatedResources({ createdResources }: Report): Markup {
  const { counts, caps, amounts, items } = createdResources;
  const rows = RESOURCE_KINDS.map(([what, words, cap]) => {
    const sums = amounts
      .filter((sum) => sum.what === what)
      .map((sum) => `${grouped(sum.total.toFixed(2))} ${sum.currency}`.trim());
    const perhaps = items.filter((one) => one.what === what && one.perhaps).length;
    const most = caps === null || cap === null ? 'no cap' : grouped(caps[cap]);
    return { cells: [words, grouped(counts[what]), grouped(perhaps), most, joinWithAnd(sums)] };
  });
  const columns = ['What', { number: 'Created' }, { number: 'Perhaps' }, { number: 'At most' }, 'Amounts'];
  const highest = caps === null ? '' : `No request had an amount above ${grouped(caps.amount)}. `;
  return makeSectionTag('created', 'What the run created')`${renderTable(columns, rows)}
<p class="small soft">${highest}Perhaps: no answer said whether it was created. <code>created.csv</code> lists all of them.</p>`;
}

export function renderErrors({ errors }: Report): Markup | null {
  if (errors.length === 0) return null;
  const entries = errors.map(
    ({ scenario, message }) =>
      html`<article class="finding is-warning"><h3>${scenario ?? 'Not in a scenario'}</h3><pre>${message}</pre></article>`,
  );
  return makeSectionTag('faults', 'Errors of the suite')`<p>This says nothing about the bank.</p>${entries}`;
}
