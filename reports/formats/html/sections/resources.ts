/** Shows the rest of the page: created resources, faults of the suite, the scenarios. */
import type { CreatedKind } from '../../../model/contents.ts';
import type { Report } from '../../../model/report.ts';
import { counted, formatDuration, grouped, joinWithAnd, describeFewerCases } from '../../../text/phrases.ts';
import { renderFold, showRest, openSection, renderTable } from '../components.ts';
import { html, type Markup } from '../markup.ts';

/** Each kind in words, with its cap. Contracts have no cap. */
const KINDS: readonly (readonly [
  what: CreatedKind,
  words: string,
  cap?: 'applications' | 'disbursements' | 'links',
])[] = [
  ['application', 'application', 'applications'],
  ['contract', 'contract'],
  ['disbursement', 'disbursement', 'disbursements'],
  ['link', 'payment link', 'links'],
];
const MAX_ITEMS = 100;

export function renderCreatedResources({ createdResources }: Report): Markup {
  const { counts, caps, amounts, items } = createdResources;
  const lines = KINDS.flatMap(([what, words, cap]) => {
    const perhaps = items.filter((one) => one.what === what && one.perhaps).length;
    if (counts[what] + perhaps === 0) return [];
    const sums = amounts
      .filter((sum) => sum.what === what)
      .map((sum) => `${grouped(sum.total.toFixed(2))} ${sum.currency}`.trim());
    const limit = caps === null ? '' : cap === undefined ? ', without a cap' : ` of at most ${grouped(caps[cap])}`;
    const more = perhaps === 0 ? '' : `, and perhaps ${grouped(perhaps)} more`;
    return html`<li>${counted(counts[what], words)}${limit}${more}${sums.length > 0 ? `, amounts: ${joinWithAnd(sums)}` : ''}</li>`;
  });
  const rows = items.slice(0, MAX_ITEMS).map(({ what, id, amount, currency, perhaps }) => {
    const words = KINDS.find(([kind]) => kind === what)?.[1] ?? what;
    const sum = amount === null ? '' : `${amount} ${currency ?? ''}`;
    return {
      attributes: html` data-item`,
      cells: [`${perhaps ? 'perhaps ' : ''}${words}`, html`<code>${id}</code>`, sum],
    };
  });
  return openSection(
    'created',
    'What the run created',
  )`${lines.length === 0 ? html`<p>Nothing was created at the bank.</p>` : html`<ul>${lines}</ul>`}
${caps === null ? '' : html`<p class="small soft">No request had an amount above ${grouped(caps.amount)}. Perhaps: the request had no answer that says whether something was created; it counts for the cap like one that did.</p>`}
${rows.length === 0 ? '' : renderFold('List of all', '', html`${renderTable(['What', 'Id', { number: 'Amount' }], rows)}${showRest(MAX_ITEMS, items.length, 'conformance.json')}`)}`;
}

export function renderErrors({ errors }: Report): Markup | null {
  if (errors.length === 0) return null;
  const entries = errors.map(
    ({ scenario, message }) =>
      html`<article class="finding is-warning"><h3>${scenario ?? 'Not in a scenario'}</h3><pre>${message}</pre></article>`,
  );
  const note = html`<p>Here the suite itself broke. This says nothing about the bank.</p>`;
  return openSection('faults', 'Errors of the suite')`${note}${entries}`;
}

export function renderScenarios({ scenarios, interrupted }: Report): Markup | null {
  if (scenarios.length === 0) return null;
  const rows = scenarios.map((scenario) => {
    const { title, durationMs } = scenario;
    const notes = [
      durationMs === null ? 'did not end' : formatDuration(durationMs),
      ...describeFewerCases({ scenarios: [scenario], interrupted }),
    ];
    return html`<li data-item>${title} <span class="small soft">${notes.join('; ')}</span></li>`;
  });
  return openSection(
    'scenarios',
    'Scenarios',
  )`${renderFold('What was sent', counted(scenarios.length, 'scenario'), html`<ul>${rows}</ul>`)}`;
}
