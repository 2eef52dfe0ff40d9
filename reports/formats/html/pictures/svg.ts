/** Makes the common parts of all pictures: SVG in the colours of the page, a title and a description. */
import { renderFold } from '../components.ts';
import { html, type Markup } from '../markup.ts';

interface Picture {
  readonly id: string;
  readonly title: string;
  /** The description for a reader who does not see the picture. */
  readonly words: string;
  readonly width: number;
  readonly height: number;
  readonly drawn: Markup | readonly Markup[];
  /** The content below the picture. */
  readonly below?: Markup | '';
}

/** Makes a closed figure from a picture. A wide picture scrolls in its own frame. */
export function renderFigure({ id, title, words, width, height, drawn, below = '' }: Picture): Markup {
  const drawing = html`<figure class="picture">
<div class="wide" tabindex="0" role="region" aria-label="${title}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-words"><title id="${id}-title">${title}</title><desc id="${id}-words">${words}</desc>${drawn}</svg></div>${below}</figure>`;
  return renderFold(title, '', drawing, id);
}

/** Rounds a number for a drawing to one decimal. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
