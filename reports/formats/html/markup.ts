/** Makes HTML: a template tag that escapes all texts, and the layout of a page with its security policy, style and script. */
import { createHash } from 'node:crypto';
import { html as honoHtml, raw } from 'hono/html';
import { escapeHarmful } from '../../text/sanitize.ts';
import { PAGE_STYLE } from './style.ts';

export type Markup = ReturnType<typeof raw>;

type TemplateValue = string | number | boolean | null | undefined | Markup | readonly TemplateValue[];

/** Escapes every text in a template, in attributes (with quotes) and between tags. */
export const html = (strings: TemplateStringsArray, ...values: readonly TemplateValue[]): Markup =>
  honoHtml(strings, ...values.map(escapeTexts)) as Markup;

function escapeTexts(value: TemplateValue): unknown {
  if (typeof value === 'string') return escapeHarmful(value);
  return Array.isArray(value) ? value.map((item: TemplateValue) => escapeTexts(item)) : value;
}

/** Makes markup from style and script of the suite. Never use it for text of a bank. */
const rawHtml = (text: string): Markup => raw(text);

interface Layout {
  readonly title: string;
  readonly body: Markup;
  readonly skipLink?: { readonly anchor: string; readonly text: string };
  readonly script?: string;
}

const hashForPolicy = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Makes a page. Only the script of the page may run. The page may not compile code or load anything. */
export function renderLayout({ title, body, skipLink, script }: Layout): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${script === undefined ? "'none'" : hashForPolicy(script)}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${rawHtml(PAGE_STYLE)}</style>
</head>
<body>
${skipLink === undefined ? '' : html`<a class="skip" href="#${skipLink.anchor}">${skipLink.text}</a>`}
<main class="page">
${body}
</main>
${script === undefined ? '' : html`<script>${rawHtml(script)}</script>`}
</body>
</html>
`.toString();
}
