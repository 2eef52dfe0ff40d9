/** The template tag of the page: it escapes mark-up, and shows harmful characters as escapes. */
import { html as honoHtml, raw } from 'hono/html';
import { escapeHarmful } from '../../text/sanitize.ts';

/** Markup that is safe and not escaped again. */
export type Markup = ReturnType<typeof raw>;

type Part = string | number | boolean | null | undefined | Markup | readonly Part[];

/** Escapes every text in a template, in attributes (with quotes) and between tags. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  honoHtml(strings, ...parts.map(renderPart)) as Markup;

function renderPart(part: Part): unknown {
  if (typeof part === 'string') return escapeHarmful(part);
  return Array.isArray(part) ? part.map((one: Part) => renderPart(one)) : part;
}

/** Makes markup from style and script of the suite. Never use it for text of a bank. */
export const rawHtml = (text: string): Markup => raw(text);

/** Converts a text to a part of an anchor: letters, digits, dots and hyphens. */
export const makeSlug = (text: string): string => text.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-|-$/g, '');
