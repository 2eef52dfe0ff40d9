/** Shows the open points of the document, the answers of this bank, and the exchanges with these answers. */
import { makeBehaviourProfile } from '../../../baseline/behaviour-profile.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import type { Report } from '../../../model/report.ts';
import { areaTitles, counted, takeFirstItems, grouped, addCounts } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import {
  anchorClause,
  linkEvidence,
  renderFoldedPart,
  joinParts,
  anchorPoint,
  makeSectionTag,
  renderTable,
} from '../components.ts';
import type { ProfileAnswer, ProfilePoint, ProfileQuestion } from '../../../model/behaviour-profile.ts';

/** Renders the section about open points: a folded table for each area. */
export function renderBehaviourProfile(report: Report): Markup {
  const { points } = makeBehaviourProfile(report);
  const tables = [...groupBy(points, ({ area }) => area)].map(([area, ofArea]) => {
    const rows = ofArea.flatMap((point) => [
      {
        id: anchorPoint(point.point),
        group: html`<a href="#${anchorClause(point.point)}">${point.statement}</a>`,
      },
      ...renderQuestions(point, report),
    ]);
    return renderFoldedPart(
      areaTitles[area],
      counted(ofArea.length, 'open point'),
      renderTable(['Operation', 'Question', 'Answer'], rows),
    );
  });
  return makeSectionTag(
    'open-points',
    'Open points',
  )`<p>The document leaves these points open, so no answer here is right or wrong: this is what the bank does. <code>dialect.json</code> has the same answers for programs, and <code>dialect.overlay.yaml</code> those that OpenAPI can express.</p>
${tables}`;
}

/** Makes the rows of the questions. Operations with the same answer have one row. */
function renderQuestions({ questions, why }: ProfilePoint, report: Report) {
  const attributes = html` data-item`;
  if (questions.length === 0)
    return [{ attributes, cells: [html`<span class="inconclusive">not tested</span>`, why ?? '', ''] }];
  const alike = groupBy(questions, ({ about, answers }) =>
    [about ?? '', ...answers.map(({ value }) => value)].join('\n'),
  );
  return [...alike.values()].map((same: readonly ProfileQuestion[]) => {
    const { about, varies, answers } = same[0]!;
    const operations = same.map(({ operation }) => html`<code>${operation}</code>`);
    const more = (count: number): Markup => html`<span class="soft">and ${count} more operations</span>`;
    const counts = answers.map((_, at) => addCounts(same, (one) => one.answers[at]?.count ?? 0));
    const stated = answers.map((one, at) => renderAnswer({ ...one, count: counts[at] ?? 0 }, report));
    return {
      attributes,
      cells: [
        joinParts(takeFirstItems(operations, 3, more), html`<br>`),
        about ?? 'in general',
        html`${varies ? html`<strong>varies:</strong> ` : ''}${joinParts(stated, '; ')}`,
      ],
    };
  });
}

function renderAnswer({ value, count, exchange, control }: ProfileAnswer, report: Report): Markup {
  const linkToControl =
    control === null ? '' : html`, ${linkEvidence(report, control, 'control', `The control request of ${value}`)}`;
  return html`${linkEvidence(report, exchange, value)} <span class="soft">${grouped(count)} ×${linkToControl}</span>`;
}
