/** Shows every clause with its verdict on one line, in the order of the document: a folded table for each area. */
import { sections } from '../../../../openapi/clauses/clause.ts';
import { areas } from '../../../../openapi/model/exchange.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';
import type { ClauseReport, Report } from '../../../model/report.ts';
import { areaTitles, counted, grouped, addCounts, formatVerdict } from '../../../text/phrases.ts';
import {
  anchorClause,
  linkEvidence,
  anchorFindings,
  renderFoldedPart,
  joinParts,
  anchorPoint,
  makeSectionTag,
  renderTable,
  markVerdict,
  verdictOrder,
} from '../components.ts';
import { html, type Markup } from '../markup.ts';

export function renderClauses(report: Report): Markup {
  const tables = (['service', ...areas] as const).map((area) => {
    const clauses = sections.flatMap((name) =>
      report.clauses.filter((clause) => clause.area === area && clause.source.section === name),
    );
    if (clauses.length === 0) return null;
    const byTable = groupBy(clauses, ({ source }) => [source.section, source.table].filter(Boolean).join(', '));
    const rows = [...byTable].flatMap(([group, same]) => [
      { group },
      ...same.map((clause) => renderClauseRow(clause, report)),
    ]);
    const columns = ['Place', 'Statement', 'Level', 'Clause', 'Result'];
    return renderFoldedPart(areaTitles[area], renderVerdictCounts(clauses), renderTable(columns, rows, '', 'scan'));
  });
  return makeSectionTag(
    'clauses',
    'Clauses',
  )`<p>Every clause in the order of the document: what it states (must), what every reasonable reader expects (should), and what it leaves open (open).</p>
${tables}`;
}

/** Counts clauses by verdict, for example `■ 1 broken ● 124 kept`. */
function renderVerdictCounts(clauses: readonly ClauseReport[]): Markup {
  const byVerdict = groupBy(clauses, ({ verdict }) => verdict);
  const marks = verdictOrder.flatMap((verdict) => {
    const count = byVerdict.get(verdict)?.length;
    return count === undefined ? [] : [markVerdict(verdict, `${grouped(count)} ${formatVerdict(verdict)}`)];
  });
  return joinParts(marks, ' ');
}

function renderClauseRow(clause: ClauseReport, report: Report) {
  const { id, level, verdict, statement, source, why } = clause;
  const reason =
    why === null || verdict === 'not-applicable' ? '' : html` <span class="small inconclusive">${why}</span>`;
  return {
    id: anchorClause(id),
    attributes: html` data-item data-clause`,
    cells: [
      source.row ?? source.table ?? source.section,
      html`${statement}${reason}`,
      level,
      html`<a class="mono" href="#${anchorClause(id)}">${id}</a>`,
      html`${markVerdict(verdict)} ${renderCounts(clause, report)}`,
    ],
  };
}

/** Shows how often the clause was tested and broken, with a link to its first finding, its answers, or its exchange. */
function renderCounts({ id, level, exercised, broken, exchange, places }: ClauseReport, report: Report): Markup | '' {
  if (exercised === 0) return '';
  const text = broken > 0 ? `${grouped(broken)} of ${grouped(Math.max(exercised, broken))}` : `${grouped(exercised)} ×`;
  const finding = report.findings.find((one) => one.clause === id);
  const label = `Evidence for ${id}: ${text}`;
  const anchor = finding === undefined ? anchorPoint(id) : anchorFindings(report).get(finding.id)!;
  const isElsewhere = finding !== undefined || report.observations.some(({ point }) => point === id);
  const link = isElsewhere
    ? html`<a href="#${anchor}" aria-label="${label}">${text}</a>`
    : linkEvidence(report, exchange, text, label);
  const lost = level === 'open' ? 0 : addCounts(places, (place) => place.unanswered?.count ?? 0);
  if (lost === 0) return link;
  const requests = addCounts(places, (place) => place.unanswered?.requests ?? 0);
  return html`${link} <span class="inconclusive">${grouped(lost)} of ${counted(requests, 'request')} without an answer</span>`;
}
