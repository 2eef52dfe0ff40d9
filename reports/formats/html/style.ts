/** The style of the page: for light and dark screens, narrow and wide windows, and paper. */
import { clauseClasses } from '../../../openapi/clauses/clause.ts';
import { areas } from '../../../openapi/model/exchange.ts';
/** The words by which a reader can select findings: `fail` (broken clauses), a class or an area. */
export const CHOICE_WORDS: readonly string[] = ['fail', ...clauseClasses, ...areas];

const LIGHT_COLOURS = `
  --paper: #fbf9f5; --panel: #f4f0e8; --ink: #211f1b; --soft: #5c564c; --line: #ddd5c6; --link: #214f86;
  --fail: #9d1c1c; --warning: #7d4f00; --pass: #22613a; --inconclusive: #4a4c91; --observed: #0d5a69; --mark: #fbe3a9;
`;
const DARK_COLOURS = `
  --paper: #171613; --panel: #211f1b; --ink: #ece7dc; --soft: #b3ab9b; --line: #3d3931; --link: #9cc2f2;
  --fail: #f59a90; --warning: #e3b566; --pass: #8fcb9e; --inconclusive: #b5b8f2; --observed: #83c9d7; --mark: #5a4713;
`;

export const PAGE_STYLE = `
:root { color-scheme: light dark; ${LIGHT_COLOURS}
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', 'URW Palladio L', P052, Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
@media (prefers-color-scheme: dark) { :root { ${DARK_COLOURS} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 var(--serif); overflow-wrap: anywhere; }
.page { max-width: 80rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem); }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; font-weight: 600; }
h1 { font-weight: 500; font-size: clamp(1.6rem, 3.2vw, 2.25rem); margin: 0.1rem 0; letter-spacing: -0.015em; text-wrap: pretty; }
h1 small { font-size: 0.6em; letter-spacing: 0; }
h2 { font-size: 1.5rem; margin: 2.8rem 0 0.8rem; }
h3 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: 0.3em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
article:target, li:target, tr:target { background: var(--panel); box-shadow: 0 0 0 0.6rem var(--panel); }
[hidden] { display: none !important; } .on-paper { display: none; }
code, pre, .mono { font-family: var(--mono); font-size: 0.82em; }
pre { margin: 0; padding: 0.8rem 1rem; background: var(--panel); border-radius: 4px; white-space: pre-wrap; line-height: 1.5; }
.small { font: 0.875rem/1.5 var(--sans); } .soft { color: var(--soft); }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.4rem; }
.fail { color: var(--fail); } .warning { color: var(--warning); } .pass { color: var(--pass); }
.inconclusive { color: var(--inconclusive); } .observed { color: var(--observed); } .not-applicable { color: var(--soft); }
.conformant { color: var(--pass); } .non-conformant { color: var(--fail); }
.verdict { font: 600 0.8rem/1.5 var(--sans); } td .verdict, summary .verdict { white-space: nowrap; }

/* first screen */
header { padding-top: 0.9rem; } .first p { max-width: none; margin: 0.25rem 0; }
.who { font-size: 1.15rem; } .reasons { margin: 0.4rem 0; padding-left: 1.2rem; max-width: 60rem; } .reasons li { margin: 0.2rem 0; }
.areas { margin: 0.6rem 0 0; border-top: 1px solid var(--line); } .areas th, .areas td { padding-top: 0.3rem; padding-bottom: 0.3rem; } .areas th[scope=row] { width: 9.5rem; font-weight: 600; } .areas td.number { width: 5.2rem; font-size: 1.05rem; font-weight: 600; } .areas td .soft { font-weight: 400; } .areas tbody tr:last-child > * { border: 0; } .areas thead th { white-space: nowrap; }
.steps { display: flex; margin: 0; padding: 0; list-style: none; font-size: 0.78rem; line-height: 1.35; }
.steps li { flex: 1; position: relative; display: flex; flex-direction: column; padding-right: 0.6rem; min-width: 0; overflow-wrap: normal; } .steps a { color: var(--ink); text-decoration: none; } .steps a:hover { text-decoration: underline; }
.steps strong { font-weight: 600; }
.steps .sign { position: relative; width: 1.1em; font-size: 0.95rem; line-height: 1.3; background: var(--paper); z-index: 0; } .steps li::before { content: ''; position: absolute; top: 0.6rem; left: 1.3rem; right: 0.3rem; border-top: 2px solid var(--line); } .steps li:last-child::before { display: none; } .steps li:has(+ .inconclusive)::before { border-top-style: dotted; border-color: var(--inconclusive); } .steps .fail::before { border-color: var(--fail); }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.6rem 2rem; margin: 0; font: 0.875rem/1.45 var(--sans); }
.facts div { min-width: 0; } .facts dt { color: var(--soft); } .facts dd { margin: 0; }

/* the bar of sections, and the filter */
.bar { position: sticky; top: 0; z-index: 1; display: flex; gap: 0 1.5rem; align-items: center; background: var(--paper); border: solid var(--line); border-width: 1px 0; font: 0.875rem/1.5 var(--sans); }
.bar nav { flex: 1; min-width: 0; overflow-x: auto; } .bar ul { display: flex; gap: 1.2rem; margin: 0; padding: 0; list-style: none; white-space: nowrap; } .bar nav a { display: block; padding: 0.55rem 0; text-decoration: none; } .bar nav a:hover { text-decoration: underline; }
#filters { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: center; padding: 0.3rem 0; }
#filters input[type=search] { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: 4px; padding: 0.2rem 0.5rem; width: 10rem; }
#filters button, .command button { font: 0.85rem var(--sans); color: var(--link); background: none; border: 1px solid var(--line); border-radius: 4px; padding: 0.1rem 0.6rem; cursor: pointer; min-height: 1.75rem; }
html { scroll-padding-top: 3.5rem; }
@media screen and (max-width: 59.99rem) { .bar { display: contents; } .bar nav { position: sticky; top: 0; z-index: 1; background: var(--paper); border: solid var(--line); border-width: 1px 0; font: 0.875rem/1.5 var(--sans); } #filters { font: 0.875rem/1.5 var(--sans); } }

/* tables */
table { border-collapse: collapse; width: 100%; font: 0.875rem/1.45 var(--sans); font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.5rem; }
th, td { overflow-wrap: break-word; text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; } th { font-weight: 600; } .number { text-align: right; } td code, th code { overflow-wrap: anywhere; } .pair { white-space: nowrap; } th code { font-weight: 400; }
tbody th[colspan] { padding-top: 0.9rem; }
.scan { font-size: 0.8125rem; } .scan th, .scan td { padding: 0.2rem 0.9rem 0.2rem 0; } .scan th[scope=row] { font-weight: 500; } .scan tbody th[colspan] { padding-top: 0.8rem; color: var(--soft); } .scan .mono { font-size: 0.72rem; } .scan .verdict { font-size: inherit; } .scan a { color: inherit; }
@media screen and (min-width: 56rem) { .number + :not(.number) { padding-left: 0.6rem; } .scan thead th:nth-child(1) { width: 10.5rem; } .scan thead th:nth-child(3) { width: 3.6rem; } .scan thead th:nth-child(4) { width: 18.5rem; } .scan thead th:nth-child(5) { width: 8.8rem; } }
@media screen and (max-width: 55.9rem) {
  .areas, .areas tbody { display: block; } .areas thead { display: grid; grid-template-columns: repeat(4, 1fr); } .areas thead tr { display: contents; } .areas thead tr > :nth-child(-n+2) { display: none; } .areas tr { display: grid; grid-template-columns: repeat(4, 1fr); padding: 0.4rem 0; border-bottom: 1px solid var(--line); } .areas tr > * { border: 0; padding: 0.15rem 0; } .areas tr > th[scope=row] { grid-column: 1 / -1; } .areas tr > td:nth-child(2) { grid-row: 3; grid-column: 1 / -1; padding-top: 0.4rem; }
  .areas td.number { width: auto; } .steps { flex-wrap: wrap; gap: 0.5rem 0; } .steps li { flex: 0 0 33.3%; }
  .stack thead, .scan thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack, .stack tbody, .stack tr, .stack th, .stack td, .stack caption { display: block; }
  .stack tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); } .stack th, .stack td { border: 0; padding: 0.1rem 0; text-align: left; }
  .stack td { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.5rem; }
  .scan tbody, .scan tr, .scan th, .scan td { display: block; } .scan tr { padding: 0.3rem 0; border-bottom: 1px solid var(--line); } .scan th, .scan td { border: 0; padding: 0; }
  .scan tr:has(td) { display: grid; grid-template-columns: 1fr auto; gap: 0 0.8rem; } .scan td:nth-child(5) { grid-area: 1 / 2; } .scan td:nth-child(2) { grid-column: 1 / -1; } .scan td:nth-child(3) { grid-area: 3 / 2; color: var(--soft); }
  .stack td::before { content: attr(data-label); color: var(--soft); } .stack td:empty { display: none; }
}

/* findings */
#findings { margin: 0.8rem 0 0.2rem; } @media screen and (min-width: 60rem) { #findings:has(+ .choices) { float: left; margin-right: 2rem; font-size: 1.25rem; } .choices { padding-top: 0.95rem !important; } } .finding { clear: both; }
.choices { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; border: 0; margin: 0 0 0.4rem; padding: 0; font: 0.85rem/1.6 var(--sans); } .choices legend { position: absolute; left: -100rem; } .choices input { margin: 0 0.1rem 0 0; vertical-align: -0.1em; } .choices label { cursor: pointer; white-space: nowrap; }
${CHOICE_WORDS.map((word) => `main:has(#choose-${word}:checked) .finding:not([data-choice~=${word}])`).join(',\n')} { display: none; }
.finding { margin: 0; padding: 0.3rem 0 0.3rem 0.9rem; border-left: 3px solid var(--edge); border-bottom: 1px solid var(--line); }
.finding.is-fail { --edge: var(--fail); } .finding.is-warning { --edge: var(--warning); } .finding .finding { margin: 0.3rem 0 0 1.2rem; border-bottom: 0; } .finding .finding h3 { font-size: 0.95rem; }
.finding details { margin: 0; } .finding h3 { display: inline; font: 600 1rem/1.4 var(--sans); } .where { font: 0.85rem/1.5 var(--sans); margin: 0.1rem 0 0; max-width: none; }
.detail > summary { color: inherit; list-style-position: outside; margin-left: 0.9rem; } .detail > summary:hover { text-decoration: none; } .detail > summary:hover h3 { text-decoration: underline; text-underline-offset: 0.3em; } .detail[open] > summary { margin-bottom: 0.5rem; } .detail > :not(summary) { margin-top: 0.5rem; margin-left: 0.9rem; } .detail[open] { margin-bottom: 1rem; }
.followers summary { font-size: 0.85rem; color: var(--inconclusive); }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 0.8rem 2rem; margin: 0 0 1rem; }
.versus dt, .label { font: 600 0.8rem/1.6 var(--sans); color: var(--soft); } .versus dd { margin: 0; }
.command { position: relative; margin: 0.6rem 0; } .command .label { margin: 0; }
.command .head { display: flex; justify-content: space-between; align-items: end; gap: 1rem; margin-bottom: 0.25rem; }
details { margin: 0.6rem 0; } .fold { margin: 0.3rem 0; } .fold > summary .verdict { margin-right: 0.6rem; } summary { cursor: pointer; font: 0.9rem/1.6 var(--sans); color: var(--link); } summary:hover { text-decoration: underline; }
.exchange { margin: 0.8rem 0 1.4rem; } .exchange > p { font: 0.875rem/1.5 var(--sans); max-width: none; }
.exchanges { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 0 2rem; } .exchanges > * { min-width: 0; }
.body .gap { color: var(--soft); font-style: italic; } mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 0.15em; }
.body mark::before { content: '▸ '; } .missing { font-family: var(--sans); font-weight: 600; }

.self { color: var(--soft); } .contrast mark { background: none; outline: 1.5px solid var(--pass); }
.places { margin: 0.3rem 0; padding-left: 1.1rem; font: 0.875rem/1.6 var(--sans); }
.wide { overflow-x: auto; max-width: 100%; }
kbd { font: 0.8rem var(--mono); border: 1px solid var(--line); border-radius: 3px; padding: 0 0.3em; }

.values { margin: 0.2rem 0 0; padding: 0; list-style: none; font: 0.85rem/1.5 var(--sans); }
#against summary { font: inherit; color: inherit; } #against > * { margin: 0.5rem 0; }
footer { margin: 3rem 0; padding-top: 1rem; border-top: 1px solid var(--line); font: 0.875rem/1.5 var(--sans); color: var(--soft); }
.terms div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); } .terms dt { font-weight: 600; } .terms dd { margin: 0; }

@media print {
  :root { color-scheme: light; ${LIGHT_COLOURS} --paper: #fff; }
  html { font-size: 11px; } body { font-size: 8.5pt; line-height: 1.35; } .page { max-width: none; padding: 0; }
  h1 { font-size: 2rem; } h2 { margin: 1.2rem 0 0.4rem; break-after: avoid; } h3 { break-after: avoid; margin-top: 0.2rem; } p { max-width: none; }
  header { padding: 0; } .facts { gap: 0.2rem 1.5rem; } .finding { break-inside: avoid; } .detail::details-content { content-visibility: visible; display: block; } .followers summary, .detail > summary { list-style: none; } .versus, .command { margin: 0.2rem 0; } .versus { grid-template-columns: 1fr 1fr; gap: 0.2rem 1rem; } .versus dd { font: 0.85rem/1.4 var(--sans); } .command .label { display: none; } .detail > summary, .followers > summary, .detail > :not(summary) { margin-left: 0; } .detail > :not(summary) { margin-top: 0.2rem; } pre { padding: 0.3rem 0.6rem; }
  section[aria-labelledby=findings] { columns: 2; column-gap: 1.5rem; } #findings { column-span: all; } .areas td { font-size: 8pt; } th, td { padding: 0.2rem 0.8rem 0.2rem 0; } td, tr { break-inside: avoid; } footer { margin: 1rem 0 0; }
  .wide { overflow: visible; } .bar, .skip, .command button, .self { display: none; } a { color: inherit; text-decoration: none; }
  .on-screen { display: none; } .on-paper { display: block; }
}
`;
