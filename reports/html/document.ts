/** The document itself, section by section: each promise with its verdict. */
import { sections } from '../../openapi/clause.ts';
import type { Section } from '../../openapi/clause.ts';
import { areas } from '../../openapi/exchange.ts';
import type { ClauseReport, Finding, Observation, Report } from '../report.ts';
import { areaTitle, grouped } from '../words.ts';
import { groupBy } from './groups.ts';
import { h } from './markup.ts';
import type { Markup } from './markup.ts';
import { clauseAnchor, exchangeAnchor, findingAnchors, verdictMark } from './parts.ts';

interface Context {
  readonly report: Report;
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  readonly observations: ReadonlyMap<string, readonly Observation[]>;
  readonly anchors: ReadonlyMap<string, string>;
}

/** All clauses in the order of the document. */
export function documentSection(report: Report): Markup {
  const context: Context = {
    report,
    findings: groupBy(report.findings, (one) => one.clause),
    observations: groupBy(report.observations, (one) => one.point),
    anchors: findingAnchors(report),
  };
  return h`<section aria-labelledby="document"><h2 id="document">The document, clause by clause</h2>
${sections.map((section) => part(section, context))}</section>`;
}

function part(section: Section, context: Context): Markup | null {
  const mine = context.report.clauses.filter((clause) => clause.section === section);
  if (mine.length === 0) return null;
  const groups = (['service', ...areas] as const).map((area) => {
    const clauses = mine.filter((clause) => clause.area === area);
    if (clauses.length === 0) return null;
    return h`<h4>${areaTitle[area]}</h4><ul class="clauses">${clauses.map((clause) => entry(clause, context))}</ul>`;
  });
  return h`<h3>${section}</h3>${groups}`;
}

function entry(clause: ClauseReport, context: Context): Markup {
  return h`<li id="${clauseAnchor(clause.id)}"><div>${verdictMark(clause.verdict)}</div>
<div class="text"><p class="said">${clause.statement}</p>
<p class="meta"><span class="mono">${clause.id}</span> · ${clause.level}${where(clause)}</p>
${clause.why === null || clause.verdict === 'not-applicable' ? '' : h`<p class="meta inconclusive">${clause.why}</p>`}
${broken(clause, context)}${values(context.observations.get(clause.id) ?? [])}</div>
<div class="often">${counts(clause, context)}</div></li>`;
}

function where(clause: ClauseReport): Markup | string {
  if (clause.operation !== null)
    return h` · ${clause.operation}${clause.pointer ? ` at ${clause.pointer}` : ''}`;
  const operations = new Set(clause.places.map((place) => place.operation)).size;
  return operations > 1 ? ` · at ${operations} operations` : '';
}

function counts(clause: ClauseReport, { report }: Context): Markup | string {
  if (clause.exercised === 0) return '';
  const text =
    clause.broken > 0
      ? `${grouped(clause.broken)} of ${grouped(Math.max(clause.exercised, clause.broken))}`
      : `${grouped(clause.exercised)} ×`;
  const kept = clause.exchange !== null && report.exchanges[clause.exchange] !== undefined;
  return kept
    ? h`<a href="#${exchangeAnchor(clause.exchange ?? '')}" aria-label="${`Evidence for ${clause.id}: ${text}`}">${text}</a>`
    : text;
}

function broken(clause: ClauseReport, { findings, anchors }: Context): Markup | string {
  const mine = findings.get(clause.id) ?? [];
  if (mine.length === 0) return '';
  const links = mine
    .slice(0, 12)
    .map((one) => h`<li><a href="#${anchors.get(one.id)}">${one.received}</a></li>`);
  return h`<ul class="values">${links}</ul>`;
}

function values(observations: readonly Observation[]): Markup | string {
  if (observations.length === 0) return '';
  const byValue = groupBy(observations, (one) => one.value);
  const rows = [...byValue].slice(0, 6).map(([value, same]) => {
    const n = same.reduce((sum, one) => sum + one.count, 0);
    return h`<li class="observed">${value} <span class="soft">${grouped(n)} ×</span></li>`;
  });
  const more = byValue.size - 6;
  return h`<ul class="values">${rows}${more > 0 ? h`<li><a href="#open-points">and ${more} more</a></li>` : ''}</ul>`;
}
