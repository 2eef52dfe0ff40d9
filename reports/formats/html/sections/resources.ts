/** The rest of the page: what the run created, faults of the suite, the scenarios. */
import type { Caps, CreatedKind, Report } from '../../../model/report.ts';
import { counted, duration, grouped, listed, fewerCasesInWords } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';

const createdWords = {
  application: 'application',
  contract: 'contract',
  disbursement: 'disbursement',
  link: 'payment link',
} as const;
/** The cap that a kind of thing has; contracts hang on applications. */
const capOf: Partial<Record<CreatedKind, (caps: Caps) => number>> = {
  application: ({ applications }) => applications,
  disbursement: ({ disbursements }) => disbursements,
  link: ({ links }) => links,
};
const MAX_ITEMS = 100;

/** What the run created at the target. */
export function createdResourcesSection({ createdResources }: Report): Markup {
  const { counts, caps, amounts, items } = createdResources;
  const perhaps = (what: CreatedKind): number => items.filter((one) => one.what === what && one.perhaps).length;
  const made = (['application', 'contract', 'disbursement', 'link'] as const).filter(
    (what) => counts[what] + perhaps(what) > 0,
  );
  const lines = made.map((what) => {
    const sums = amounts
      .filter((sum) => sum.what === what)
      .map((sum) => `${grouped(sum.total.toFixed(2))} ${sum.currency}`.trim());
    const cap = caps === null ? null : capOf[what]?.(caps);
    const limit = caps === null ? '' : cap === undefined ? ', without a cap' : ` of at most ${grouped(cap ?? 0)}`;
    const more = perhaps(what) === 0 ? '' : `, and perhaps ${grouped(perhaps(what))} more`;
    return html`<li>${counted(counts[what], createdWords[what])}${limit}${more}${sums.length > 0 ? `, amounts: ${listed(sums)}` : ''}</li>`;
  });
  const rows = items
    .slice(0, MAX_ITEMS)
    .map(
      (one) =>
        html`<tr><td data-label="What"><span>${one.perhaps ? 'perhaps ' : ''}${createdWords[one.what]}</span></td><td data-label="Id"><code>${one.id}</code></td><td class="number" data-label="Amount"><span>${one.amount === null ? '' : `${one.amount} ${one.currency ?? ''}`}</span></td></tr>`,
    );
  const more = items.length - MAX_ITEMS;
  return html`<section aria-labelledby="createdResources"><h2 id="createdResources">What the run created</h2>
${lines.length === 0 ? html`<p>Nothing was created at the bank.</p>` : html`<ul>${lines}</ul>`}
${caps === null ? '' : html`<p class="small soft">No request had an amount above ${grouped(caps.amount)}. Perhaps: the request had no answer that says whether something was created; it counts for the cap like one that did.</p>`}
${rows.length === 0 ? '' : html`<details><summary>List of all</summary><table class="stack"><thead><tr><th scope="col">What</th><th scope="col">Id</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${rows}</tbody></table>${more > 0 ? html`<p class="small">and ${more} more in conformance.json</p>` : ''}</details>`}</section>`;
}

/** Faults of the suite itself, apart from all that is said of the bank. */
export function errorsSection({ errors }: Report): Markup | null {
  if (errors.length === 0) return null;
  const entries = errors.map(
    ({ scenario, message }) =>
      html`<article class="finding is-warning"><h3>${scenario ?? 'Not in a scenario'}</h3><pre>${message}</pre></article>`,
  );
  return html`<section aria-labelledby="faults"><h2 id="faults">Errors of the suite</h2>
<p>Here the suite itself broke. This says nothing about the bank.</p>${entries}</section>`;
}

/** What was asked: the scenarios of the run. */
export function scenariosSection({ scenarios, interrupted }: Report): Markup | null {
  if (scenarios.length === 0) return null;
  const rows = scenarios.map(
    (scenario) =>
      html`<li>${scenario.title} <span class="small soft">${[scenario.durationMs === null ? 'did not end' : duration(scenario.durationMs), ...fewerCasesInWords({ scenarios: [scenario], interrupted })].join('; ')}</span></li>`,
  );
  return html`<section aria-labelledby="scenarios"><h2 id="scenarios">Scenarios</h2><details><summary>${counted(scenarios.length, 'scenario', 'scenarios')} ran</summary><ul>${rows}</ul></details></section>`;
}
