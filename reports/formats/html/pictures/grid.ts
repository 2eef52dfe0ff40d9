/** Draws which installments were offered in each currency, and which were used for a payment link. */
import type { Report } from '../../../model/report.ts';
import { toOneLine, shorten } from '../../../text/sanitize.ts';
import { html, type Markup } from '../markup.ts';
import { renderFigure } from './svg.ts';

const [left, top, cellWidth, cellHeight, most] = [80, 30, 56, 34, 20];

/** Draws the grid; null if no installment was offered. */
export function drawGrid({ covers }: Report): Markup | null {
  const currencies = [...new Set(covers.map(({ currency }) => currency))].sort().slice(0, most);
  const values = [...new Set(covers.map(({ installment }) => installment))].sort((a, b) => a - b).slice(0, most);
  if (currencies.length === 0 || values.length === 0) return null;
  const cells = currencies.flatMap((currency, row) =>
    values.map((value, column) => {
      const { offered = 0, links = 0 } =
        covers.find((one) => one.currency === currency && one.installment === value) ?? {};
      return { currency, value, offered, links, x: left + column * cellWidth, y: top + row * cellHeight };
    }),
  );
  const stated = cells.filter(({ offered, links }) => offered + links > 0);
  return renderFigure({
    id: 'picture-grid',
    title: 'Installments and currencies that links were made with',
    words: stated
      .map(
        ({ currency, value, offered, links }) => `${currency}, ${value}: offered in ${offered} lists, ${links} links.`,
      )
      .join(' '),
    width: left + values.length * cellWidth + 8,
    height: top + currencies.length * cellHeight + 8,
    drawn: [
      ...values.map(
        (value, column) =>
          html`<text class="axis" x="${left + (column + 0.5) * cellWidth}" y="${top - 10}" text-anchor="middle">${value}</text>`,
      ),
      ...currencies.map(
        (currency, row) =>
          html`<text class="name" x="${left - 12}" y="${top + (row + 0.5) * cellHeight + 4}" text-anchor="end">${shorten(toOneLine(currency), 8)}</text>`,
      ),
      ...cells.map(({ offered, links, x, y }) => {
        const kind = links > 0 ? 'used' : offered > 0 ? 'offered' : 'none';
        return html`<rect class="cell-${kind}" x="${x + 1}" y="${y + 1}" width="${cellWidth - 2}" height="${cellHeight - 2}" rx="2"/>${kind === 'none' ? '' : html`<text class="cell-text-${kind}" x="${x + cellWidth / 2}" y="${y + cellHeight / 2 + 4}" text-anchor="middle">${links}</text>`}`;
      }),
    ],
    below: html`<p class="small soft">Columns are installments, rows currencies. Filled: links were made, with their number; outlined: offered and not used; empty: not offered.</p>`,
  });
}
