/** Makes the bar that filters findings and clauses. The bar needs the script of the page, and is hidden without it. */
import { areas } from '../../../openapi/model/exchange.ts';
import type { Report } from '../../model/report.ts';
import { areaTitle } from '../../text/phrases.ts';
import { html, type Markup } from './markup.ts';
import { verdictMark, verdictOrder } from './components.ts';

/** Makes the filter bar. Only verdicts in the report can be chosen. */
export function filterBar(report: Report): Markup {
  const occurring = verdictOrder.filter((verdict) => report.clauses.some((clause) => clause.verdict === verdict));
  const box = (name: string, value: string, label: Markup | string): Markup =>
    html`<label><input type="checkbox" name="${name}" value="${value}"> ${label}</label>`;
  return html`<form class="filters" id="filters" hidden aria-label="Filter findings and clauses">
<input type="search" name="text" placeholder="Filter by any word ( / )" aria-label="Filter by any word">
<fieldset><legend>Verdict</legend>${occurring.map((verdict) => box('verdict', verdict, verdictMark(verdict)))}</fieldset>
<fieldset><legend>Level</legend>${['must', 'should', 'open'].map((level) => box('level', level, level))}</fieldset>
<fieldset><legend>Area</legend>${(['service', ...areas] as const).map((area) => box('area', area, areaTitle[area]))}</fieldset>
<p class="small"><span id="filter-count" role="status"></span> <button type="reset">Show all</button></p></form>`;
}
