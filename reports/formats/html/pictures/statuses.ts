/** Draws the statuses of each operation as shares of its requests. */
import type { OperationReport, Report } from '../../../model/report.ts';
import { describeAnswers } from '../../../text/phrases.ts';
import { html, type Markup } from '../markup.ts';
import { roundToTenth, renderFigure } from './svg.ts';

const [left, width, top, rowHeight] = [150, 320, 8, 28];

/** Draws the statuses; null if no request was sent. */
export function drawStatuses({ operations }: Report): Markup | null {
  const rows = operations.filter(({ requests }) => requests > 0);
  if (rows.length === 0) return null;
  return renderFigure({
    id: 'picture-statuses',
    title: 'What the operations answered with',
    words: rows.map(({ id, statuses, unanswered }) => `${id}: ${describeAnswers(statuses, unanswered)}.`).join(' '),
    width: 800,
    height: top + rows.length * rowHeight + 8,
    drawn: rows.map((operation, row) => drawBar(operation, top + row * rowHeight)),
    below: html`<p class="small soft">Filled: 2xx; hatched: 4xx, which is how probes should end; outlined: 5xx, redirects and no answer.</p>`,
  });
}

function drawBar({ id, requests, statuses, unanswered }: OperationReport, y: number): Markup {
  const parts: [string, number][] = [
    ...Object.entries(statuses),
    ...(unanswered > 0 ? [['none', unanswered] as [string, number]] : []),
  ];
  let x = left;
  const rects = parts.map(([status, n]) => {
    const share = Math.max(2, (n / requests) * width);
    const rect = html`<rect class="status-${/^[24]/.test(status) ? status[0]! : 'other'}" x="${roundToTenth(x)}" y="${y + 4}" width="${roundToTenth(Math.max(1, share - 1))}" height="16"/>`;
    x += share;
    return rect;
  });
  const words = describeAnswers(statuses, unanswered);
  return html`<text class="name" x="${left - 12}" y="${y + 17}" text-anchor="end">${id}</text>${rects}<text class="axis" x="${left + width + 16}" y="${y + 17}">${words.length > 46 ? `${words.slice(0, 45)}…` : words}</text>`;
}
