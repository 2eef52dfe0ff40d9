/** Shows all clauses with their verdicts, and the open points with the answers of the bank. Each area has a folded table. */
import { sections } from '../../../../openapi/clauses/clause.ts';
import { areas } from '../../../../openapi/model/exchange.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import { makeBehaviourProfile } from '../../../baseline/behaviour-profile.ts';
import { type ProfileAnswer, type ProfilePoint, type ProfileQuestion } from '../../../model/description.ts';
import type { ClauseReport, Report } from '../../../model/report.ts';
import { addCounts, areaTitles, counted, formatVerdict, grouped, takeFirstItems } from '../../../text/phrases.ts';
import {
  makeAnchor,
  anchorFindings,
  joinParts,
  linkEvidence,
  makeSectionTag,
  markVerdict,
  renderFoldedPart,
  renderTable,
  verdictOrder,
} from '../components.ts';
import { html, type Markup } from '../markup.ts';

export function renderClauses(report: Report): Markup {
  const tables = (['service', ...areas] as const).map((area) => {
    const clauses = sections.flatMap((name) =>
      report.clauses.filter((clause) => clause.area === area && clause.source.section === name),
    );
    if (clauses.length === 0) return null;
    const clausesByTable = groupBy(clauses, ({ source }) => [source.section, source.table].filter(Boolean).join(', '));
    const rows = [...clausesByTable].flatMap(([group, clausesOfTable]) => [
      { group },
      ...clausesOfTable.map((clause) => renderClauseRow(clause, report)),
    ]);
    const columns = ['Place', 'Statement', 'Level', 'Clause', 'Result'];
    return renderFoldedPart(areaTitles[area], renderVerdictCounts(clauses), renderTable(columns, rows, '', 'scan'));
  });
  return makeSectionTag(
    'clauses',
    'Clauses',
  )`<p>All clauses in the order of the document. The document states the must clauses. Every reasonable reader expects the should clauses. The document says nothing about open points.</p>
${tables}`;
}

function renderVerdictCounts(clauses: readonly ClauseReport[]): Markup {
  const clausesByVerdict = groupBy(clauses, ({ verdict }) => verdict);
  const countMarks = verdictOrder.flatMap((verdict) => {
    const count = clausesByVerdict.get(verdict)?.length;
    return count === undefined ? [] : [markVerdict(verdict, `${grouped(count)} ${formatVerdict(verdict)}`)];
  });
  return joinParts(countMarks, ' ');
}

function renderClauseRow(clause: ClauseReport, report: Report) {
  const { id, level, verdict, statement, source, why } = clause;
  const hasReason = why !== null && verdict !== 'not-applicable';
  const reason = hasReason ? html` <span class="small inconclusive">${why}</span>` : '';
  return {
    id: makeAnchor('clause', id),
    attributes: html` data-item data-clause`,
    cells: [
      source.row ?? source.table ?? source.section,
      html`${statement}${reason}`,
      level,
      html`<a class="mono" href="#${makeAnchor('clause', id)}">${id}</a>`,
      html`${markVerdict(verdict)} ${renderCounts(clause, report)}`,
    ],
  };
}

/** Shows how often the clause was tested and broken, with a link to its first finding, its answers, or its exchange. */
function renderCounts({ id, level, exercised, broken, exchange, places }: ClauseReport, report: Report): Markup | '' {
  if (exercised === 0) return '';
  const countText =
    broken > 0 ? `${grouped(broken)} of ${grouped(Math.max(exercised, broken))}` : `${grouped(exercised)} ×`;
  const finding = report.findings.find(({ clause }) => clause === id);
  const label = `Evidence for ${id}: ${countText}`;
  const anchor = finding === undefined ? makeAnchor('point', id) : anchorFindings(report).get(finding.id)!;
  const hasFindingOrAnswers = finding !== undefined || report.observations.some(({ point }) => point === id);
  const link = hasFindingOrAnswers
    ? html`<a href="#${anchor}" aria-label="${label}">${countText}</a>`
    : linkEvidence(report, exchange, countText, label);
  const unanswered = level === 'open' ? 0 : addCounts(places, (place) => place.unanswered?.count ?? 0);
  if (unanswered === 0) return link;
  const requests = addCounts(places, (place) => place.unanswered?.requests ?? 0);
  return html`${link} <span class="inconclusive">${grouped(unanswered)} of ${counted(requests, 'request')} without an answer</span>`;
}

export function renderBehaviourProfile(report: Report): Markup {
  const { points } = makeBehaviourProfile(report);
  const tables = [...groupBy(points, ({ area }) => area)].map(([area, pointsOfArea]) => {
    const rows = pointsOfArea.flatMap((point) => [
      {
        id: makeAnchor('point', point.point),
        group: html`<a href="#${makeAnchor('clause', point.point)}">${point.statement}</a>`,
      },
      ...renderQuestions(point, report),
    ]);
    return renderFoldedPart(
      areaTitles[area],
      counted(pointsOfArea.length, 'open point'),
      renderTable(['Operation', 'Question', 'Answer'], rows),
    );
  });
  return makeSectionTag(
    'open-points',
    'Open points',
  )`<p>The document leaves these points open, so that no answer is right or wrong. The tables show the answers of the bank. Programs find them in <code>dialect.json</code>.</p>
${tables}`;
}

/** Makes the rows of the questions. Operations with the same answer have one row. */
function renderQuestions({ questions, why }: ProfilePoint, report: Report) {
  const attributes = html` data-item`;
  if (questions.length === 0)
    return [{ attributes, cells: [html`<span class="inconclusive">not tested</span>`, why ?? '', ''] }];
  const joinAnswers = ({ about, answers }: ProfileQuestion): string =>
    [about ?? '', ...answers.map(({ value }) => value)].join('\n');
  const questionsByAnswers = groupBy(questions, joinAnswers);
  return [...questionsByAnswers.values()].map((questionsWithSameAnswers: readonly ProfileQuestion[]) => {
    const { about, varies, answers } = questionsWithSameAnswers[0]!;
    const operations = questionsWithSameAnswers.map(({ operation }) => html`<code>${operation}</code>`);
    const noteFurtherOperations = (count: number): Markup =>
      html`<span class="soft">and ${count} more operations</span>`;
    const counts = answers.map((_, index) =>
      addCounts(questionsWithSameAnswers, (question) => question.answers[index]?.count ?? 0),
    );
    const answerTexts = answers.map((answer, index) => renderAnswer({ ...answer, count: counts[index] ?? 0 }, report));
    return {
      attributes,
      cells: [
        joinParts(takeFirstItems(operations, 3, noteFurtherOperations), html`<br>`),
        about ?? 'in general',
        html`${varies ? html`<strong>varies:</strong> ` : ''}${joinParts(answerTexts, '; ')}`,
      ],
    };
  });
}

function renderAnswer({ value, count, exchange, control }: ProfileAnswer, report: Report): Markup {
  const linkToControl =
    control === null
      ? ''
      : html`, ${linkEvidence(report, control, 'positive control', `The positive control of ${value}`)}`;
  return html`${linkEvidence(report, exchange, value)} <span class="soft">${grouped(count)} ×${linkToControl}</span>`;
}
