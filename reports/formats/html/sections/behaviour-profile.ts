/** Shows the open points of the document, the answers of this target, and the exchanges with these answers. */
import { behaviourProfileOf } from '../../../baseline/behaviour-profile.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import type { Report } from '../../../model/report.ts';
import { areaTitle, firstOf, grouped, sumOf } from '../../../text/phrases.ts';
import { pinMark } from './triage.ts';
import { html, type Markup } from '../markup.ts';
import { clauseAnchor, clauseLink, evidenceLink, joined, section, table } from '../components.ts';
import type { ProfileAnswer, ProfilePoint, ProfileQuestion } from '../../../model/behaviour-profile.ts';

/** Renders the section about open points. */
export function behaviourProfileSection(report: Report): Markup {
  const { points } = behaviourProfileOf(report);
  const [seen, unseen] = [true, false].map((isSeen) =>
    points.filter(({ questions }) => questions.length > 0 === isSeen),
  ) as [ProfilePoint[], ProfilePoint[]];
  const rows = seen.flatMap((point) => [
    {
      group: html`<a href="#${clauseAnchor(point.point)}">${point.statement}</a> <span class="small soft">${areaTitle[point.area]}</span> ${pinMark(point.point)}`,
    },
    ...questionRows(point, report),
  ]);
  const untested = joined(unseen.map(({ point }) => clauseLink(point)));
  return section(
    'open-points',
    'Open points',
  )`<p>The document leaves these points open, so no answer here is right or wrong: this is what the bank does. <code>dialect.json</code> has the same answers for programs, and <code>dialect.overlay.yaml</code> those that OpenAPI can express.</p>
${rows.length === 0 ? html`<p>Nothing was observed.</p>` : table(['Operation', 'Question', 'Answer'], rows)}
${unseen.length === 0 ? '' : html`<p class="small">Not tested: ${untested}.</p>`}`;
}

/** Makes the rows of questions. Operations with the same answer share a row. */
function questionRows({ questions }: ProfilePoint, report: Report) {
  const alike = groupBy(questions, ({ about, answers }) =>
    [about ?? '', ...answers.map(({ value }) => value)].join('\n'),
  );
  return [...alike.values()].map((same: readonly ProfileQuestion[]) => {
    const { about, varies, answers } = same[0]!;
    const operations = same.map(({ operation }) => html`<code>${operation}</code>`);
    const more = (count: number): Markup => html`<span class="soft">and ${count} more operations</span>`;
    const counts = answers.map((_, at) => sumOf(same, (one) => one.answers[at]?.count ?? 0));
    const stated = answers.map((one, at) => answer({ ...one, count: counts[at] ?? 0 }, report));
    return {
      cells: [
        joined(firstOf(operations, 3, more), html`<br>`),
        about ?? 'in general',
        html`${varies ? html`<strong>varies:</strong> ` : ''}${joined(stated, '; ')}`,
      ],
    };
  });
}

function answer({ value, count, exchange, control }: ProfileAnswer, report: Report): Markup {
  const linkToControl =
    control === null ? '' : html`, ${evidenceLink(report, control, 'control', `The control request of ${value}`)}`;
  return html`${evidenceLink(report, exchange, value)} <span class="soft">${grouped(count)} ×${linkToControl}</span>`;
}
