/** What all pictures have in common: drawn as SVG in the colours of the page, with a title and the same in words. */
import { html, type Markup } from '../markup.ts';

interface Picture {
  readonly id: string;
  readonly title: string;
  /** What a reader who does not see it should know. */
  readonly words: string;
  readonly width: number;
  readonly height: number;
  readonly drawn: Markup | readonly Markup[];
  /** What stands below it. */
  readonly below?: Markup | '';
}

/** A picture as a figure. Wide ones scroll within their own frame, never the page. */
export function figure({ id, title, words, width, height, drawn, below = '' }: Picture): Markup {
  return html`<figure class="picture" id="${id}"><figcaption>${title}</figcaption>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-words"><title id="${id}-title">${title}</title><desc id="${id}-words">${words}</desc>${drawn}</svg></div>${below}</figure>`;
}

/** A number for a drawing: at most one decimal. */
export function at(value: number): number {
  return Math.round(value * 10) / 10;
}
