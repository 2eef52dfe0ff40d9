/** Makes the bar that stays on the screen: links to all sections, and a filter. The filter needs the script of the page. */
import { areas } from '../../../openapi/model/exchange.ts';
import type { Report } from '../../model/report.ts';
import { areaTitles } from '../../text/phrases.ts';
import { html, type Markup } from './markup.ts';
import { markVerdict, verdictOrder } from './components.ts';

/** Makes the bar. Only verdicts in the report can be chosen. */
export function renderBar(
  report: Report,
  sections: readonly (readonly [id: string, name: string, ...rest: unknown[]])[],
): Markup {
  const occurring = verdictOrder.filter((verdict) => report.clauses.some((clause) => clause.verdict === verdict));
  const box = (name: string, value: string, label: Markup | string): Markup =>
    html`<label><input type="checkbox" name="${name}" value="${value}"> ${label}</label>`;
  return html`<div class="bar"><nav aria-label="Sections"><ul>${sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<form id="filters" hidden aria-label="Filter everything on this page">
<input type="search" name="text" placeholder="Filter ( / )" aria-label="Filter by any word">
<details><summary>More filters</summary><div class="choices">
<fieldset><legend>Verdict</legend>${occurring.map((verdict) => box('verdict', verdict, markVerdict(verdict)))}</fieldset>
<fieldset><legend>Level</legend>${['must', 'should', 'open'].map((level) => box('level', level, level))}</fieldset>
<fieldset><legend>Area</legend>${(['service', ...areas] as const).map((area) => box('area', area, areaTitles[area]))}</fieldset></div></details>
<span id="filter-count" role="status"></span> <button type="reset" hidden>Show all</button></form></div>`;
}
