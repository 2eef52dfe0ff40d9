/** The style of the pictures and of the matrix on the first screen, in the colours of the page, light and dark. */
export const PICTURE_STYLE = `
.wide { overflow-x: auto; max-width: 100%; } .wide svg { display: block; max-width: none; height: auto; }
.picture { margin: 0.8rem 0 1.5rem; }
.picture text { font: 13px var(--sans); fill: var(--ink); } .picture .axis { fill: var(--soft); font-size: 12px; }
.picture .rule, .picture .life { stroke: var(--line); stroke-width: 1; } .picture .ring { fill: none; stroke: var(--line); }
.picture .ticks { stroke: var(--link); stroke-opacity: 0.45; stroke-width: 1.2; fill: none; }
.picture .middle, .picture .late { fill: var(--ink); stroke: var(--paper); stroke-width: 1.5; } .picture .slowest { fill: var(--warning); }
.picture .status-2 { fill: var(--pass); } .picture .status-4 { fill: var(--link); fill-opacity: 0.35; stroke: var(--link); } .picture .status-other { fill: none; stroke: var(--fail); stroke-width: 1.5; }
.picture .centre { stroke: var(--fail); stroke-width: 2; fill: none; } .picture .atm { fill: var(--link); stroke: var(--paper); stroke-width: 1; }
.picture .step { font-weight: 600; } .picture .ids { font: 12px var(--mono); fill: var(--soft); white-space: pre; } .picture .carried { fill: var(--observed); font-weight: 600; }
.picture .asked { stroke: var(--ink); stroke-width: 1.4; } .picture .answered { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 5 4; } .picture .tip { fill: var(--ink); }
.picture .arc { fill: none; stroke: var(--observed); stroke-opacity: 0.7; stroke-width: 1.3; } .picture .arc-end { fill: var(--observed); }
.picture .cell-used { fill: var(--pass); } .picture .cell-offered { fill: none; stroke: var(--soft); } .picture .cell-none { fill: var(--panel); }
.picture .cell-text-used { fill: var(--paper); font-weight: 600; }
.matrix { font: 0.875rem/1.4 var(--sans); min-width: 32.5rem; } .matrix td, .matrix thead th { text-align: left; white-space: nowrap; } .matrix td a { text-decoration: none; } .matrix td a:hover { text-decoration: underline; }
.matrix th, .matrix td { padding: 0.28rem 0.7rem 0.28rem 0; } .matrix .area th { padding-top: 0.7rem; font: 600 0.8rem/1.4 var(--sans); color: var(--soft); letter-spacing: 0.04em; text-transform: uppercase; }
@media (max-width: 34.5rem) { .matrix { font-size: 0.75rem; min-width: 0; } .matrix th, .matrix td { padding-right: 0.25rem; } .matrix td { white-space: normal; } }
.matrix abbr { text-decoration: none; } .matrix tbody th { font-weight: 500; }
@media print { .wide { overflow: visible; } .wide svg { max-width: 100%; } .picture { break-inside: avoid; } }
`;
