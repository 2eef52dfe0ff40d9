/** The style of the page: light and dark, narrow, wide and on paper. */

const light = `
  --paper: #fbf9f5; --panel: #f4f0e8; --ink: #211f1b; --soft: #5c564c; --line: #ddd5c6; --link: #214f86;
  --fail: #9d1c1c; --warning: #7d4f00; --pass: #22613a; --inconclusive: #4a4c91; --observed: #0d5a69; --mark: #fbe3a9;
`;
const dark = `
  --paper: #171613; --panel: #211f1b; --ink: #ece7dc; --soft: #b3ab9b; --line: #3d3931; --link: #9cc2f2;
  --fail: #f59a90; --warning: #e3b566; --pass: #8fcb9e; --inconclusive: #b5b8f2; --observed: #83c9d7; --mark: #5a4713;
`;

export const style = `
:root { color-scheme: light dark; ${light}
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', 'URW Palladio L', P052, Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 var(--serif); overflow-wrap: anywhere; }
.page { max-width: 70rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem); }
h1, h2, h3, h4 { line-height: 1.2; text-wrap: balance; font-weight: 600; }
h1 { font-weight: 500; font-size: clamp(2.3rem, 7vw, 4rem); margin: 0.3rem 0 0.6rem; letter-spacing: -0.015em; }
h2 { font-size: 1.7rem; margin: 4rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; }
h4 { font: 600 0.8rem/1.4 var(--sans); letter-spacing: 0.04em; text-transform: uppercase; color: var(--soft); margin: 1.6rem 0 0.3rem; }
p { margin: 0.5rem 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: 0.3em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
article:target, li:target, .clause:target { background: var(--panel); box-shadow: 0 0 0 0.6rem var(--panel); }
[hidden] { display: none !important; } .on-paper { display: none; }
code, pre, .mono { font-family: var(--mono); font-size: 0.82em; }
pre { margin: 0; padding: 0.8rem 1rem; background: var(--panel); border-radius: 4px; white-space: pre-wrap; line-height: 1.5; }
.small { font: 0.875rem/1.5 var(--sans); } .soft { color: var(--soft); }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.4rem; }
.fail { color: var(--fail); } .warning { color: var(--warning); } .pass { color: var(--pass); }
.inconclusive { color: var(--inconclusive); } .observed { color: var(--observed); } .not-applicable { color: var(--soft); }
.conformant { color: var(--pass); } .non-conformant { color: var(--fail); }
.verdict { font: 600 0.8rem/1.5 var(--sans); white-space: nowrap; }

/* first screen */
.title { font: 0.875rem/1.5 var(--sans); color: var(--soft); margin: clamp(1.2rem, 5vw, 3rem) 0 0; max-width: none; }
.who { font-size: 1.3rem; margin: 0 0 1rem; }
.reasons { font-size: 1.12rem; margin: 0 0 1.6rem; padding: 0; list-style: none; max-width: 46rem; }
.reasons li { margin: 0.4rem 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 0.8rem 2rem; margin: 1.5rem 0; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; font: 0.875rem/1.45 var(--sans); }
.facts div { min-width: 0; } .facts dt { color: var(--soft); } .facts dd { margin: 0; }
.gate { font: 0.95rem/1.5 var(--sans); }
.levels { display: grid; gap: 0.9rem; margin: 1.5rem 0; padding: 0; list-style: none; }
.levels p { margin: 0; font: 0.9rem/1.5 var(--sans); max-width: none; }
.bar { display: flex; gap: 2px; height: 0.55rem; margin-top: 0.3rem; }
.bar span { min-width: 3px; background: currentColor; border-radius: 1px; } .bar .inconclusive { background: repeating-linear-gradient(135deg, currentColor 0 3px, transparent 3px 6px); } .bar .not-applicable { opacity: 0.35; }
.twins { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem 3rem; margin-top: 1.5rem; }
.twins h2 { font-size: 1.25rem; margin: 0.5rem 0; border: 0; padding: 0; }
.twins ol, .twins ul { margin: 0; padding-left: 1.1rem; } .twins li { margin: 0.35rem 0; }
.contents { margin: 2rem 0 0; font: 0.95rem/1.5 var(--sans); } .contents ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; margin: 0; padding: 0; list-style: none; }

/* tables */
table { border-collapse: collapse; width: 100%; font: 0.875rem/1.45 var(--sans); font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.5rem; }
th, td { overflow-wrap: break-word; text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; } th { font-weight: 600; } .number { text-align: right; } td code, th code { overflow-wrap: anywhere; } .pair { white-space: nowrap; } th code { font-weight: 400; }
tbody th[colspan] { padding-top: 1.2rem; font-family: var(--serif); font-size: 1.05rem; }
@media screen and (max-width: 55.9rem) {
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack, .stack tbody, .stack tr, .stack th, .stack td, .stack caption { display: block; }
  .stack tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); } .stack th, .stack td { border: 0; padding: 0.1rem 0; text-align: left; }
  .stack td { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.5rem; }
  .stack td::before { content: attr(data-label); color: var(--soft); } .stack td:empty { display: none; }
}

/* findings */
.finding { margin: 2.2rem 0; padding-left: 1.2rem; border-left: 3px solid var(--edge); }
.finding.is-fail { --edge: var(--fail); } .finding.is-warning { --edge: var(--warning); }
.finding h3 { margin: 0.1rem 0 0.3rem; } .finding .where { font: 0.875rem/1.5 var(--sans); margin: 0 0 0.9rem; max-width: none; }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 0.8rem 2rem; margin: 0 0 1rem; }
.versus dt, .label { font: 600 0.8rem/1.6 var(--sans); color: var(--soft); } .versus dd { margin: 0; }
.command { position: relative; margin: 0.6rem 0; } .command .label { margin: 0; }
.command button { font: 0.8rem/1.4 var(--sans); color: var(--link); background: none; border: 1px solid var(--line); border-radius: 4px; padding: 0.15rem 0.6rem; cursor: pointer; min-height: 1.75rem; }
.command .head { display: flex; justify-content: space-between; align-items: end; gap: 1rem; margin-bottom: 0.25rem; }
details { margin: 0.6rem 0; } summary { cursor: pointer; font: 0.9rem/1.6 var(--sans); color: var(--link); } summary:hover { text-decoration: underline; }
.exchange { margin: 0.8rem 0 1.4rem; } .exchange > p { font: 0.875rem/1.5 var(--sans); max-width: none; }
.exchanges { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 0 2rem; } .exchanges > * { min-width: 0; }
.body .gap { color: var(--soft); font-style: italic; } mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 0.15em; }
.body mark::before { content: '▸ '; } .missing { font-family: var(--sans); font-weight: 600; }

.self { color: var(--soft); } .contrast mark { background: none; outline: 1.5px solid var(--pass); }
.places { margin: 0.3rem 0; padding-left: 1.1rem; font: 0.875rem/1.6 var(--sans); }
.filters { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); padding: 0.6rem 0; margin-top: 3rem; display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; align-items: center; font: 0.85rem/1.5 var(--sans); }
.filters input[type=search] { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: 4px; padding: 0.3rem 0.6rem; min-width: min(16rem, 100%); }
.filters fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; } .filters legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.filters label { white-space: nowrap; min-height: 1.5rem; } .filters p { margin: 0; } .filters button { font: inherit; color: var(--link); background: none; border: 1px solid var(--line); border-radius: 4px; padding: 0.1rem 0.6rem; cursor: pointer; }
@media (max-width: 40rem), (max-height: 30rem) { .filters { position: static; } }
@media (min-width: 40.01rem) and (min-height: 30.01rem) { html { scroll-padding-top: 6.5rem; } }
.fields { margin: 1.2rem 0 2rem; } .fields caption { font: 0.875rem/1.5 var(--sans); } .fields > tbody > tr > th { width: 15rem; } .fields .type { width: 9rem; color: var(--soft); } .fields th code { font-weight: 600; } .fields thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .fields caption { border-bottom: 1px solid var(--line); }
kbd { font: 0.8rem var(--mono); border: 1px solid var(--line); border-radius: 3px; padding: 0 0.3em; }

.next p { margin: 0.8rem 0 0; } .next ol { margin: 0.2rem 0; padding-left: 1.4rem; } .next code { overflow-wrap: anywhere; }
.triage { font: 0.85rem/1.6 var(--sans); } .triage input[type=text], .triage input[type=date], .triage button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: 4px; padding: 0.2rem 0.5rem; max-width: 100%; }

/* the document */
.clause { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr) minmax(4rem, auto); gap: 0 1rem; padding: 0.35rem 0; } .clause + .clause { border-top: 1px dotted var(--line); } .fields .clause { padding: 0.1rem 0 0.35rem; }
.clause .said { margin: 0; font: 1rem/1.45 var(--serif); } .clause .meta { font: 0.8rem/1.5 var(--sans); color: var(--soft); margin: 0.1rem 0 0; max-width: none; } .clause .meta.inconclusive { color: var(--inconclusive); } .clause .meta a { color: inherit; }
.clause .often { font: 0.8rem/1.7 var(--sans); color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
.values { margin: 0.2rem 0 0; padding: 0; list-style: none; font: 0.85rem/1.5 var(--sans); }
@media (max-width: 40rem) { .clause { grid-template-columns: minmax(0, 1fr) auto; } .clause .text { grid-column: 1 / -1; grid-row: 2; } }
@media screen and (max-width: 55.9rem) { .fields > tbody > tr > th { width: auto; } .fields .type { width: auto; } .stack td.rules { display: block; } .stack td.rules::before { content: none; } }
footer { margin: 5rem 0 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font: 0.875rem/1.5 var(--sans); color: var(--soft); }
.terms div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); } .terms dt { font-weight: 600; } .terms dd { margin: 0; }

@media print {
  :root { color-scheme: light; ${light} --paper: #fff; }
  html { font-size: 11.5px; } body { font-size: 9.5pt; line-height: 1.4; } .page { max-width: none; padding: 0; } h1 { font-size: 2.3rem; } h2 { margin-top: 1.6rem; break-after: avoid; } .facts { gap: 0.4rem 1.5rem; } .finding { margin: 1.2rem 0; } td, tr { break-inside: avoid; } footer { margin: 1.5rem 0 0; } h3, h4 { break-after: avoid; }
  .contents, .skip, .command button, .self, .filters, .triage { display: none; } a { color: inherit; text-decoration: none; }
  details::details-content { content-visibility: visible; display: block; } .finding .versus, .clause { break-inside: avoid; } body:not(:has(#print-all:checked)) .on-screen { display: none; } body:not(:has(#print-all:checked)) .on-paper { display: block; } .fields .clause { grid-template-columns: 6rem minmax(0, 1fr) auto; }
}
`;
