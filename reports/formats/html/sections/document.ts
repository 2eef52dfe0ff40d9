/** Shows each promise with its verdict, by section and field of the document. */
import { sections } from '../../../../openapi/clauses/clause.ts';
import { areas, operationIds, type OperationId } from '../../../../openapi/model/exchange.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import type { ClauseReport, Finding, Observation, Report } from '../../../model/report.ts';
import { shortened } from '../../../text/sanitize.ts';
import { areaTitle, counted, firstOf, grouped, sumOf } from '../../../text/phrases.ts';
import { fieldName, partOf, typeAt } from '../fields.ts';
import { html, type Markup } from '../markup.ts';
import { clauseAnchor, evidenceLink, findingAnchors, section, verdictMark } from '../components.ts';
import { operationNamed } from '../../../model/catalogue.ts';
import { groupBy } from '../../../../openapi/util/group-by.ts';

/** The proven strength of the suite for each clause, in a few words. */
export type Strength = ReadonlyMap<string, string>;

interface Context {
  readonly report: Report;
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
  readonly observations: ReadonlyMap<string, readonly Observation[]>;
  readonly strength: Strength;
}

/** Renders all clauses in the order of the document. */
export function documentSection(report: Report, strength: Strength): Markup {
  const context: Context = {
    report,
    findings: groupBy(report.findings, (one) => one.clause),
    observations: groupBy(report.observations, (one) => one.point),
    strength,
  };
  const parts = sections.map((name) => {
    const clauses = report.clauses.filter(({ source }) => source.section === name);
    const groups = (['service', ...areas] as const).map((area) => {
      const ofArea = clauses.filter((clause) => clause.area === area);
      if (ofArea.length === 0) return null;
      return html`<section class="part"><h4>${areaTitle[area]}</h4>${tables(ofArea, context)}</section>`;
    });
    const nothing = html`<p class="soft">The document states nothing here that can be tested.</p>`;
    return html`<section class="part"><h3>${name}</h3>${clauses.length === 0 ? nothing : groups}</section>`;
  });
  return section(
    'document',
    'The document, clause by clause',
  )`<p>All clauses in the order of the document: what it states (must), what every reasonable reader expects (should), and what it leaves open (open), each with the result of this run.</p>
${parts}`;
}

/** Returns the operation and the place of a clause in the tables; null if it concerns several operations. */
function homeOf({ places }: ClauseReport): { operation: OperationId; pointer: string } | null {
  const [name, ...others] = new Set(places.map((place) => place.operation));
  const operation = others.length === 0 ? operationNamed(name ?? null) : null;
  const pointer = places[0]?.pointers[0];
  return operation === null || pointer === undefined ? null : { operation, pointer };
}

/** Renders a table for the request and the answer of each operation, and then all other clauses. */
function tables(clauses: readonly ClauseReport[], context: Context): Markup {
  const homes = clauses.map((clause) => ({ clause, home: homeOf(clause) }));
  const ofOperations = operationIds.flatMap((operation) =>
    (['request', 'answer'] as const).map((side) => {
      const here = homes.filter(({ home }) => home?.operation === operation && partOf(home.pointer) === side);
      if (here.length === 0) return null;
      const { method, path } = operations[operation];
      const rows = [...groupBy(here, ({ home }) => home!.pointer)].map(
        ([pointer, same]) =>
          html`<tr><th scope="row"><code>${fieldName(pointer)}</code></th><td class="type" data-label="Type"><span>${typeAt(operation, pointer)}</span></td><td class="rules">${same.map(({ clause }) => entry(clause, context))}</td></tr>`,
      );
      return html`<table class="fields stack"><caption><code>${method} ${path}</code> · ${side}</caption><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Clauses and results</th></tr></thead><tbody>${rows}</tbody></table>`;
    }),
  );
  const others = homes.flatMap(({ clause, home }) => (home === null ? [entry(clause, context)] : []));
  return html`${ofOperations}${others.length === 0 ? '' : html`<div class="clauses">${others}</div>`}`;
}

function entry(clause: ClauseReport, context: Context): Markup {
  const { id, level, verdict, statement, source, why } = clause;
  const place = [source.table, source.row].filter((part) => part !== undefined).join(', ');
  const strength = context.strength.get(id);
  return html`<div class="clause" id="${clauseAnchor(id)}" tabindex="-1" data-clause data-verdict="${verdict}" data-level="${level}" data-area="${clause.area}"><div>${verdictMark(verdict)}</div>
<div class="text"><p class="said">${statement}</p>
<p class="meta"><a class="mono" href="#${clauseAnchor(id)}">${id}</a> · ${level}${level === 'should' && clause.class ? ` · ${clause.class}` : ''}${place === '' ? '' : ` · ${place}`}${where(clause)}${strength === undefined ? '' : ` · ${strength}`}</p>
${why === null || verdict === 'not-applicable' ? '' : html`<p class="meta inconclusive">${why}</p>`}
${broken(clause, context)}${values(clause, context)}</div>
<div class="often">${countsCell(clause, context)}${unansweredNote(clause)}</div></div>`;
}

function where(clause: ClauseReport): Markup | string {
  const { places, operation, pointer } = clause;
  const pointers = places[0]?.pointers.length ?? 0;
  if (homeOf(clause) !== null) return pointers > 1 ? ` · at ${pointers} places` : '';
  if (operation !== null) return html` · ${operation}${pointer ? ` at ${pointer}` : ''}`;
  const names = new Set(places.map((place) => place.operation)).size;
  return names > 1 ? ` · at ${names} operations` : '';
}

function countsCell({ id, exercised, broken: count, exchange }: ClauseReport, { report }: Context): Markup | string {
  if (exercised === 0) return '';
  const text = count > 0 ? `${grouped(count)} of ${grouped(Math.max(exercised, count))}` : `${grouped(exercised)} ×`;
  return evidenceLink(report, exchange, text, `Evidence for ${id}: ${text}`);
}

/** Shows how many requests for a `must` clause got no answer or a 5xx. */
function unansweredNote({ level, places }: ClauseReport): Markup | '' {
  const count = sumOf(places, (place) => place.unanswered?.count ?? 0);
  const requests = sumOf(places, (place) => place.unanswered?.requests ?? 0);
  if (level === 'open' || count === 0) return '';
  return html`<br><span class="small inconclusive">${grouped(count)} of ${counted(requests, 'request')} without an answer</span>`;
}

const list = (items: readonly Markup[]): Markup | '' =>
  items.length === 0 ? '' : html`<ul class="values">${items}</ul>`;

function broken({ id }: ClauseReport, { findings, report }: Context): Markup | '' {
  const anchors = findingAnchors(report);
  const links = (findings.get(id) ?? []).map(
    (one) => html`<li><a href="#${anchors.get(one.id)}">${shortened(one.received, 120)}</a></li>`,
  );
  return list(firstOf(links, 5, (more) => html`<li>and ${more} more</li>`));
}

function values({ id }: ClauseReport, { observations, report }: Context): Markup | '' {
  const rows = [...groupBy(observations.get(id) ?? [], (one) => one.value)].map(([value, same]) => {
    const count = sumOf(same, (one) => one.count);
    return html`<li class="observed">${evidenceLink(report, same[0].exchange, shortened(value, 200))} <span class="soft">${grouped(count)} ×</span></li>`;
  });
  return list(firstOf(rows, 6, (more) => html`<li><a href="#open-points">and ${more} more</a></li>`));
}
