/** Draws how fast each operation answered. Each strip shows the whole distribution on a logarithmic scale. */
import type { OperationReport, Report } from '../../../model/report.ts';
import { html, type Markup } from '../markup.ts';
import { roundToTenth, renderFigure } from './svg.ts';

const [left, right, top, rowHeight] = [150, 740, 34, 30];

/** Draws the strips of the operations that answered. */
export function drawLatency({ operations }: Report): Markup | null {
  const rows = operations.filter((operation) => operation.latencyMs !== null && operation.spread.length > 0);
  if (rows.length === 0) return null;
  const all = rows.flatMap(({ spread }) => spread);
  const low = 10 ** Math.floor(Math.log10(Math.max(0.1, Math.min(...all))));
  const high = Math.max(low * 10, 10 ** Math.ceil(Math.log10(Math.max(...all, 0.2))));
  const x = (ms: number): number =>
    roundToTenth(
      left +
        ((Math.log10(Math.max(ms, low)) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (right - left),
    );
  const bottom = top + rows.length * rowHeight;
  const words = rows.map(
    ({ id, latencyMs }) =>
      `${id}: half within ${latencyMs!.p50} ms, 95 of 100 within ${latencyMs!.p95} ms, slowest ${latencyMs!.max} ms.`,
  );
  return renderFigure({
    id: 'picture-latency',
    title: 'How fast the operations answered',
    words: words.join(' '),
    width: 800,
    height: bottom + 8,
    drawn: [
      drawScale(low, high, x, bottom),
      ...rows.map((operation, row) => drawStrip(operation, top + (row + 0.5) * rowHeight, x)),
    ],
    below: html`<p class="small soft">Each tick is a measured answer; <span aria-hidden="true">●</span> the middle, <span aria-hidden="true">◆</span> 95 of 100 within, <span aria-hidden="true">▌</span> the slowest. The scale is logarithmic.</p>`,
  });
}

function drawScale(low: number, high: number, x: (ms: number) => number, bottom: number): Markup {
  const marks: number[] = [];
  for (let ms = low; ms <= high * 1.001; ms *= 10) marks.push(ms);
  return html`${marks.map((ms) => html`<line class="rule" x1="${x(ms)}" x2="${x(ms)}" y1="${top - 6}" y2="${bottom}"/><text class="axis" x="${x(ms)}" y="${top - 12}" text-anchor="middle">${ms >= 1000 ? `${ms / 1000} s` : `${Number(ms.toPrecision(1))} ms`}</text>`)}`;
}

function drawStrip({ id, spread, latencyMs }: OperationReport, y: number, x: (ms: number) => number): Markup {
  const { p50, p95, max } = latencyMs!;
  const ticks = [...new Set(spread.map(x))].map((one) => `M${one} ${y - 7}v14`).join('');
  return html`<text class="name" x="${left - 12}" y="${y + 4}" text-anchor="end">${id}</text><line class="rule" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><path class="ticks" d="${ticks}"/><rect class="slowest" x="${x(max) - 1.5}" y="${y - 9}" width="3" height="18"/><path class="late" d="M${x(p95)} ${y - 7}l6 7l-6 7l-6 -7z"/><circle class="middle" cx="${x(p50)}" cy="${y}" r="5"/><text class="axis" x="${Math.min(x(max) + 8, 752)}" y="${y + 4}">${max} ms</text>`;
}
