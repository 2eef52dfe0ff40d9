/** The rest of the page: open points, what the run left behind, faults of the suite, the stories. */
import type { Caps, CreatedKind, Observation, Report } from '../report.ts';
import { counted, duration, grouped, listed } from '../words.ts';
import { groupBy } from './groups.ts';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';
import { clauseAnchor, evidenceLink } from './parts.ts';

/** The dialect card: what the document leaves open, and what this target does there. */
export function openPointsSection(report: Report): Markup {
  const statements = new Map(report.clauses.map((clause) => [clause.id, clause.statement]));
  const groups = [...groupBy(report.observations, (one) => one.point)];
  const unseen = report.clauses.filter((clause) => clause.level === 'open' && clause.verdict === 'inconclusive');
  const rows = groups.flatMap(([point, observations]) => {
    const questions = [...groupBy(observations, (one) => `${one.operation}\n${one.about ?? ''}`).values()];
    return [
      h`<tr><th colspan="3" scope="rowgroup"><a href="#${clauseAnchor(point)}">${statements.get(point) ?? point}</a></th></tr>`,
      ...questions.map((same) => question(same, report)),
    ];
  });
  return h`<section aria-labelledby="open-points"><h2 id="open-points">Open points</h2>
<p>The document leaves these open. Nothing here is right or wrong; it is how this target does it.</p>
${rows.length === 0 ? h`<p>Nothing was observed.</p>` : h`<table class="stack"><thead><tr><th scope="col">Asked at</th><th scope="col">About</th><th scope="col">Answered</th></tr></thead><tbody>${rows}</tbody></table>`}
${unseen.length === 0 ? '' : h`<p class="small">Not observed: ${unseen.map((clause, at) => h`${at > 0 ? ', ' : ''}<a href="#${clauseAnchor(clause.id)}">${clause.id}</a>`)}.</p>`}</section>`;
}

function question(same: readonly Observation[], report: Report): Markup {
  const { operation, about, consistent, distinct } = same[0]!;
  const more = distinct - same.length;
  const answers = same.map((one, at) => {
    const often = h` <span class="soft">${grouped(one.count)} ×</span>`;
    const value = evidenceLink(report, one.exchange, one.value);
    return h`${at > 0 ? '; ' : ''}${value}${often}`;
  });
  return h`<tr><td data-label="Asked at"><code>${operation}</code></td><td data-label="About"><span>${about ?? 'the operation'}</span></td><td data-label="Answered"><span>${consistent ? '' : h`<strong>varies:</strong> `}${answers}${more > 0 ? `; and ${more} more` : ''}</span></td></tr>`;
}

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
