/** The rest of the page: what the run left behind, faults of the suite, the stories. */
import type { Caps, CreatedKind, Report } from '../../../model/report.ts';
import { counted, duration, grouped, listed } from '../../../text/phrases.ts';
import { h } from '../markup.ts';
import type { Markup } from '../markup.ts';

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
const mostItems = 100;

/** What the run created at the target. */
export function exposureSection({ exposure }: Report): Markup {
  const { counts, caps, amounts, items } = exposure;
  const made = (['application', 'contract', 'disbursement', 'link'] as const).filter((what) => counts[what] > 0);
  const lines = made.map((what) => {
    const sums = amounts
      .filter((sum) => sum.what === what)
      .map((sum) => `${grouped(sum.total.toFixed(2))} ${sum.currency}`.trim());
    const cap = caps === null ? null : capOf[what]?.(caps);
    return h`<li>${counted(counts[what], createdWords[what])}${cap == null ? '' : ` of at most ${grouped(cap)}`}${sums.length > 0 ? `, ${listed(sums)} nominal` : ''}</li>`;
  });
  const rows = items
    .slice(0, mostItems)
    .map(
      (one) =>
        h`<tr><td data-label="What"><span>${createdWords[one.what]}</span></td><td data-label="Id"><code>${one.id}</code></td><td class="number" data-label="Amount"><span>${one.amount === null ? '' : `${one.amount} ${one.currency ?? ''}`}</span></td></tr>`,
    );
  const more = items.length - mostItems;
  return h`<section aria-labelledby="exposure"><h2 id="exposure">What the run left behind</h2>
${lines.length === 0 ? h`<p>Nothing was created at the target.</p>` : h`<ul>${lines}</ul>`}
${caps === null ? '' : h`<p class="small soft">No request named an amount above ${grouped(caps.amount)}, other than one meant to be above the limit of an offer. The counts are of answers that said so; what a broken connection left behind is not known.</p>`}
${rows.length === 0 ? '' : h`<details><summary>One by one</summary><table class="stack"><thead><tr><th scope="col">What</th><th scope="col">Id</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${rows}</tbody></table>${more > 0 ? h`<p class="small">and ${more} more in conformance.json</p>` : ''}</details>`}</section>`;
}

/** Faults of the suite itself, apart from all that is said of the bank. */
export function faultsSection({ errors }: Report): Markup | null {
  if (errors.length === 0) return null;
  const entries = errors.map(
    ({ story, message }) =>
      h`<article class="finding is-warning"><h3>${story ?? 'Outside the stories'}</h3><pre>${message}</pre></article>`,
  );
  return h`<section aria-labelledby="faults"><h2 id="faults">Faults of the suite</h2>
<p>Here the suite itself broke. That is no fault of the bank, and nothing is concluded from it.</p>${entries}</section>`;
}

/** What was asked: the stories of the run. */
export function storiesSection({ stories }: Report): Markup | null {
  if (stories.length === 0) return null;
  const rows = stories.map(
    ({ title, durationMs }) =>
      h`<li>${title} <span class="small soft">${durationMs === null ? 'did not end' : duration(durationMs)}</span></li>`,
  );
  return h`<section aria-labelledby="stories"><h2 id="stories">Stories</h2><details><summary>${counted(stories.length, 'story', 'stories')} were told</summary><ul>${rows}</ul></details></section>`;
}
