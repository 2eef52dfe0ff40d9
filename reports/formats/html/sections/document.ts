/** The document itself, section by section and field by field: each promise with its verdict. */
import { sections, type Section } from '../../../../openapi/clauses/clause.ts';
import { areas, operationIds, type OperationId } from '../../../../openapi/model/exchange.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import type { ClauseReport, Finding, Observation, Report } from '../../../model/report.ts';
import { shortened } from '../../../text/sanitize.ts';
import { areaTitle, counted, grouped } from '../../../text/phrases.ts';
import { fieldName, partOf, typeAt } from '../fields.ts';
import { html, type Markup } from '../markup.ts';
import { clauseAnchor, evidenceLink, findingAnchors, verdictMark } from '../components.ts';
import { operationNamed } from '../../../model/catalogue.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';

interface Context {
  readonly report: Report;
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  readonly observations: ReadonlyMap<string, readonly Observation[]>;
  readonly anchors: ReadonlyMap<string, string>;
  readonly strength: ReadonlyMap<string, string>;
}

/** How well the suite is proven to notice a clause, in a few words, by clause. */
export type Strength = ReadonlyMap<string, string>;

/** All clauses in the order of the document. */
export function documentSection(report: Report, strength: Strength = new Map()): Markup {
  const context: Context = {
    report,
    findings: groupBy(report.findings, (one) => one.clause),
    observations: groupBy(report.observations, (one) => one.point),
    anchors: findingAnchors(report),
    strength,
  };
  return html`<section aria-labelledby="document"><h2 id="document">The document, clause by clause</h2>
<p>All clauses in the order of the document: what it states (must), what every reasonable reader expects (should), and what it leaves open (open), each with the result of this run.</p>
${sections.map((section) => part(section, context))}</section>`;
}

function part(section: Section, context: Context): Markup {
  const mine = context.report.clauses.filter((clause) => clause.source.section === section);
  if (mine.length === 0)
    return html`<section class="part"><h3>${section}</h3><p class="soft">The document states nothing here that can be tested.</p></section>`;
  const groups = (['service', ...areas] as const).map((area) => {
    const clauses = mine.filter((clause) => clause.area === area);
    if (clauses.length === 0) return null;
    return html`<section class="part"><h4>${areaTitle[area]}</h4>${tables(clauses, context)}${listed(clauses, context)}</section>`;
  });
  return html`<section class="part"><h3>${section}</h3>${groups}</section>`;
}

/** The operation and the place at which a clause stands in the tables, or null where it concerns several operations. */
function homeOf(clause: ClauseReport): { operation: OperationId; pointer: string } | null {
  const names = new Set(clause.places.map(({ operation }) => operation));
  const operation = names.size === 1 ? operationNamed([...names][0] ?? null) : null;
  const pointer = clause.places[0]?.pointers[0];
  return operation === null || pointer === undefined ? null : { operation, pointer };
}

function tables(clauses: readonly ClauseReport[], context: Context): Markup[] {
  const homes = clauses.flatMap((clause) => {
    const home = homeOf(clause);
    return home === null ? [] : [{ clause, ...home }];
  });
  return operationIds.flatMap((operation) =>
    (['request', 'answer'] as const).flatMap((side) => {
      const here = homes.filter((one) => one.operation === operation && partOf(one.pointer) === side);
      return here.length === 0 ? [] : [table(operation, side, here, context)];
    }),
  );
}

function table(
  operation: OperationId,
  side: 'request' | 'answer',
  here: readonly { readonly clause: ClauseReport; readonly pointer: string }[],
  context: Context,
): Markup {
  const { method, path } = operations[operation];
  const rows = [...groupBy(here, ({ pointer }) => pointer)].map(
    ([pointer, same]) =>
      html`<tr><th scope="row"><code>${fieldName(pointer)}</code></th><td class="type" data-label="Type"><span>${typeAt(operation, pointer)}</span></td><td class="rules">${same.map(({ clause }) => entry(clause, context))}</td></tr>`,
  );
  return html`<table class="fields stack"><caption><code>${method} ${path}</code> ${side === 'request' ? '· request' : '· answer'}</caption><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Clauses and results</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function listed(clauses: readonly ClauseReport[], context: Context): Markup | '' {
  const rest = clauses.filter((clause) => homeOf(clause) === null);
  return rest.length === 0 ? '' : html`<div class="clauses">${rest.map((clause) => entry(clause, context))}</div>`;
}

function entry(clause: ClauseReport, context: Context): Markup {
  return html`<div class="clause" id="${clauseAnchor(clause.id)}" tabindex="-1" data-clause data-verdict="${clause.verdict}" data-level="${clause.level}" data-area="${clause.area}"><div>${verdictMark(clause.verdict)}</div>
<div class="text"><p class="said">${clause.statement}</p>
<p class="meta"><a class="mono" href="#${clauseAnchor(clause.id)}">${clause.id}</a> · ${clause.level}${clause.source.table === undefined && clause.source.row === undefined ? '' : ` · ${[clause.source.table, clause.source.row].filter((part) => part !== undefined).join(', ')}`}${where(clause)}${strengthOf(clause, context)}</p>
${clause.why === null || clause.verdict === 'not-applicable' ? '' : html`<p class="meta inconclusive">${clause.why}</p>`}
${broken(clause, context)}${values(clause, context)}</div>
<div class="often">${counts(clause, context)}${unanswered(clause)}</div></div>`;
}

function strengthOf({ id }: ClauseReport, { strength }: Context): string {
  const words = strength.get(id);
  return words === undefined ? '' : ` · ${words}`;
}

function where(clause: ClauseReport): Markup | string {
  const home = homeOf(clause);
  if (home !== null)
    return clause.places[0]!.pointers.length > 1 ? ` · at ${clause.places[0]!.pointers.length} places` : '';
  if (clause.operation !== null) return html` · ${clause.operation}${clause.pointer ? ` at ${clause.pointer}` : ''}`;
  const names = new Set(clause.places.map((place) => place.operation)).size;
  return names > 1 ? ` · at ${names} operations` : '';
}

function counts(clause: ClauseReport, { report }: Context): Markup | string {
  if (clause.exercised === 0) return '';
  const text =
    clause.broken > 0
      ? `${grouped(clause.broken)} of ${grouped(Math.max(clause.exercised, clause.broken))}`
      : `${grouped(clause.exercised)} ×`;
  return evidenceLink(report, clause.exchange, text, `Evidence for ${clause.id}: ${text}`);
}

/** Requests that should have tested a clause and brought no answer or a 5xx. */
function unanswered({ level, places }: ClauseReport): Markup | '' {
  const count = places.reduce((sum, place) => sum + (place.unanswered?.count ?? 0), 0);
  const requests = places.reduce((sum, place) => sum + (place.unanswered?.requests ?? 0), 0);
  if (level === 'open' || count === 0) return '';
  return html`<br><span class="small inconclusive">${grouped(count)} of ${counted(requests, 'request')} without an answer</span>`;
}

function broken(clause: ClauseReport, { findings, anchors }: Context): Markup | string {
  const mine = findings.get(clause.id) ?? [];
  if (mine.length === 0) return '';
  const links = mine
    .slice(0, 5)
    .map((one) => html`<li><a href="#${anchors.get(one.id)}">${shortened(one.received, 120)}</a></li>`);
  const more = mine.length - 5;
  return html`<ul class="values">${links}${more > 0 ? html`<li>and ${more} more</li>` : ''}</ul>`;
}

function values({ id }: ClauseReport, { observations, report }: Context): Markup | string {
  const mine = observations.get(id) ?? [];
  if (mine.length === 0) return '';
  const byValue = groupBy(mine, (one) => one.value);
  const rows = [...byValue].slice(0, 6).map(([value, same]) => {
    const n = same.reduce((sum, one) => sum + one.count, 0);
    return html`<li class="observed">${evidenceLink(report, same[0].exchange, shortened(value, 200))} <span class="soft">${grouped(n)} ×</span></li>`;
  });
  const more = byValue.size - 6;
  return html`<ul class="values">${rows}${more > 0 ? html`<li><a href="#open-points">and ${more} more</a></li>` : ''}</ul>`;
}
