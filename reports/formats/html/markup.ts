/** The template tag of the page: escapes by default, and shows what could act on a reader's eye as an escape. */
import { html as honoHtml, raw } from 'hono/html';
import { visible } from '../../text/sanitize.ts';

/** Markup that is done and is not escaped again. */
export type Markup = ReturnType<typeof raw>;

type Part = string | number | boolean | null | undefined | Markup | readonly Part[];

/** Every text that stands in a template is escaped and made visible, in attributes (quote them) as between tags. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  honoHtml(strings, ...parts.map(shown)) as Markup;

function shown(part: Part): unknown {
  if (typeof part === 'string') return visible(part);
  return Array.isArray(part) ? part.map((one: Part) => shown(one)) : part;
}

/** Markup of the suite's own making: style and script. Never for anything that came from outside. */
export const rawHtml = (text: string): Markup => raw(text);

/** A part of an address within the page: letters, digits and hyphens. */
export const slug = (text: string): string => text.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-|-$/g, '');
